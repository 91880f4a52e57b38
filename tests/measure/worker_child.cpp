// A worker process of the tests: serves a stand-in device, and goes wrong as its argument says.
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "measure/gpu/timing_worker.h"
#include "stand_in.h"

int main(int argc, char** argv) {
  using namespace stridescope;
  using namespace stridescope::measure;
  const std::string mode = argc > 1 ? argv[1] : "";
  auto behaviour = std::make_shared<StandInBehaviour>();
  const auto clock = std::make_shared<StandInClock>();
  behaviour->microseconds = {{"sequential", 12.5}};
  behaviour->unavailable["missing"] = "There is no such variant.";
  behaviour->disturbances = {"The clock is held down."};
  behaviour->mostElements = 1 << 20;
  if (mode == "lost") behaviour->failsAtCall = 2;
  if (mode == "crash")
    behaviour->onSample = [](const std::string&) {
      std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit code of it
      std::raise(SIGSEGV);
    };
  if (mode == "hang")
    behaviour->onSample = [](const std::string&) { std::this_thread::sleep_for(std::chrono::hours(1)); };
  if (mode == "crash at look") behaviour->onLook = [] { std::raise(SIGKILL); };
  return gpu::serveTimings([&]() -> Result<std::unique_ptr<TimingDevice>> {
    while (mode == "hang in opening") std::this_thread::sleep_for(std::chrono::hours(1));
    if (mode == "none") return unavailable("There is no GPU in this test.");
    return makeStandIn(TimingDeviceKind::Gpu, behaviour, clock);
  });
}
