#include "kernel_generator.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace stridescope::instrument {
namespace {

// A piece of text and what it must become.
struct Piece {
  std::string text;
  std::string expected;
  bool records = false;
};

Piece same(std::string text) { return {text, text}; }
Piece operator+(const Piece& a, const Piece& b) {
  return {a.text + b.text, a.expected + b.expected, a.records || b.records};
}
Piece operator+(const Piece& a, const char* b) { return a + same(b); }
Piece operator+(const char* a, const Piece& b) { return same(a) + b; }

// Pieces of an expression. If at least two of those at even places record, C++ leaves their order open, so
// that they go before the rest.
Piece inOrder(const std::vector<Piece>& pieces, const std::string& close = {}) {
  Piece all = same("");
  std::string parameters, rest, operands;
  int count = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    all = all + pieces[i];
    if (i % 2 == 1 || !pieces[i].records) {
      rest += pieces[i].expected;
      continue;
    }
    const std::string name = "recording_" + std::to_string(++count);
    parameters += (count == 1 ? "auto " : ", auto ") + name;
    operands += ", " + pieces[i].expected;
    rest += name;
  }
  all = all + same(close);
  if (count >= 2)
    all.expected =
        "recording::InOrder{[&](" + parameters + ") { return " + rest + close + "; }" + operands + "}()";
  return all;
}

// Operands and the operators between them, without parentheses round it: the operators at odd places.
using Pieces = std::vector<Piece>;

// The runs between the operators of the list, and these operators themselves, in turn.
std::vector<Pieces> splitAt(const Pieces& pieces, std::initializer_list<std::string_view> signs) {
  std::vector<Pieces> runs(1);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string& text = pieces[i].text;
    if (i % 2 == 1 &&
        std::ranges::any_of(signs, [&](std::string_view sign) { return text.ends_with(sign); })) {
      runs.push_back({pieces[i]});
      runs.emplace_back();
    } else {
      runs.back().push_back(pieces[i]);
    }
  }
  return runs;
}

// The left operand of << and >> comes first; they bind closer than comparisons and looser than +.
Piece closeBetween(const Pieces& pieces) {
  Pieces open;
  for (const Pieces& run : splitAt(pieces, {" & ", " < ", " > ", " == ", " ^ "})) {
    const std::vector<Pieces> shifted = splitAt(run, {" >> "});
    if (shifted.size() == 1) {
      open.insert(open.end(), run.begin(), run.end());
      continue;
    }
    Piece shift = same("");
    for (const Pieces& part : shifted) shift = shift + inOrder(part);
    open.push_back(shift);
  }
  return inOrder(open);
}

struct Chain {
  Pieces pieces;

