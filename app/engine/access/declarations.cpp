#include "declarations.h"

#include <algorithm>

namespace stridescope::engine::access {
namespace {

class DeclarationReader {
 public:
  explicit DeclarationReader(const KernelTokens& tokens)
      : tokens_(tokens), deviceWords_(deviceWordsOf(tokens)) {
    for (const Macro& macro : tokens.macros())
      if (macro.body.find("__global__") != std::string::npos) kernelWords_.insert(macro.name);
    kernelWords_.insert("__global__");
  }

  std::vector<Declaration> read() {
    readScope(0, tokens_.size(), "", -1);
    return std::move(all_);
  }

 private:
  void readScope(std::size_t first, std::size_t last, const std::string& scope, int owner) {
    std::size_t begin = first;
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_.is(i, ";")) {
        if (i > begin) add({.kind = DeclarationKind::Other, .begin = begin, .end = i}, scope, owner);
        begin = i + 1;
      } else if (tokens_.is(i, "(") || tokens_.is(i, "[")) {
        i = tokens_.partner(i);
      } else if (tokens_.is(i, "{")) {
        const std::size_t end = tokens_.partner(i);
        if (owner < 0 && isNamespace(begin, i)) {
          readScope(i + 1, end, scope + scopeOf(begin, i), owner);
          begin = end + 1;
        } else if (const std::size_t list = parameterList(begin, i); list != i) {
          addFunction(begin, list, i, scope, owner);
          begin = end + 1;
        } else if (const std::size_t name = nameOfClass(begin, i); name != i) {
          addClass(begin, name, i, scope, owner);
          begin = all_[std::size_t(lastClass_)].end + 1;
          i = begin - 1;
          continue;
        }
        i = end;  // else it goes on: int a[] = {1, 2};
      }
    }
  }

  std::size_t add(Declaration declaration, const std::string& scope, int owner) {
    declaration.scope = scope;
    declaration.owner = owner;
    declaration.isTemplate = tokens_.is(declaration.begin, "template");
    declaration.isDevices = hasOneOf(deviceWords_, declaration.begin, declaration.end);
    all_.push_back(std::move(declaration));
    return all_.size() - 1;
  }

  void addFunction(std::size_t begin, std::size_t list, std::size_t body, const std::string& scope,
                   int owner) {
    Declaration function{.kind = DeclarationKind::Function, .begin = begin, .end = tokens_.partner(body)};
    function.list = list;
    function.body = body;
    std::size_t name = list - 1;
    if (tokens_.is(name, ">")) {  // f<int>(
      function.isSpecialization = true;
      int depth = 0;
      do {
        if (tokens_.is(name, ">")) ++depth;
        if (tokens_.is(name, "<")) --depth;
      } while (depth > 0 && --name > begin);
      if (name > begin) --name;
    }
    function.name = tokens_.word(name);
    function.isKernel = hasOneOf(kernelWords_, begin, list);
    const std::size_t place = add(std::move(function), scope, owner);
    all_[place].isDevices = hasOneOf(deviceWords_, begin, list);  // whatever it has within
  }

  void addClass(std::size_t begin, std::size_t name, std::size_t body, const std::string& scope, int owner) {
    std::size_t end = tokens_.partner(body);
    while (end + 1 < tokens_.size() && !tokens_.is(end, ";")) ++end;
    const std::string named(tokens_.word(name));
    Declaration declared{.kind = DeclarationKind::Class, .begin = begin, .end = end};
    declared.body = body;
    declared.name = named;
    const std::size_t place = add(std::move(declared), scope, owner);
    readScope(body + 1, tokens_.partner(body), scope + named + "::", int(place));
    lastClass_ = int(place);
  }

