#!/usr/bin/env bash
# own_kernel_commands.sh PROGRAM: what the commands do with FILE.cu in place of a variant.
set -euo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CONFIG_HOME=$folder/config TMPDIR=$folder/temporary
mkdir "$folder/place" "$folder/temporary"
cd "$folder/place"
fail() {
  echo "FAILED: $*: $(cat "$folder/out" "$folder/error" 2>/dev/null)"
  exit 1
}

# ends CODE ARGUMENTS...
ends() {
  local code=$1 status=0
  shift
  "$program" "$@" >"$folder/out" 2>"$folder/error" || status=$?
  [[ $status == "$code" ]] || fail "$* ended with $status, not with $code"
}
said() { grep -qF -- "$1" "$folder/out" || fail "not printed: $1"; }
told() { grep -qF -- "$1" "$folder/error" || fail "not told: $1"; }

cat >sum.cu <<'TEXT'
__global__ void blockSum(const int* in, int* out, int n)
{
    __shared__ int s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, s[0]);
}
TEXT
sed 's/blockSum/stridedSum/; s/threadIdx.x < k/threadIdx.x % (2 * k) == 0/; s/int k = blockDim.x \/ 2; k > 0; k \/= 2/int k = 1; k < blockDim.x; k *= 2/' sum.cu >strided.cu

# A machine that cannot confine the kernel runs none.
status=0
"$program" step sum.cu >"$folder/out" 2>"$folder/error" || status=$?
[[ $status != 3 ]] || exit 77

# Without a launch file, what is missing is guessed and told; init keeps it.
ends 0 step sum.cu
said '--arg n=512'
said '--grid 2'
said 'keeps it as a launch file'
ends 0 step sum.cu --arg n=100
said '--arg in=digits:100'
ends 0 init sum.cu --arg n=300
said 'guessed: --arg in=digits:300'
ends 3 init sum.cu
told 'exists'
ends 0 init sum.cu --arg n=300 --force
ends 0 step sum.cu --json
grep -q '"divergent_branches":0' "$folder/out" || fail "branches are not known"

# What is expected: a reduction of the input, a file, another kernel.
ends 0 step sum.cu --expect 'out=+ of in'
said 'right: as '
ends 1 step sum.cu --expect 'out=max of in'
said 'wrong: out[0] is '
echo 7 >want.txt
ends 1 step sum.cu --expect out=want.txt
said 'and 7 is expected'
ends 0 step sum.cu --same-as strided.cu
said 'right: as strided.cu leaves them'
sed 's/out, s\[0\]/out, 1 + s[0]/' sum.cu >off.cu
ends 1 step sum.cu --same-as off.cu
ends 2 step sum.cu --expect out
ends 2 step sum.cu --expect 'out=? of in'

# Two files are compared by what a GPU measures of them.
ends 2 why sum.cu sequential
told 'sequential is no file of your own'
ends 2 why sequential sum.cu
ends 2 why sum.cu --peel

# What the program's own headers refuse is one sentence.
echo '__global__ void k(int *a) { asm volatile("nanosleep.u32 5;"); a[0] = 1; }' >ptx.cu
ends 2 step ptx.cu --engine host
told 'Inline PTX (asm) cannot be stepped on the CPU (line 1, column 29)'
told 'ptx.cu:1:29: error: Inline PTX'
printf '%s\n' '__global__ void k(cudaTextureObject_t t, float *p) {' '  p[0] = tex1Dfetch<float>(t, 0);' '}' >texture.cu
ends 2 step texture.cu --engine host
told 'does not compile: Textures and surfaces cannot be stepped on the CPU: tex1Dfetch() (line 2, column'
printf '%s\n' '' '#include <mma.h>' '__global__ void k(float *p) { p[0] = 1; }' >mma.cu
ends 2 step mma.cu --engine host
told 'does not compile: Tensor core fragments (mma.h) cannot be stepped on the CPU (line 2, column 1)'
printf '%s\n' '__global__ void child(int *p) { p[0] = 1; }' '__global__ void k(int *p) {' '  child<<<1, 32>>>(p);' '}' >parent.cu
ends 2 step parent.cu --kernel k --engine host
told 'Launches from a kernel (<<<...>>>) cannot be stepped on the CPU (line 3, column 8)'

