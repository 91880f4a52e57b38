// stridescope time
#include <fmt/format.h>

#include <csignal>
#include <functional>

#include "cli/commands.h"
#include "cli/step_json.h"
#include "cli/time_options.h"
#include "cli/time_report.h"

namespace stridescope {
namespace {

constexpr double kSecondsBetweenLooks = 0.1;

// Set by Ctrl-C; a signal's handler reaches nothing else.
volatile std::sig_atomic_t interrupted = 0;
void noteInterrupt(int) { interrupted = 1; }

// Ctrl-C is heard as long as this lives.
class InterruptWatch {
 public:
  InterruptWatch() {
    interrupted = 0;
    before_ = std::signal(SIGINT, noteInterrupt);
  }
  ~InterruptWatch() { std::signal(SIGINT, before_); }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  void (*before_)(int);
};

class TimeCommand : public Command {
 public:
  CLI::App* addTo(CLI::App& program) override {
    CLI::App* command =
        program.add_subcommand("time", "Times whole reductions on this machine's GPU and CPU");
    options_.addTo(*command);
    command->add_flag("--csv", csv_, "As comma-separated values");
    command->add_flag("--json", json_, "As JSON");
    command->footer(
        "Timed is the whole reduction, from n elements in the GPU's memory to one result there. Times are "
        "in\n"
        "microseconds (us), 1 GB is 10^9 bytes. Samples are taken in turns, one of each, in an order drawn "
        "anew;\n"
        "ratios are of the same turns. Inputs rotate, so that nothing lies in a cache. Ctrl-C prints what is "
        "there.\n"
        "CSV: least, quartiles, median and its 95 % interval in us; GB/s of the input; its share of the "
        "card's\n"
        "measured reading ceiling; the time over CUB's, the first variant's and the one before's, with "
        "intervals.\n"
        "Examples:\n"
        "  stridescope time --all --peers\n"
        "  stridescope time sequential --sizes 2^10..2^30 --peers --csv > times.csv\n"
        "  stridescope time unrolled_last_warp --threads 64,128,256,512,1024");
    return command;
  }

  ExitCode run(const Context& context) override {
    if (csv_ && json_)
      return tell(context, {ErrorKind::Usage, "time takes either --csv or --json, not both.", {}});
    auto plan = readTimingPlan(options_);
    if (!plan) return tell(context, plan.error());
    TimingBoard board(context.services.timing);
    if (context.services.recordedTimings) board.showRecorded(context.services.recordedTimings());
    const InterruptWatch watch;
    sample(board, *plan, context);
    const auto seen = board.snapshot();
    if (!hasLiveTimes(*seen) && !options_.peers && interrupted == 0)
      return timeCpuInstead(board, *plan, context);
    return report(*seen, context);
  }

 private:
  static bool hasLiveTimes(const TimingSnapshot& snapshot) {
    for (const TimingSeries& series : snapshot.series)
      if (series.source == SeriesSource::Live && !series.points.empty()) return true;
    return false;
  }

  // Until the plan is through, or Ctrl-C.
  static void sample(TimingBoard& board, const TimingPlan& plan, const Context& context) {
    board.start(plan);
    std::ostream& error = context.streams.error;
    std::size_t shown = 0;
    while (!board.waitUntilDone(kSecondsBetweenLooks) && interrupted == 0) {
      if (!context.streams.errorIsTerminal) continue;
      const auto seen = board.snapshot();
      std::string line = seen->doing;
      if (seen->fraction >= 0) line = fmt::format("{:3.0f} %  {}", 100 * double(seen->fraction), line);
      error << '\r' << line << std::string(line.size() < shown ? shown - line.size() : 0, ' ') << std::flush;
      shown = line.size();
    }
    if (shown > 0) error << '\r' << std::string(shown, ' ') << '\r' << std::flush;
    board.stop();
  }

  // Where no GPU can be used: what the CPU does, beside recorded times. The reason was noted.
  ExitCode timeCpuInstead(TimingBoard& board, const TimingPlan& plan, const Context& context) const {
    const auto before = board.snapshot();
    for (const std::string& note : before->notes) context.streams.error << note << "\n";
    if (before->wrongResults > 0) return ExitCode::Wrong;
    context.streams.error << "The CPU is timed instead"
                          << (before->series.empty() ? ".\n" : ", beside what was recorded.\n");
    TimingPlan onCpu = plan;
    for (TimingSubject& peer : peerSubjects(plan.type, plan.op)) onCpu.subjects.push_back(std::move(peer));
    TimingPlan live = onCpu;
    std::erase_if(live.subjects,
                  [](const TimingSubject& subject) { return subject.kind != SubjectKind::CpuPeer; });
    sample(board, live, context);
    TimingSnapshot seen = *board.snapshot();
    seen.plan.subjects = onCpu.subjects;  // the recorded rows that were asked for
    return report(seen, context);
  }

  ExitCode report(const TimingSnapshot& seen, const Context& context) const {
    if (json_)
      context.streams.out << printed(timeJson(seen));
    else
      context.streams.out << (csv_ ? timeCsv(seen) : timeTable(seen));
    for (const std::string& note : seen.notes) context.streams.error << note << "\n";
    if (seen.wrongResults > 0) return ExitCode::Wrong;
    if (seen.failure) return tell(context, *seen.failure);
    if (!hasLiveTimes(seen) && interrupted == 0)
      return tell(context, {ErrorKind::Unavailable, "Nothing was timed.", {}});
    return ExitCode::Right;
  }

  TimeOptions options_;
  bool csv_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeTimeCommand() { return std::make_unique<TimeCommand>(); }

}  // namespace stridescope
