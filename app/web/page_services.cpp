#include "page_services.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "archive/recording_file.h"
#include "executor_engine.h"
#include "lab/known/recorded.h"
#include "lab/sources/sources.h"
#include "measure/timing_board.h"
#include "on_a_machine.h"
#include "page_export.h"

namespace stridescope::web {
namespace {

lab::sources::Sources sourcesOfPage() {
  lab::sources::Sources sources;
  sources.makeHost = makeExecutorEngine;
  return sources;
}

Result<std::shared_ptr<engine::Engine>> makeEngine(const std::string& id) {
  auto opened = sourcesOfPage().open(id);
  if (!opened) return tl::unexpected(opened.error());
  return std::shared_ptr<engine::Engine>(std::move(opened->engine));
}

std::vector<session::EngineChoice> listEngines() {
  std::vector<session::EngineChoice> choices{
      {.id = "gpu",
       .label = "a GPU",
       .why = "A page reaches no GPU's kernels. The program on a machine does."},
      {.id = "host", .label = "CPU executor"}};
  session::addRecorded(lab::sources::shippedRecordings(), choices);
  return choices;
}

}  // namespace

session::SessionServices pageServices(const std::shared_ptr<FetchedRecordings>& fetched,
                                      const std::function<void()>& wake) {
  auto board = std::make_shared<measure::TimingBoard>(measure::TimingMakers{}, wake);
  return {
      .makeEngine = makeEngine,
      .makeRecorded = [](const std::string& path, archive::RecordingIndex index)
          -> std::shared_ptr<engine::Engine> { return lab::sources::recordingOf(path, std::move(index)); },
      .listEngines = listEngines,
      .greet = {},
      .wake = wake,
      .timings = std::move(board),
      .shippedRecordings = lab::sources::shippedRecordings(),
      .recordKernel = [](const session::KernelOrder&, engine::JobControl&) -> Result<session::KernelRecord> {
        return onAMachine(
            "A page has no compiler for a kernel of your own. The program on a machine has one.");
      },
      .known = {.recorded =
                    [fetched](const std::string& id) { return lab::recordedFor(id, fetched->records); }},
      .exportRun = [](const session::ExportOrder& order,
                      engine::JobControl& job) { return exportInWorker(order, makeEngine, job); }};
}

RecordingsReader::RecordingsReader() {
  for (const std::string& file : lab::sources::shippedRecordings())
    read_.forEach([&]<class Record>(std::vector<Record>& records) {
      turns_.push_back([&records, file] {
        if (auto more = archive::readQuantity<Record>(file))
          std::ranges::move(*more, std::back_inserter(records));
      });
    });
  std::ranges::reverse(turns_);
}

bool RecordingsReader::takeTurn(FetchedRecordings& fetched, measure::TimingBoard& board) {
  if (!turns_.empty()) {
    turns_.back()();
    turns_.pop_back();
    return false;
  }
  read_.forEach([&]<class Record>(std::vector<Record>& records) {
    fetched.records.of<Record>() = [all = std::move(records)] { return all; };
  });
  board.showRecorded(
      fetched.records.of<model::TimingRecord>().all(), fetched.records.of<model::CostRecord>().all(),
      fetched.records.of<model::GroupTimingRecord>().all(), fetched.records.of<model::LinkRecord>().all());
  return true;
}

}  // namespace stridescope::web
