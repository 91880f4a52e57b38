// CUDA's integer intrinsics (CUDA Math API: Integer Intrinsics, SIMD Intrinsics), and min and max.
#pragma once

#include "core.h"

// ---- Bits.

ACCESS_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
ACCESS_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
ACCESS_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
ACCESS_INLINE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
ACCESS_INLINE int __ffs(int x) { return __builtin_ffs(x); }
ACCESS_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
ACCESS_INLINE unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
ACCESS_INLINE unsigned long long __brevll(unsigned long long x) {
  const unsigned long long low = __brev(static_cast<unsigned>(x));
  return low << 32 | __brev(static_cast<unsigned>(x >> 32));
}
// The position of the `offset`th bit set, counted from bit `base` upwards, or downwards where it is negative.
ACCESS_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<unsigned>(bit);
  }
  return 0xffffffffu;
}
// Four bytes of the eight of y:x, each chosen by 3 bits of the selector; its fourth bit repeats the byte's
// sign.
ACCESS_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned choice = selector >> (4 * i) & 0xf;
    unsigned byte = static_cast<unsigned>(bytes >> (8 * (choice & 7))) & 0xff;
    if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
ACCESS_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both << (shift & 31) >> 32);
}
ACCESS_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  return static_cast<unsigned>(both >> (shift & 31));
}
ACCESS_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
ACCESS_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// ---- Products, means, differences. Sums wrap around: the text is compiled with -fwrapv.

ACCESS_INLINE int __mul24(int x, int y) {
  const int a = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8;
  const int b = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
}
ACCESS_INLINE unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
ACCESS_INLINE int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
ACCESS_INLINE unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
ACCESS_INLINE long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<__int128>(x) * y >> 64);
}
ACCESS_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
ACCESS_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x < y ? y - x : x - y) + z; }
ACCESS_INLINE unsigned __sad(int x, int y, unsigned z) {
  const long long difference = static_cast<long long>(x) - y;
  return static_cast<unsigned>(difference < 0 ? -difference : difference) + z;
}
ACCESS_INLINE int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
ACCESS_INLINE int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
ACCESS_INLINE unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
ACCESS_INLINE unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// ---- Several small integers in one word.

namespace accesses {

// `each`(a, b) of the words' parts of type Part.
template <class Part, class Each>
ACCESS_INLINE unsigned partByPart(unsigned a, unsigned b, Each each) {
  constexpr unsigned bits = 8 * sizeof(Part), mask = (1u << bits) - 1;
  unsigned result = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    const int x = static_cast<Part>(a >> at & mask), y = static_cast<Part>(b >> at & mask);
    result |= (static_cast<unsigned>(each(x, y)) & mask) << at;
  }
  return result;
}
// The sum of the products of the words' bytes.
template <class A, class B>
ACCESS_INLINE int dotBytes(unsigned a, unsigned b, int sum) {
  for (int at = 0; at < 32; at += 8) {
    sum += static_cast<int>(static_cast<A>(a >> at & 0xff)) * static_cast<B>(b >> at & 0xff);
  }
  return sum;
}

}  // namespace accesses

ACCESS_INLINE int __dp4a(int a, int b, int c) {
  return accesses::dotBytes<signed char, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), c);
}
ACCESS_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(accesses::dotBytes<unsigned char, unsigned char>(a, b, static_cast<int>(c)));
}

#define ACCESS_PARTS(name, Part, result)                                           \
  ACCESS_INLINE unsigned name(unsigned a, unsigned b) {                            \
    return accesses::partByPart<Part>(                                             \
        a, b, [](int x, int y) __attribute__((ACCESS_UNSEEN)) { return result; }); \
  }
ACCESS_PARTS(__vadd2, unsigned short, x + y)
ACCESS_PARTS(__vadd4, unsigned char, x + y)
ACCESS_PARTS(__vsub2, unsigned short, x - y)
ACCESS_PARTS(__vsub4, unsigned char, x - y)
ACCESS_PARTS(__vmaxs2, short, x < y ? y : x)
ACCESS_PARTS(__vmaxs4, signed char, x < y ? y : x)
ACCESS_PARTS(__vmaxu2, unsigned short, x < y ? y : x)
ACCESS_PARTS(__vmaxu4, unsigned char, x < y ? y : x)
ACCESS_PARTS(__vmins2, short, y < x ? y : x)
ACCESS_PARTS(__vmins4, signed char, y < x ? y : x)
ACCESS_PARTS(__vminu2, unsigned short, y < x ? y : x)
ACCESS_PARTS(__vminu4, unsigned char, y < x ? y : x)
ACCESS_PARTS(__vabsdiffu2, unsigned short, x < y ? y - x : x - y)
ACCESS_PARTS(__vabsdiffu4, unsigned char, x < y ? y - x : x - y)
ACCESS_PARTS(__vcmpeq2, unsigned short, x == y ? -1 : 0)
ACCESS_PARTS(__vcmpeq4, unsigned char, x == y ? -1 : 0)
#undef ACCESS_PARTS

// ---- min and max: CUDA's overloads. Mixed signedness takes the unsigned type.

#define ACCESS_MIN_MAX(T)                                           \
  ACCESS_INLINE constexpr T min(T a, T b) { return b < a ? b : a; } \
  ACCESS_INLINE constexpr T max(T a, T b) { return a < b ? b : a; }
#define ACCESS_MIXED_MIN_MAX(T)                                                                            \
  ACCESS_MIN_MAX(T)                                                                                        \
  ACCESS_MIN_MAX(unsigned T)                                                                               \
  ACCESS_INLINE constexpr unsigned T min(T a, unsigned T b) { return min(static_cast<unsigned T>(a), b); } \
  ACCESS_INLINE constexpr unsigned T min(unsigned T a, T b) { return min(a, static_cast<unsigned T>(b)); } \
  ACCESS_INLINE constexpr unsigned T max(T a, unsigned T b) { return max(static_cast<unsigned T>(a), b); } \
  ACCESS_INLINE constexpr unsigned T max(unsigned T a, T b) { return max(a, static_cast<unsigned T>(b)); }
ACCESS_MIXED_MIN_MAX(int)
ACCESS_MIXED_MIN_MAX(long)
ACCESS_MIXED_MIN_MAX(long long)
#undef ACCESS_MIXED_MIN_MAX
#undef ACCESS_MIN_MAX

ACCESS_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
ACCESS_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
ACCESS_INLINE long long llmin(long long a, long long b) { return min(a, b); }
ACCESS_INLINE long long llmax(long long a, long long b) { return max(a, b); }
ACCESS_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
ACCESS_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
