// The part that __half and __nv_bfloat16 have in common: the two classes and CUDA's functions of the same
// names for both (CUDA Math API, Half and Bfloat16 Precision Intrinsics). Included once for each, with
//   ACCESS_NUMBER, ACCESS_PAIR  the classes' names
//   ACCESS_RAW                  the struct of plain bits
//   ACCESS_FORMAT               its accesses::SmallFloat
//   ACCESS_NAMED(before, after)       a name around the number's: before half after
//   ACCESS_NAMED_PAIR(before, after)  a name around the pair's: before half2 after
//
// The names are taken away at the end. Each operation is computed wider and rounded
// once. The functions take references and record the reads themselves: g++ does not announce an object of a
// class that is passed by value.

struct alignas(2) ACCESS_NUMBER {
  unsigned short __x;

  ACCESS_CLASS_COPIES(ACCESS_NUMBER)
  ACCESS_INLINE constexpr ACCESS_NUMBER(const ACCESS_RAW& raw) : __x(raw.x) {}
  ACCESS_INLINE constexpr ACCESS_NUMBER(float value) : __x(ACCESS_FORMAT::narrow(value)) {}
  ACCESS_INLINE constexpr ACCESS_NUMBER(double value) : __x(ACCESS_FORMAT::narrow(value)) {}
#define ACCESS_FROM(T) \
  ACCESS_INLINE constexpr ACCESS_NUMBER(T value) : __x(ACCESS_FORMAT::narrow(static_cast<double>(value))) {}
  ACCESS_FROM(short)
  ACCESS_FROM(unsigned short)
  ACCESS_FROM(int)
  ACCESS_FROM(unsigned)
  ACCESS_FROM(long)
  ACCESS_FROM(unsigned long)
  ACCESS_FROM(long long)
  ACCESS_FROM(unsigned long long)
#undef ACCESS_FROM

  // The value, read at `place`. Exact.
  ACCESS_INLINE double take(const void* place) const {
    accesses::read(this, sizeof *this, place);
    return ACCESS_FORMAT::widen(__x);
  }

  ACCESS_CALL operator float() const { return static_cast<float>(take(ACCESS_PLACE)); }
  ACCESS_CALL operator bool() const { return take(ACCESS_PLACE) != 0; }
  ACCESS_CALL operator ACCESS_RAW() const {
    accesses::read(this, sizeof *this, ACCESS_PLACE);
    return {__x};
  }
#define ACCESS_TO(T, least, beyond) \
  ACCESS_CALL operator T() const { return accesses::toInteger<T>(trunc(take(ACCESS_PLACE)), least, beyond); }
  ACCESS_TO(char, -0x1p7, 0x1p7)
  ACCESS_TO(signed char, -0x1p7, 0x1p7)
  ACCESS_TO(unsigned char, 0, 0x1p8)
  ACCESS_TO(short, -0x1p15, 0x1p15)
  ACCESS_TO(unsigned short, 0, 0x1p16)
  ACCESS_TO(int, -0x1p31, 0x1p31)
  ACCESS_TO(unsigned, 0, 0x1p32)
  ACCESS_TO(long, -0x1p63, 0x1p63)
  ACCESS_TO(unsigned long, 0, 0x1p64)
  ACCESS_TO(long long, -0x1p63, 0x1p63)
  ACCESS_TO(unsigned long long, 0, 0x1p64)
#undef ACCESS_TO

 private:
  ACCESS_INLINE constexpr void assign(const ACCESS_NUMBER& other) { __x = other.__x; }
};

struct alignas(4) ACCESS_PAIR {
  ACCESS_NUMBER x, y;

  ACCESS_CLASS_COPIES(ACCESS_PAIR)
  ACCESS_CALL ACCESS_PAIR(const ACCESS_NUMBER& low, const ACCESS_NUMBER& high) {
    accesses::read(&low, sizeof low, ACCESS_PLACE);
    accesses::read(&high, sizeof high, ACCESS_PLACE);
    x.__x = low.__x;
    y.__x = high.__x;
  }

  // A copy, read as one access.
  ACCESS_INLINE ACCESS_PAIR take(const void* place) const {
    accesses::read(this, sizeof *this, place);
    return accesses::unrecorded(this);
  }
  ACCESS_INLINE double low() const { return ACCESS_FORMAT::widen(x.__x); }
  ACCESS_INLINE double high() const { return ACCESS_FORMAT::widen(y.__x); }
  ACCESS_INLINE static ACCESS_PAIR of(double low, double high) {
    ACCESS_PAIR pair;
    pair.x.__x = ACCESS_FORMAT::narrow(low);
    pair.y.__x = ACCESS_FORMAT::narrow(high);
    return pair;
  }