  bool hasOneOf(const std::set<std::string, std::less<>>& words, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i)
      if (tokens_[i].isWord && words.contains(tokens_.word(i))) return true;
    return false;
  }

  // The token of the name in "struct S {" or "class alignas(16) S : public B {"; `body` if there is none.
  std::size_t nameOfClass(std::size_t begin, std::size_t body) const {
    for (std::size_t i = begin; i < body; ++i) {
      if (tokens_.is(i, "=")) return body;
      const bool isHead = tokens_.is(i, "struct") || tokens_.is(i, "class") || tokens_.is(i, "union");
      if (!isHead || isInTemplateHead(begin, i)) continue;
      for (std::size_t name = i + 1; name < body; ++name) {
        if (tokens_.is(name + 1, "(")) {  // __align__(8)
          name = tokens_.partner(name + 1);
          continue;
        }
        if (tokens_[name].isWord) return name;
      }
      return body;
    }
    return body;
  }

  bool isNamespace(std::size_t begin, std::size_t body) const {
    for (std::size_t i = begin; i < body; ++i) {
      if (tokens_.is(i, "namespace")) return true;
      if (tokens_.is(i, "(") || tokens_.is(i, "struct") || tokens_.is(i, "class") || tokens_.is(i, "enum") ||
          tokens_.is(i, "union") || tokens_.is(i, "="))
        return false;
    }
    return body > begin && tokens_.is(begin, "extern");  // extern "C" {
  }

  // "a::b::" of `namespace a::b {`; empty of an anonymous one.
  std::string scopeOf(std::size_t begin, std::size_t body) const {
    std::string scope;
    bool isNamed = false;
    for (std::size_t i = begin; i < body; ++i) {
      if (isNamed) scope += tokens_.word(i);
      isNamed = isNamed || tokens_.is(i, "namespace");
    }
    return scope.empty() ? scope : scope + "::";
  }

  std::size_t parameterList(std::size_t begin, std::size_t body) const {  // its bracket, or `body`
    for (std::size_t i = begin; i < body; ++i) {
      if (tokens_.is(i, "__launch_bounds__") || tokens_.is(i, "__cluster_dims__") ||
          tokens_.is(i, "__align__") || tokens_.is(i, "__attribute__") || tokens_.is(i, "decltype") ||
          tokens_.is(i, "__maxnreg__") || tokens_.is(i, "alignas")) {
        if (tokens_.is(i + 1, "(")) i = tokens_.partner(i + 1);
        continue;
      }
      if (tokens_.is(i, "=") || tokens_.is(i, "struct") || tokens_.is(i, "class") || tokens_.is(i, "union") ||
          tokens_.is(i, "enum")) {
        if (!isInTemplateHead(begin, i)) return body;
      }
      if (tokens_.is(i, "(") && i > begin &&
          (tokens_[i - 1].isWord || tokens_.is(i - 1, ">") || tokens_.is(i - 1, "]") || isOperator(begin, i)))
        return i;
      if (tokens_.is(i, "(") || tokens_.is(i, "[")) i = tokens_.partner(i);
    }
    return body;
  }

  // operator+(, operator<<=(: `list` is the bracket.
  bool isOperator(std::size_t begin, std::size_t list) const {
    for (std::size_t i = list - 1; i > begin && list - i <= 4; --i) {
      if (tokens_.is(i, "operator")) return true;
      if (tokens_[i].isWord) return false;
    }
    return false;
  }

  // template <class T, int N = 4>
  bool isInTemplateHead(std::size_t begin, std::size_t i) const {
    if (!tokens_.is(begin, "template")) return false;
    int depth = 0;
    for (std::size_t k = begin + 1; k < tokens_.size(); ++k) {
      if (tokens_.is(k, "<")) ++depth;
      if (tokens_.is(k, ">") && --depth == 0) return i < k;
      if (tokens_.is(k, "{") || tokens_.is(k, ";")) return false;
    }
    return false;
  }

  const KernelTokens& tokens_;
  std::set<std::string, std::less<>> deviceWords_, kernelWords_;
  std::vector<Declaration> all_;
  int lastClass_ = -1;
};

}  // namespace

std::vector<Declaration> declarationsOf(const KernelTokens& tokens) {
  return DeclarationReader(tokens).read();
}

std::set<std::string, std::less<>> deviceWordsOf(const KernelTokens& tokens) {
  std::set<std::string, std::less<>> words{"__global__", "__device__", "__constant__", "__shared__",
                                           "__managed__"};
  const auto isDevices = [](const Macro& macro) {
    return macro.body.find("__global__") != std::string::npos ||
           macro.body.find("__device__") != std::string::npos;
  };
  for (const Macro& macro : tokens.macros())
    if (isDevices(macro)) words.insert(macro.name);
  return words;
}

}  // namespace stridescope::engine::access
