"""Writes NAME.launch.json for each kernel here, and bugs.json. Run: python3 tests/own_kernels/expect.py

Expected outputs come from the plain definitions below (a sum is sum(), a sort is sorted()), never from a kernel's text.
Patterns: those of the variants (docs/own_kernels.md); an argument's seed is 1 + its place among the arguments, the first being 0.
"""
import json, math, os

here = os.path.dirname(os.path.abspath(__file__))
MASK = (1 << 64) - 1
bugs = {}


def splitmix64(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def pattern(kind, count, place):
    """The elements of a pattern for the argument at that place."""
    seed = 1 + place
    return [{"digits": lambda i: splitmix64(seed + i) % 10, "random": lambda i: splitmix64(seed + i) % 101,
             "ramp": lambda i: i, "ones": lambda i: 1, "alternating": lambda i: 1 - 2 * (i % 2)}[kind](i) for i in range(count)]


# ---- arguments
def data(name, values): return {"name": name, "data": values}
def made(name, kind, count): return {"name": name, "pattern": kind, "count": count}
def out(name, count, fill=0):   # fill None: a later launch, which finds what an earlier one left
    return {"name": name, "count": count} | ({} if fill is None else {"fill": fill})
def value(name, v): return {"name": name, "value": v}


def launch(args, expect=None, grid=1, block=32, shared=0, kernel=None, template=None, tolerance=None):
    tup = lambda v: list(v) if isinstance(v, (tuple, list)) else [v]
    j = {}
    if kernel: j["kernel"] = kernel
    if template: j["template"] = template
    j.update(grid=tup(grid), block=tup(block), shared=shared, args=args)
    if expect is not None: j["expect"] = expect
    if tolerance is not None: j["tolerance"] = tolerance
    return j


def text(j, pad=""):
    """JSON with one argument a line."""
    keys = []
    for k, v in j.items():
        if k in ("args", "expect"):
            inner = [json.dumps(a) for a in v] if k == "args" else [f"{json.dumps(n)}: {json.dumps(x)}" for n, x in v.items()]
            o, c = "[]" if k == "args" else "{}"
            keys.append(f'{pad} "{k}": {o}\n{pad}  ' + f",\n{pad}  ".join(inner) + f"{c}")
        else: keys.append(f'{pad} "{k}": {json.dumps(v)}')
    return pad + "{\n" + ",\n".join(keys) + "\n" + pad + "}"


def write(name, *launches):
    body = text(launches[0]) if len(launches) == 1 else '{"launches": [\n' + ",\n".join(text(j, " ") for j in launches) + "\n]}"
    json.loads(body)
    with open(os.path.join(here, name + ".launch.json"), "w") as f: f.write(body + "\n")


def bug(name, kind, *launches):
    bugs[name] = kind
    write(name, *launches)


def chunks(x, n): return [x[i:i + n] for i in range(0, len(x), n)]


# ---- the steps of the reduction
n = 500; x = pattern("digits", n, 0)
write("reduce0_modulo", launch([made("in", "digits", n), out("out", 4), value("n", n)], {"out": [sum(c) for c in chunks(x, 128)]}, 4, 128, 512, "reduceModulo"))

x = pattern("random", 768, 0)
write("reduce1_contiguous", launch([made("g_idata", "random", 768), out("g_odata", 3)], {"g_odata": [sum(c) for c in chunks(x, 256)]}, 3, 256))

n = 300; x = pattern("random", n, 0)   # sums of integers below 2^24: exact in float, in any order
write("reduce2_sequential", launch([made("x", "random", n), out("y", 3, -1), value("n", n)], {"y": [sum(c) for c in chunks(x, 128)]}, 3, 128, tolerance=0))

n = 700; x = pattern("ramp", n, 0)
write("reduce3_first_add", launch([made("in", "ramp", n), out("out", 3), value("n", n)], {"out": [sum(c) for c in chunks(x, 256)]}, 3, 128, 512, "reduceFirstAdd", "int"))

n = 1000; x = pattern("digits", n, 0)
write("reduce4_last_warp", launch([made("in", "digits", n), out("out", 4), value("n", n)], {"out": [sum(c) for c in chunks(x, 256)]}, 4, 128, 512, "reduceLastWarp"))

x = pattern("random", 1536, 0)
write("reduce5_unrolled", launch([made("g_in", "random", 1536), out("g_out", 3)], {"g_out": [sum(c) for c in chunks(x, 512)]}, 3, 256, 0, "reduceUnrolled", "256"))

n = 1000; x = pattern("random", n, 0)   # block b takes the pairs of 128-element runs 2b, 2b + 1, then 2b + 4, 2b + 5, …
runs = [sum(c) for c in chunks(x, 256)]
write("reduce6_grid_stride", launch([made("in", "random", n), out("out", 2), value("n", n)], {"out": [sum(runs[b::2]) for b in (0, 1)]}, 2, 128, 0, "reduceMany", "double, 128, false", 0))

# ---- shuffles and whole programs
n = 900; x = pattern("digits", n, 0)
write("shuffle_down", launch([made("in", "digits", n), out("out", 2), value("N", n)], {"out": [sum(sum(c) for c in chunks(x, 192)[b::2]) for b in (0, 1)]}, 2, 192, tolerance=0))

x = [splitmix64(i) % 2001 - 1000 for i in range(128)]
ends = [(min(c), max(c)) for c in chunks(x, 32)]
half = lambda s: int(s / 2)            # C++'s quotient goes towards zero
write("butterfly_xor", launch([data("values", x), out("extremes", 4), out("above", 128)],
      {"extremes": [v for e in ends for v in e], "above": [v - half(sum(ends[i // 32])) for i, v in enumerate(x)]}, 2, 64))

n = 3000; x = pattern("random", n, 0); parts = [sum(x[i] for i in range(n) if i // 128 % 6 == b) for b in range(6)]
write("two_pass_sum",
      launch([made("in", "random", n), out("partial", 6), value("n", n)], None, 6, 128, 1024, "firstPass"),
      launch([out("partial", 6, None), out("total", 1), value("blocks", 6)], {"partial": parts, "total": [sum(x)]}, 1, 8, 64, "secondPass"))

n = 2000; x = pattern("random", n, 0)
write("last_block", launch([made("data", "random", n), value("n", n), out("result", 1)], {"result": [sum(x)]}, 5, 128))

n = 500; a, b = pattern("digits", n, 0), pattern("digits", n, 1)
write("dot_product", launch([made("a", "digits", n), made("b", "digits", n), out("c", 1), value("N", n)], {"c": [sum(p * q for p, q in zip(a, b))]}, 3, 64, tolerance=0))

n = 1000; x = pattern("random", n, 0); best = []
for blk in range(3):
    mine = [i for i in range(n) if i // 128 % 3 == blk]
    i = max(mine, key=lambda i: (x[i], -i)); best += [x[i], i]
write("argmax_struct", launch([made("x", "random", n), out("best", 3), value("n", n)], {"best": best}, 3, 128, 0, "argmax", tolerance=0))

# u = 2^-24, |x| <= 9: a mean is off by at most (4 steps * 3 + 6 merges * 5) roundings of 9 u: 2.3e-5. A variance is off by
# at most 2 * 9 times that, 4.1e-4, and its own roundings, (4 + 30) u of 8: 2e-5. The smallest |want| is above 4.3: 1e-4 of it.
n = 200; x = pattern("digits", 2 * n, 0); rows = chunks(x, n); mean = [sum(r) / n for r in rows]
var = [sum((v - m) ** 2 for v in r) / (n - 1) for r, m in zip(rows, mean)]
assert min(mean + var) > 4.3, mean + var
write("welford", launch([made("x", "digits", 2 * n), value("n", n), out("meanOut", 2), out("varOut", 2)], {"meanOut": mean, "varOut": var}, 2, 64, 0, "meanVariance", tolerance=1e-4))

# The arguments of exp are exact (quarters). exp: 2 units in the last place, 4 u, in the numerator and in the sum; the sum's
# own additions: 4 + 6, so 10 u; quotient and product 2 u: 20 u = 1.2e-6 of a probability, which is at most 1.
cols = 200; x = [splitmix64(i) % 41 / 4 - 5 for i in range(3 * cols)]; probs = []
for r in chunks(x, cols):
    e = [math.exp(v - max(r)) for v in r]; probs += [round(v / math.fsum(e), 9) for v in e]
write("softmax_row", launch([data("logits", x), out("probs", 3 * cols), value("cols", cols)], {"probs": probs}, 3, 64, 0, "softmax_kernel", "64", 2e-6))

# Sums of digits and means (cols is a power of two) are exact. Squares sum with (2 + 7) roundings, + eps 1: half of 10 u after
# the root, rsqrt itself 2 units (4 u), products 2 u: 11 u of |y - beta| <= 4.5, the sum u of |y| <= 6: 57 u = 3.4e-6.
cols = 256; x = pattern("digits", 2 * cols, 0); gamma = [1 + i % 3 / 2 - 0.5 for i in range(cols)]; beta = [i % 5 / 4 for i in range(cols)]; y = []
for r in chunks(x, cols):
    m = sum(r) / cols; v = sum((t - m) ** 2 for t in r) / cols
    y += [round((t - m) / math.sqrt(v + 1e-5) * g + b, 9) for t, g, b in zip(r, gamma, beta)]
assert max(abs(t - beta[i % cols]) for i, t in enumerate(y)) <= 4.5 and max(map(abs, y)) <= 6
write("layer_norm", launch([made("x", "digits", 2 * cols), data("gamma", gamma), data("beta", beta), out("y", 2 * cols), value("cols", cols), value("eps", 1e-5)],
      {"y": y}, 2, 128, 0, "layerNorm", tolerance=4e-6))

# ---- scans
def inclusive(x):
    s, r = 0, []
    for v in x: s += v; r.append(s)
    return r
def exclusive(x): return [0] + inclusive(x)[:-1]

x = pattern("digits", 128, 0)
write("scan_hillis_steele", launch([made("in", "digits", 128), out("out", 128), value("n", 128)], {"out": inclusive(x)}, 1, 128, 1024))
x = pattern("random", 256, 1)
write("scan_blelloch", launch([out("g_odata", 256), made("g_idata", "random", 256), value("n", 256)], {"g_odata": exclusive(x)}, 1, 128, 1024))
x = chunks(pattern("digits", 512, 0), 256)
write("scan_blelloch_padded", launch([made("in", "digits", 512), out("out", 512), out("sums", 2), value("n", 256)],
      {"out": exclusive(x[0]) + exclusive(x[1]), "sums": [sum(c) for c in x]}, 2, 128, 4 * (256 + 8)))
x = pattern("digits", 256, 0); heads = [int(splitmix64(1000 + i) % 9 == 0) for i in range(256)]; want = []
for i, v in enumerate(x): want.append(v if heads[i] or i % 128 == 0 else want[-1] + v)
write("segmented_scan", launch([made("values", "digits", 256), data("heads", heads), out("out", 256)], {"out": want}, 2, 128))

# ---- matrices and neighbourhoods
w, h = 64, 32; m = pattern("ramp", w * h, 1); turned = [m[r * w + c] for c in range(w) for r in range(h)]
for name, kernel in (("naive", "transposeNaive"), ("tile", "transposeTile"), ("padded", "transposePadded")):
    write("transpose_" + name, launch([out("odata", w * h), made("idata", "ramp", w * h), value("width", w), value("height", h)],
          {"odata": turned}, (w // 32, h // 32), (32, 8), 0, kernel, tolerance=0))
n = 32; a, b = pattern("digits", n * n, 0), pattern("digits", n * n, 1)
write("matmul_tiled", launch([made("A", "digits", n * n), made("B", "digits", n * n), out("C", n * n), value("n", n)],
      {"C": [sum(a[r * n + k] * b[k * n + c] for k in range(n)) for r in range(n) for c in range(n)]}, (2, 2), (16, 16), tolerance=0))
x = pattern("random", 198, 0)
write("stencil_1d", launch([made("in", "random", 198), out("out", 192)], {"out": [sum(x[i:i + 7]) for i in range(192)]}, 3, 64))
rows, cols = 20, 40; u = pattern("digits", rows * cols, 0)
at = lambda r, c: u[r * cols + c] if 0 <= r < rows and 0 <= c < cols else 0
write("stencil_2d", launch([made("u", "digits", rows * cols), out("lap", rows * cols), value("rows", rows), value("cols", cols)],
      {"lap": [at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) - 4 * at(r, c) for r in range(rows) for c in range(cols)]}, (3, 3), (16, 8), tolerance=0))
x = pattern("random", 200, 0); k = [1, 4, 6, 4, 1]; e = [x[0]] * 2 + x + [x[-1]] * 2
write("constant_filter", launch([made("in", "random", 200), out("out", 200), value("n", 200)],
      {"out": [(sum(p * q for p, q in zip(k, e[i:i + 5])) + 8) // 16 for i in range(200)]}, 4, 64))
volume = pattern("digits", 8 * 8 * 4, 0); sums = [0] * 4
for i, v in enumerate(volume): sums[i // 8 % 8 // 4 * 2 + i % 8 // 4] += v
write("block_3d", launch([made("volume", "digits", 256), out("sums", 4), value("sizeX", 8), value("sizeY", 8)], {"sums": sums}, (2, 2, 1), (4, 4, 4), tolerance=0))

# ---- counting, sorting, selecting
n = 2000; x = pattern("random", n, 0)
write("histogram_shared", launch([made("buffer", "random", n), value("size", n), out("histogram", 256)], {"histogram": [x.count(v) for v in range(256)]}, 2, 256))
n = 1500; x = pattern("random", n, 0)
write("histogram_per_warp", launch([made("keys", "random", n), out("bins", 16), value("n", n)], {"bins": [sum(v % 16 == b for v in x) for b in range(16)]}, 3, 128))
x = [splitmix64(7 * i) >> 32 for i in range(256)]
write("bitonic_sort", launch([data("src", x), out("dst", 256)], {"dst": sorted(x[:128]) + sorted(x[128:])}, 2, 64, 0, "bitonicSort"))
x = [splitmix64(3 * i) % 601 - 300 for i in range(50)]
write("odd_even_sort", launch([data("data", x), value("n", 50)], {"data": sorted(x)}, 1, 64, 128))
x = [splitmix64(5 * i) % 21 - 10 for i in range(256)]; want, counts = [], []
for c in chunks(x, 128):
    kept = [v for v in c if v > 0]; counts.append(len(kept)); want += kept + [-7] * (128 - len(kept))
write("compact_ballot", launch([data("in", x), out("out", 256, -7), out("counts", 2)], {"out": want, "counts": counts}, 2, 128))
w, h = 150, 4; x = [splitmix64(11 * i) % 256 for i in range(w * h)]; want, bright = [], []
for r in chunks(x, w):
    t = [255 * (v >= 100) for v in r]; want += t[::-1]; bright.append(t.count(255))
# a thread's mirrored byte is another thread's: __syncthreads_count is the barrier between them
write("byte_threshold", launch([data("src", x), out("dst", w * h), out("bright", h), value("width", w), value("level", 100)], {"dst": want, "bright": bright}, h, 32))

# ---- types
x = pattern("random", 256, 0)
write("groups_tile", launch([made("in", "random", 256), out("tiles", 32), out("total", 1)], {"tiles": [sum(c) for c in chunks(x, 8)], "total": [sum(x)]}, 2, 128, 0, "sumTiles"))
x = [splitmix64(i) % 10 for i in range(256)]   # two halves an element; sums below 2048 are exact
write("half2_sum", launch([data("in", x), out("out", 2)], {"out": [sum(c) for c in chunks(x, 128)]}, 2, 64, tolerance=0))
x = pattern("digits", 500, 0)
write("bf16_sum", launch([made("x", "digits", 500), out("y", 1), value("n", 500)], {"y": [sum(x)]}, 1, 128, tolerance=0))
x = [splitmix64(i) % 4096 / 16 + 2 ** 30 for i in range(150)]   # exact in double, not in float
write("double_sum", launch([data("in", x), out("out", 3), value("n", 150)], {"out": [sum(c) for c in chunks(x, 64)]}, 3, 64, 512, tolerance=0))
x = [(splitmix64(i) >> 1) - (1 << 62) for i in range(250)]
write("long_long_max", launch([data("in", x), out("out", 3), value("n", 250)], {"out": [max(c) for c in chunks(x, 96)]}, 3, 96, 0, "maxLongLong"))
x = [splitmix64(i) % 64 - 32 for i in range(512)]; quads = chunks(x, 4); want = []
for b in (quads[:64], quads[64:]): want += [v * 0.5 for q in b[::-1] for v in q]
write("float4_loads", launch([data("in", x), out("out", 128), out("sums", 4), value("a", 0.5)], {"out": want, "sums": [sum(c) for c in chunks(want, 128)]}, 2, 64, tolerance=0))

big = 2 ** 40; x = [splitmix64(i) % (2 * big) - big for i in range(192)]
write("modulo_int64", launch([data("in", x), out("out", 3)], {"out": [sum(c) for c in chunks(x, 64)]}, 3, 64, 512))
z = [complex(splitmix64(i) % 19 - 9, splitmix64(500 + i) % 19 - 9) for i in range(128)]; f = [1j ** (i % 4) * (1 + i) for i in range(32)]
f = [complex(round(c.real), round(c.imag)) for c in f]; flat = lambda cs: [int(p) for c in cs for p in (c.real, c.imag)]
write("pair_broadcast", launch([data("in", flat(z)), data("factors", flat(f)), out("out", 128)], {"out": flat(c * f[i % 64 // 2] for i, c in enumerate(z))}, 2, 64, tolerance=0))

# ---- C++
x = [12 * (splitmix64(i) % 50 + 1) for i in range(100)]
write("functor_reduce", launch([data("in", x), out("out", 2), value("n", 100)], {"out": [math.gcd(*c) for c in chunks(x, 64)]}, 2, 64, 0, "fold", "int, GcdOp"))
n = 100; x, y = pattern("digits", n, 2), pattern("ramp", n, 3)
write("early_return", launch([value("n", n), value("a", 2.5), made("x", "digits", n), made("y", "ramp", n)],
      {"y": [-1 if i % 2 else 2.5 * x[i] + y[i] for i in range(n)]}, 4, 32, tolerance=0))
n = 120; wt = [splitmix64(i) % 100 / 8 for i in range(n)]; g = [splitmix64(77 + i) % 5 for i in range(n)]; sums, counts = [], []
for blk in (range(0, 64), range(64, n)):
    for k in range(4): sums.append(sum(wt[i] for i in blk if g[i] == k)); counts.append(sum(g[i] == k for i in blk))
write("carved_dynamic", launch([data("w", wt), data("group", g), out("sums", 8), out("counts", 8), value("n", n)], {"sums": sums, "counts": counts}, 2, 64, 64 * 12, tolerance=0))
a, b = pattern("digits", 128, 0), pattern("random", 128, 1)
write("two_extern_names", launch([made("a", "digits", 128), made("b", "random", 128), out("sum", 2), out("maximum", 2)],
      {"sum": [sum(c) for c in chunks(a, 64)], "maximum": [max(c) for c in chunks(b, 64)]}, 2, 64, 256, tolerance=0))
x = pattern("random", 64, 0)
write("many_kernels", launch([made("in", "random", 64), out("out", 64), value("by", 5)], {"out": [c[(i + 5) % 32] for c in chunks(x, 32) for i in range(32)]}, 2, 32, 0, "rotateLeft"))
size = 150; a, b = pattern("digits", 5 * size, 1), pattern("digits", 5 * size, 2)
write("scalar_products", launch([out("d_C", 5), made("d_A", "digits", 5 * size), made("d_B", "digits", 5 * size), value("vectorN", 5), value("elementN", size)],
      {"d_C": [sum(p * q for p, q in zip(v, w)) for v, w in zip(chunks(a, size), chunks(b, size))]}, 2, 32, tolerance=0))
hits = []
for thread in range(128):
    state = (thread * 2654435761 + 1) % 2 ** 32; mine = 0
    for _ in range(20):
        p = []
        for _ in "xy": state = (state * 1664525 + 1013904223) % 2 ** 32; p.append(state >> 17)
        mine += p[0] ** 2 + p[1] ** 2 < 32768 ** 2
    hits.append(mine)
write("monte_carlo_pi", launch([out("hits", 2), out("total", 1), value("tries", 20)], {"hits": [sum(c) for c in chunks(hits, 64)], "total": [sum(hits)]}, 2, 64, 256))

# ---- as in courses, and in questions that people ask
words = "the quick brown fox jumps over the lazy dog, 1234; and THE END {|}" * 5; text_ = [ord(c) for c in words]
write("letter_counts", launch([data("text", text_), value("length", len(text_)), out("bins", 26)],
      {"bins": [words.count(chr(97 + i)) for i in range(26)]}, 3, 64))
n = 1000; x = pattern("random", n, 1)
write("tile32_sum", launch([out("sum", 1), made("input", "random", n), value("n", n)], {"sum": [sum(x)]}, 2, 128, 0, "sumTiles32"))
m, k, n = 13, 21, 10; a, b = pattern("digits", m * k, 0), pattern("digits", k * n, 1)
write("matmul_rectangular", launch([made("A", "digits", m * k), made("B", "digits", k * n), out("C", m * n), value("m", m), value("k", k), value("n", n)],
      {"C": [sum(a[r * k + i] * b[i * n + c] for i in range(k)) for r in range(m) for c in range(n)]}, (2, 2), (8, 8), tolerance=0))
n = 301; x, y = pattern("digits", n, 2), [i % 50 for i in range(n)]   # whole numbers below 2048 are exact in half
write("half2_axpy", launch([value("n", n), value("a", 3), made("x", "digits", n), data("y", y)], {"y": [3 * p + q for p, q in zip(x, y)]}, 2, 32, tolerance=0))
count, low, high, soft = 96, -40, 35, 3; pos = [splitmix64(i) % 100 for i in range(count)]; mass = pattern("digits", count, 1)
quotient = lambda a, b: abs(a) // b * (1 if a >= 0 else -1)   # C++'s goes towards zero
write("particles_soa", launch([data("position", pos), made("mass", "digits", count), out("force", count), value("settings", [low, high, soft])],
      {"force": [sum(quotient(m_ * (q - p), abs(q - p) + soft) for q, m_ in zip(pos, mass) if low <= q - p <= high) for p in pos]}, 3, 32))
n = 500; x = [splitmix64(9 * i) % 201 - 100 for i in range(n)]; parts = [[v * v for i, v in enumerate(x) if i // 64 % 3 == b] for b in range(3)]
write("transform_reduce_functor",
      launch([data("in", x), out("out", 3), value("n", n)], {"out": [min(c) for c in parts]}, 3, 64, 0, "transformReduce", "int, Smaller"))
w, h = 21, 13; u = pattern("random", w * h, 0); step_ = list(u)
for r in range(1, h - 1):
    for c in range(1, w - 1):
        around = u[(r - 1) * w + c] + u[(r + 1) * w + c] + u[r * w + c - 1] + u[r * w + c + 1]; step_[r * w + c] = u[r * w + c] + 0.25 * (around - 4 * u[r * w + c])
write("heat_step", launch([made("now", "random", w * h), out("next", w * h), value("width", w), value("height", h)], {"next": step_}, (2, 2), (16, 8), tolerance=0))

# Whole numbers: exact in float. A member's place is its own in the struct, behind that of the argument.
rows, cols = 5, 100; x, w = pattern("digits", cols, 0), pattern("digits", rows * cols, 1)
write("layer_struct", launch([made("layer.in", "digits", cols), made("layer.weights", "digits", rows * cols), out("layer.out", rows), value("layer.size", [rows, cols]),
                              value("layer.bias", [10, -3])],
      {"layer.out": [sum(p * q for p, q in zip(x, w[r * cols:])) + (10, -3)[r % 2] for r in range(rows)]}, rows, 64, tolerance=0))

cols = 200; x = pattern("random", 3 * cols, 0)
write("course_program", launch([made("matrix", "random", 3 * cols), out("maxima", 3), value("cols", cols)],
      {"maxima": [max(r) for r in chunks(x, cols)]}, 3, 128, 0, "rowMaxima", "float, 128", 0))

n = 100; bodies = [(1 + i % 4, i % 7 - 3, i % 5, i) for i in range(n)]   # whole numbers: exact in float
sums = []
for blk in chunks(bodies, 64): sums += [sum(m for m, _, _, _ in blk), sum(m * x for m, x, _, _ in blk), sum(m * y for m, _, y, _ in blk), len(blk) + 1]
write("bodies_aos", launch([data("bodies", [v for b in bodies for v in b]), out("out", 2), made("seen", "ramp", n), value("n", n)],
      {"out": sums, "seen": [v for i in range(n) for v in (i, i, i + 1, i)]}, 2, 64, 0, tolerance=0))

# ---- structs that are passed by value
x = [splitmix64(11 * i) % 16 for i in range(256)]; mean = sum(x) / 256
write("welford_functor", launch([data("x", x), out("out", 1)], {"out": [256, mean, sum((v - mean) ** 2 for v in x)]}, 1, 64, 0, template="Merge", tolerance=1e-5))
x = [splitmix64(31 * i) % 100 for i in range(64)]
write("first_minimum", launch([data("x", x), out("out", 2)], {"out": [min(x), x.index(min(x))]}, 1, 64))
a, b = [[complex(splitmix64(37 * i + s) % 10, splitmix64(41 * i + s) % 10) for i in range(32)] for s in (0, 5)]; p = [u * v for u, v in zip(a, b)]
write("complex_operators", launch([data("a", flat(a)), data("b", flat(b)), out("c", 32)], {"c": flat(p[i] + p[31 - i] for i in range(32))}, 1, 32, tolerance=0))

# ---- deliberate bugs: nothing is expected of the outputs
bug("bug_missing_barrier", "race", launch([made("in", "digits", 256), out("out", 1)], None, 1, 256))
bug("bug_scan_one_buffer", "race", launch([made("data", "ones", 128), value("n", 128)], None, 1, 128, 512))
bug("bug_divergent_barrier", "divergent barrier", launch([made("in", "digits", 128), out("out", 1)], None, 1, 128))
bug("bug_global_off_by_one", "out of bounds", launch([made("in", "ramp", 100), out("out", 100), value("n", 100)], None, 2, 64))
bug("bug_shared_index", "out of bounds", launch([made("in", "ramp", 64), out("out", 64)], None, 1, 64))
bug("bug_uninitialized", "uninitialized read", launch([made("in", "digits", 100), out("out", 1), value("n", 100)], None, 1, 128))
bug("bug_inactive_shuffle", "undefined shuffle", launch([made("in", "digits", 64), out("out", 2)], None, 1, 64))
bug("bug_endless_wait", "endless", launch([made("in", "digits", 1), out("flag", 1), out("out", 32)], None, 1, 32))
bug("bug_endless_loop", "endless", launch([made("in", "digits", 64), out("out", 1)], None, 1, 64))
w, h = 40, 24; img = pattern("random", w * h, 0)
bug("bug_row_by_height", "wrong", launch([made("img", "random", w * h), out("out", w * h), value("width", w), value("height", h), value("by", 10)],
    {"out": [v + 10 for v in img]}, (2, 2), (32, 16)))
bug("bug_barrier_in_branch", "divergent barrier", launch([made("g_in", "digits", 128), out("g_out", 1)], None, 1, 128))
bug("bug_warp_without_sync", "race", launch([made("x", "digits", 64), out("y", 1)], None, 1, 32))
bug("bug_shared_rows", "out of bounds", launch([made("in", "ramp", 256), out("out", 256)], None, 1, (32, 8)))
with open(os.path.join(here, "bugs.json"), "w") as f: f.write(json.dumps(bugs, indent=1) + "\n")