# A system call ends the process, however few threads make it.
printf '%s\n' 'extern "C" int getppid();' '__global__ void k(int *a) { a[0] = getppid(); }' >system.cu
ends 3 step system.cu --engine host --block 1
told 'was killed by SIGSYS (Bad system call). A kernel may make none. Fix its text.'

# Which block, which launch; schedules and orders of the executor.
ends 0 step sum.cu --inspect all --json
[[ $(grep -o '"block":1,"rounds"' "$folder/out" | wc -l) == 1 ]] || fail "block 1 has no rounds"
all=$(grep -o '"totals":{"shared_load_wavefronts":[0-9]*' "$folder/out" | grep -o '[0-9]*$')
ends 0 step sum.cu --inspect 1 --json
one=$(grep -o '"totals":{"shared_load_wavefronts":[0-9]*' "$folder/out" | grep -o '[0-9]*$')
[[ $all == $((2 * one)) ]] || fail "$all wavefronts in two blocks of $one"
ends 0 step sum.cu --inspect all
said 'launch 0, block 1: '
ends 2 step sum.cu --inspect 2
ends 2 step sum.cu --inspect-launch 1
for schedule in warps lockstep random; do
  ends 0 step sum.cu --schedule $schedule --schedule-seed 3 --block-order random --expect 'out=+ of in'
done

# The other commands.
ends 0 compare strided.cu sum.cu
said 'divergent branches'
ends 0 compare strided.cu sum.cu --json
ends 0 export sum.cu -o rounds.csv
grep -q '^sum.cu\|sum.cu,' rounds.csv || fail "rounds.csv: $(head -2 rounds.csv)"
ends 0 export strided.cu,sum.cu -o both.md
ends 2 export sum.cu,sequential -o mixed.md
ends 0 record sum.cu -o sum.stride
# It is read in place of an engine, also where the file is not there any more.
mkdir elsewhere
cp sum.stride elsewhere
(
  cd elsewhere
  ends 0 step sum.cu --engine sum.stride
  said 'sum.cu, 256 threads'
  said 'totals in shared memory'
  # The JSON has the members of a run of the file, but for its arrays.
  ends 0 step sum.cu --engine sum.stride --json
  said '"kernel":{"file":"sum.cu","name":"blockSum",'
  said '"grid":[2,1,1],"block":[256,1,1]'
  said '"kind":"recorded"'
  said '"recorder":"source"'
  said '"check":"not checked"'
  grep -q '"variant"\|"experiment"\|"result"' "$folder/out" && fail "a kernel of one's own is no variant"
  ends 0 compare sum.cu sum.cu --engine sum.stride
  ends 0 export sum.cu --engine sum.stride -o sum.md
  ends 2 step sum.cu --engine sum.stride --grid 2
  told 'that is known'
  ends 2 step other.cu --engine sum.stride
  told 'has no trace that matches'
)
# Launches one after the other may have blocks of other sizes, in a recording, too.
sed 's/blockSum/first/' sum.cu >two.cu
sed 's/blockSum/second/' sum.cu >>two.cu
cat >two.launch.json <<'END'
{"launches": [
 {"kernel": "first", "grid": [2], "block": [64],
  "args": [{"name": "in", "pattern": "ramp", "count": 128}, {"name": "out", "array": "part", "fill": 0, "count": 2},
           {"name": "n", "value": 128}]},
 {"kernel": "second", "grid": [1], "block": [2],
  "args": [{"name": "in", "array": "part", "count": 2}, {"name": "out", "array": "sum", "fill": 0, "count": 1},
           {"name": "n", "value": 2}], "expect": {"sum": [8128]}}]}
