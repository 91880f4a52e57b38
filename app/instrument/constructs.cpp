#include "instrument/constructs.h"

#include <string_view>
#include <unordered_set>
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
    if (recordedOperation(word, source_.preamble) || isPredefined(word, source_.preamble) ||
        macros_.contains(word))
      return refuse(source_[i], "The name " + std::string(word) + " is taken. Choose another.");
    const bool atFileScope = depthOf(i) == 0;
    if (atFileScope && source_.is(i + 1, "["))
      return refuse(
          source_[i],
          "An array outside of functions is not supported yet. Declare it in the function that uses it.");
    if (!atFileScope || source_.is(i + 1, "(")) return {};
    for (int k = i - 1; k >= 0 && !source_.is(k, ";") && !source_.is(k, "}"); --k) {
      if (source_.is(k, "constexpr") || source_.is(k, "__shared__")) return {};
      const bool isConstant = source_.is(k, "const") && source_.preamble == Preamble::None;
      if (isConstant && declarations_.roleOf(i - 1) != Role::Pointer) return {};
    }
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
    if (declarations_.names.contains(token.text) || isPredefined(token.text, source_.preamble)) return {};
    const bool called = source_.is(i + 1, "(");
    const bool known =
        recordedOperation(token.text, source_.preamble) || isHarmlessFunction(token.text, source_.preamble);
    if (known && called && !source_.is(i - 1, ".")) return {};
    if (known) return refuse(token, word + " can only be called. Write its arguments after it.");
    if (token.text.starts_with("__"))
      return refuse(token, "The intrinsic " + word +
                               " is not supported yet. Use the barriers, warp operations and "
                               "atomics of CUDA C++, and a[i].");
    if (called)
      return refuse(
          token, "What the function " + word + " does to memory is unknown. Define it in the kernel's text.");
    const bool labels = source_.is(i + 1, ":") &&
                        (source_.is(i - 1, ";") || source_.is(i - 1, "{") || source_.is(i - 1, "}"));
    if (labels)
      return refuse(
          token, "The label " + word + " is one of goto, which is not supported yet. Write a loop or an if.");
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

namespace {

using model::Operation;

constexpr std::string_view kNamespace = "cooperative_groups";

class GroupReader {
 public:
  explicit GroupReader(const Source& source) : source_(source) {
    result_.understood.assign(source.tokens.size(), false);
    aliases_.insert(kNamespace);
  }

  Accepted<Groups> run() {
    for (int i = 0; i < source_.size(); ++i)
      if (source_.is(i, "namespace"))
        if (auto read = readAlias(i); !read) return tl::unexpected(read.error());
    for (int i = 0; i < source_.size(); ++i)
      if (isQualifier(i))
        if (auto read = readQualified(i); !read) return tl::unexpected(read.error());
    for (int i = 0; i < source_.size(); ++i) {
      if (!source_.isIdentifier(i) || source_.is(i - 1, ".") || isUnderstood(i)) continue;
      if (isBlock(i) || isTile(i) || isCluster(i))
        if (auto read = readUse(i); !read) return tl::unexpected(read.error());
    }
    return std::move(result_);
  }

 private:
  using Names = std::unordered_set<std::string_view>;

  bool isUnderstood(int i) const { return result_.understood[static_cast<std::size_t>(i)]; }
  void mark(int first, int last) {
    for (int i = first; i <= last; ++i) result_.understood[static_cast<std::size_t>(i)] = true;
  }
  bool isQualifier(int i) const {
    return source_.isIdentifier(i) && aliases_.contains(source_[i].text) && !isUnderstood(i);
  }

  // namespace cg = cooperative_groups;
  Accepted<void> readAlias(int keyword) {
    const bool alias = source_.isIdentifier(keyword + 1) && source_.is(keyword + 2, "=") &&
                       source_.is(keyword + 3, kNamespace) && source_.is(keyword + 4, ";");
    if (!alias)
      return refuse(source_[keyword],
                    "Of namespaces only namespace cg = cooperative_groups; is read. Declare at file scope.");
    aliases_.insert(source_[keyword + 1].text);
    mark(keyword, keyword + 4);
    return {};
  }

