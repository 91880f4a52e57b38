#include "recorded_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "kernel_tokens.h"

namespace stridescope::engine::access {
namespace {

// The model has the shared arrays, with their functions, in the order of their numbers. Those of two kernels
// are never in one launch.
std::vector<std::string> sharedNamesOf(const instrument::Instrumented& pass) {
  std::vector<std::string> names;
  std::vector<const model::KernelFunction*> functions;
  for (const model::KernelVariable& variable : pass.model.variables) {
    if (variable.kind != model::VariableKind::Shared) continue;
    names.push_back(variable.name);
    functions.push_back(variable.function < 0 ? nullptr
                                              : &pass.model.functions[std::size_t(variable.function)]);
  }
  std::vector<std::string> told = names;
  for (std::size_t k = 0; k < names.size(); ++k)
    for (std::size_t other = 0; other < names.size() && functions[k] != nullptr; ++other) {
      const bool areOfKernels = functions[k]->isKernel && functions[other] != nullptr &&
                                functions[other]->isKernel && functions[k] != functions[other];
      if (other != k && names[other] == names[k] && !areOfKernels)
        told[k] = functions[k]->name + "::" + names[k];
    }
  return told;
}

// Where the lines of a text begin.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins_.push_back(i + 1);
  }
  // Lines and columns from 1 on.
  std::size_t offsetOf(int line, int column) const {
    return begins_[std::size_t(line) - 1] + std::size_t(column) - 1;
  }
  std::pair<int, int> placeOf(std::size_t offset) const {
    const auto next = std::ranges::upper_bound(begins_, offset);
    return {int(next - begins_.begin()), int(offset - *std::prev(next)) + 1};
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_{0};
};

// From the settled text to the person's own.
void placeSite(const KernelText& text, const SettledText& settled, const TextLines& lines,
               const TextLines& linesSettled, model::Site& site) {
  const std::size_t last =
      linesSettled.offsetOf(site.line, site.column) + std::size_t(std::max(site.length, 1)) - 1;
  const auto [lastLine, lastColumn] = linesSettled.placeOf(last);
  const int column = settled.columnBefore(site.line, site.column);
  const std::size_t begin = lines.offsetOf(site.line, column);
  const std::size_t end = lines.offsetOf(lastLine, settled.lastColumnBefore(lastLine, lastColumn)) + 1;
  site.column = text.deviceEdits.columnBefore(site.line, column);
  if (end <= begin || end > lines.text().size()) return;
  site.text = lines.text().substr(begin, end - begin);
  site.length = int(site.text.size());
}

// The words and signs of one line of a text, with their columns.
std::vector<std::pair<std::string_view, int>> wordsOfLine(const std::string& text, int line) {
  std::vector<std::pair<std::string_view, int>> words;
  KernelTokens tokens;
  if (tokens.read(text)) return words;
  const std::size_t begin = TextLines(text).offsetOf(line, 1);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].line == line) words.emplace_back(tokens.word(i), int(tokens[i].begin - begin) + 1);
  return words;
}

}  // namespace

// What a line has as often with its calls as without them is no part of a call, and stands in the same order,
// unless a call has operands evaluated before the rest.
int columnBefore(const KernelText& text, const RecordedText& recorded, int line, int column) {
  if (line < 1 || column < 1) return 0;
  const auto with = wordsOfLine(recorded.pass.text, line),
             without = wordsOfLine(recorded.settled.text(), line);
  auto there = std::ranges::find_if(with, [&](const auto& word) {
    return word.second <= column && column < word.second + int(word.first.size());
  });
  if (there == with.end()) return 0;
  // What stands in for an operand belongs to the sign before it.
  if (there != with.begin() && there->first.starts_with("recording_")) --there;
  const auto isSame = [&](const auto& word) { return word.first == there->first; };
  const auto count = std::ranges::count_if(with, isSame);
  const bool isMoved = std::ranges::any_of(with, [](const auto& word) { return word.first == "InOrder"; });
  if (count != std::ranges::count_if(without, isSame) || (count > 1 && isMoved)) return 0;
  auto number = std::count_if(with.begin(), there, isSame);
  for (const auto& [word, place] : without)
    if (word == there->first && number-- == 0)
      return text.deviceEdits.columnBefore(line, recorded.settled.columnBefore(line, place));
  return 0;
}

std::string NotRecorded::sentence() const {
  if (place.empty()) return reason;
  std::string told = place + ": " + reason;
  told.front() = 'L';
  return told;
}

tl::expected<RecordedText, NotRecorded> recordedTextOf(const KernelText& text, const NamedKernels& kernels) {
  SettledText settled(text.deviceText, kernels);
  auto pass = instrument::instrument(settled.text(), instrument::Preamble::None);
  if (!pass) {
    const instrument::Refusal& refusal = pass.error();
    const int column =
        text.deviceEdits.columnBefore(refusal.line, settled.columnBefore(refusal.line, refusal.column));
    return tl::unexpected(NotRecorded{
        "line " + std::to_string(refusal.line) + ", column " + std::to_string(column), refusal.reason});
  }
  RecordedText recorded{.pass = *std::move(pass), .settled = std::move(settled), .sharedNames = {}};
  const TextLines lines(text.deviceText), linesSettled(recorded.settled.text());
  for (model::Site& site : recorded.pass.sites) placeSite(text, recorded.settled, lines, linesSettled, site);
  recorded.sharedNames = sharedNamesOf(recorded.pass);
  if (recorded.sharedNames.size() != recorded.pass.shared.size())
    return tl::unexpected(NotRecorded{"", "Its shared arrays cannot be told apart."});
  return recorded;
}

}  // namespace stridescope::engine::access
