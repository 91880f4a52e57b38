"""Shared-memory wavefronts of some kernels here, from their formulas by hand; writes wavefronts.json. Nothing is run.

Each `ask` is one request: a warp, a place in the text, one time there since the last block barrier. Its argument maps a lane to the
element's index; lanes that are not there are missing. The rule is that of docs/maps.md, "Banks". Totals are over all blocks.
"""
import json, os, sys
sys.dont_write_bytecode = True
from expect import splitmix64

here = os.path.dirname(os.path.abspath(__file__))


class Count:
    def __init__(self): self.loads = self.stores = 0

    def ask(self, index, size, merge):
        """Wavefronts of one request: index[lane] is the element, of `size` bytes."""
        lanes = {1: 32, 2: 32, 4: 32, 8: 16, 16: 8}[size]
        # 8 and 16 bytes, loads only: half as many groups if for x = 1 or x = 2 each lane's partner is missing or reads the same
        if merge and size > 4 and any(all(index.get(l ^ x, i) == i for l, i in index.items()) for x in (1, 2)): lanes *= 2
        groups = {}
        for lane, i in index.items():
            for byte in range(i * size, i * size + max(size, 1), 4):
                word = byte // 4
                groups.setdefault(lane // lanes, {}).setdefault(word % 32, set()).add(word)
        return sum(max(map(len, banks.values())) for banks in groups.values())

    def each(self, threads, f, size, merge):
        """All warps of a block; f(thread) is the element, or None where the thread does not come."""
        total = 0
        for w in range(0, threads, 32):
            index = {t - w: f(t) for t in range(w, min(w + 32, threads)) if f(t) is not None}
            total += self.ask(index, size, merge)
        return total

    def load(self, threads, f, size=4): self.loads += self.each(threads, f, size, True)
    def store(self, threads, f, size=4): self.stores += self.each(threads, f, size, False)
    def totals(self, blocks): return {"shared_load_wavefronts": self.loads * blocks, "shared_store_wavefronts": self.stores * blocks}


def tree(threads, steps, first_stores=1, size=4):
    """A store of each thread, the strides of (thread -> left operand, right operand), thread 0's last load."""
    c = Count()
    for _ in range(first_stores): c.store(threads, lambda t: t, size)
    for left, right in steps:
        c.load(threads, left, size); c.load(threads, right, size); c.store(threads, left, size)
    c.load(threads, lambda t: 0 if t == 0 else None, size)
    return c


def modulo(n, size=4):
    return tree(n, [(lambda t, s=s: t if t % (2 * s) == 0 else None, lambda t, s=s: t + s if t % (2 * s) == 0 else None) for s in halves(n)[::-1]], 1, size)
def contiguous(n):
    return tree(n, [(lambda t, s=s: 2 * s * t if 2 * s * t < n else None, lambda t, s=s: 2 * s * t + s if 2 * s * t < n else None) for s in halves(n)[::-1]])
def sequential(n, size=4):
    return tree(n, [(lambda t, s=s: t if t < s else None, lambda t, s=s: t + s if t < s else None) for s in halves(n)], 1, size)
def halves(n): return [n >> k for k in range(1, n.bit_length())]


def hillis_steele(n):
    c = Count(); pout = 0
    c.store(n, lambda t: t)
    for d in halves(n)[::-1]:
        pin, pout = pout, 1 - pout
        # two branches, so other requests: a sum of two elements from t = d on, a copy before
        c.load(n, lambda t: pin * n + t if t >= d else None); c.load(n, lambda t: pin * n + t - d if t >= d else None); c.store(n, lambda t: pout * n + t if t >= d else None)
        c.load(n, lambda t: pin * n + t if t < d else None); c.store(n, lambda t: pout * n + t if t < d else None)
    c.load(n, lambda t: pout * n + t)
    return c


def blelloch(n, pad, halves_apart):
    """n / 2 threads. pad(i): where element i lies. First and last: elements t and t + n/2 (halves_apart), or 2t and 2t + 1."""
    c = Count(); h = n // 2
    ends = [lambda t: pad(t), lambda t: pad(t + h)] if halves_apart else [lambda t: pad(2 * t), lambda t: pad(2 * t + 1)]
    for e in ends: c.store(h, e)
    pair = lambda d, o, k: (lambda t: pad(o * (2 * t + k) - 1) if t < d else None)
    for d in halves(n):
        a, b = pair(d, h // d, 1), pair(d, h // d, 2)
        c.load(h, b); c.load(h, a); c.store(h, b)                        # [b] += [a]
    only = lambda t: pad(n - 1) if t == 0 else None
    if halves_apart: c.load(h, only)                                     # the block's sum is kept
    c.store(h, only)
    for d in halves(n)[::-1]:
        a, b = pair(d, h // d, 1), pair(d, h // d, 2)
        c.load(h, a); c.load(h, b); c.store(h, a)                        # keep = [a]; [a] = [b]
        c.load(h, b); c.store(h, b)                                      # [b] += keep
    for e in ends: c.load(h, e)
    return c


def transpose(width):
    c = Count()   # 256 threads, a warp is one y: 4 rows a thread, stored along a row, loaded along a column
    for j in range(0, 32, 8):
        c.store(256, lambda t: (t // 32 + j) * width + t % 32)
        c.load(256, lambda t: t % 32 * width + t // 32 + j)
    return c


def matmul(tiles):
    c = Count()   # 16 x 16: a warp is two rows of threads
    for _ in range(tiles):
        c.store(256, lambda t: t); c.store(256, lambda t: t)             # As[ty][tx], Bs[ty][tx]
        for k in range(16):
            c.load(256, lambda t: t // 16 * 16 + k); c.load(256, lambda t: k * 16 + t % 16)
    return c


def stencil(threads, radius):
    c = Count()
    c.store(threads, lambda t: t + radius)
    c.store(threads, lambda t: t if t < radius else None); c.store(threads, lambda t: t + radius + threads if t < radius else None)
    for o in range(2 * radius + 1): c.load(threads, lambda t: t + o)
    return c


def swaps(c, threads, s, pairs, size):
    """pairs[t] = (a, b, up): a swap is due where (s[a] > s[b]) == up. A comparison loads both; a swap loads and stores both."""
    at = lambda k: (lambda t: pairs[t][k] if t in pairs else None)
    due = {t for t, (a, b, up) in pairs.items() if (s[a] > s[b]) == up}
    moved = lambda k: (lambda t: pairs[t][k] if t in due else None)
    c.load(threads, at(0), size); c.load(threads, at(1), size)
    for k in (0, 1): c.load(threads, moved(k), size); c.store(threads, moved(k), size)
    for t in due:
        a, b, _ = pairs[t]; s[a], s[b] = s[b], s[a]


def bitonic(keys):
    c = Count(); n = len(keys); h = n // 2; s = list(keys)
    c.store(h, lambda t: t); c.store(h, lambda t: t + h)
    for size in halves(2 * n)[:-1][::-1]:
        for stride in halves(size):
            pos = lambda t: t // stride * 2 * stride + t % stride         # the t-th index whose bit `stride` is 0
            swaps(c, h, s, {t: (pos(t), pos(t) + stride, size == n or t // (size // 2) % 2 == 0) for t in range(h)}, 4)
    assert s == sorted(keys)
    c.load(h, lambda t: t); c.load(h, lambda t: t + h)
    return c


def odd_even(keys, threads):
    c = Count(); n = len(keys); s = list(keys)
    c.store(threads, lambda t: t if t < n else None, 2)
    for phase in range(n): swaps(c, threads, s, {t: (t, t + 1, True) for t in range(phase % 2, n - 1, 2)}, 2)
    assert s == sorted(keys)
    c.load(threads, lambda t: t if t < n else None, 2)
    return c


def float4_rows():
    c = Count()   # quarters of a warp, 8 lanes of 4 words: no conflict forwards or backwards
    c.store(64, lambda t: t, 16); c.load(64, lambda t: 63 - t, 16)
    return c


def broadcast():
    c = Count()   # 32 float2 stored by one warp; two warps load each of 16 for two lanes
    c.store(64, lambda t: t if t < 32 else None, 8); c.load(64, lambda t: t // 2, 8)
    return c


def struct_tree(members, threads):
    c = Count()   # structs of 4-byte members, which a GPU reads and writes one by one; thread 0 takes all of the first
    each = lambda ask, f: [ask(threads, lambda t, m=m: None if f(t) is None else f(t) * members + m) for m in range(members)]
    each(c.store, lambda t: t)
    for s in halves(threads):
        each(c.load, lambda t: t if t < s else None); each(c.load, lambda t: t + s if t < s else None); each(c.store, lambda t: t if t < s else None)
    each(c.load, lambda t: 0 if t == 0 else None)
    return c


def complex_pairs():
    c = Count()   # two words an element: each member's lanes are 2 words apart
    for m in range(2): c.store(32, lambda t: 2 * t + m); c.load(32, lambda t: 2 * t + m); c.load(32, lambda t: 2 * (31 - t) + m)
    return c


def add(cs):
    r = Count(); r.loads = sum(c.loads for c in cs); r.stores = sum(c.stores for c in cs)
    return r


# figures read from hardware counters of an H100: they hold this model to account
for f, want in ((modulo, (95, 55)), (contiguous, (95, 55)), (sequential, (25, 20))): assert (f(256).loads, f(256).stores) == want
one = Count()
for size, f, want in [(4, lambda l: 2 * l, 2), (8, lambda l: 0, 1), (8, lambda l: l // 2, 1), (8, lambda l: 2 * l, 4), (8, lambda l: l % 2 * 16 + l // 2, 4), (8, lambda l: 33 * l, 2),
                      (16, lambda l: 0, 2), (16, lambda l: l, 4), (16, lambda l: 2 * l, 8), (16, lambda l: l // 2, 2), (16, lambda l: l % 2 * 16 + l // 2, 8), (16, lambda l: 33 * l, 4)]:
    assert one.ask({l: f(l) for l in range(32)}, size, True) == want, (size, want)

keys = [splitmix64(7 * i) >> 32 for i in range(256)]
shorts = [splitmix64(3 * i) % 601 - 300 for i in range(50)]
result = {
    "reduce0_modulo": modulo(128).totals(4),                             # every stride reaches all warps until s > 16; the distance 2s stays within a row of banks
    "reduce1_contiguous": contiguous(256).totals(3),                     # way 2, 4, 8, 8, 8, 4, 2, 1: thrice the 95 and 55 of one block
    "reduce2_sequential": sequential(128).totals(3),                     # consecutive words: one wavefront a request
    "double_sum": sequential(64, 8).totals(3),                           # 8 bytes: two groups of 16 lanes, one where at most 16 are active; a lone lane merges
    "modulo_int64": modulo(64, 8).totals(3),                             # 8 bytes, lanes 0, 2, 4, …: their partners are missing, so a load is one group, a store two
    "pair_broadcast": broadcast().totals(2),                             # lanes 2k and 2k + 1 read the same 8 bytes: one merged group a load
    "scan_hillis_steele": hillis_steele(128).totals(1),                  # consecutive words in both branches; the warp with t = d in it asks in both
    "scan_blelloch": blelloch(256, lambda i: i, False).totals(1),        # strides of 2, 4, 8, … words: up to 16-way
    "scan_blelloch_padded": blelloch(256, lambda i: i + i // 32, True).totals(2),   # a pad word after each 32: few conflicts are left
    "transpose_tile": transpose(32).totals(2),                           # loads along a column: 32 words of one bank
    "transpose_padded": transpose(33).totals(2),                         # 33 words a row: all banks differ
    "matmul_tiled": matmul(2).totals(4),                                 # As: 2 words, 16 apart; Bs: 16 words, each for two lanes
    "stencil_1d": stencil(64, 3).totals(3),                              # consecutive words from any start are in 32 banks
    "float4_loads": float4_rows().totals(2),                             # four groups of 8 lanes
    "welford_functor": struct_tree(3, 64).totals(1),                     # three words a struct: all banks differ
    "first_minimum": struct_tree(2, 64).totals(1),                       # two words a struct: 2-way where more than 16 lanes ask
    "complex_operators": complex_pairs().totals(1),
    "bitonic_sort": add([bitonic(keys[:128]), bitonic(keys[128:])]).totals(1),      # follows the keys: a swap loads both again and stores both
    "odd_even_sort": odd_even(shorts, 64).totals(1),                     # 2-byte elements: two neighbours share a word, which is one wavefront
}
with open(os.path.join(here, "wavefronts.json"), "w") as f: f.write(json.dumps(result, indent=1) + "\n")
