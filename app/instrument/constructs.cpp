#include "instrument/constructs.h"

#include <vector>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

class ConstructCheck {
 public:
  ConstructCheck(const Source& source, const TypeNames& types, const Declarations& declarations,
                 const std::unordered_set<std::string_view>& macros, const Groups& groups)
      : source_(source), types_(types), declarations_(declarations), macros_(macros), groups_(groups) {
    int depth = 0;
    for (int i = 0; i < source.size(); ++i) {
      if (source.closes(i)) --depth;
      depths_.push_back(depth);
      if (source.opens(i)) ++depth;
    }
  }

  Accepted<void> run() const {
    for (int i = 0; i < source_.size(); ++i) {
      if (declarations_.roleOf(i) == Role::Attribute) continue;
      if (groups_.understood[static_cast<std::size_t>(i)]) continue;
      const Token& token = source_[i];
      Accepted<void> checked;
      if (token.kind == TokenKind::Identifier) checked = checkWord(i);
      if (token.kind == TokenKind::Punctuation) checked = checkPunctuation(i);
      if (!checked) return checked;
    }
    return {};
  }

 private:
  Accepted<void> checkPunctuation(int i) const {
    const Token& token = source_[i];
    if (token.text == "->") return checkArrow(i);
    if (token.text == ".*" || token.text == "->*")
      return refuse(token, "Pointers to members are not supported yet. Name the member.");
    if (token.text == "<<<")
      return refuse(token, "A kernel that launches another is not supported yet. Leave it out.");
    if (token.text == "...")
      return refuse(token, "Parameter packs are not supported yet. Write the parameters out.");
    if (token.text == "<=>")
      return refuse(token, "The operator <=> is not supported yet. Write two comparisons.");
    return {};
  }

  Accepted<void> checkArrow(int i) const {
    if (source_.is(i - 1, "this")) return {};
    const bool returnType = source_.has(i + 1) && declarations_.roleOf(i + 1) == Role::Type;
    if (returnType) return {};
    return refuse(source_[i],
                  "An access to one member of an element is not supported yet. Copy the element into a "
                  "variable, or keep an array for each member.");
  }

  Accepted<void> checkWord(int i) const {
    const Token& token = source_[i];
    const std::string_view word = token.text;
    if (auto reason = reasonAgainst(word)) return refuse(token, *std::move(reason));
    if (declarations_.roleOf(i) == Role::Name) return checkDeclaredName(i);
    if (macros_.contains(word)) return {};
    if (declarations_.roleOf(i) == Role::Type) return checkSpecifier(i);
    if (types_.isType(word) || isSpecifier(word)) return {};
    if (source_.is(i, "this")) return checkThis(i);
    if (isUnevaluated(word) && !source_.is(i + 1, "(") && word != "noexcept")
      return refuse(token, std::string(word) + " without parentheses is not supported yet. Write " +
                               std::string(word) + "(...).");
    if (isKeyword(word)) return {};
    if (source_.is(i - 1, ".") && isVectorMember(word)) return {};
    return checkName(i);
  }

  static bool isVectorMember(std::string_view word) {
    return word == "x" || word == "y" || word == "z" || word == "w";
  }

  Accepted<void> checkDeclaredName(int i) const {
    const std::string_view word = source_[i].text;
    if (recordedOperation(word) || isPredefined(word) || macros_.contains(word))
      return refuse(source_[i], "The name " + std::string(word) + " is taken. Choose another.");
    const bool atFileScope = depthOf(i) == 0;
    if (atFileScope && source_.is(i + 1, "["))
      return refuse(
          source_[i],
          "An array outside of functions is not supported yet. Declare it in the function that uses it.");
    if (!atFileScope || source_.is(i + 1, "(")) return {};
    for (int k = i - 1; k >= 0 && !source_.is(k, ";") && !source_.is(k, "}"); --k)
      if (source_.is(k, "constexpr") || source_.is(k, "__shared__")) return {};
    return refuse(
        source_[i],
        "Accesses to a variable outside of functions are not supported yet. Make it constexpr, or pass "
        "a pointer as a "
        "parameter.");
  }

  int depthOf(int i) const { return depths_[static_cast<std::size_t>(i)]; }

  // A static variable of a function or a struct lies in global memory; a static member function is none.
  Accepted<void> checkSpecifier(int i) const {
    if (!source_.is(i, "static") || depthOf(i) == 0) return {};
    int k = i + 1;
    for (; source_.has(k) && declarations_.roleOf(k) != Role::Name && !source_.is(k, ";"); ++k)
      if (source_.is(k, "constexpr") || source_.is(k, "__shared__")) return {};
    const bool function = source_.is(k + 1, "(") && source_.is(source_.partnerOf(k + 1) + 1, "{");
    if (function) return {};
    return refuse(source_[i],
                  "Accesses to a static variable are not supported yet. Use a local or a shared one.");
  }

  Accepted<void> checkThis(int i) const {
    if (source_.is(i + 1, "->")) return {};
    return refuse(source_[i], "Of this only this->member is supported yet. Write the member's name.");
  }

  Accepted<void> checkName(int i) const {
    const Token& token = source_[i];
    const std::string word(token.text);
    if (declarations_.names.contains(token.text) || isPredefined(token.text)) return {};
    const bool called = source_.is(i + 1, "(");
    const bool known = recordedOperation(token.text) || isHarmlessFunction(token.text);
    if (known && called && !source_.is(i - 1, ".")) return {};
    if (known) return refuse(token, word + " can only be called. Write its arguments after it.");
    if (token.text.starts_with("__"))
      return refuse(token, "The intrinsic " + word +
                               " is not supported yet. Use the barriers, warp operations and "
                               "atomics of CUDA C++, and a[i].");
    if (called)
      return refuse(
          token, "What the function " + word + " does to memory is unknown. Define it in the kernel's text.");
    return refuse(token, "The name " + word + " is unknown. Declare it in the kernel's text.");
  }

  const Source& source_;
  const TypeNames& types_;
  const Declarations& declarations_;
  const std::unordered_set<std::string_view>& macros_;
  const Groups& groups_;
  std::vector<int> depths_;  // one a token: how many brackets are open round it
};

}  // namespace

Accepted<void> checkConstructs(const Source& source, const TypeNames& types, const Declarations& declarations,
                               const std::unordered_set<std::string_view>& macros, const Groups& groups) {
  return ConstructCheck(source, types, declarations, macros, groups).run();
}

}  // namespace stridescope::instrument
