#include "engine/access/launch_guess.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "declarations.h"
#include "kernel_text.h"
#include "kernel_tokens.h"
#include "launch_tile.h"

namespace stridescope::engine::access {
namespace {

constexpr std::uint64_t kElements = 512, kBlock = 256, kSide = 32, kTile = 16;

// In lower case, and of a member's name without the struct's: "n" of "p.n".
std::string lower(std::string text) {
  text.erase(0, text.rfind('.') + 1);  // npos + 1 is 0
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

// Whether the name is that of a number of elements: n, size, numElements, len.
bool namesElements(const std::string& name) {
  const std::string word = lower(name);
  constexpr std::array<std::string_view, 8> kWhole{"n",      "size", "count", "len",
                                                   "length", "num",  "total", "nx"};
  constexpr std::array<std::string_view, 5> kParts{"elem", "size", "count", "length", "num"};
  return std::ranges::count(kWhole, word) != 0 ||
         std::ranges::any_of(kParts, [&](std::string_view part) { return contains(word, part); });
}
// Whether the name is that of a matrix's side: width, rows, M.
bool namesSide(const std::string& name) {
  const std::string word = lower(name);
  constexpr std::array<std::string_view, 9> kWhole{"w", "h", "m", "k", "ny", "nz", "ld", "pitch", "stride"};
  constexpr std::array<std::string_view, 5> kParts{"width", "height", "row", "col", "dim"};
  return std::ranges::count(kWhole, word) != 0 ||
         std::ranges::any_of(kParts, [&](std::string_view part) { return contains(word, part); });
}

bool isPointer(const KernelParameter& parameter) { return contains(parameter.type, "*"); }
bool isConst(const KernelParameter& parameter) {
  return contains(parameter.type.substr(0, parameter.type.find('*')), "const");
}

// Bytes of an element of such a type.
std::uint64_t bytesOf(const std::string& type) {
  if (contains(type, "double") || contains(type, "long") || contains(type, "64") ||
      contains(type, "float2") || contains(type, "int2"))
    return 8;
  if (contains(type, "float4") || contains(type, "int4")) return 16;
  return contains(type, "char") || contains(type, "bool") ? 1 : contains(type, "short") ? 2 : 4;
}

// What the threads of a block are numbered by.
struct Shape {
  bool hasRows = false, hasPlanes = false;
};
using Bodies = std::vector<std::pair<std::size_t, std::size_t>>;  // by their brackets
bool isWithin(const Bodies& bodies, std::size_t token) {
  return std::ranges::any_of(bodies,
                             [&](const auto& body) { return body.first < token && token < body.second; });
}
Shape shapeOf(const KernelTokens& tokens, const Bodies& others) {
  Shape shape;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens.is(i, "threadIdx") || !tokens.is(i + 1, ".") || isWithin(others, i)) continue;
    shape.hasRows = shape.hasRows || tokens.is(i + 2, "y");
    shape.hasPlanes = shape.hasPlanes || tokens.is(i + 2, "z");
  }
  return shape;
}

// What the text's other kernels do.
Bodies otherBodies(const KernelTokens& tokens, const std::vector<KernelDeclaration>& kernels,
                   const KernelDeclaration& own) {
  Bodies bodies;
  for (const KernelDeclaration& kernel : kernels)
    for (std::size_t i = 0; &kernel != &own && i + 1 < tokens.size(); ++i) {
      if (!tokens.is(i, kernel.name) || !tokens.is(i + 1, "(") || tokens[i + 1].line != kernel.line) continue;
      const std::size_t open = tokens.partner(i + 1) + 1;
      if (tokens.is(open, "{")) bodies.emplace_back(open, tokens.partner(open));
    }
  return bodies;
}

// The parameters of `template <class T, unsigned BLOCK>`.
struct TemplateParameter {
  std::string name{};
  bool isType = false, isBool = false;
};
// Without those that have a default, and all behind them.
std::vector<TemplateParameter> templateParameters(const std::string& head) {
  std::vector<TemplateParameter> all;
  KernelTokens tokens;
  if (tokens.read(head)) return all;
  std::size_t begin = 2;  // behind template <
  int depth = 1;
  for (std::size_t i = 2; i < tokens.size() && depth > 0; ++i) {
    if (tokens.is(i, "<")) ++depth;
    if (tokens.is(i, ">")) --depth;
    if (depth > 1 || (depth == 1 && !tokens.is(i, ","))) continue;
    if (tokens.has(begin, i, "=") || i == begin) break;
    all.push_back({.name = std::string(tokens.word(i - 1)),
                   .isType = tokens.is(begin, "class") || tokens.is(begin, "typename"),
                   .isBool = tokens.has(begin, i, "bool")});
    begin = i + 1;
  }
  return all;
}

// How many arguments stand between a list's brackets.
std::size_t argumentsIn(const KernelTokens& tokens, std::size_t open) {
  const std::size_t close = tokens.partner(open);
  std::size_t count = close > open + 1 ? 1 : 0;
  for (std::size_t i = open + 1; i < close; ++i) {
    if (tokens.is(i, "(") || tokens.is(i, "[") || tokens.is(i, "{")) i = tokens.partner(i);
    if (tokens.is(i, ",")) ++count;
  }
  return count;
}

// The classes of the text that can be called, each with the number of its arguments.
std::vector<std::pair<std::string, std::size_t>> callablesOf(const KernelTokens& tokens) {
  std::vector<std::pair<std::string, std::size_t>> all;
  for (const Declaration& declared : declarationsOf(tokens)) {
    if (declared.kind != DeclarationKind::Class || declared.isTemplate || declared.owner >= 0) continue;
    for (std::size_t i = declared.body; i + 3 < declared.end; ++i) {
      if (!tokens.is(i, "operator") || !tokens.is(i + 1, "(") || !tokens.is(i + 3, "(")) continue;
      all.emplace_back(declared.scope + declared.name, argumentsIn(tokens, i + 3));
      break;
    }
  }
  return all;
}

// What the template's type may be, if the kernel has a parameter of it that it calls, or its name says so:
// the first class that takes as many arguments, else the first of all. Empty: it is none that is called, or
// there is no such class.
std::string callableFor(const KernelTokens& tokens, const KernelDeclaration& kernel,
                        const TemplateParameter& parameter) {
  const auto callables = callablesOf(tokens);
  if (!parameter.isType || callables.empty()) return {};
  std::optional<std::size_t> arguments;
  for (const KernelParameter& given : kernel.parameters)
    for (std::size_t i = 0; i + 1 < tokens.size() && given.type == parameter.name && !arguments; ++i)
      if (tokens.is(i, given.name) && tokens.is(i + 1, "(")) arguments = argumentsIn(tokens, i + 1);
  const std::string name = lower(parameter.name);
  const bool isNamedSo = contains(name, "op") || contains(name, "func") || name == "f" || name == "fn" ||
                         contains(name, "pred") || contains(name, "comp");
  if (!arguments && !isNamedSo) return {};
  for (const auto& [callable, takes] : callables)
    if (!arguments || takes == *arguments) return callable;
  return callables.front().first;
}

// "float, 256" for `template <class T, unsigned BLOCK>`. `threads`: of a block, along one axis where it has
// several.
std::string templateArguments(const KernelTokens& tokens, const KernelDeclaration& kernel,
                              std::uint64_t threads) {
  std::string all;
  for (const TemplateParameter& parameter : templateParameters(kernel.templateHead)) {
    const std::string name = lower(parameter.name);
    const bool isSize = contains(name, "block") || contains(name, "thread") || contains(name, "size") ||
                        isSharedExtent(tokens, parameter.name);
    const std::string callable = callableFor(tokens, kernel, parameter);
    all += all.empty() ? "" : ", ";
    all += !callable.empty()        ? callable
           : parameter.isType       ? "float"
           : parameter.isBool       ? "true"
           : contains(name, "tile") ? std::to_string(kTile)
           : isSize                 ? std::to_string(threads)
                                    : "4";
  }
  return all;
}

// The template's arguments by the parameters' names, as they are given.
std::map<std::string, std::string> templateArgumentsByName(const std::string& head,
                                                           const std::string& arguments) {
  std::map<std::string, std::string> all;
  std::size_t begin = 0;
  for (const TemplateParameter& parameter : templateParameters(head)) {
    if (begin > arguments.size()) break;
    const std::size_t end = std::min(arguments.find(',', begin), arguments.size());
    all[parameter.name] = arguments.substr(begin, end - begin);
    begin = end + 1;
  }
  return all;
}

// A struct's members as its text has them, those of structs and arrays in it one by one: "size.x", "w[0]".
// Nothing: the text has no such struct, or one of which more is to be known than its words.
class StructReader {
 public:
  explicit StructReader(const KernelTokens& tokens) : tokens_(tokens) {}

