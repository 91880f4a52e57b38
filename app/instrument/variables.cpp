#include "instrument/variables.h"

#include <algorithm>

#include "instrument/vocabulary.h"
#include "recording/event.h"

namespace stridescope::instrument {
namespace {

// The type's own words from token `first` on, up to the declared name: "T" of `const T x`.
std::string typeFrom(const Source& source, const TypeNames& types, const Declarations& declarations,
                     int first, int name) {
  std::string text;
  for (int i = first; i >= 0 && i < name; ++i) {
    if (takesArgument(source[i].text) && source.is(i + 1, "(")) {
      i = source.partnerOf(i + 1);
      continue;
    }
    if (!source.isIdentifier(i) || declarations.roleOf(i) != Role::Type || !types.isType(source[i].text))
      continue;
    if (!text.empty()) text += ' ';
    text += source[i].text;
    if (source.is(i + 1, "<") && source.opens(i + 1)) {
      text += source.slice(i + 1, source.partnerOf(i + 1));
      i = source.partnerOf(i + 1);
    }
  }
  return text;
}

bool hasSpecifier(const Source& source, int first, int name, std::string_view word) {
  for (int i = first; i >= 0 && i < name; ++i)
    if (source.is(i, word)) return true;
  return false;
}

}  // namespace

Variables::Variables(const Source& source, const TypeNames& types, const Declarations& declarations,
                     const Statements& statements, const Expressions& expressions)
    : source_(source) {
  findFunctions(declarations);
  const std::vector<int> enclosing = enclosingBrackets(source);
  for (const DeclaredName& name : declarations.declared) {
    auto variable = read(name, statements, enclosing);
    if (!variable) continue;
    variable->type = typeFrom(source, types, declarations, name.type, name.token);
    variable->fixed = hasSpecifier(source, name.type, name.token, "constexpr") ||
                      hasSpecifier(source, name.type, name.token, "static");
    variables_.push_back(*std::move(variable));
  }
  std::ranges::sort(variables_, {}, &Variable::token);
  for (std::size_t v = 0; v < variables_.size(); ++v)
    byName_[source_[variables_[v].token].text].push_back(int(v));
  findThoseWithAddresses(expressions);
  for (std::size_t v = 0; v < variables_.size() && source.preamble == Preamble::Variant; ++v)
    variables_[v].element = variables_[v].type == "T" && isPlainValue(int(v));
}

bool Variables::isPlainValue(int variable) const {
  const Variable& value = variables_[std::size_t(variable)];
  return value.kind != model::VariableKind::Shared && !value.pointer && value.dimensions == 0 &&
         !value.fixed && !withAddress_.contains(variable);
}

void Variables::findFunctions(const Declarations& declarations) {
  for (const DeclaredName& declared : declarations.declared) {
    const int open = declared.token + 1;
    if (!source_.is(open, "(")) continue;
    int body = source_.partnerOf(open) + 1;
    while (source_.is(body, "const") || source_.is(body, "noexcept")) ++body;
    if (!source_.is(body, "{")) continue;
    functions_.push_back({.name = declared.token,
                          .body = {body, source_.partnerOf(body)},
                          .isKernel = hasSpecifier(source_, declared.type, declared.token, "__global__")});
  }
  std::ranges::sort(functions_, {}, &Function::name);
}

std::optional<Variable> Variables::read(const DeclaredName& name, const Statements& statements,
                                        const std::vector<int>& enclosing) const {
  if (name.type < 0 || source_.is(name.token + 1, "(")) return {};
  Variable variable{.token = name.token, .dimensions = name.dimensions, .pointer = name.pointer};
  const int bracket = enclosing[std::size_t(name.token)];
  variable.function = functionAt(name.token);
  if (source_.is(bracket, "(") && source_.is(bracket - 1, "for")) {
    const auto loop = std::ranges::find(statements.controls, bracket, &Control::open);
    if (loop == statements.controls.end()) return {};
    variable.kind = model::VariableKind::Local;
    variable.scope = {name.token, std::max(loop->bodyLast, loop->close)};
    return variable;
  }
  if (source_.is(bracket, "(")) {
    const auto function = std::ranges::find(functions_, bracket - 1, &Function::name);
    if (function == functions_.end()) return {};  // it belongs to a lambda, or to a declaration alone
    variable.kind = model::VariableKind::Parameter;
    variable.function = int(function - functions_.begin());
    variable.scope = {name.token, function->body.last};
    return variable;
  }
  if (!source_.is(bracket, "{") || variable.function < 0) return {};  // a member, or at file scope
  variable.kind = hasSpecifier(source_, name.type, name.token, "__shared__") ? model::VariableKind::Shared
                                                                             : model::VariableKind::Local;
  variable.scope = {name.token, source_.partnerOf(bracket)};
  return variable;
}

int Variables::functionAt(int i) const {
  for (std::size_t f = 0; f < functions_.size(); ++f)
    if (functions_[f].body.contains(i)) return int(f);
  return -1;
}

std::optional<FunctionName> Variables::functionNamed(int i) const {
  if (!source_.isIdentifier(i)) return {};
  int open = i + 1;
  if (source_.is(open, "<") && source_.opens(open)) open = source_.partnerOf(open) + 1;
  if (!source_.is(open, "(")) return {};
  const auto named = std::ranges::find(functions_, source_[i].text,
                                       [&](const Function& each) { return source_[each.name].text; });
  if (named == functions_.end()) return {};
  return FunctionName{int(named - functions_.begin()), open};
}

std::optional<int> Variables::variableAt(int i) const {
  if (!source_.isIdentifier(i) || source_.is(i - 1, ".") || source_.is(i - 1, "->")) return {};
  std::optional<int> nearest;  // the inner one of nested scopes begins later
  const auto named = byName_.find(source_[i].text);
  if (named == byName_.end()) return {};
  for (const int v : named->second) {
    if (variables_[std::size_t(v)].token > i) break;
    if (variables_[std::size_t(v)].scope.contains(i)) nearest = v;
  }
  return nearest;
}

void Variables::findThoseWithAddresses(const Expressions& expressions) {
  for (int i = 0; i < source_.size(); ++i)
    if (source_.is(i, "&") && expressions.isUnary(i))
      if (const auto variable = variableAt(i + 1)) withAddress_.insert(*variable);
}

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

Accepted<Signature> readKernel(const Source& source, const Declarations& declarations, int keyword) {
  if (isTemplate(source, keyword))
    return refuse(source[keyword], std::string("A kernel that is a template is not supported yet. Use ") +
                                       (source.preamble == Preamble::Variant ? "T" : "plain types") +
                                       ", and constexpr numbers.");
  const int name = nameAfter(source, declarations, keyword);
  if (!source.has(name) || declarations.roleOf(name) != Role::Name || !source.is(name + 1, "("))
    return refuse(source[keyword], "This kernel's name cannot be read. " + std::string(kForm));
  if (!source.is(source.partnerOf(name + 1) + 1, "{"))
    return refuse(source[name], "This kernel has no body. " + std::string(kForm));
  auto parameters = readParameters(source, declarations, name + 1);
  if (!parameters) return tl::unexpected(parameters.error());
  return Signature{std::string(source[name].text), name + 1, *std::move(parameters)};
}

}  // namespace

