#include "support/own_kernel_services.h"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "archive/recording_file.h"
#include "engine/access/kernel_run.h"
#include "engine/recorded/recorded_engine.h"
#include "engine/sandbox/object_compiler.h"

namespace stridescope::support {

KernelFolder::KernelFolder() {
  static std::atomic<int> number = 0;
  folder_ = std::filesystem::temp_directory_path() /
            ("stridescope-kernels-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
  std::filesystem::create_directories(folder_);
}

KernelFolder::~KernelFolder() { std::filesystem::remove_all(folder_); }

std::string KernelFolder::write(const std::string& name, const std::string& text) const {
  const std::string temporary = path(name + ".new");
  std::ofstream(temporary, std::ios::binary) << text;
  std::filesystem::rename(temporary, path(name));
  return path(name);
}

std::string KernelFolder::read(const std::string& name) const {
  std::stringstream text;
  text << std::ifstream(path(name), std::ios::binary).rdbuf();
  return text.str();
}

session::SessionServices KernelFolder::services(session::SessionServices services) const {
  services.draftFolder = path("drafts");
  services.makeEngine =
      [make = services.makeEngine](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
    if (id.find('/') == std::string::npos) return make(id);
    auto engine = engine::recorded::openRecordedEngine(id);
    if (!engine) return tl::unexpected(engine.error());
    return std::shared_ptr<engine::Engine>(std::move(*engine));
  };
  services.recordKernel =
      [folder = folder_, runs = runs_, headers = std::make_shared<engine::sandbox::CompiledHeaders>()](
          const session::KernelOrder& order, engine::JobControl& job) -> Result<session::KernelRecord> {
    const int run = ++*runs;
    auto file = engine::access::readKernelFile(order.path);
    if (!file) return tl::unexpected(file.error());
    if (order.text) file->text = *order.text;
    if (order.launches) file->launches = *order.launches;
    const auto ran = engine::access::runKernelFile(*file, job,
                                                   {.program = STRIDESCOPE_ACCESS_CHILD,
                                                    .inspected = {unsigned(order.inspected), 0, 0},
                                                    .headers = headers});
    if (!ran) return tl::unexpected(ran.error());
    const std::string recording = (folder / ("run" + std::to_string(run) + ".stride")).string();
    const auto written = archive::writeRecording(recording, {&ran->trace, 1}, true);
    if (!written) return tl::unexpected(written.error());
    return session::KernelRecord{.recording = recording, .notes = ran->notes, .printed = ran->printed};
  };
  return services;
}

bool comesTo(session::Session& session, const std::function<bool()>& done) {
  for (int i = 0; i < 1000 && !done(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    session.update(0.01);
  }
  return done();
}

}  // namespace stridescope::support
