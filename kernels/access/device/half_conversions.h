// CUDA's conversions of a format of 16 bits, whose names hold the format's. Included once for each, with
//   ACCESS_NUMBER, ACCESS_PAIR, ACCESS_RAW, ACCESS_FORMAT  as device/half_precision.h has them
//   ACCESS_NAMED(before, after)       a name around the number's: before half after
//   ACCESS_NAMED_PAIR(before, after)  a name around the pair's: before half2 after

// ---- From and to float, double and integers, in each direction of rounding.

#define ACCESS_FROM(name, From, way)                                                           \
  ACCESS_INLINE ACCESS_NUMBER name(From x) {                                                   \
    return ACCESS_RAW{ACCESS_FORMAT::narrow(static_cast<double>(x), accesses::Rounding::way)}; \
  }
ACCESS_FROM(ACCESS_NAMED(__float2, ), float, Nearest)
ACCESS_FROM(ACCESS_NAMED(__double2, ), double, Nearest)
#define ACCESS_FROM_EACH_WAY(prefix, From)              \
  ACCESS_FROM(ACCESS_NAMED(prefix, _rn), From, Nearest) \
  ACCESS_FROM(ACCESS_NAMED(prefix, _rz), From, Zero)    \
  ACCESS_FROM(ACCESS_NAMED(prefix, _ru), From, Up)      \
  ACCESS_FROM(ACCESS_NAMED(prefix, _rd), From, Down)
ACCESS_FROM_EACH_WAY(__float2, float)
ACCESS_FROM_EACH_WAY(__int2, int)
ACCESS_FROM_EACH_WAY(__uint2, unsigned)
ACCESS_FROM_EACH_WAY(__short2, short)
ACCESS_FROM_EACH_WAY(__ushort2, unsigned short)
ACCESS_FROM_EACH_WAY(__ll2, long long)
ACCESS_FROM_EACH_WAY(__ull2, unsigned long long)
#undef ACCESS_FROM_EACH_WAY
#undef ACCESS_FROM

ACCESS_CALL float ACCESS_NAMED(__, 2float)(const ACCESS_NUMBER& number) {
  return static_cast<float>(number.take(ACCESS_PLACE));
}
#define ACCESS_TO(name, To, round, least, beyond)                                    \
  ACCESS_CALL To name(const ACCESS_NUMBER& number) {                                 \
    return accesses::toInteger<To>(round(number.take(ACCESS_PLACE)), least, beyond); \
  }