  // && and || are in order: only what stands between two of them is not.
  Piece close() const {
    Piece all = same("");
    const std::vector<Pieces> runs = splitAt(pieces, {" && ", " || "});
    for (std::size_t i = 0; i < runs.size(); ++i)
      all = all + (i % 2 == 1 ? runs[i][0] : closeBetween(runs[i]));
    return all;
  }
};
Chain operator+(Chain chain, const Piece& sign) {
  chain.pieces.push_back(sign);
  return chain;
}
Chain operator+(Chain chain, const Chain& other) {
  chain.pieces.insert(chain.pieces.end(), other.pieces.begin(), other.pieces.end());
  return chain;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  GeneratedKernel run() {
    Piece first = statements(2);
    Piece result = expression(2);
    Piece helper = "__device__ T helper(T* data, int i)\n{\n" + first + "    return " + result + ";\n}\n";
    Piece start{"identity", "recording::value<T>(" + nextId() + ", identity)"};
    Piece body = statements(6);
    Piece kernel = helper + same("__global__ void generated(const T* in, T* out, int n)\n{\n    ") +
                   shared() + same("\n    int i = 0, x[3] = {1, 2, 3}; T* p = data + 1; T v = ") + start +
                   ";\n" + body + "}\n";
    return {kernel.text, kernel.expected, sites_};
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_()) % n; }

  template <std::size_t count>
  Piece oneOf(const std::array<std::string_view, count>& choices) {
    return same(std::string(choices[below(count)]));
  }

  // White space and comments that may stand between any two tokens.
  Piece space() {
    static constexpr std::array<std::string_view, 12> kSpaces{
        "", "", "", "", "", " ", " ", "  ", "\n      ", "\t", " /* data[0] */ ", " // *p, if (v)\n"};
    return oneOf(kSpaces);
  }

  static Piece shared() {
    return {"extern __shared__ T data[]; __shared__ T tile[4][5];",
            "RECORDING_SHARED_DYNAMIC(0, data, T); RECORDING_SHARED_STATIC(1, tile, T, [4][5]);"};
  }

  std::string nextId() { return std::to_string(sites_++); }

  Piece array() { return oneOf(std::array<std::string_view, 3>{"data", "p", "(data + 2)"}); }

  // The text of an element, and the arguments of its call: what its operands record comes first.
  struct Element {
    Piece before, separator, after;
    std::string close;

    Piece recorded(const char* function, const std::string& id) const {
      std::string place = before.expected + separator.expected + after.expected;
      if (before.records && after.records) place = "recording::At{" + place + "}";
      return {before.text + separator.text + after.text,
              "recording::" + std::string(function) + "(" + id + ", " + place + close, true};
    }
  };

  Element element(int depth) {
    switch (below(4)) {
      case 0: {
        Piece operand = below(2) == 0 ? same("p") : behindData(depth - 1);
        return {same(""), {"*", ""}, space() + operand, ", 0)"};
      }
      case 1: {
        Piece row = "tile" + space() + "[" + expression(depth - 1) + "]";
        Piece column = space() + expression(depth - 1);
        return {row, {"[", ", "}, column + Piece{"]", ""}, ")"};
      }
      default: {
        Piece name = array() + space();
        Piece index = space() + expression(depth - 1) + space();
        return {name, {"[", ", "}, index + Piece{"]", ""}, ")"};
      }
    }
  }

  Piece behindData(int depth) {
    const Chain sum = Chain{{same("data"), same(" + ")}} + chain(depth);
    return "(" + sum.close() + ")";
  }

  Piece load(int depth) {
    const Element target = element(depth);
    return target.recorded("load", nextId());
  }

  Piece expression(int depth) { return chain(depth).close(); }

  Chain chain(int depth) {
    static constexpr std::array<std::string_view, 12> kBinary{" + ",  " - ", " * ", " / ",  " & ",  " && ",
                                                              " || ", " < ", " > ", " == ", " >> ", " ^ "};
    if (depth > 0 && below(6) == 0) {
      Chain left = chain(depth - 1);
      const Piece sign = space() + oneOf(kBinary);
      return left + sign + chain(depth - 1);
    }
    return {{operand(depth)}};
  }

  Piece operand(int depth) {
    static constexpr std::array<std::string_view, 6> kLeaves{
        "1", "i", "v", "0x1Fu", "sizeof(data[0])", "threadIdx.x"};
    if (depth <= 0) return oneOf(kLeaves);
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        return load(depth);
      case 3: {
        const Piece left = expression(depth - 1);
        const Piece comma = space() + "," + space();
        const Piece right = expression(depth - 1);
        return inOrder({same(""), same("combine("), left, comma, right}, ")");
      }
      case 4:
        return oneOf(std::array<std::string_view, 5>{"(T)", "-", "!", "static_cast<T>", "T"}) + "(" +
               expression(depth - 1) + ")";
      case 5: {
        Piece condition = expression(depth - 1);
        Piece yes = expression(depth - 1);
        return "(" + condition + " ? " + yes + " : " + expression(depth - 1) + ")";
      }
      case 6: {
        Piece value = expression(depth - 1);
        return Piece{"__shfl_down_sync(~0u, ", "recording::shfl_down_sync(" + nextId() + ", ~0u, ", true} +
               value + ", 1)";
      }
      case 7: {
        const Piece place = "&data[" + expression(depth - 1) + "]";
        const Piece value = expression(depth - 1);
        const Piece head{"atomicAdd(", "recording::atomicAdd(" + nextId() + ", "};
        Piece call = inOrder({same(""), head, place, same(", "), value}, ")");
        call.records = true;
        return call;
      }
      case 8:
        return "(" + space() + expression(depth - 1) + space() + ")";
      default:
        return oneOf(kLeaves);
    }
  }

  // An assignment without its semicolon: the value, then the target's operands, then the store.
  Piece assignment() {
    if (below(5) == 0) {  // a[i] = b[j] = x: the inner one stores first
      const Piece value = expression(2);
      const Element inner = element(1);
      const Piece innerText = inner.recorded("store", nextId());
      const Element target = element(2);
      return target.recorded("store", nextId()) + " = " + innerText + " = " + value;
    }
    if (below(4) == 0) {
      const Element target = element(2);
      const bool prefix = below(2) == 0;
      Piece step = oneOf(std::array<std::string_view, 2>{"++", "--"});
      // *p++ moves the pointer, so that a dereference takes its step in front.
      Piece text = target.recorded("update", nextId());
      const bool dereference = target.separator.text == "*";
      return prefix || dereference ? step + text : text + step;
    }
    static constexpr std::array<std::string_view, 5> kUpdates{" += ", " -= ", " *= ", " <<= ", " >>= "};
    const bool update = below(2) == 0;
    const Piece sign = update ? oneOf(kUpdates) : same(" = ");
    const Piece value = space() + expression(3) + space();
    const Element target = element(2);
    return target.recorded(update ? "update" : "store", nextId()) + sign + value;
  }

  Piece branch(const Piece& condition) {
    return {condition.text, "recording::branch(" + nextId() + ", " + condition.expected + ")"};
  }

  Piece body(int depth) {
    if (below(2) == 0) return "{\n" + statements(depth - 1) + "}\n";
    return space() + " " + statement(depth - 1);
  }

  Piece statements(int depth) {
    Piece all = same("");
    const unsigned count = 1 + below(4);
    for (unsigned k = 0; k < count; ++k) all = all + "    " + statement(depth);
    return all;
  }

  Piece statement(int depth) {
    if (depth <= 0) return assignment() + ";\n";
    switch (below(12)) {
      case 0: {
        Piece condition = branch(expression(2));
        Piece yes = "{ " + statement(depth - 1) + "}";
        Piece text = "if" + space() + "(" + space() + condition + space() + ")" + yes;
        return below(2) == 0 ? text + "\n" : text + " else " + statement(depth - 1);
      }
      case 1: {
        Piece first = below(2) == 0 ? same("int k = 0") : assignment();
        Piece condition = branch(expression(2));
        Piece again = body(depth);
        Piece increment = below(2) == 0 ? same("i++") : assignment();
        return "for (" + first + "; " + condition + ";" + space() + increment + ")" + again;
      }
      case 2: {
        Piece always{"", "recording::branch(" + nextId() + ", true)"};
        return "for (;" + always + ";) { " + statement(depth - 1) + "break; }\n";
      }
      case 3: {
        Piece condition = branch(expression(2));
        return "while (" + condition + ")" + space() + body(depth);
      }
      case 4: {
        Piece again = "{ " + statement(depth - 1) + "}";
        return "do " + again + space() + "while (" + branch(expression(2)) + ");\n";
      }
      case 5:
        return Piece{"__syncthreads", "recording::syncthreads"} + Piece{"()", "(" + nextId() + ")"} + ";\n";
      case 6:
        return Piece{"__syncwarp(", "recording::syncwarp(" + nextId() + ", "} + "0xffu);\n";
      case 7: {
        Piece value = expression(3);
        value.expected = "recording::value<T>(" + nextId() + ", " + value.expected + ")";
        Piece index = expression(1);
        Piece through{"*q", "recording::load(" + nextId() + ", q, 0)"};
        return "{ T w = " + value + ", *q = &data[" + index + "], u[2] = {w, " + through + "}; }\n";
      }
      case 8: {
        Piece first = assignment();
        return first + ", " + assignment() + ";\n";
      }
      case 9:
        return "{\n" + statements(depth - 1) + "    }\n";
      default:
        return assignment() + ";\n";
    }
  }

  std::mt19937 random_;  // its numbers are fixed by the standard
  int sites_ = 0;
};

}  // namespace

GeneratedKernel generateKernel(unsigned seed) { return Generator(seed).run(); }

}  // namespace stridescope::instrument