 private:
  ACCESS_INLINE constexpr void assign(const ACCESS_PAIR& other) {
    x.__x = other.x.__x;
    y.__x = other.y.__x;
  }
};

// ---- Arithmetic. `result` of the values a, b (and c).

#define ACCESS_UNARY(name, name2, result)                       \
  ACCESS_CALL ACCESS_NUMBER name(const ACCESS_NUMBER& number) { \
    const double a = number.take(ACCESS_PLACE);                 \
    return ACCESS_NUMBER(static_cast<double>(result));          \
  }                                                             \
  ACCESS_CALL ACCESS_PAIR name2(const ACCESS_PAIR& pair) {      \
    const ACCESS_PAIR both = pair.take(ACCESS_PLACE);           \
    double a = both.low();                                      \
    const double first = static_cast<double>(result);           \
    a = both.high();                                            \
    return ACCESS_PAIR::of(first, static_cast<double>(result)); \
  }
#define ACCESS_BINARY(name, name2, result)                                                \
  ACCESS_CALL ACCESS_NUMBER name(const ACCESS_NUMBER& left, const ACCESS_NUMBER& right) { \
    const double a = left.take(ACCESS_PLACE), b = right.take(ACCESS_PLACE);               \
    return ACCESS_NUMBER(static_cast<double>(result));                                    \
  }                                                                                       \
  ACCESS_CALL ACCESS_PAIR name2(const ACCESS_PAIR& left, const ACCESS_PAIR& right) {      \
    const ACCESS_PAIR p = left.take(ACCESS_PLACE), q = right.take(ACCESS_PLACE);          \
    double a = p.low(), b = q.low();                                                      \
    const double first = static_cast<double>(result);                                     \
    a = p.high();                                                                         \
    b = q.high();                                                                         \
    return ACCESS_PAIR::of(first, static_cast<double>(result));                           \
  }
#define ACCESS_TERNARY(name, name2, result)                                                                 \
  ACCESS_CALL ACCESS_NUMBER name(const ACCESS_NUMBER& first, const ACCESS_NUMBER& second,                   \
                                 const ACCESS_NUMBER& third) {                                              \
    const double a = first.take(ACCESS_PLACE), b = second.take(ACCESS_PLACE), c = third.take(ACCESS_PLACE); \
    return ACCESS_NUMBER(static_cast<double>(result));                                                      \
  }                                                                                                         \
  ACCESS_CALL ACCESS_PAIR name2(const ACCESS_PAIR& first, const ACCESS_PAIR& second,                        \
                                const ACCESS_PAIR& third) {                                                 \
    const ACCESS_PAIR p = first.take(ACCESS_PLACE), q = second.take(ACCESS_PLACE),                          \
                      r = third.take(ACCESS_PLACE);                                                         \
    double a = p.low(), b = q.low(), c = r.low();                                                           \
    const double low = static_cast<double>(result);                                                         \
    a = p.high();                                                                                           \
    b = q.high();                                                                                           \
    c = r.high();                                                                                           \
    return ACCESS_PAIR::of(low, static_cast<double>(result));                                               \
  }

ACCESS_BINARY(__hadd, __hadd2, a + b)
ACCESS_BINARY(__hsub, __hsub2, a - b)
ACCESS_BINARY(__hmul, __hmul2, a* b)
ACCESS_BINARY(__hadd_rn, __hadd2_rn, a + b)
ACCESS_BINARY(__hsub_rn, __hsub2_rn, a - b)
ACCESS_BINARY(__hmul_rn, __hmul2_rn, a* b)
ACCESS_BINARY(__hdiv, __h2div, a / b)
ACCESS_BINARY(__hadd_sat, __hadd2_sat, fmin(fmax(a + b, 0.0), 1.0))
ACCESS_BINARY(__hsub_sat, __hsub2_sat, fmin(fmax(a - b, 0.0), 1.0))
ACCESS_BINARY(__hmul_sat, __hmul2_sat, fmin(fmax(a* b, 0.0), 1.0))
ACCESS_BINARY(__hmax, __hmax2, fmax(a, b))
ACCESS_BINARY(__hmin, __hmin2, fmin(a, b))
ACCESS_BINARY(__hmax_nan, __hmax2_nan, a != a || b != b ? NAN : fmax(a, b))
ACCESS_BINARY(__hmin_nan, __hmin2_nan, a != a || b != b ? NAN : fmin(a, b))
ACCESS_TERNARY(__hfma, __hfma2, accesses::fusedToOdd(a, b, c))
ACCESS_TERNARY(__hfma_sat, __hfma2_sat, fmin(fmax(accesses::fusedToOdd(a, b, c), 0.0), 1.0))
ACCESS_TERNARY(__hfma_relu, __hfma2_relu, fmax(accesses::fusedToOdd(a, b, c), 0.0))
ACCESS_UNARY(__hneg, __hneg2, -a)
ACCESS_UNARY(__habs, __habs2, fabs(a))