Accepted<Signature> readSignature(const Source& source, const Declarations& declarations) {
  std::optional<Signature> first;
  for (int i = 0; i < source.size(); ++i) {
    if (!source.is(i, "__global__")) continue;
    if (first && source.preamble == Preamble::Variant)
      return refuse(source[i], "A text has one __global__ function. Make the others __device__ functions.");
    auto signature = readKernel(source, declarations, i);
    if (!signature) return signature;
    if (!first) first = *std::move(signature);
  }
  if (!first) return tl::unexpected(Refusal{1, 1, "There is no kernel in this text. " + std::string(kForm)});
  return *std::move(first);
}

namespace {

class SharedArrayReader {
 public:
  SharedArrayReader(const Source& source, const Declarations& declarations, const Statements& statements)
      : source_(source), declarations_(declarations), statements_(statements) {
    result_.replacedTokens.assign(source.tokens.size(), false);
  }

  Accepted<SharedArrays> run() {
    for (int i = 0; i < source_.size(); ++i) {
      if (!source_.is(i, "__shared__")) continue;
      if (auto read = readDeclaration(i); !read) return tl::unexpected(read.error());
    }
    return std::move(result_);
  }

 private:
  static constexpr std::string_view kForm = "Write __shared__ T name[count]; or extern __shared__ T name[];";

