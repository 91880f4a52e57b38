// stridescope quiz
#include <fmt/format.h>

#include <filesystem>

#include "base/pending_file.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/parse.h"
#include "cli/quiz_sheet.h"
#include "cli/run_exit_code.h"

namespace stridescope::cli {
namespace {

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
    options.value("variant", variant_, "One of `stridescope list`", "VARIANT");
    options_.declare(options);
    options.value("--questions", questions_, "How many at most: 12 unless given", "N");
    options.value("--export", file_, "Writes a file instead, .md or .html", "FILE");
    options.flag("--force", force_, "Replaces the file if it is there");
    options.footer =
        "The same --seed gives the same sheet, with the same data.\n"
        "Examples:\n"
        "  stridescope quiz interleaved_contiguous\n"
        "  stridescope quiz sequential --threads 64 --seed 7 --export exam.html";
  }

  ExitCode run(const Context& context) override {
    auto request = readExperimentRequest(variant_, options_);
    if (!request) return tell(context, request.error());
    allowTypedCode(*request, *context.services.trust);
    std::uint64_t questions = kQuestionsUnlessGiven;
    if (questions_) {
      const auto given = parseNumberWithin("--questions", *questions_, 1, teaching::kMaxSheetQuestions);
      if (!given) return tell(context, given.error());
      questions = *given;
    }
    if (const auto fault = fileFault()) return tell(context, *fault);
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
    const auto trace = engine->traceOf(*request, work.job);
    work.line.clear();
    if (!trace) return tell(context, trace.error());
    return print(context, *trace, seed, unsigned(questions));
  }

 private:
  std::optional<Error> fileFault() const {
    if (!file_) return std::nullopt;
    if (printFor(*file_) == nullptr)
      return Error{ErrorKind::Usage,
                   fmt::format("--export {} names no format: end it with .md or .html.", *file_),
                   {}};
    const auto file = PendingFile::create(*file_, force_);  // before anything is run
    return file ? std::nullopt : std::optional(file.error());
  }

  ExitCode print(const Context& context, const model::Trace& trace, std::uint64_t seed,
                 unsigned questions) const {
    const analysis::Analysis analysis = analysis::analyse(trace);
    const auto flow = analysis::findDataFlow(trace, analysis);
    const teaching::Sheet sheet = teaching::sheetOf({trace, analysis, flow}, seed, questions);
    if (sheet.questions.empty())
      return tell(context, {ErrorKind::Unavailable,
                            "Nothing can be asked about this run: no round of it determines an answer. "
                            "Choose another variant.",
                            {}});
    if (!file_) {
      context.streams.out << sheetText(trace, sheet);
      return tellLimit(context, analysis);
    }
    const auto written = writeWhole(*file_, printFor(*file_)(trace, sheet), force_);
    if (!written) return tell(context, written.error());
    context.streams.out << printable(*file_) << ": " << sheet.questions.size()
                        << " questions and their answers\n";
    return tellLimit(context, analysis);
  }

  std::string variant_;
  ExperimentOptions options_;
  std::optional<std::string> questions_, file_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> makeQuizCommand() { return std::make_unique<QuizCommand>(); }

}  // namespace stridescope::cli