// Functions. A GPU computes them in float or approximates them; their last bit may differ.
ACCESS_UNARY(hexp, h2exp, exp(a))
ACCESS_UNARY(hexp2, h2exp2, exp2(a))
ACCESS_UNARY(hexp10, h2exp10, pow(10.0, a))
ACCESS_UNARY(hlog, h2log, log(a))
ACCESS_UNARY(hlog2, h2log2, log2(a))
ACCESS_UNARY(hlog10, h2log10, log10(a))
ACCESS_UNARY(hsqrt, h2sqrt, sqrt(a))
ACCESS_UNARY(hrsqrt, h2rsqrt, 1 / sqrt(a))
ACCESS_UNARY(hrcp, h2rcp, 1 / a)
ACCESS_UNARY(hsin, h2sin, sin(a))
ACCESS_UNARY(hcos, h2cos, cos(a))
ACCESS_UNARY(htanh, h2tanh, tanh(a))
ACCESS_UNARY(hceil, h2ceil, ceil(a))
ACCESS_UNARY(hfloor, h2floor, floor(a))
ACCESS_UNARY(htrunc, h2trunc, trunc(a))
ACCESS_UNARY(hrint, h2rint, rint(a))

ACCESS_BINARY(operator+, operator+, a + b)
ACCESS_BINARY(operator-, operator-, a - b)
ACCESS_BINARY(operator*, operator*, a* b)
ACCESS_BINARY(operator/, operator/, a / b)
ACCESS_UNARY(operator-, operator-, -a)
ACCESS_UNARY(operator+, operator+, a)

#define ACCESS_ASSIGNING(sign)                                                                   \
  ACCESS_CALL ACCESS_NUMBER& operator sign##=(ACCESS_NUMBER& left, const ACCESS_NUMBER& right) { \
    const double a = left.take(ACCESS_PLACE), b = right.take(ACCESS_PLACE);                      \
    accesses::write(&left, sizeof left, ACCESS_PLACE);                                           \
    left.__x = ACCESS_FORMAT::narrow(a sign b);                                                  \
    return left;                                                                                 \
  }                                                                                              \
  ACCESS_CALL ACCESS_PAIR& operator sign##=(ACCESS_PAIR& left, const ACCESS_PAIR& right) {       \
    const ACCESS_PAIR p = left.take(ACCESS_PLACE), q = right.take(ACCESS_PLACE);                 \
    accesses::write(&left, sizeof left, ACCESS_PLACE);                                           \
    const ACCESS_PAIR both = ACCESS_PAIR::of(p.low() sign q.low(), p.high() sign q.high());      \
    left = both;                                                                                 \
    return left;                                                                                 \
  }
ACCESS_ASSIGNING(+)
ACCESS_ASSIGNING(-)
ACCESS_ASSIGNING(*)
ACCESS_ASSIGNING(/)
#undef ACCESS_ASSIGNING

#define ACCESS_STEPPING(sign)                                                 \
  ACCESS_CALL ACCESS_NUMBER& operator sign##sign(ACCESS_NUMBER& number) {     \
    const double a = number.take(ACCESS_PLACE);                               \
    accesses::write(&number, sizeof number, ACCESS_PLACE);                    \
    number.__x = ACCESS_FORMAT::narrow(a sign 1);                             \
    return number;                                                            \
  }                                                                           \
  ACCESS_CALL ACCESS_NUMBER operator sign##sign(ACCESS_NUMBER& number, int) { \
    const double a = number.take(ACCESS_PLACE);                               \
    accesses::write(&number, sizeof number, ACCESS_PLACE);                    \
    number.__x = ACCESS_FORMAT::narrow(a sign 1);                             \
    return ACCESS_NUMBER(a);                                                  \
  }
ACCESS_STEPPING(+)
ACCESS_STEPPING(-)
#undef ACCESS_STEPPING

// ---- Comparisons: of numbers; of pairs as a pair of 1 and 0, and whether both hold. The form with u holds
// also where one is a NaN.

