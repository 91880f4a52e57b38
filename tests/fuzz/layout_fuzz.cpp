// A file of where the panels stand: whatever passes the check is drawn.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz_one.h"
#include "imgui.h"
#include "shell/docking.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "shell/layout_file.h"

namespace stridescope::fuzz {
namespace {

constexpr std::array kPanels{"Ladder", "Shared memory", "Lanes", "Divergence", "Banks", "Source", "Timings"};

class Panels final : public shell::App {
 public:
  void drawFrame(shell::Frame& frame) override {
    const std::vector<shell::NamedLayout> layouts{
        {"fuzz",
         shell::leftOf(200, shell::dockPanels({"Ladder"}),
                       shell::bottomOf(300, shell::dockPanels({"Shared memory", "Lanes", "Divergence"}),
                                       shell::dockPanels({"Banks", "Source", "Timings"})))}};
    frame.docks.draw("fuzz", layouts, 80, 138, 8, 1);
    for (const char* panel : kPanels) {
      ImGui::Begin(panel);
      ImGui::End();
    }
  }
};

}  // namespace

void fuzzOne(std::span<const std::uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  if (const auto fault = shell::faultOfLayout(text, shell::dockSpaceId())) {
    if (fault->empty()) std::abort();
    return;
  }
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("fuzz-layout-" + std::to_string(::getpid()) + ".ini");
  std::ofstream(file, std::ios::binary) << text;
  shell::NullContext graphics({1600, 1000}, 1);
  Panels panels;
  {
    const auto runner = shell::FrameRunner::create(graphics, {.layoutFile = file});
    if (!runner) std::abort();
    for (int frame = 0; frame < 4; ++frame) (*runner)->run(panels);
  }
  // What comes of it is again a file that can be read.
  std::ifstream stream(file, std::ios::binary);
  const std::string written(std::istreambuf_iterator<char>(stream), {});
  if (shell::faultOfLayout(written, shell::dockSpaceId())) std::abort();
  std::filesystem::remove(file);
}

}  // namespace stridescope::fuzz