  // cg::...
  Accepted<void> readQualified(int qualifier) {
    const int name = qualifier + 2;
    if (!source_.is(qualifier + 1, "::") || !source_.isIdentifier(name)) return refuseRest(qualifier);
    mark(qualifier, name);
    if (source_.is(name, "thread_block")) return readTyped(name + 1, blocks_);
    if (source_.is(name, "thread_block_tile") && source_.is(name + 1, "<") && source_.opens(name + 1))
      return readTyped(source_.partnerOf(name + 1) + 1, tiles_);
    if (source_.is(name, "this_thread_block") && source_.is(name + 1, "(") && source_.is(name + 2, ")"))
      return readMade(qualifier, name + 2, blocks_);
    if (source_.is(name, "this_cluster") && source_.is(name + 1, "(") && source_.is(name + 2, ")"))
      return readMade(qualifier, name + 2, clusters_);
    if (source_.is(name, "tiled_partition") && source_.is(name + 1, "<") && source_.opens(name + 1)) {
      const int open = source_.partnerOf(name + 1) + 1;
      if (source_.is(open, "(")) return readMade(qualifier, source_.partnerOf(open), tiles_);
    }
    if (source_.is(name, "sync") && source_.is(name + 1, "(")) return readBlockBarrier(qualifier, name + 1);
    if (source_.is(name, "reduce") && source_.is(name + 1, "(")) return readReduction(qualifier, name + 1);
    return refuseRest(qualifier);
  }

  // cg::thread_block block = ..., also as a parameter.
  Accepted<void> readTyped(int name, Names& groups) {
    if (!source_.isIdentifier(name))
      return refuse(source_[name - 1], "Of a group's type only cg::thread_block block = ...; is read.");
    groups.insert(source_[name].text);
    mark(name, name);
    return {};
  }

  // What stands before the group that cg::... makes: auto tile = ... gives it a name; that of a typed one is
  // known already, and it may be the argument of tiled_partition.
  Accepted<void> readMade(int first, int last, Names& groups) {
    const bool named =
        source_.is(first - 1, "=") && source_.isIdentifier(first - 2) && source_.is(last + 1, ";");
    const bool argument = source_.is(first - 1, "(") && source_.is(last + 1, ")");
    if (!named && !argument) return refuse(source_[first], "Give the group a name: auto tile = ...;");
    if (named) {
      groups.insert(source_[first - 2].text);
      mark(first - 2, first - 2);
    }
    return {};
  }

  bool isBlock(int i) const { return source_.isIdentifier(i) && blocks_.contains(source_[i].text); }
  bool isTile(int i) const { return source_.isIdentifier(i) && tiles_.contains(source_[i].text); }
  bool isCluster(int i) const { return source_.isIdentifier(i) && clusters_.contains(source_[i].text); }

  Accepted<void> readBlockBarrier(int first, int open) {
    const int close = source_.partnerOf(open);
    if (!isBlock(open + 1) || close != open + 2)
      return refuse(source_[first],
                    "Of groups only the block is waited for here. Write __syncwarp() for a warp.");
    return addOperation({Operation::SyncThreads, first, close, open});
  }

  Accepted<void> addOperation(const GroupOperation& operation) {
    const bool whole = operation.operation != Operation::GroupReduce;
    const int replaced = whole ? operation.last : operation.open;
    if (source_[operation.first].line != source_[replaced].line)
      return refuse(source_[operation.first], "A group's operation and its parenthesis stand on one line.");
    mark(operation.first, operation.open);
    result_.operations.push_back(operation);
    return {};
  }

  // cg::reduce(tile, value, combine)
  Accepted<void> readReduction(int first, int open) {
    const int close = source_.partnerOf(open);
    const bool byCombine = source_.is(close - 1, "combine") && source_.is(close - 2, ",");
    if (!isTile(open + 1) || !source_.is(open + 2, ",") || !byCombine || source_.preamble == Preamble::None)
      return refuse(source_[first], "Of reductions only cg::reduce(tile, value, combine) is recorded.");
    return addOperation({Operation::GroupReduce, first, close, open});
  }

  // block.sync(), tile.thread_rank(), f(tile)
  Accepted<void> readUse(int name) {
    mark(name, name);
    if (!source_.is(name + 1, ".")) {
      const bool argument = (source_.is(name - 1, "(") || source_.is(name - 1, ",")) &&
                            (source_.is(name + 1, ")") || source_.is(name + 1, ","));
      if (argument) return {};
      return refuse(source_[name], "A group is read only in group.member() and as an argument.");
    }
    const int member = name + 2, open = name + 3, close = name + 4;
    if (isCluster(name)) return readClusterUse(name);
    const bool call = source_.is(open, "(") && source_.is(close, ")");
    const bool rank =
        source_.is(member, "thread_rank") || source_.is(member, "size") || source_.is(member, "num_threads");
    const bool ofTile = source_.is(member, "meta_group_rank") || source_.is(member, "meta_group_size");
    if (call && (rank || (ofTile && isTile(name)))) {
      mark(name, member);
      return {};
    }
    if (call && source_.is(member, "sync") && isBlock(name))
      return addOperation({Operation::SyncThreads, name, close, open});
    return refuseRest(name);
  }