#define ACCESS_COMPARISON(operation, sign)                                                       \
  ACCESS_CALL bool __h##operation(const ACCESS_NUMBER& left, const ACCESS_NUMBER& right) {       \
    return left.take(ACCESS_PLACE) sign right.take(ACCESS_PLACE);                                \
  }                                                                                              \
  ACCESS_CALL bool __h##operation##u(const ACCESS_NUMBER& left, const ACCESS_NUMBER& right) {    \
    const double a = left.take(ACCESS_PLACE), b = right.take(ACCESS_PLACE);                      \
    return a != a || b != b || a sign b;                                                         \
  }                                                                                              \
  ACCESS_CALL ACCESS_PAIR __h##operation##2(const ACCESS_PAIR& left, const ACCESS_PAIR& right) { \
    const ACCESS_PAIR p = left.take(ACCESS_PLACE), q = right.take(ACCESS_PLACE);                 \
    return ACCESS_PAIR::of(p.low() sign q.low(), p.high() sign q.high());                        \
  }                                                                                              \
  ACCESS_CALL bool __hb##operation##2(const ACCESS_PAIR& left, const ACCESS_PAIR& right) {       \
    const ACCESS_PAIR p = left.take(ACCESS_PLACE), q = right.take(ACCESS_PLACE);                 \
    return p.low() sign q.low() && p.high() sign q.high();                                       \
  }                                                                                              \
  ACCESS_CALL bool operator sign(const ACCESS_NUMBER& left, const ACCESS_NUMBER& right) {        \
    return left.take(ACCESS_PLACE) sign right.take(ACCESS_PLACE);                                \
  }                                                                                              \
  ACCESS_CALL bool operator sign(const ACCESS_PAIR& left, const ACCESS_PAIR& right) {            \
    const ACCESS_PAIR p = left.take(ACCESS_PLACE), q = right.take(ACCESS_PLACE);                 \
    return p.low() sign q.low() && p.high() sign q.high();                                       \
  }
ACCESS_COMPARISON(eq, ==)
ACCESS_COMPARISON(ne, !=)
ACCESS_COMPARISON(lt, <)
ACCESS_COMPARISON(le, <=)
ACCESS_COMPARISON(gt, >)
ACCESS_COMPARISON(ge, >=)
#undef ACCESS_COMPARISON

ACCESS_CALL bool __hisnan(const ACCESS_NUMBER& number) {
  const double a = number.take(ACCESS_PLACE);
  return a != a;
}
ACCESS_CALL int __hisinf(const ACCESS_NUMBER& number) {
  const double a = number.take(ACCESS_PLACE);
  return __builtin_isinf(a) ? a < 0 ? -1 : 1 : 0;
}

// ---- Halves of a pair, as float.

ACCESS_CALL float __low2float(const ACCESS_PAIR& pair) {
  return static_cast<float>(pair.take(ACCESS_PLACE).low());
}
ACCESS_CALL float __high2float(const ACCESS_PAIR& pair) {
  return static_cast<float>(pair.take(ACCESS_PLACE).high());
}

// ---- Shuffles and atomics.

#define ACCESS_SHUFFLE(name, T, Operand, lane)                                               \
  ACCESS_CALL T name(unsigned mask, const T& value, Operand operand, int width = warpSize) { \
    accesses::read(&value, sizeof value, ACCESS_PLACE);                                      \
    return accesses::shuffle(mask, value, accesses::lane(operand, width), ACCESS_PLACE);     \
  }
#define ACCESS_ATOMIC_ADD(name, T, sum)                                                                 \
  ACCESS_CALL T name(T* address, const T& value) {                                                      \
    accesses::read(&value, sizeof value, ACCESS_PLACE);                                                 \
    if (!accesses::beginAtomic({address, sizeof(T), accesses::bitsOf(value), ACCESS_PLACE})) return {}; \
    const T old = accesses::unrecorded(address);                                                        \
    const T updated = sum;                                                                              \
    *address = updated;                                                                                 \
    return accesses::unrecorded(&old);                                                                  \
  }
#define ACCESS_BOTH(T, sum)                                 \
  ACCESS_SHUFFLE(__shfl_sync, T, int, indexedSource)        \
  ACCESS_SHUFFLE(__shfl_up_sync, T, unsigned, upSource)     \
  ACCESS_SHUFFLE(__shfl_down_sync, T, unsigned, downSource) \
  ACCESS_SHUFFLE(__shfl_xor_sync, T, int, xorSource)        \
  ACCESS_ATOMIC_ADD(atomicAdd, T, sum)                      \
  ACCESS_ATOMIC_ADD(atomicAdd_block, T, sum)                \
  ACCESS_ATOMIC_ADD(atomicAdd_system, T, sum)
ACCESS_BOTH(ACCESS_NUMBER, ACCESS_NUMBER(ACCESS_FORMAT::widen(old.__x) + ACCESS_FORMAT::widen(value.__x)))
ACCESS_BOTH(ACCESS_PAIR, ACCESS_PAIR::of(old.low() + value.low(), old.high() + value.high()))
#undef ACCESS_BOTH
#undef ACCESS_ATOMIC_ADD
#undef ACCESS_SHUFFLE

#undef ACCESS_TERNARY
#undef ACCESS_BINARY
#undef ACCESS_UNARY

// CUDA's conversions, whose names hold the format's.

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
