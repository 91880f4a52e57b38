// Any text as a kernel: the text pass refuses it at a place in it, or gives calls that can be taken out
// again, and reads its conditions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz_one.h"
#include "instrument/instrument.h"
#include "strip_recording.h"

namespace stridescope::fuzz {
namespace {

// Declarations of shared memory come back with other blanks and without what only the clean text needs.
std::string essence(std::string_view text) {
  std::string all;
  for (const char c : text)
    if (std::string_view(" \t\v\f\r").find(c) == std::string_view::npos) all += c;
  for (const std::string_view word : {"volatile", "__shared__", "extern", "static", "const", "alignas"})
    for (auto at = all.find(word); at != std::string::npos; at = all.find(word, at))
      all.erase(at, word.size());
  return all;
}

void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // What takes the calls out again takes a text's own for one.
  if (text.find("recording::") != std::string::npos) return;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  const auto result = instrument::instrument(text);
  if (!result) {
    const instrument::Refusal& refusal = result.error();
    if (refusal.line < 1 || refusal.line > lines + 1 || refusal.column < 1 || refusal.reason.empty())
      fail("a refusal without a place or a reason", text);
    return;
  }
  if (std::count(result->text.begin(), result->text.end(), '\n') != lines) fail("lines moved", text);
  if (essence(instrument::stripRecording(*result)) != essence(text))
    fail("the text changed", text + "\n---\n" + result->text);
  const model::KernelExpressions read = instrument::readExpressions(text, result->sites);
  if (read.conditions.size() != result->sites.size()) fail("a site has no condition, nor none", text);
  for (const model::Expression& condition : read.conditions) {
    const auto none = [](const model::ExpressionWord&) { return std::nullopt; };
    model::valueOf(condition, none);
    if (condition.words.empty() != model::printed(condition, none).empty()) fail("words without text", text);
  }
}

}  // namespace stridescope::fuzz