  // Whether a kernel has this one and another one. Of two kernels each has its own.
  bool sharesDynamic(int name) const {
    const int body = kernelAround(name);
    return std::ranges::any_of(dynamic_, [&](int other) {
      const int otherBody = kernelAround(other);
      return body < 0 || otherBody < 0 || body == otherBody;
    });
  }

  // The { of the __global__ function that the token stands in; -1: it stands in none.
  int kernelAround(int token) const {
    int body = -1;
    const std::vector<int> enclosing = enclosingBrackets(source_);
    for (int i = enclosing[std::size_t(token)]; i >= 0; i = enclosing[std::size_t(i)]) body = i;
    for (int i = body - 1; i >= 0 && !source_.is(i, ";") && !source_.is(i, "}"); --i)
      if (source_.is(i, "__global__")) return body;
    return -1;
  }

  Accepted<void> readDeclaration(int keyword) {
    bool dynamic = false;
    std::string qualifiers;  // volatile may stand on either side
    int first = keyword;
    for (; source_.is(first - 1, "extern") || source_.is(first - 1, "volatile"); --first) {
      if (source_.is(first - 1, "extern"))
        dynamic = true;
      else
        qualifiers = "volatile ";
    }
    int semicolon = keyword;
    while (source_.has(semicolon) && !source_.is(semicolon, ";"))
      semicolon = source_.opens(semicolon) ? source_.partnerOf(semicolon) + 1 : semicolon + 1;
    if (!source_.has(semicolon))
      return refuse(source_[keyword], "This declaration has no end. " + std::string(kForm));
    if (auto checked = checkPlace(first, semicolon); !checked) return checked;

    int name = keyword + 1;
    while (name < semicolon && declarations_.roleOf(name) == Role::Type) {
      if (source_.is(name, "alignas") || source_.is(name, "__align__"))
        return refuse(source_[name],
                      "Alignment of shared memory is not supported yet; recorded arrays are aligned to 16 "
                      "bytes. Leave it out.");
      name =
          source_.is(name + 1, "<") && source_.opens(name + 1) ? source_.partnerOf(name + 1) + 1 : name + 1;
    }
    if (declarations_.roleOf(name) == Role::Pointer)
      return refuse(source_[name], "Pointers in shared memory are not supported yet. Keep offsets in it.");
    if (declarations_.roleOf(name) != Role::Name || name == keyword + 1)
      return refuse(source_[keyword], "This declaration cannot be read. " + std::string(kForm));
    const std::string type = qualifiers + std::string(source_.slice(keyword + 1, name - 1));
    if (type.find(',') != std::string::npos)
      return refuse(source_[keyword + 1], "This type has a comma. Give it a name: using Name = type;");

    std::string text;
    while (true) {
      auto after = readArray(name, semicolon, type, dynamic, text);
      if (!after) return tl::unexpected(after.error());
      if (*after == semicolon) break;
      if (!source_.is(*after, ","))
        return refuse(source_[*after], "This declaration cannot be read. " + std::string(kForm));
      name = *after + 1;
    }
    result_.replacements.push_back({first, semicolon, text, -1});
    for (int i = first; i <= semicolon; ++i) result_.replacedTokens[static_cast<std::size_t>(i)] = true;
    return {};
  }

