// stridescope init
#include <filesystem>

#include "base/pending_file.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/own_kernel.h"
#include "model/kernel.h"

namespace stridescope::cli {
namespace {

class InitCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "init";
    options.about = "Writes a launch file for a kernel of your own, with a guess of what it does not say";
    options.value("file", file_, "The kernel's file", "FILE.cu");
    options.value("--block", block_, "The threads of a block, as X, XxY or XxYxZ", "EXTENTS");
    kernels_.declare(options);
    options.value("-o,--output", output_, "The file to write: FILE.launch.json beside FILE.cu unless given",
                  "FILE.json");
    options.flag("--force", force_, "Replace a file that is there already");
    options.footer =
        "Examples:\n"
        "  stridescope init transpose.cu\n"
        "  stridescope init reduce.cu --kernel reduce --template 'float, 256' --arg n=2^16";
  }

  ExitCode run(const Context& context) override {
    if (!model::isKernelFile(file_))
      return tell(context,
                  Error{ErrorKind::Usage, "init needs the file of a kernel, such as transpose.cu.", {}});
    std::filesystem::path target = output_.value_or("");
    if (target.empty()) target = std::filesystem::path(file_).replace_extension(".launch.json");
    if (const auto file = PendingFile::create(target, force_); !file) return tell(context, file.error());
    if (const auto options = kernels_.runOptions(); !options) return tell(context, options.error());
    const auto launches = kernels_.launches(file_, block_, true);
    if (!launches) return tell(context, launches.error());
    const auto written = writeWhole(target, engine::access::printLaunchFile(launches->file.launches), force_);
    if (!written) return tell(context, written.error());
    context.streams.out << printable(target.native()) << ": step it by `stridescope step " << printable(file_)
                        << "`\n";
    for (const std::string& each : launches->guessed)
      context.streams.out << "guessed: " << printable(each) << "\n";
    return ExitCode::Right;
  }

 private:
  std::string file_;
  std::optional<std::string> block_, output_;
  KernelOptions kernels_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> makeInitCommand() { return std::make_unique<InitCommand>(); }

}  // namespace stridescope::cli
