#include "instrument/signature.h"

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

constexpr std::string_view kForm = "Write __global__ void name(const T* in, T* out) { ... }.";

Accepted<std::vector<std::string>> readParameters(const Source& source, const Declarations& declarations,
                                                  int open) {
  const int close = source.partnerOf(open);
  std::vector<std::string> parameters;
  const bool none = close == open + 1 || (close == open + 2 && source.is(open + 1, "void"));
  if (none) return parameters;
  int first = open + 1;
  for (int i = open + 1; i <= close; ++i) {
    const bool ends = i == close || source.is(i, ",");
    if (!ends) {
      if (source.opens(i)) i = source.partnerOf(i);
      continue;
    }
    int names = 0;
    for (int k = first; k < i; ++k) {
      if (source.is(k, "=") || source.is(k, "..."))
        return refuse(source[k], "This parameter cannot be read. Write a type and a name.");
      if (declarations.roleOf(k) != Role::Name) continue;
      parameters.emplace_back(source[k].text);
      ++names;
    }
    if (names != 1) return refuse(source[first], "This parameter cannot be read. Write a type and a name.");
    first = i + 1;
  }
  return parameters;
}

// The token after the specifiers between __global__ and the kernel's name.
int nameAfter(const Source& source, const Declarations& declarations, int keyword) {
  int i = keyword + 1;
  while (source.has(i) && declarations.roleOf(i) == Role::Type)
    i = takesArgument(source[i].text) && source.is(i + 1, "(") ? source.partnerOf(i + 1) + 1 : i + 1;
  return i;
}

bool isTemplate(const Source& source, int keyword) {
  for (int i = keyword - 1; i >= 0 && !source.is(i, ";") && !source.is(i, "}"); --i)
    if (source.is(i, "template")) return true;
  return false;
}

}  // namespace

Accepted<Signature> readSignature(const Source& source, const Declarations& declarations) {
  int keyword = -1;
  for (int i = 0; i < source.size(); ++i) {
    if (!source.is(i, "__global__")) continue;
    if (keyword >= 0)
      return refuse(source[i], "A text has one __global__ function. Make the others __device__ functions.");
    keyword = i;
  }
  if (keyword < 0)
    return tl::unexpected(Refusal{1, 1, "There is no kernel in this text. " + std::string(kForm)});
  if (isTemplate(source, keyword))
    return refuse(source[keyword],
                  "A kernel that is a template is not supported yet. Use T, and constexpr numbers.");
  const int name = nameAfter(source, declarations, keyword);
  if (!source.has(name) || declarations.roleOf(name) != Role::Name || !source.is(name + 1, "("))
    return refuse(source[keyword], "This kernel's name cannot be read. " + std::string(kForm));
  if (!source.is(source.partnerOf(name + 1) + 1, "{"))
    return refuse(source[name], "This kernel has no body. " + std::string(kForm));
  auto parameters = readParameters(source, declarations, name + 1);
  if (!parameters) return tl::unexpected(parameters.error());
  return Signature{std::string(source[name].text), name + 1, *std::move(parameters)};
}

}  // namespace stridescope::instrument