  bool has(const std::string& type) const { return bodyOf(nameIn(type)).has_value(); }

  std::optional<std::vector<KernelParameter>> membersOf(const std::string& type) const {
    std::vector<KernelParameter> members;
    const auto open = bodyOf(nameIn(type));
    if (!open || !read(*open, {}, members, 0)) return std::nullopt;
    return members;
  }

 private:
  static constexpr int kMaxDepth = 4;
  static constexpr std::uint64_t kMaxElements = 16;  // of an array that is a member

  // "Params" of "const struct Params".
  static std::string nameIn(const std::string& type) {
    KernelTokens words;
    std::string name;
    if (words.read(type)) return name;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words.is(i, "const") || words.is(i, "struct") || words.is(i, "class") ||
          words.is(i, "__grid_constant__"))
        continue;
      if (words.is(i + 1, ":") && words.is(i + 2, ":")) {  // where it is
        i += 2;
        continue;
      }
      if (!name.empty() || !words[i].isWord) return {};
      name = words.word(i);
    }
    return name;
  }

  std::optional<std::size_t> bodyOf(const std::string& name) const {
    for (std::size_t i = 0; !name.empty() && i + 2 < tokens_.size(); ++i)
      if ((tokens_.is(i, "struct") || tokens_.is(i, "class")) && tokens_.is(i + 1, name) &&
          tokens_.is(i + 2, "{"))
        return i + 2;
    return std::nullopt;
  }

  bool read(std::size_t open, const std::string& prefix, std::vector<KernelParameter>& members,
            int depth) const {
    if (depth == kMaxDepth) return false;
    const std::size_t close = tokens_.partner(open);
    for (std::size_t i = open + 1; i < close;) {
      if (tokens_.is(i + 1, ":") && !tokens_.is(i + 2, ":")) {  // public:
        i += 2;
        continue;
      }
      std::size_t end = i;
      bool isOther = tokens_.is(i, "static") || tokens_.is(i, "using") || tokens_.is(i, "typedef");
      for (; end < close && !tokens_.is(end, ";"); ++end) {
        const bool isFunction = tokens_.is(end, "(");
        isOther = isOther || isFunction;
        if (tokens_.is(end, "(") || tokens_.is(end, "[")) end = tokens_.partner(end);
        if (!tokens_.is(end, "{")) continue;
        end = tokens_.partner(end);
        if (isOther) break;
      }
      if (end == close) return false;
      if (!isOther && !readMembers(i, end, prefix, members, depth)) return false;
      i = end + 1;
      if (tokens_.is(i, ";")) ++i;
    }
    return true;
  }

  // const float *in, *other; unsigned n = 4; float w[3];
  bool readMembers(std::size_t begin, std::size_t end, const std::string& prefix,
                   std::vector<KernelParameter>& members, int depth) const {
    std::size_t first = begin;  // of the declarators: behind the last word of the type
    while (first + 1 < end && tokens_[first + 1].isWord) ++first;
    if (tokens_.is(first + 1, "*")) ++first;  // that word is the type's, too
    std::string type;
    for (std::size_t i = begin; i < first; ++i)
      type += (type.empty() ? "" : " ") + std::string(tokens_.word(i));
    for (std::size_t i = first; i < end; ++i) {
      KernelParameter member{.name = {}, .type = type, .otherwise = {}, .line = tokens_[i].line};
      std::optional<std::uint64_t> elements;  // of an array
      for (; i < end && !tokens_.is(i, ","); ++i) {
        if (tokens_.is(i, "*")) member.type += "*";
        if (tokens_.is(i, "<") || tokens_.is(i, ":")) return false;
        if (tokens_.is(i, "[")) {
          const auto number = typedNumber(tokens_.word(i + 1));
          if (elements || !number || *number > kMaxElements || tokens_.partner(i) != i + 2) return false;
          elements = number;
          i += 2;
        } else if (tokens_.is(i, "=")) {
          while (i + 1 < end && !tokens_.is(i + 1, ",")) ++i;
        } else if (tokens_[i].isWord && !tokens_.is(i, "__restrict__") && !tokens_.is(i, "const")) {
          member.name = prefix + std::string(tokens_.word(i));
        }
      }
      if (member.name.empty()) return false;
      const auto inner = bodyOf(nameIn(member.type));
      if (inner && !read(*inner, member.name + ".", members, depth + 1)) return false;
      if (inner && elements) return false;
      if (inner) continue;
      const std::string name = member.name;
      for (std::uint64_t k = 0; k < elements.value_or(1); ++k) {
        if (elements) member.name = name + "[" + std::to_string(k) + "]";
        members.push_back(member);
      }
    }
    return true;
  }

  const KernelTokens& tokens_;
};

