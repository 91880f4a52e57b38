#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <exception>

#include "archive/recording_file.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "engine/experiment_check.h"

namespace stridescope::cli {
namespace {

constexpr std::string_view kVersionOption = "--version";

std::vector<std::string> commandNames(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> optionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

void addOption(CLI::App& command, const Option& option) {
  std::visit(
      [&](auto* target) {
        CLI::Option* added = nullptr;
        if constexpr (std::is_same_v<decltype(target), bool*>)
          added = command.add_flag(option.names, *target, option.description);
        else
          added = command.add_option(option.names, *target, option.description)->type_name(option.valueName);
        if (option.hidden) added->group("");
      },
      option.target);
}

// What a command did not understand: an option it does not have, or one word too many.
Error notUnderstood(const CLI::App& command, const std::string& given) {
  const bool option = given.size() > 1 && given.front() == '-';
  if (!option)
    return {
        ErrorKind::Usage,
        fmt::format("\"{}\" is one word too many; see `stridescope {} --help`.", given, command.get_name()),
        {}};
  const auto valid = optionNames(command);
  const std::string near = engine::nearestName(given.substr(0, given.find('=')), valid);
  return {ErrorKind::Usage,
          fmt::format("{} has no option {}{}; the options are {}.", command.get_name(), given,
                      near.empty() ? "" : ", did you mean " + near + "?", fmt::join(valid, ", ")),
          {}};
}

// The parser's text opens with the option and a colon.
Error valueMissing(std::string_view parsersText) {
  return {ErrorKind::Usage,
          fmt::format("{} needs one value; see `stridescope --help`.",
                      parsersText.substr(0, parsersText.find(':'))),
          {}};
}

class CommandLine {
 public:
  CommandLine(Streams& streams, const Services& services, std::ostream* terminal)
      : context_{streams, services, terminal} {
    program_.name("stridescope");
    program_.set_version_flag(std::string(kVersionOption), "stridescope " + services.version, "The version");
    program_.footer(
        "Without a command the window opens, with a recording's file (FILE.stride) at that recording, with a "
        "tour's (FILE.md) "
        "at its first stop.\n"
        "Examples:\n"
        "  stridescope\n"
        "  stridescope step interleaved_contiguous\n"
        "  stridescope shot picture.png --round 4\n"
        "Exit codes: 0 right; 1 a result is wrong or traces differ; 2 usage; 3 something is missing or "
        "failed,\nor the command was cancelled; 4 a limit was met during the run (steps, memory, time, "
        "output).");
    program_.add_flag(
        "--trust-code", trustCode_,
        "Before a command, too: compile and run the operators that a recording carries, unasked, and any "
        "operator also where this kernel cannot confine it (see `stridescope doctor`)");
    program_
        .add_option("--driver-limit", driverLimit_,
                    "Before a command, too: how long one call of NVIDIA's driver may take before it counts "
                    "as hanging, "
                    "from 0.1 to 600; 5 unless given")
        ->type_name("SECONDS");
    program_.allow_extras();
    addCommand(makeListCommand());
    addCommand(makeStepCommand());
    addCommand(makeInitCommand());
    addCommand(makeCompareCommand());
    addCommand(makeRecordCommand());
    addCommand(makeTimeCommand());
    addCommand(makeCountersCommand());
    addCommand(makeTimelineCommand());
    addCommand(makeWhyCommand());
    addCommand(makeQuizCommand());
    addCommand(makeShotCommand());
    addCommand(makeExportCommand());
    addCommand(makeVerifyCommand());
    addCommand(makeDoctorCommand());
  }

  ExitCode run(int argc, const char* const* argv) {
    if (argc <= 1) return openWindow();
    try {
      program_.parse(argc, argv);
    } catch (const CLI::Success& finished) {  // --help, --version
      program_.exit(finished, context_.streams.out, context_.streams.error);
      return ExitCode::Right;
    } catch (const CLI::ArgumentMismatch& error) {
      return tell(context_, valueMissing(error.what()));
    } catch (const CLI::ParseError& error) {
      return tell(context_,
                  {ErrorKind::Usage, fmt::format("{}; see `stridescope --help`.", error.what()), {}});
    }
    if (trustCode_) context_.services.trust->allowAll();
    if (const auto limited = limitDriver(); !limited) return tell(context_, limited.error());
    for (const auto& [app, command] : commands_) {
      if (!app->parsed()) continue;
      if (const auto before = program_.remaining(); before.size() == 1 && before.front() == "help") {
        context_.streams.out << app->help("stridescope");
        return ExitCode::Right;
      }
      if (const auto rest = app->remaining(); !rest.empty())
        return tell(context_, notUnderstood(*app, rest.front()));
      const EndOnSignal ending;
      const ExitCode code = command->run(context_);
      context_.streams.out.flush();  // a reader that does not read is no reason to stay, either
      return code;
    }
    const auto rest = program_.remaining();
    if (rest.empty()) return openWindow();
    if (rest.size() == 1 && isForWindow(rest.front())) return openWindow(rest.front());
    if (rest.size() == 1 && rest.front() == "help") {
      context_.streams.out << program_.help();
      return ExitCode::Right;
    }
    return tell(context_, unknownCommand());
  }

 private:
  void addCommand(std::unique_ptr<Command> command) {
    Options options;
    command->declare(options);
    CLI::App* app = program_.add_subcommand(options.command, options.about);
    for (const Option& option : options.options) addOption(*app, option);
    app->footer(options.footer);
    app->allow_extras();
    app->set_version_flag(std::string(kVersionOption), "stridescope " + context_.services.version,
                          "The version");
    commands_.emplace_back(app, std::move(command));
  }

  static bool isForWindow(const std::string& file) {
    constexpr std::string_view kTourSuffix = ".md";
    return file.ends_with(archive::kRecordingSuffix) || file.ends_with(kTourSuffix) ||
           model::isKernelFile(file);
  }

  ExitCode openWindow(const std::string& file = {}) const {
    if (!context_.services.openWindow)
      return tell(context_, {ErrorKind::Unavailable,
                             "The window is not built in; `stridescope --help` lists the commands.",
                             {}});
    const auto closed = context_.services.openWindow(file);
    return closed ? ExitCode::Right : tell(context_, closed.error());
  }

  Result<void> limitDriver() const {
    if (!driverLimit_) return {};
    const auto limit = parseDriverLimit(*driverLimit_);
    if (!limit) return tl::unexpected(limit.error());
    if (context_.services.limitLibraryCalls) context_.services.limitLibraryCalls(*limit);
    return {};
  }

  Error unknownCommand() const {
    const auto rest = program_.remaining();
    const std::string& given = rest.front();
    if (given.starts_with('-')) return notUnderstood(program_, given);
    if (rest.size() > 1 && isForWindow(given))
      return {ErrorKind::Usage,
              "`stridescope " + given + "` opens the window and takes nothing beside the file: leave out " +
                  rest[1] + "." +
                  (model::isKernelFile(given) ? " `stridescope step " + given + "` takes options." : ""),
              {}};
    return notOneOf("command", given, commandNames(program_));
  }

  Context context_;
  bool trustCode_ = false;
  std::optional<std::string> driverLimit_;
  CLI::App program_{"Steps through GPU parallel reductions, stride by stride."};
  std::vector<std::pair<CLI::App*, std::unique_ptr<Command>>> commands_;
};

}  // namespace

ExitCode exitCodeOf(const Error& error) {
  switch (error.kind) {
    case ErrorKind::Usage:
      return ExitCode::Usage;
    case ErrorKind::Limit:
      return ExitCode::Limit;
    case ErrorKind::Unavailable:
    case ErrorKind::Cancelled:
      break;
  }
  return ExitCode::Missing;
}

int runCommandLine(int argc, const char* const* argv, Streams& streams, const Services& services) {
  PrintableBuffer outBuffer(streams.out), errorBuffer(streams.error);
  std::ostream out(&outBuffer), error(&errorBuffer);
  Streams printables{out, error, streams.errorIsTerminal};
  CommandLine commandLine(printables, services, streams.errorIsTerminal ? &streams.error : nullptr);
  const ExitCode code = commandLine.run(argc, argv);
  out.flush();
  return int(code);
}

namespace {

constexpr std::size_t kPieceBytes = 1 << 16;  // output may be large: JSON

// How many bytes at the end of `text` begin a UTF-8 character that is not whole.
std::size_t begunAtTheEnd(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(text.size(), 3); ++bytes) {
    const auto byte = static_cast<unsigned char>(text[text.size() - bytes]);
    if ((byte & 0xc0) == 0x80) continue;
    return std::size_t(std::countl_one(byte)) > bytes ? bytes : 0;
  }
  return 0;
}

}  // namespace

PrintableBuffer::~PrintableBuffer() { PrintableBuffer::sync(); }

void PrintableBuffer::write(std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = cutBetweenCharacters(text, kPieceBytes);
    if (printableLength(piece, Lines::Many) == piece.size())
      target_.write(piece.data(), std::streamsize(piece.size()));
    else
      target_ << printable(piece, Lines::Many);
    text.remove_prefix(piece.size());
  }
}

