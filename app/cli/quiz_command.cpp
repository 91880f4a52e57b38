// stridescope quiz
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/numbers.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "handout/question_sheet.h"
#include "lab/run.h"
#include "model/trace.h"
#include "teaching/sheet.h"

namespace stridescope::cli {
namespace {

using Print = std::string (*)(const model::Trace& trace, const teaching::Sheet& sheet);

// By the file's name; nullptr: it names no format.
Print printFor(const std::string& file) {
  const std::string suffix = std::filesystem::path(file).extension().string();
  if (suffix == ".md") return handout::sheetMarkdown;
  return suffix == ".html" || suffix == ".htm" ? handout::sheetHtml : nullptr;
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
    std::uint64_t questions = handout::kSheetQuestions;
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
      context.streams.out << handout::sheetText(run.trace, sheet);
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