class Guesser {
 public:
  Guesser(KernelFile& file, const KernelText& text, const KernelDeclaration& kernel)
      : launch_(file.launches.launches.front()), text_(text), kernel_(kernel) {
    if (!tokens_.read(text.text)) {
      others_ = otherBodies(tokens_, text.kernels, kernel);
      shape_ = shapeOf(tokens_, others_);
    }
  }

  std::vector<std::string> guess() {
    guessBlock();
    if (kernel_.isTemplate && launch_.templateArguments.empty()) {
      launch_.templateArguments =
          templateArguments(tokens_, kernel_, shape_.hasRows ? launch_.block.x : launch_.block.count());
      if (!launch_.templateArguments.empty()) say("--template '" + launch_.templateArguments + "'");
    }
    readParameters();
    findElements();
    for (const KernelParameter& parameter : parameters_) guessArgument(parameter);
    guessGrid();
    if (!launch_.saysShared && hasDynamicShared()) {
      const std::uint64_t bytes = bytesOfDynamic();
      launch_.sharedBytes = launch_.block.count() * bytes;
      launch_.saysShared = true;
      say("--shared " + std::to_string(launch_.sharedBytes));
    }
    return std::move(said_);
  }

 private:
  void say(std::string part) { said_.push_back(std::move(part)); }

