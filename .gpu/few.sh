tar xzf p.tgz; P=$PWD/p/bin/stridescope; cd ../tests/own_kernels; export HOME=/tmp/h; mkdir -p /tmp/h; mkdir -p $OUT/few
for n in stencil_1d functor_reduce carved_dynamic groups_tile softmax_row reduce1_contiguous last_block argmax_struct layer_norm; do $P step $n.cu --engine gpu --json > /tmp/$n.json 2>/tmp/$n.err; echo $n $?; cat /tmp/$n.err | head -3; $P counters $n.cu --json > /tmp/$n.c.json 2>/dev/null; done
for n in stencil_1d functor_reduce carved_dynamic; do for b in 0 1 2; do $P step $n.cu --engine gpu --json --inspect $b > /tmp/$n.gpu.b$b.json 2>/dev/null; done; $P record $n.cu --engine gpu -o /tmp/$n.stride >/dev/null; done
time $P step reduce1_contiguous.cu --engine gpu > /dev/null
time $P step reduce1_contiguous.cu --engine host > /dev/null
cd /tmp; tar czf $OUT/few.tgz *.json *.stride
python3 - <<'X'
import json,glob
for n in ['stencil_1d','functor_reduce','carved_dynamic','groups_tile']:
    c=json.load(open(f'/tmp/{n}.c.json'))['cases'][0]['launches']
    ks=('shared_load_wavefronts','shared_store_wavefronts','shared_load_conflicts','shared_store_conflicts')
    m=[sum((l['counters'][k]['measured'] or 0) for l in c) for k in ks]
    r=[0]*4
    for f in glob.glob(f'/tmp/{n}.gpu.b*.json'):
        try: t=json.load(open(f))['totals']
        except Exception: continue
        r=[a+t[k] for a,k in zip(r,ks)]
    print(n,m,r)
X
