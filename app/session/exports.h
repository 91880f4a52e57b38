// Hands out what is shown: pictures of the screen, and files that a process of their own makes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picture/image.h"
#include "session/app_state.h"
#include "session/command.h"
#include "session/jobs.h"
#include "session/replay.h"
#include "session/services.h"
#include "session/workspace.h"

namespace stridescope::session {

struct ExportedRun {
  std::shared_ptr<const lab::Run> run;
  lab::RunMeasured measured;
};

// A file to be made of runs. Those are there already; the others are recorded first.
struct ExportOrder {
  ExportFile file;
  std::vector<ExportedRun> runs;  // at least one
  std::vector<model::Experiment> others;
  std::string engine;  // that records the others
  ThemeName theme{};
  double speed = 1;  // rounds per second
};

class Exports {
 public:
  // `app`, which outlives this, is told what became of a file.
  Exports(const SessionServices& services, AppState& app);
  Exports(const Exports&) = delete;
  Exports& operator=(const Exports&) = delete;

  std::optional<JobStatus> job() const { return jobs_.status(); }

  // Starts one export at a time. For Png, it asks the window for the picture. `runs` are shown; there is at
  // least one.
  void start(const ExportFile& request, const Workspace& workspace, std::vector<ExportedRun> runs);
  // The picture that was asked for.
  void write(const ExportFile& request, Result<picture::Image> picture);
  void cancel() { jobs_.cancel(); }

  void poll() { jobs_.poll(); }  // tells what became of the file
  void wait();                   // until it is told

 private:
  void startJob(const ExportFile& request, std::function<Result<void>(engine::JobControl&)> work);
  void tell(const ExportFile& request, const Result<void>& written);
  void postpone(std::string sentence);

  std::function<Result<void>(const ExportOrder&, engine::JobControl&)> exportRun_;
  AppState& app_;
  Jobs jobs_;  // last: its thread ends before what it uses
};

}  // namespace stridescope::session