  // What one element takes. A struct of the text's has its members, each as if it were aligned to its size.
  std::uint64_t bytesOfDynamic() const {
    if (const auto members = StructReader(tokens_).membersOf(text_.dynamicType)) {
      std::uint64_t bytes = 0, alignment = 1;
      for (const KernelParameter& member : *members) {
        const std::uint64_t own = contains(member.type, "*") ? 8 : bytesOf(member.type);
        alignment = std::max(alignment, own);
        bytes = (bytes + own - 1) / own * own + own;
      }
      return std::max((bytes + alignment - 1) / alignment * alignment, std::uint64_t{1});
    }
    return contains(text_.dynamicType, "T") && launch_.templateArguments.empty()
               ? 8
               : bytesOf(text_.dynamicType + launch_.templateArguments);
  }

  // A struct's members in its place. One that is the template's argument may be a functor, which has none.
  void readParameters() {
    const StructReader structs(tokens_);
    const auto arguments = templateArgumentsByName(kernel_.templateHead, launch_.templateArguments);
    for (const KernelParameter& parameter : kernel_.parameters) {
      const auto given = arguments.find(parameter.type);
      const std::string& type = given == arguments.end() ? parameter.type : given->second;
      const auto members = structs.membersOf(type);
      if (!members && !structs.has(type)) parameters_.push_back(parameter);
      for (KernelParameter member : members.value_or(std::vector<KernelParameter>())) {
        member.name = parameter.name + "." + member.name;
        member.otherwise = parameter.otherwise;
        parameters_.push_back(std::move(member));
      }
    }
  }

