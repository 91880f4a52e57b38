// stridescope quiz
#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "base/numbers.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/run.h"
#include "model/trace.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"
#include "teaching/sheet.h"

namespace stridescope::cli {
namespace {

// A sheet of questions as text, Markdown or HTML: the questions with the kernel's text, and apart from them
// the answers with their reasons.

// Within kTextColumns of narration/text_maps.h.
std::string sheetText(const model::Trace& trace, const teaching::Sheet& sheet);
std::string sheetMarkdown(const model::Trace& trace, const teaching::Sheet& sheet);
// One file that refers to nothing outside it; printed, the answers begin on a page of their own.
std::string sheetHtml(const model::Trace& trace, const teaching::Sheet& sheet);

using teaching::Sheet;
using teaching::SheetQuestion;
using teaching::Topic;

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

constexpr unsigned kQuestionsUnlessGiven = 12;

using Print = std::string (*)(const model::Trace& trace, const teaching::Sheet& sheet);

// By the file's name; nullptr: it names no format.
Print printFor(const std::string& file) {
  const std::string suffix = std::filesystem::path(file).extension().string();
  if (suffix == ".md") return sheetMarkdown;
  return suffix == ".html" || suffix == ".htm" ? sheetHtml : nullptr;
}

class QuizCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "quiz";
    options.about = "Prints questions about the rounds of one reduction and, apart, their answers";
    options.value("variant", variant_,
                  "One of `stridescope list`, or a file with a kernel of your own: FILE.cu", "VARIANT");
    options_.declare(options);
    kernel_.declare(options);
    options.value("--questions", questions_, "How many at most: 12 unless given", "N");
    options.value("--export", file_, "Writes a file instead, .md or .html", "FILE");
    options.flag("--force", force_, "Replaces the file if it is there");
    options.footer =
        "The same --seed gives the same sheet, with the same data.\n"
        "Examples:\n"
        "  stridescope quiz interleaved_contiguous\n"
        "  stridescope quiz sequential --threads 64 --seed 7 --export exam.html\n"
        "  stridescope quiz reduce.cu --block 64";
  }

  ExitCode run(const Context& context) override {
    std::uint64_t questions = kQuestionsUnlessGiven;
    if (questions_) {
      const auto given = parseNumberWithin("--questions", *questions_, 1, teaching::kMaxSheetQuestions);
      if (!given) return tell(context, given.error());
      questions = *given;
    }
    if (const auto fault = fileFault()) return tell(context, *fault);
    const auto isOwn = kernel_.takes({&variant_, 1}, options_);
    if (!isOwn) return tell(context, isOwn.error());
    if (kernel_.wantsAccesses())
      return tell(context,
                  {ErrorKind::Usage,
                   "quiz asks what a kernel computes of its operands, and the access recorder does not "
                   "know them. Leave out --recorder access."});
    if (*isOwn) return askOfKernelFile(context, unsigned(questions));
    auto request = readExperimentRequest(variant_, options_);
    if (!request) return tell(context, request.error());
    allowTypedCode(*request, *context.services.trust);
    if (const auto fault = engineNameFault(options_.engine)) return tell(context, *fault);
    const std::uint64_t seed = request->experiment.seed;
    // The seed of a recording's data is not chosen anew.
    if (isRecordingName(options_.engine))
      request->given.remove(&model::Experiment::seed);
    else if (const auto experiment = completed(*request); !experiment)
      return tell(context, experiment.error());

    const auto engine = openEngine(context, options_.engine);
    if (!engine) return tell(context, engine.error());
    LongWork work(context.terminal);
    auto trace = engine->traceOf(*request, work.job);
    work.line.clear();
    if (!trace) return tell(context, trace.error());
    return print(context, lab::runOf(*std::move(trace)), seed, unsigned(questions));
  }

 private:
  // Its operands are known where the source recorder takes the text.
  ExitCode askOfKernelFile(const Context& context, unsigned questions) {
    const std::optional<std::string> typedSeed = options_.typed("--seed");
    const auto seed = typedSeed ? parseNumber("--seed", *typedSeed) : Result<std::uint64_t>(1);
    if (!seed) return tell(context, seed.error());
    ExperimentOptions options = options_.without("--seed");
    if (options.engine == "auto") options.engine = "host";  // a GPU's recorder knows no operands
    const auto step = kernel_.run(context, variant_, options);
    if (!step) return tell(context, step.error());
    tellRun(context, *step);
    const model::Trace& trace = step->run.trace;
    if (model::recorderOf(trace) == model::Recorder::Access)
      return tell(
          context,
          Error{ErrorKind::Unavailable,
                fmt::format("quiz asks what a kernel computes of its operands, and those of {} are not "
                            "known, because the access recorder recorded it. {}",
                            variant_, printable(trace.recorderReason)),
                {}});
    return print(context, step->run, *seed, questions);
  }

  std::optional<Error> fileFault() const {
    if (!file_) return std::nullopt;
    if (printFor(*file_) == nullptr)
      return Error{ErrorKind::Usage,
                   fmt::format("--export {} names no format: end it with .md or .html.", *file_),
                   {}};
    const auto file = PendingFile::create(*file_, force_);  // before anything is run
    return file ? std::nullopt : std::optional(file.error());
  }

  ExitCode print(const Context& context, const lab::Run& run, std::uint64_t seed, unsigned questions) const {
    const teaching::Sheet sheet = teaching::sheetOf(run, seed, questions);
    if (sheet.questions.empty())
      return tell(context, {ErrorKind::Unavailable,
                            "Nothing can be asked about this run: no round of it determines an answer. "
                            "Choose another kernel.",
                            {}});
    if (!file_) {
      context.streams.out << sheetText(run.trace, sheet);
      return tellLimit(context, run.analysis);
    }
    const auto written = writeWhole(*file_, printFor(*file_)(run.trace, sheet), force_);
    if (!written) return tell(context, written.error());
    if (context.services.exportWritten) context.services.exportWritten();
    context.streams.out << printable(*file_) << ": " << sheet.questions.size()
                        << " questions and their answers\n";
    return tellLimit(context, run.analysis);
  }

  std::string variant_;
  ExperimentOptions options_;
  KernelOptions kernel_;
  std::optional<std::string> questions_, file_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> makeQuizCommand() { return std::make_unique<QuizCommand>(); }

}  // namespace stridescope::cli
