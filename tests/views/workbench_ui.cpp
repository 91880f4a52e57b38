#include "workbench_ui.h"

#include <utility>

#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_engine.h"
#include "imgui_internal.h"
#include "lab/known/recorded.h"
#include "support/grid_records.h"
#include "support/stand_in_clock.h"

namespace stridescope::views::test {

session::SessionServices hostServices() {
  return {.makeEngine = [](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
            if (id == "host" || id == "auto")
              return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
            auto engine = engine::recorded::openRecordedEngine(id);
            if (!engine) return tl::unexpected(engine.error());
            return std::shared_ptr<engine::Engine>(std::move(*engine));
          },
          .listEngines =
              [] {
                return std::vector<session::EngineChoice>{
                    {.id = "gpu:0", .label = "a GPU", .why = "No NVIDIA driver was found."},
                    {.id = "host", .label = "CPU executor"}};
              },
          .greet = {},
          .wake = {}};
}

session::SessionServices hostServicesWith(lab::Recorded recorded) {
  session::SessionServices services = hostServices();
  services.known.recorded = [recorded = std::move(recorded)](const std::string&) { return recorded; };
  return services;
}

lab::Recorded someCycles() {
  lab::Recorded recorded;
  recorded.of<model::ClockRecord>() = [](const model::Experiment& experiment) {
    engine::JobControl job;
    std::vector<model::ClockRecord> records;
    const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
    if (variant->family != kernels::Family::Ladder || !engine::checkedExperiment(experiment, true))
      return records;
    const auto trace = engine::host::makeHostEngine()->record(experiment, job);
    for (const model::ClockedGrid company : model::kClockedGrids) {
      const std::uint64_t factor = company == model::ClockedGrid::Alone ? 7 : 9;
      records.push_back(support::standInRecord(*trace, company, 41,
                                               [factor](std::size_t mark) { return factor * mark * mark; }));
      records.back().executor.device = "NVIDIA H100 80GB HBM3";
    }
    return records;
  };
  return recorded;
}

session::SessionServices hostServicesWithCycles() { return hostServicesWith(someCycles()); }

static lab::Recorded someCounters() {
  lab::Recorded recorded;
  recorded.of<model::CounterRecord>() = [](const model::Experiment& experiment) {
    using model::Counter;
    model::CounterRecord record;
    record.experiment = experiment;
    record.kernelHash = model::hashOf(kernels::kernelText(experiment));
    record.executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H100 80GB HBM3"};
    record.launches.push_back({.grid = 1,
                               .block = experiment.threads,
                               .values = {{Counter::SharedLoadWavefronts, 95},
                                          {Counter::SharedStoreWavefronts, 59},
                                          {Counter::SharedLoadConflicts, 70},
                                          {Counter::SharedStoreConflicts, 39},
                                          {Counter::Instructions, 1064},
                                          {Counter::DivergentBranchTargets, 0},
                                          {Counter::AchievedOccupancy, 11.75}}});
    return std::vector{record};
  };
  return recorded;
}

session::SessionServices hostServicesWithCounters() { return hostServicesWith(someCounters()); }

session::SessionServices hostServicesWithGrids() {
  lab::Recorded recorded = someCounters();
  const auto ofKernel = [](auto record, const model::Experiment& experiment) {
    record.experiment = experiment;
    record.kernelHash = model::hashOf(kernels::kernelText(experiment));
    return record;
  };
  const auto ofBothSizes = [ofKernel](const auto& record, const model::Experiment& experiment) {
    std::vector records{ofKernel(record, experiment), ofKernel(record, experiment)};
    records[0].experiment.elements = 3072, records[1].experiment.elements = 1 << 20;
    return records;
  };
  recorded.of<model::TimelineRecord>() = [ofBothSizes](const model::Experiment& experiment) {
    return experiment.variant == "sequential" ? ofBothSizes(support::smallTimeline(), experiment)
                                              : std::vector<model::TimelineRecord>();
  };
  recorded.of<model::CostRecord>() = [ofKernel](const model::Experiment& experiment) {
    std::vector<model::CostRecord> records;
    const bool before = experiment.variant == "interleaved_contiguous";
    if (experiment.variant != "sequential" && !before) return records;
    model::CostRecord cost = ofKernel(support::roundCost(), experiment);
    if (before)
      cost.microseconds = 130, cost.lowerQuartile = 129, cost.upperQuartile = 131,
      cost.emptyMicroseconds = 60, cost.launches.push_back(cost.launches.back());
    return std::vector{cost};
  };
  recorded.of<model::PeelRecord>() = [ofBothSizes](const model::Experiment& experiment) {
    return ofBothSizes(support::smallPrices(experiment.variant), experiment);
  };
  recorded.of<model::MachineCode>() = [ofKernel](const model::Experiment& experiment) {
    return std::vector{ofKernel(support::smallCode(), experiment)};
  };
  return hostServicesWith(std::move(recorded));
}

std::vector<Panel> panelsWith(std::shared_ptr<TimingsState> timings) {
  std::vector<Panel> panels = allPanels();
  *std::ranges::find(panels, "timings", &Panel::id) = timingsPanel(std::move(timings));
  return panels;
}

WorkbenchUi::WorkbenchUi(const UiRequest& request, session::SessionServices services,
                         std::optional<Panel> more) {
  model::Experiment experiment;
  experiment.variant = request.variant;
  experiment.threads = request.threads;
  experiment.type = request.type;
  experiment.elements = request.elements;
  const auto checked =
      engine::checkedExperiment(request.experiment.value_or(experiment), request.elements > 0);
  EXPECT_TRUE(checked);
  session_ = std::make_unique<session::Session>(std::move(services), request.settings,
                                                session::Start{.experiment = *checked,
                                                               .elementsGiven = request.elements > 0,
                                                               .round = request.round,
                                                               .engine = "host"});
  session_->waitForJobs();
  for (const session::Command& command : request.before) session_->apply(command);
  std::vector<Panel> panels = panelsWith(timings_);
  if (more) panels.push_back(*std::move(more));
  workbench_ = std::make_unique<Workbench>(
      *session_, [this](const session::Settings& settings) { saved_ = settings; }, std::move(panels));
  ui_ = std::make_unique<support::UiHarness>(*workbench_, request.size, request.scale);
  settle();
}

void WorkbenchUi::settle() {
  session_->waitForJobs();
  ui_->drawFrames(6);  // three for the layout, then scrolling, which follows a frame behind
}

void WorkbenchUi::apply(const session::Command& command) {
  session_->apply(command);
  settle();
}

std::string WorkbenchUi::textsIn(const std::string& window) const {
  std::string texts;
  for (const draw::TextLog::Entry& entry : ui_->texts().entries())
    if (window.empty() || entry.window == window || entry.window.starts_with(window + "/scrolled_"))
      texts += entry.text + "\n";
  return texts;
}

bool WorkbenchUi::shows(const std::string& text, const std::string& window) const {
  return textsIn(window).find(text) != std::string::npos;
}

bool WorkbenchUi::hasRoom(const std::string& window) const {
  return std::ranges::none_of(ImGui::GetCurrentContext()->Windows, [&](const ImGuiWindow* each) {
    const std::string_view name(each->Name);
    return each->WasActive && name.starts_with(window) && name.find("/scrolled_") != name.npos;
  });
}

std::string clipboard() {
  const char* const text = ImGui::GetClipboardText();
  return text == nullptr ? std::string() : text;
}

bool tooltipIsShown() {
  return std::ranges::any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
    return (window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->WasActive && !window->Hidden;
  });
}