  // Used, and not only in another kernel.
  bool hasDynamicShared() const {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      const bool isDeclaredForAll = tokens_.is(i - 1, ">");  // DynamicShared<T> name
      if (tokens_.is(i, text_.dynamicName) && !isDeclaredForAll && !isWithin(others_, i)) return true;
    }
    return false;
  }

  void guessBlock() {
    if (launch_.saysBlock) return;
    const std::string arguments = launch_.templateArguments.empty()
                                      ? templateArguments(tokens_, kernel_, shape_.hasRows ? kTile : kBlock)
                                      : launch_.templateArguments;
    tile_ = blockOfTile(tokens_, others_, templateArgumentsByName(kernel_.templateHead, arguments));
    launch_.block = tile_              ? tile_->block
                    : shape_.hasPlanes ? model::Dim3(8, 8, 4)
                    : shape_.hasRows   ? model::Dim3(kTile, unsigned(kTile))
                                       : model::Dim3(kBlock);
    launch_.saysBlock = true;
    say("--block " + extentsText(launch_.block));
  }

  // How many elements arrays have: as many as the command line gives one, or as a number says.
  void findElements() {
    isMatrix_ = shape_.hasRows || std::ranges::any_of(parameters_, [](const KernelParameter& each) {
                  return !isPointer(each) && namesSide(each.name);
                });
    side_ = shape_.hasPlanes ? kSide / 2 : kSide;  // or so many that there are several tiles
    if (tile_ && shape_.hasRows)
      side_ = std::max({side_, 2 * tile_->covered.x, 2 * std::uint64_t(tile_->covered.y),
                        2 * std::uint64_t(tile_->covered.z)});
    elements_ = isMatrix_ ? elementsOfSide() : kElements;
    for (const ArgumentRequest& given : launch_.arguments) {
      if (given.count) {
        elements_ = *given.count;
        while (side_ > 1 && elementsOfSide() > elements_) --side_;
        while (elements_ <= kMostGuessed && elementsOfSide() < elements_) ++side_;
        if (side_ > 1 && elementsOfSide() > elements_) --side_;
      }
      if (given.values.size() != 1) continue;
      const auto number = typedNumber(given.values.front());
      if (!number || *number == 0 || *number > kMostGuessed) continue;
      if (isMatrix_ && (namesSide(given.name) || namesElements(given.name)))
        side_ = *number, elements_ = elementsOfSide();
      else if (namesElements(given.name))
        elements_ = *number;
    }
  }

  // `side_` is the side of a matrix, or of a box where the launch has planes.
  std::uint64_t elementsOfSide() const { return side_ * side_ * (shape_.hasPlanes ? side_ : 1); }

  void guessArgument(const KernelParameter& parameter) {
    const bool isSaid = std::ranges::any_of(launch_.arguments, [&](const ArgumentRequest& given) {
      return isPartOf(parameter.name, given.name);
    });
    if (isSaid || !parameter.otherwise.empty()) return;
    ArgumentRequest argument;
    argument.name = parameter.name;
    if (isPointer(parameter)) {
      argument.count = elements_;
      if (isConst(parameter))
        argument.pattern = "digits";
      else
        argument.fill = "0";
    } else {
      const bool isSide = isMatrix_ && (namesSide(parameter.name) || namesElements(parameter.name));
      argument.values = {isSide                          ? std::to_string(side_)
                         : namesElements(parameter.name) ? std::to_string(elements_)
                                                         : "1"};
    }
    say("--arg " + parameter.name + "=" + whatOf(argument));
    launch_.arguments.push_back(std::move(argument));
  }

  // As many blocks as have a thread for each element.
  void guessGrid() {
    if (launch_.saysGrid) return;
    const auto over = [](std::uint64_t all, std::uint64_t each) {
      return (all + each - 1) / std::max(each, std::uint64_t{1});
    };
    const model::Dim3 covered = tile_ ? tile_->covered : launch_.block;
    launch_.grid = shape_.hasPlanes ? model::Dim3(over(side_, covered.x), unsigned(over(side_, covered.y)),
                                                  unsigned(over(side_, covered.z)))
                   : shape_.hasRows ? model::Dim3(over(side_, covered.x), unsigned(over(side_, covered.y)))
                                    : model::Dim3(over(elements_, launch_.block.count()));
    launch_.saysGrid = true;
    say("--grid " + extentsText(launch_.grid));
  }

  static constexpr std::uint64_t kMostGuessed = 1 << 20;  // elements

  LaunchRequest& launch_;
  const KernelText& text_;
  const KernelDeclaration& kernel_;
  KernelTokens tokens_;
  Bodies others_;  // of other kernels
  std::optional<TileBlock> tile_;
  std::vector<KernelParameter> parameters_;  // the kernel's, and in place of a struct its members
  Shape shape_;
  bool isMatrix_ = false;
  std::uint64_t elements_ = kElements, side_ = kSide;
  std::vector<std::string> said_;
};

}  // namespace

Result<std::vector<std::string>> guessLaunch(KernelFile& file) {
  if (!file.launchFile.empty() || file.launches.launches.size() != 1) return std::vector<std::string>();
  const auto text = readKernelText(file.name, file.text, {.tellsBranches = false});
  if (!text) return tl::unexpected(text.error());
  const auto kernel = kernelOf(file.launches.launches.front(), file, *text);
  if (!kernel) return tl::unexpected(kernel.error());
  return Guesser(file, *text, **kernel).guess();
}

}  // namespace stridescope::engine::access
