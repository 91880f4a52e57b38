import subprocess, glob, os, json, sys, time
from concurrent.futures import ThreadPoolExecutor
P=os.path.abspath('p/bin/stridescope'); K=os.path.abspath('../tests/own_kernels'); R=os.path.abspath('res'); os.makedirs(R,exist_ok=True)
os.environ['HOME']='/tmp/h'; os.makedirs('/tmp/h',exist_ok=True)
def run(args,out,limit=100):
    t=time.time()
    try: r=subprocess.run([P]+args,capture_output=True,timeout=limit,cwd=K)
    except subprocess.TimeoutExpired: open(R+'/'+out,'w').write('TIMEOUT'); return 99
    open(R+'/'+out,'wb').write(r.stdout); open(R+'/'+out+'.err','wb').write(r.stderr)
    return r.returncode, round(time.time()-t,2)
names=sorted(os.path.basename(f)[:-3] for f in glob.glob(K+'/*.cu'))
hang=['bug_endless_loop','bug_endless_wait']
rc={}
def work(n):
    d={}
    d['gpu']=run(['step',n+'.cu','--engine','gpu','--json','--cycles'],n+'.gpu.json')
    d['host']=run(['step',n+'.cu','--engine','host','--json'],n+'.host.json')
    if n in hang: return n,d
    d['verify']=run(['verify',n+'.cu','--engine','gpu'],n+'.verify')
    d['time']=run(['time',n+'.cu','--json'],n+'.time.json')
    try:
        j=json.load(open(f'{R}/{n}.gpu.json'))
        for k,l in enumerate(j['launches']):
            if l['grid']>1 and len(j['launches'])==1:
                g=j['kernel']['grid']
                for b in range(l['grid']):
                    x,y,z=b%g[0],b//g[0]%g[1],b//g[0]//g[1]
                    run(['step',n+'.cu','--engine','gpu','--json','--inspect',f'{x},{y},{z}'],f'{n}.gpu.b{b}.json')
    except Exception as e: d['e']=str(e)
    return n,d
print(run(['step','reduce1_contiguous.cu','--engine','gpu','--cycles'],'first.txt'))
print(open(R+'/first.txt').read()[:2500])
with ThreadPoolExecutor(6) as ex:
    for n,d in ex.map(work,names): rc[n]=d
for n in names:
    if n not in hang: rc[n]['counters']=run(['counters',n+'.cu','--json','--engine','gpu'],n+'.counters.json')
json.dump(rc,open(R+'/rc.json','w'))
run(['time','reduce1_contiguous.cu'],'time.txt'); print(open(R+'/time.txt').read())
run(['counters','reduce1_contiguous.cu','--engine','gpu'],'counters.txt'); print(open(R+'/counters.txt').read()[:2500], open(R+'/counters.txt.err').read()[:500])
print({n:{k:v for k,v in d.items() if v[0]!=0} for n,d in rc.items() if any(v[0]!=0 for v in d.values())})
