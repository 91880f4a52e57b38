set +e
cd .gpu; tar xzf p.tgz; P=$PWD/p/bin/stridescope; R=$PWD/res; mkdir -p $R; K=$PWD/../tests/own_kernels
export HOME=/tmp/h; mkdir -p $HOME
$P step $K/reduce2_sequential.cu --engine gpu > $R/first.txt 2>&1; head -c 1500 $R/first.txt
one() { f=$1; n=$(basename $f .cu); timeout 100 $P step $f --engine gpu --json > $R/$n.gpu.json 2> $R/$n.gpu.err; echo "$n gpu rc $?" >> $R/rc.txt; timeout 100 $P step $f --engine host --json > $R/$n.host.json 2> $R/$n.host.err; echo "$n host rc $?" >> $R/rc.txt; }
for f in $K/*.cu; do one $f; done
cat $R/rc.txt | awk '{print $2,$4}' | sort | uniq -c
cat $R/*.gpu.err | sort | uniq -c | sort -rn | head -40
tar czf $OUT/res.tgz -C $R .