#define ACCESS_TO_EACH_WAY(to, To, least, beyond)                   \
  ACCESS_TO(ACCESS_NAMED(__, 2##to##_rn), To, rint, least, beyond)  \
  ACCESS_TO(ACCESS_NAMED(__, 2##to##_rz), To, trunc, least, beyond) \
  ACCESS_TO(ACCESS_NAMED(__, 2##to##_ru), To, ceil, least, beyond)  \
  ACCESS_TO(ACCESS_NAMED(__, 2##to##_rd), To, floor, least, beyond)
ACCESS_TO_EACH_WAY(int, int, -0x1p31, 0x1p31)
ACCESS_TO_EACH_WAY(uint, unsigned, 0, 0x1p32)
ACCESS_TO_EACH_WAY(short, short, -0x1p15, 0x1p15)
ACCESS_TO_EACH_WAY(ushort, unsigned short, 0, 0x1p16)
ACCESS_TO_EACH_WAY(ll, long long, -0x1p63, 0x1p63)
ACCESS_TO_EACH_WAY(ull, unsigned long long, 0, 0x1p64)
#undef ACCESS_TO_EACH_WAY
#undef ACCESS_TO

// ---- The same bits as an integer.

ACCESS_CALL unsigned short ACCESS_NAMED(__, _as_ushort)(const ACCESS_NUMBER& number) {
  accesses::read(&number, sizeof number, ACCESS_PLACE);
  return number.__x;
}
ACCESS_CALL short ACCESS_NAMED(__, _as_short)(const ACCESS_NUMBER& number) {
  accesses::read(&number, sizeof number, ACCESS_PLACE);
  return static_cast<short>(number.__x);
}
ACCESS_INLINE ACCESS_NUMBER ACCESS_NAMED(__ushort_as_, )(unsigned short bits) { return ACCESS_RAW{bits}; }
ACCESS_INLINE ACCESS_NUMBER ACCESS_NAMED(__short_as_, )(short bits) {
  return ACCESS_RAW{static_cast<unsigned short>(bits)};
}

// ---- Pairs of floats, and pairs of numbers.

ACCESS_INLINE ACCESS_PAIR ACCESS_NAMED_PAIR(__floats2, _rn)(float low, float high) {
  return ACCESS_PAIR::of(low, high);
}
ACCESS_INLINE ACCESS_PAIR ACCESS_NAMED_PAIR(__float2, _rn)(float both) { return ACCESS_PAIR::of(both, both); }
ACCESS_CALL ACCESS_PAIR ACCESS_NAMED_PAIR(__float22, _rn)(const float2& pair) {
  accesses::read(&pair, sizeof pair, ACCESS_PLACE);
  return ACCESS_PAIR::of(pair.x, pair.y);
}
ACCESS_CALL float2 ACCESS_NAMED_PAIR(__, 2float2)(const ACCESS_PAIR& pair) {
  const ACCESS_PAIR both = pair.take(ACCESS_PLACE);
  return {static_cast<float>(both.low()), static_cast<float>(both.high())};
}
ACCESS_CALL ACCESS_PAIR ACCESS_NAMED_PAIR(__halves2, )(const ACCESS_NUMBER& low, const ACCESS_NUMBER& high) {
  const double first = low.take(ACCESS_PLACE), second = high.take(ACCESS_PLACE);
  return ACCESS_PAIR::of(first, second);
}
ACCESS_CALL ACCESS_NUMBER ACCESS_NAMED(__low2, )(const ACCESS_PAIR& pair) {
  return pair.take(ACCESS_PLACE).x;
}
ACCESS_CALL ACCESS_NUMBER ACCESS_NAMED(__high2, )(const ACCESS_PAIR& pair) {
  return pair.take(ACCESS_PLACE).y;
}
// Pairs made of one or two others' halves.
#define ACCESS_OF_PAIR(name, first, second)               \
  ACCESS_CALL ACCESS_PAIR name(const ACCESS_PAIR& pair) { \
    const ACCESS_PAIR both = pair.take(ACCESS_PLACE);     \
    return ACCESS_PAIR::of(both.first(), both.second());  \
  }
ACCESS_OF_PAIR(ACCESS_NAMED_PAIR(__low2, ), low, low)
ACCESS_OF_PAIR(ACCESS_NAMED_PAIR(__high2, ), high, high)
#undef ACCESS_OF_PAIR
#define ACCESS_OF_PAIRS(name, half)                                                 \
  ACCESS_CALL ACCESS_PAIR name(const ACCESS_PAIR& left, const ACCESS_PAIR& right) { \
    const ACCESS_PAIR p = left.take(ACCESS_PLACE), q = right.take(ACCESS_PLACE);    \
    return ACCESS_PAIR::of(p.half(), q.half());                                     \
  }
ACCESS_OF_PAIRS(ACCESS_NAMED_PAIR(__lows2, ), low)
ACCESS_OF_PAIRS(ACCESS_NAMED_PAIR(__highs2, ), high)
#undef ACCESS_OF_PAIRS
ACCESS_CALL ACCESS_PAIR __lowhigh2highlow(const ACCESS_PAIR& pair) {
  const ACCESS_PAIR both = pair.take(ACCESS_PLACE);
  return ACCESS_PAIR::of(both.high(), both.low());
}

#undef ACCESS_NAMED_PAIR
#undef ACCESS_NAMED
#undef ACCESS_FORMAT
#undef ACCESS_RAW
#undef ACCESS_PAIR
#undef ACCESS_NUMBER