std::string spoken(const WorkbenchUi& w) {
  std::string text = w.textsIn("");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

bool WorkbenchUi::hasTooltip(const std::string& text, const std::string& window) {
  ImVec2 middle{};
  for (const draw::TextLog::Entry& entry : ui_->texts().entries())
    if (entry.text == text && entry.window.starts_with(window))
      middle = {(entry.min.x + entry.max.x) / 2, (entry.min.y + entry.max.y) / 2};
  EXPECT_GT(middle.x, 0) << "no text " << text << " in " << window;
  bool shown = false;
  run("rest on " + text, [&](ImGuiTestContext* test) {
    test->MouseTeleportToPos({1, 1});
    test->MouseMoveToPos(middle);
    test->SleepNoSkip(0.5f, 1.0f / 60);
    shown = tooltipIsShown();
  });
  return shown;
}

ImVec2 WorkbenchUi::cellOf(const std::string& grid, int column, int row) const {
  const draw::PaintedGrid* painted = ui_->findGrid(grid);
  if (painted == nullptr) {
    ADD_FAILURE() << "no grid " << grid;
    return {};
  }
  const float width = (painted->max.x - painted->min.x) / float(painted->columns);
  const float height = (painted->max.y - painted->min.y) / float(painted->rows);
  return {painted->min.x + width * (float(column) + 0.5f), painted->min.y + height * (float(row) + 0.5f)};
}

}  // namespace stridescope::views::test
