#include "analysis/source_difference.h"

#include <algorithm>

#include "base/plain_text.h"

namespace stridescope::analysis {
namespace {

// Goes through a text and leaves its comments out; those in strings are none.
class CodeReader {
 public:
  // Code that stands on the line, comments replaced by nothing.
  std::string read(std::string_view line) {
    std::string code;
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view rest = line.substr(i);
      if (inComment_) {
        if (rest.starts_with("*/")) inComment_ = false, ++i;
      } else if (quote != 0) {
        code += line[i];
        if (line[i] == '\\' && i + 1 < line.size())
          code += line[++i];
        else if (line[i] == quote)
          quote = 0;
      } else if (rest.starts_with("//")) {
        break;
      } else if (rest.starts_with("/*")) {
        inComment_ = true, ++i;
      } else {
        if (line[i] == '"' || line[i] == '\'') quote = line[i];
        code += line[i];
      }
    }
    code.erase(code.find_last_not_of(" \t\r\f\v") + 1);
    return code;
  }

 private:
  bool inComment_ = false;
};

std::string_view kernelNameOf(const model::Trace& trace) {
  const auto& functions = trace.kernel.functions;
  const auto kernel = std::ranges::find(functions, true, &model::KernelFunction::isKernel);
  return kernel == functions.end() ? std::string_view() : std::string_view(kernel->name);
}

std::vector<std::string_view> textsOf(const std::vector<CodeLine>& lines) {
  std::vector<std::string_view> texts;
  for (const CodeLine& line : lines) texts.emplace_back(line.text);
  return texts;
}

}  // namespace

std::vector<CodeLine> codeLines(std::string_view kernelText) {
  std::vector<CodeLine> lines;
  CodeReader reader;
  int number = 0;
  for (std::size_t begin = 0; begin < kernelText.size();) {
    const std::size_t end = std::min(kernelText.find('\n', begin), kernelText.size());
    ++number;
    if (std::string code = reader.read(kernelText.substr(begin, end - begin)); !code.empty())
      lines.push_back({number, printable(code, Lines::Many)});
    begin = end + 1;
  }
  return lines;
}

std::size_t SourceDifference::countOf(Side side) const {
  return std::size_t(std::ranges::count_if(
      pairs, [&](const LinePair& pair) { return !pair.same && lineOf(pair, side) != nullptr; }));
}

const CodeLine* SourceDifference::lineOf(const LinePair& pair, Side side) const {
  const std::optional<std::size_t> place = side == Side::Left ? pair.left : pair.right;
  return place ? &lines[side][*place] : nullptr;
}

SourceDifference sourceDifference(const model::Trace& left, const model::Trace& right) {
  SourceDifference difference{.lines = {codeLines(left.kernelText), codeLines(right.kernelText)},
                              .pairs = {}};
  difference.pairs = lineDifference(textsOf(difference.lines.left), textsOf(difference.lines.right),
                                    {kernelNameOf(left), kernelNameOf(right)});
  return difference;
}

}  // namespace stridescope::analysis
