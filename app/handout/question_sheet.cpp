#include "handout/question_sheet.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"

namespace stridescope::handout {
namespace {

using teaching::Sheet;
using teaching::SheetQuestion;

constexpr std::string_view kBlank = "______________________________";

std::string titleOf(const model::Trace& trace) { return "Questions: " + kernels::titleOf(trace.experiment); }

// What a student must know besides the kernel's text.
std::vector<std::string> conditionsOf(const model::Trace& trace, const Sheet& sheet) {
  std::vector<std::string> lines{fmt::format(
      "Sheet {}: {}.", figure(sheet.seed),
      model::leavesArrays(trace) ? trace.experiment.variant : engine::summaryOf(trace.experiment))};
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const model::LaunchTrace& launch = trace.launches[i];
    lines.push_back(fmt::format("{}{} of {}; the questions are about block {}.",
                                trace.launches.size() > 1 ? fmt::format("Launch {}: ", i) : std::string(),
                                narration::count(launch.grid, "block"),
                                narration::count(launch.block, "thread"), figure(launch.recorded().block)));
  }
  lines.emplace_back(
      "A thread is active in a round if it accesses shared memory or takes part in a shuffle, a vote or a "
      "warp reduction; in a round in which no thread does so, if it accesses any memory. A warp is partial "
      "if some of its lanes are active and some are not. Shared memory has 32 banks, each 4 bytes wide.");
  return lines;
}

std::string asked(const SheetQuestion& each) {
  std::string text = each.round + ". " + each.question.text;
  if (!each.question.note.empty()) text += " (" + each.question.note + ")";
  if (!each.question.meaning.empty()) text += " " + each.question.meaning;
  return text;
}

// "[ ] 1   [ ] 2"
std::string choices(const SheetQuestion& each, std::string_view box) {
  std::string text;
  for (const std::string& choice : each.choices)
    text += (text.empty() ? "" : "   ") + std::string(box) + choice;
  return text;
}

std::string answered(const SheetQuestion& each) { return each.answer + ". " + each.why; }

// "  1  // the kernel's text"
std::string numbered(const std::string& text) {
  std::istringstream lines(text);
  std::string line, all;
  for (int number = 1; std::getline(lines, line); ++number)
    all += line.empty() ? fmt::format("{:>4}\n", number) : fmt::format("{:>4}  {}\n", number, line);
  return all;
}

std::string indented(const std::string& text, std::size_t columns) {
  std::istringstream lines(narration::wrapped(text, narration::kTextColumns - columns));
  std::string line, all;
  while (std::getline(lines, line)) all += (all.empty() ? "" : std::string(columns, ' ')) + line + "\n";
  return all;
}

constexpr std::string_view kStyle = R"(
body { font: 11pt/1.45 sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #000; background: #fff; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 1.6em; }
pre { font: 9.5pt/1.35 monospace; background: #f3f5f7; padding: .6em .8em; white-space: pre-wrap; }
li { margin: 0 0 1.1em; break-inside: avoid; } p { margin: .3em 0; }
.round { font-weight: bold; } .note, .given { color: #333; font-size: .95em; }
.write { border-bottom: 1px solid #555; height: 1.6em; width: 22em; }
.choice { display: inline-block; margin-right: 1.4em; }
.choice::before { content: ""; display: inline-block; width: .8em; height: .8em; border: 1px solid #333; margin-right: .4em; }
@page { margin: 18mm; }
@media print { body { margin: 0; max-width: none; } pre { background: none; border: 1px solid #999; } .answers { break-before: page; } }
)";

}  // namespace

std::string sheetText(const model::Trace& trace, const Sheet& sheet) {
  std::string text = titleOf(trace) + "\n";
  for (const std::string& line : conditionsOf(trace, sheet))
    text += narration::wrapped(line, narration::kTextColumns) + "\n";
  text += "\n" + numbered(printable(trace.kernelText, Lines::Many));
  std::size_t number = 0;
  for (const SheetQuestion& each : sheet.questions) {
    text += fmt::format("\n{:>3}. {}", ++number, indented(asked(each), 5));
    if (const std::string before = teaching::givenInWords(each.question, each.given); !before.empty())
      text += "     " + indented(before, 5);
    text += "     " + (each.choices.empty() ? std::string(kBlank) : choices(each, "[ ] ")) + "\n";
  }
  text += fmt::format("\n{}\nAnswers to sheet {}\n", std::string(narration::kTextColumns, '='),
                      figure(sheet.seed));
  number = 0;
  for (const SheetQuestion& each : sheet.questions)
    text += fmt::format("\n{:>3}. {}", ++number, indented(answered(each), 5));
  return text;
}

std::string sheetMarkdown(const model::Trace& trace, const Sheet& sheet) {
  std::string text = "# " + report::inMarkdown(titleOf(trace)) + "\n\n";
  for (const std::string& line : conditionsOf(trace, sheet)) text += report::inMarkdown(line) + "\n\n";
  text += "```cuda\n" + numbered(printable(trace.kernelText, Lines::Many)) + "```\n\n## Questions\n";
  std::size_t number = 0;
  for (const SheetQuestion& each : sheet.questions) {
    const std::string item = fmt::format("{}. ", ++number), margin = "\n" + std::string(item.size(), ' ');
    text += "\n" + item + report::inMarkdown(asked(each)) + "\n";
    if (const std::string before = teaching::givenInWords(each.question, each.given); !before.empty())
      text += margin + report::inMarkdown(before) + "\n";
    text += margin + (each.choices.empty() ? report::inMarkdown(kBlank) : choices(each, "☐ ")) + "\n";
  }
  text += fmt::format("\n---\n\n## Answers to sheet {}\n", figure(sheet.seed));
  number = 0;
  for (const SheetQuestion& each : sheet.questions)
    text += fmt::format("\n{}. {}\n", ++number, report::inMarkdown(answered(each)));
  return text;
}

std::string sheetHtml(const model::Trace& trace, const Sheet& sheet) {
  const std::string title = report::escaped(titleOf(trace));
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{3}"
      "<title>{0}, sheet {1}</title>\n"
      "<style>{2}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      title, figure(sheet.seed), kStyle, report::securityPolicy({}));
  for (const std::string& line : conditionsOf(trace, sheet)) text += "<p>" + report::escaped(line) + "</p>\n";
  text += "<pre>" + report::escaped(numbered(trace.kernelText), Lines::Many) +
          "</pre>\n<h2>Questions</h2>\n<ol>\n";
  for (const SheetQuestion& each : sheet.questions) {
    text += fmt::format("<li><p><span class=\"round\">{}.</span> {}</p>\n", report::escaped(each.round),
                        report::escaped(each.question.text));
    if (!each.question.note.empty())
      text += "<p class=\"note\">" + report::escaped(each.question.note) + "</p>\n";
    if (!each.question.meaning.empty())
      text += "<p class=\"note\">" + report::escaped(each.question.meaning) + "</p>\n";
    if (const std::string before = teaching::givenInWords(each.question, each.given); !before.empty())
      text += "<p class=\"given\">" + report::escaped(before) + "</p>\n";
    if (each.choices.empty()) text += "<p class=\"write\"></p>";
    for (const std::string& choice : each.choices)
      text += "<span class=\"choice\">" + report::escaped(choice) + "</span>";
    text += "</li>\n";
  }
  text += fmt::format("</ol>\n<section class=\"answers\">\n<h2>Answers to sheet {}</h2>\n<ol>\n",
                      figure(sheet.seed));
  for (const SheetQuestion& each : sheet.questions)
    text += "<li><b>" + report::escaped(each.answer) + ".</b> " + report::escaped(each.why) + "</li>\n";
  return text + "</ol>\n</section>\n</body>\n</html>\n";
}

}  // namespace stridescope::handout