END
ends 0 step two.cu
said 'right: as two.launch.json expects'
ends 0 record two.cu -o two.stride
ends 0 step two.cu --engine two.stride
said 'launch 1: 1 block of 2 threads'
ends 0 compare two.cu two.cu --engine two.stride
# The source recorder takes sum.cu, whose operands are then known; a reference it does not.
ends 0 step sum.cu --json
said '"recorder":"source"'
said '"engine":{"kind":"host"'
ends 0 step sum.cu --recorder access --json
said '"recorder":"access"'
grep -q recorder_reason "$folder/out" && fail "a reason, though nothing else was asked for"
ends 0 quiz sum.cu --questions 4 --seed 3
said 'Answers to sheet 3'
cp "$folder/out" "$folder/sheet"
ends 0 quiz sum.cu --questions 4 --seed 3
cmp -s "$folder/out" "$folder/sheet" || fail "another sheet by the same seed"
sed 's/__global__/template <class T> __global__/; s/const int\* in/const T* in/' sum.cu >any.cu
ends 0 step any.cu --template int --json
said '"recorder":"source"'
(echo '__device__ int same(const int& a) { return a; }' && cat any.cu) >other.cu
ends 0 step other.cu --template int --json
said '"recorder":"access","recorder_reason":"Line 1, column 30: Accesses through a reference are not supported yet.'
ends 0 step other.cu --template int --round 0
said 'The source recorder does not take the text.'
ends 2 step other.cu --template int --recorder source
told 'other.cu, line 1, column 30: Accesses through a reference'
ends 2 step sum.cu --recorder sauce
told 'did you mean source?'
ends 0 quiz any.cu --template int
ends 3 quiz other.cu --template int
told 'operands'
# By --recorder access, a variant is recorded as a copy, whatever the command; what is only an engine's is refused.
ends 0 step sequential --threads 64 --recorder access --json
said '"recorder":"access"'
said '"check":"right"'
ends 0 compare sequential interleaved_modulo --threads 64 --recorder access
said 'sequential.cu'
said 'interleaved_modulo.cu'
ends 0 compare sequential sum.cu --recorder access
ends 0 export sequential,interleaved_modulo --threads 64 --recorder access -o access.csv
grep -q '^interleaved_modulo.cu' access.csv || fail "access.csv: $(head -2 access.csv)"
ends 0 record sequential sum.cu --recorder access -o access.stride
said 'access.stride: 2 traces'
# What goes wrong in a run that is kept is told.
ends 1 record sum.cu --expect 'out=max of in' -o wrong.stride
told 'which is WRONG'
sed 's/out, s\[0\]/out, s[0] \/ (blockDim.x - 256)/' sum.cu >zero.cu
ends 1 record zero.cu -o zero.stride
told 'The run of zero.cu did not end. Thread 0 of block 1 divides a whole number by zero'
ends 2 record sequential sum.cu -o mixed.stride
told 'not both at once'
ends 2 record --all --recorder access -o all.stride
told 'Name them.'
ends 2 record sum.cu --timings -o timed.stride
told 'are for variants'
ends 2 step sequential --recorder access --engine access.stride
told 'leave the recording out'
ends 2 quiz sequential --recorder access
told 'operands'
for command in step quiz "compare sequential" "record -o x.stride" "export -o x.csv" "shot x.png --variant"; do
  # shellcheck disable=SC2086
  ends 2 $command sequential --recorder sauce
  told 'did you mean source?'
  # shellcheck disable=SC2086
  ends 2 $command sequential --grid 2
  told 'goes with a file of your own'
done
for command in verify counters time; do
  ends 2 $command sequential --recorder access
  told 'goes with a file of your own'
done
ends 0 record any.cu --template int -o any.stride
for command in why time counters timeline verify; do
  ends 3 $command sum.cu
  told 'GPU'
done
[[ -z $(ls "$folder/temporary") ]] || fail "left: $(ls "$folder/temporary")"
