#include "host_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace stridescope::engine::access {
namespace {

// A person's own file of such a name is beside the text, and in quotes.
bool isHostsHeader(const Include& include) {
  constexpr std::array<std::string_view, 13> kBeginnings{"thrust/",        "cublas",
                                                         "cusparse",       "cufft",
                                                         "cusolver",       "curand.h",
                                                         "cudnn",          "nvtx3/",
                                                         "nvToolsExt",     "cuda_profiler_api",
                                                         "helper_cuda",    "helper_functions",
                                                         "cuda_gl_interop"};
  return std::ranges::any_of(kBeginnings,
                             [&](std::string_view each) { return include.name.starts_with(each); });
}

class HostSearch {
 public:
  HostSearch(const KernelTokens& tokens, const std::vector<Declaration>& declarations)
      : tokens_(tokens), declarations_(declarations), isHosts_(declarations.size(), false) {}

  // What uses the host's is the host's, too.
  const std::vector<bool>& find() {
    bool isNew = true;
    while (isNew) {
      isNew = false;
      for (std::size_t d = 0; d < declarations_.size(); ++d) {
        if (isHosts_[d] || declarations_[d].isDevices || !uses(declarations_[d])) continue;
        isHosts_[d] = isNew = true;
        const bool isMember = declarations_[d].owner >= 0;
        if (isMember || declarations_[d].name.empty()) continue;
        (declarations_[d].kind == DeclarationKind::Class ? classes_ : functions_)
            .insert(declarations_[d].name);
      }
    }
    return isHosts_;
  }

 private:
  bool uses(const Declaration& declared) const {
    const bool isFunction = declared.kind == DeclarationKind::Function;
    if (isFunction && declared.owner < 0 && declared.name == "main") return true;
    // A member that is not declared by itself is its class's.
    if (declared.kind == DeclarationKind::Other && declared.owner >= 0) return false;
    for (std::size_t i = declared.begin; i < declared.end; ++i) {
      const std::string_view each = tokens_.word(i);
      if (each == "<" && isLaunch(i)) return true;
      if (!tokens_[i].isWord) continue;
      const bool isCalled = tokens_.is(i + 1, "(");
      if (each == "thrust" && tokens_.is(i + 1, ":")) return true;
      if (classes_.contains(each) && !(i > 0 && tokens_.is(i - 1, "."))) return true;
      if (isCalled && (isHostApi(each) || functions_.contains(each))) return true;
      if (isFunction && (isHostApi(each) || isHostsWord(each))) return true;
    }
    return false;
  }

  bool isLaunch(std::size_t i) const {
    return tokens_.is(i + 1, "<") && tokens_.is(i + 2, "<") && tokens_[i + 2].begin == tokens_[i].begin + 2;
  }
  static bool isHostApi(std::string_view word) {
    constexpr std::array<std::string_view, 6> kLibraries{"cuda",     "cublas", "cusparse",
                                                         "cusolver", "cufft",  "curand"};
    return std::ranges::any_of(kLibraries, [&](std::string_view library) {
      return word.size() > library.size() && word.starts_with(library) &&
             std::isupper(static_cast<unsigned char>(word[library.size()])) != 0;
    });
  }
  static bool isHostsWord(std::string_view word) {
    return word == "cout" || word == "cerr" || word == "malloc" || word == "fopen" || word == "vector";
  }

  const KernelTokens& tokens_;
  const std::vector<Declaration>& declarations_;
  std::vector<bool> isHosts_;
  std::set<std::string, std::less<>> functions_, classes_;
};

}  // namespace

bool HostParts::hold(std::size_t at) const {
  return std::ranges::any_of(ranges,
                             [at](const auto& range) { return at >= range.first && at < range.second; });
}

HostParts leaveOutHostParts(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                            TextEdits& edits) {
  HostParts parts;
  const auto leaveOut = [&](std::size_t begin, std::size_t end, const std::string& instead) {
    if (parts.hold(begin)) return false;  // with the class that it is in
    edits.replace(begin, end, instead);
    parts.ranges.emplace_back(begin, end);
    return true;
  };
  for (const Include& include : tokens.includes())
    if (isHostsHeader(include) && leaveOut(include.begin, include.end, ""))
      parts.names.push_back(std::string("#include ") + (include.isQuoted ? "\"" : "<") + include.name +
                            (include.isQuoted ? "\"" : ">"));
  HostSearch search(tokens, declarations);
  const std::vector<bool>& isHosts = search.find();
  for (std::size_t d = 0; d < declarations.size(); ++d) {
    const Declaration& declared = declarations[d];
    if (!isHosts[d]) continue;
    const bool isFunction = declared.kind == DeclarationKind::Function;
    // Others name a member function: its declaration stays.
    const bool keepsHead = isFunction && declared.owner >= 0;
    const std::size_t begin = tokens[keepsHead ? declared.body : declared.begin].begin;
    if (!leaveOut(begin, tokens[declared.end].end, keepsHead ? "{__builtin_unreachable();}" : "")) continue;
    if (!declared.name.empty())
      parts.names.push_back((keepsHead ? declared.scope : "") + declared.name + (isFunction ? "()" : ""));
  }
  return parts;
}

}  // namespace stridescope::engine::access
