#include "engine/access/launch_guess.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/numbers.h"
#include "kernel_text.h"
#include "kernel_tokens.h"

namespace stridescope::engine::access {
namespace {

constexpr std::uint64_t kElements = 512, kBlock = 256, kSide = 32, kTile = 16;

std::string lower(std::string text) {
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
Shape shapeOf(const KernelTokens& tokens) {
  Shape shape;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens.is(i, "threadIdx") || !tokens.is(i + 1, ".")) continue;
    shape.hasRows = shape.hasRows || tokens.is(i + 2, "y");
    shape.hasPlanes = shape.hasPlanes || tokens.is(i + 2, "z");
  }
  return shape;
}

// "float, 256" for `template <class T, unsigned BLOCK>`: what has a default stays out, and all behind it.
std::string templateArguments(const std::string& head, std::uint64_t threads) {
  std::string all;
  KernelTokens tokens;
  if (tokens.read(head)) return all;
  std::size_t begin = 2;  // behind template <
  int depth = 1;
  for (std::size_t i = 2; i < tokens.size() && depth > 0; ++i) {
    if (tokens.is(i, "<")) ++depth;
    if (tokens.is(i, ">")) --depth;
    if (depth > 1 || (depth == 1 && !tokens.is(i, ","))) continue;
    if (tokens.has(begin, i, "=") || i == begin) break;
    const std::string name = lower(std::string(tokens.word(i - 1)));
    const bool isType = tokens.is(begin, "class") || tokens.is(begin, "typename");
    std::string value = isType                         ? "float"
                        : tokens.has(begin, i, "bool") ? "true"
                        : contains(name, "tile")       ? std::to_string(kTile)
                        : contains(name, "block") || contains(name, "thread") || contains(name, "size")
                            ? std::to_string(threads)
                            : "4";
    all += (all.empty() ? "" : ", ") + value;
    begin = i + 1;
  }
  return all;
}

class Guesser {
 public:
  Guesser(KernelFile& file, const KernelText& text, const KernelDeclaration& kernel)
      : launch_(file.launches.launches.front()), text_(text), kernel_(kernel) {
    KernelTokens tokens;
    if (!tokens.read(text.text)) shape_ = shapeOf(tokens);
  }

  std::vector<std::string> guess() {
    guessBlock();
    if (kernel_.isTemplate && launch_.templateArguments.empty()) {
      launch_.templateArguments = templateArguments(kernel_.templateHead, launch_.block.count());
      if (!launch_.templateArguments.empty()) say("--template '" + launch_.templateArguments + "'");
    }
    findElements();
    for (const KernelParameter& parameter : kernel_.parameters) guessArgument(parameter);
    guessGrid();
    if (!launch_.saysShared && !text_.dynamicName.empty()) {
      const std::uint64_t bytes = contains(text_.dynamicType, "T") && launch_.templateArguments.empty()
                                      ? 8
                                      : bytesOf(text_.dynamicType + launch_.templateArguments);
      launch_.sharedBytes = launch_.block.count() * bytes;
      launch_.saysShared = true;
      say("--shared " + std::to_string(launch_.sharedBytes));
    }
    return std::move(said_);
  }

 private:
  void say(std::string part) { said_.push_back(std::move(part)); }

  void guessBlock() {
    if (launch_.saysBlock) return;
    launch_.block = shape_.hasPlanes ? model::Dim3(8, 8, 4)
                    : shape_.hasRows ? model::Dim3(kTile, unsigned(kTile))
                                     : model::Dim3(kBlock);
    launch_.saysBlock = true;
    say("--block " + extentsText(launch_.block));
  }

  // How many elements arrays have: as many as the command line gives one, or as a number says.
  void findElements() {
    isMatrix_ = shape_.hasRows || std::ranges::any_of(kernel_.parameters, [](const KernelParameter& each) {
                  return !isPointer(each) && namesSide(each.name);
                });
    elements_ = isMatrix_ ? kSide * kSide : kElements;
    side_ = kSide;
    for (const ArgumentRequest& given : launch_.arguments) {
      if (given.count) {
        elements_ = *given.count;
        while (side_ > 1 && side_ * side_ > elements_) --side_;
        while ((side_ + 1) * (side_ + 1) <= elements_ && elements_ <= kMostGuessed) ++side_;
      }
      if (given.values.size() != 1) continue;
      const auto number = typedNumber(given.values.front());
      if (!number || *number == 0 || *number > kMostGuessed) continue;
      if (isMatrix_ && (namesSide(given.name) || namesElements(given.name)))
        side_ = *number, elements_ = side_ * side_;
      else if (namesElements(given.name))
        elements_ = *number;
    }
  }

  void guessArgument(const KernelParameter& parameter) {
    const bool isSaid = std::ranges::count(launch_.arguments, parameter.name, &ArgumentRequest::name) != 0;
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
    launch_.grid = shape_.hasRows
                       ? model::Dim3(over(side_, launch_.block.x), unsigned(over(side_, launch_.block.y)))
                       : model::Dim3(over(elements_, launch_.block.count()));
    launch_.saysGrid = true;
    say("--grid " + extentsText(launch_.grid));
  }

  static constexpr std::uint64_t kMostGuessed = 1 << 20;  // elements

  LaunchRequest& launch_;
  const KernelText& text_;
  const KernelDeclaration& kernel_;
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