std::streamsize PrintableBuffer::xsputn(const char* data, std::streamsize size) {
  std::string_view text(data, std::size_t(size));
  const std::string joined = begun_.empty() ? std::string() : begun_ + std::string(text);
  if (!joined.empty()) text = joined;
  const std::size_t begun = begunAtTheEnd(text);
  write(text.substr(0, text.size() - begun));
  begun_ = text.substr(text.size() - begun);
  return target_ ? size : 0;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char byte = traits_type::to_char_type(character);
  return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

int PrintableBuffer::sync() {
  write(begun_);
  begun_.clear();
  target_.flush();
  return target_ ? 0 : -1;
}

namespace {

bool hasLimit(const std::vector<model::Problem>& problems) {
  return std::ranges::find(problems, model::ProblemKind::Limit, &model::Problem::kind) != problems.end();
}

}  // namespace

bool metLimit(const model::Trace& trace) {
  return std::ranges::any_of(trace.launches,
                             [](const auto& launch) { return hasLimit(launch.recorded().problems); });
}
bool metLimit(const analysis::Analysis& analysis) {
  return std::ranges::any_of(analysis.launches, [](const auto& launch) { return hasLimit(launch.problems); });
}

ExitCode exitCodeOf(const model::Trace& trace, bool limited) {
  const bool endedEarly = !model::hasEnded(trace);
  if (model::isWrong(trace) && !(endedEarly && limited)) return ExitCode::Wrong;
  return limited ? ExitCode::Limit : ExitCode::Right;
}

ExitCode tellLimit(const Context& context, const analysis::Analysis& analysis) {
  for (const analysis::LaunchAnalysis& launch : analysis.launches)
    for (const model::Problem& problem : launch.problems)
      if (problem.kind == model::ProblemKind::Limit) {
        context.streams.error << "A limit was met: " << printable(problem.text) << "\n";
        return ExitCode::Limit;
      }
  return ExitCode::Right;
}

ExitCode worseOf(ExitCode one, ExitCode other) {
  if (one == ExitCode::Right) return other;
  if (other == ExitCode::Right) return one;
  return std::min(one, other);
}

}  // namespace stridescope::cli