  Accepted<void> checkPlace(int first, int semicolon) const {
    const bool begins =
        source_.is(first - 1, ";") || source_.is(first - 1, "{") || source_.is(first - 1, "}");
    if (!begins || !statements_.inFunction[static_cast<std::size_t>(first)])
      return refuse(source_[first],
                    "Shared memory is declared in a function, __shared__ first. " + std::string(kForm));
    const std::string_view text = source_.slice(first, semicolon);
    for (std::string_view stop : {"\n", "//", "/*"})
      if (text.find(stop) != std::string_view::npos)
        return refuse(source_[first],
                      "A declaration of shared memory stands on one line without comments in it. " +
                          std::string(kForm));
    return {};
  }

  // Reads name[...]... and appends its call; returns the token after it.
  Accepted<int> readArray(int name, int semicolon, const std::string& type, bool dynamic, std::string& text) {
    if (!source_.isIdentifier(name) || declarations_.roleOf(name) != Role::Name)
      return refuse(source_[name], "This declaration cannot be read. " + std::string(kForm));
    int after = name + 1;
    while (source_.is(after, "[")) after = source_.partnerOf(after) + 1;
    const std::string variable(source_[name].text);
    if (after < semicolon && !source_.is(after, ","))
      return refuse(source_[after], "Shared memory has no initializer. Store to it in the kernel.");
    const bool single = after == name + 1;
    if (single && !dynamic)
      if (auto checked = addVariable(name); !checked) return tl::unexpected(checked.error());
    const bool empty = !single && source_.partnerOf(name + 1) == name + 2;
    const bool oneDimension = !single && source_.partnerOf(name + 1) + 1 == after;
    if (dynamic && (!empty || !oneDimension))
      return refuse(source_[name],
                    "Dynamic shared memory has one pair of empty brackets. " + std::string(kForm));
    if (!dynamic && empty)
      return refuse(source_[name], "This shared array has no size. Write its size, or extern before it.");
    if (dynamic && sharesDynamic(name))
      return refuse(source_[name],
                    "Two dynamic shared arrays are the same memory. Declare one and use offsets.");
    if (dynamic) dynamic_.push_back(name);
    if (result_.declarations.size() == recording::kMaxSharedArrays)
      return refuse(source_[name], "Only " + std::to_string(recording::kMaxSharedArrays) +
                                       " shared arrays can be recorded. Put some of them into one.");

    const std::string extent = dynamic || single ? "" : std::string(source_.slice(name + 1, after - 1));
    const std::string number = std::to_string(result_.declarations.size());
    if (dynamic)
      text += "RECORDING_SHARED_DYNAMIC(" + number + ", " + variable + ", " + type + ");";
    else
      text += "RECORDING_SHARED_STATIC(" + number + ", " + variable + ", " + type + ", " +
              (single ? "[1]" : extent) + ");";
    result_.declarations.push_back({.name = variable,
                                    .elementType = type,
                                    .extent = extent,
                                    .line = source_[name].line,
                                    .dynamic = dynamic});
    return after;
  }

  // Its accesses are found by its name alone.
  Accepted<void> addVariable(int name) {
    for (const DeclaredName& other : declarations_.declared)
      if (other.token != name && source_[other.token].text == source_[name].text)
        return refuse(source_[name], "The name " + std::string(source_[name].text) +
                                         " also stands for something else. Choose another for this shared "
                                         "variable.");
    result_.variables.insert(source_[name].text);
    return {};
  }

  const Source& source_;
  const Declarations& declarations_;
  const Statements& statements_;
  SharedArrays result_;
  std::vector<int> dynamic_;  // the name of each dynamic array
};

}  // namespace

Accepted<SharedArrays> readSharedArrays(const Source& source, const Declarations& declarations,
                                        const Statements& statements) {
  return SharedArrayReader(source, declarations, statements).run();
}

}  // namespace stridescope::instrument