  // cluster.sync(), cluster.block_rank(), cluster.map_shared_rank(a, 0)
  Accepted<void> readClusterUse(int name) {
    const int member = name + 2, open = name + 3;
    if (!source_.is(open, "(")) return refuseRest(name);
    if (source_.is(member, "sync") && source_.is(open + 1, ")"))
      return addOperation({Operation::SyncCluster, name, open + 1, open});
    const bool rank = source_.is(member, "block_rank") || source_.is(member, "num_blocks");
    if (!rank && !source_.is(member, "map_shared_rank")) return refuseRest(name);
    mark(name, member);
    return {};
  }

  tl::unexpected<Refusal> refuseRest(int at) const {
    return refuse(
        source_[at],
        "Of cooperative groups only this_thread_block, tiled_partition, this_cluster, thread_rank, size, "
        "meta_group_rank, meta_group_size, block_rank, num_blocks, map_shared_rank, the block's and the "
        "cluster's sync and cg::reduce(tile, value, combine) are recorded. Write the others as "
        "__shfl_down_sync and the like.");
  }

  const Source& source_;
  Groups result_;
  Names aliases_, blocks_, tiles_, clusters_;
};

}  // namespace

Accepted<Groups> readGroups(const Source& source, bool included) {
  if (included) return GroupReader(source).run();
  Groups none;
  none.understood.assign(source.tokens.size(), false);
  return none;
}

void findGroupOperations(const Source& source, const Groups& groups, Findings& findings) {
  for (const GroupOperation& operation : groups.operations) {
    const int site = findings.add({.operation = operation.operation,
                                   .first = operation.first,
                                   .last = operation.last,
                                   .end = source[operation.last].end()});
    const bool barrier = operation.operation != Operation::GroupReduce;
    const bool cluster = operation.operation == Operation::SyncCluster;
    findings.edits.replacements.push_back({operation.first, barrier ? operation.last : operation.open,
                                           cluster   ? "recording::synccluster(%)"
                                           : barrier ? "recording::syncthreads(%)"
                                                     : "RECORDING_REDUCE_GROUP(%, ",
                                           site});
  }
}

namespace {

// Far more than any kernel has; keeps the work bounded.
constexpr std::size_t kLongestText = 64 * 1024;

}  // namespace

Accepted<Reading> readText(std::string_view kernelText, Preamble preamble) {
  if (kernelText.size() > kLongestText)
    return tl::unexpected(
        Refusal{1, 1, "This text is longer than 64 KiB. Leave out what the kernel does not need."});

  auto tokenized = tokenize(kernelText);
  if (!tokenized) return tl::unexpected(tokenized.error());
  auto directives = readDirectives(tokenized->directives, preamble);
  if (!directives) return tl::unexpected(directives.error());
  const bool withGroups = !directives->includes.empty();
  auto source = matchBrackets(kernelText, std::move(tokenized->tokens));
  if (!source) return tl::unexpected(source.error());
  source->preamble = preamble;
  auto types = readTypeNames(*source, withGroups);
  if (!types) return tl::unexpected(types.error());
  auto declarations = readDeclarations(*source, *types);
  if (!declarations) return tl::unexpected(declarations.error());
  auto groups = readGroups(*source, withGroups);
  if (!groups) return tl::unexpected(groups.error());
  if (auto checked = checkConstructs(*source, *types, *declarations, directives->constants, *groups);
      !checked)
    return tl::unexpected(checked.error());
  auto statements = readStatements(*source, *declarations);
  if (!statements) return tl::unexpected(statements.error());
  auto signature = readSignature(*source, *declarations);
  if (!signature) return tl::unexpected(signature.error());
  return Reading{*std::move(source), *std::move(directives), *std::move(types),    *std::move(declarations),
                 *std::move(groups), *std::move(statements), *std::move(signature)};
}

}  // namespace stridescope::instrument
