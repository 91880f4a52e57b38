#include "instrument/reading.h"

#include "instrument/constructs.h"

namespace stridescope::instrument {
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
