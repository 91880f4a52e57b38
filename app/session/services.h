// What a session is given: engines and timings from outside, and what is shown first.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/access/launch_file.h"
#include "engine/engine.h"
#include "lab/measured.h"
#include "session/command.h"

namespace stridescope::archive {
struct RecordingIndex;
}
namespace stridescope::engine {
class CodeTrust;
}

namespace stridescope::session {

struct ExportOrder;

struct EngineChoice {
  std::string id = {};     // as ChooseEngine takes it; a recording's path
  std::string label = {};  // "NVIDIA H200", "CPU executor", a file's name
  std::string why = {};    // empty if it can be used; else a sentence that says why not and what to do
};

// Adds the recordings at `paths`; one that cannot be read is left out.
void addRecorded(const std::vector<std::string>& paths, std::vector<EngineChoice>& choices);

// A person's own kernel, as it is to be run.
struct KernelOrder {
  std::string path;                      // of its file, beside which its launch file is
  std::optional<std::string> text = {};  // as it stands in the window; nullopt: as the file has it
  // nullopt: as the launch file says, which is there, or must be.
  std::optional<engine::access::LaunchFile> launches = {};
  std::uint64_t inspected = 0;  // the block that is recorded, the blocks counted along x, y, z
  std::string engine = "auto";  // what runs it, as --engine has it
};

// What a run of it left.
struct KernelRecord {
  std::string recording;                // the path of one that is there as long as the session
  std::vector<std::string> notes = {};  // sentences: what was left out, what was taken for granted
  std::string printed = {};             // by the kernel; may be of many lines
};

// Calls run on threads of the session's, some at the same time.
struct SessionServices {
  // "auto" gives the GPU if it works, else the CPU executor.
  std::function<Result<std::shared_ptr<engine::Engine>>(const std::string& id)> makeEngine;
  // The engine of a recording whose index was read already. May be empty: then makeEngine() reads it.
  std::function<std::shared_ptr<engine::Engine>(const std::string& path, archive::RecordingIndex index)>
      makeRecorded = {};
  std::function<std::vector<EngineChoice>()> listEngines;
  // What a person should know on the first start; nullopt: nothing. May be empty.
  std::function<std::optional<Message>()> greet;
  std::function<void()> wake;  // from any thread: something changed, draw a frame
  std::shared_ptr<measure::TimingBoard> timings = nullptr;  // null: nothing is timed
  std::vector<std::string> shippedRecordings = {};          // files that OpenShippedRecording chooses from
  // Compiles, runs and records a person's own kernel. May be empty.
  std::function<Result<KernelRecord>(const KernelOrder& order, engine::JobControl& job)> recordKernel = {};
  std::string draftFolder = {};  // keeps what was typed and not saved (session/drafts.h); empty: nothing is
  // What measured runs. The session adds the board and the CPU executor of these services.
  lab::KnownFrom known = {};
  // Makes the file of an order (session/exports.h). May be empty.
  std::function<Result<void>(const ExportOrder& order, engine::JobControl& job)> exportRun = {};
  // What the engines may compile; the session allows what a person writes, and asks for the rest. May be
  // null.
  std::shared_ptr<engine::CodeTrust> trust = nullptr;
  // The browser edition's own address, before the #, for links that are copied; empty: there is none.
  std::string pageAddress = {};
  std::string scoreFile = {};      // keeps the score of predictions (teaching/score.h); empty: it is not kept
  std::uint64_t questionSeed = 1;  // decides what is asked
};

// What is shown first. The experiment is checked; unless `elementsGiven`, n follows the block size.
struct Start {
  model::Experiment experiment;
  bool elementsGiven = false;
  unsigned round = 0, pass = 0;
  std::optional<unsigned> launch = {};  // of the round; nullopt: the experiment's
  std::string engine = "auto";          // as ChooseEngine takes it
  bool remembered = true;               // what is asked for last is what the next start begins with
  // While the engine `auto` does not stand yet, the CPU executor runs what is asked for; else it is waited
  // for.
  bool cpuMeanwhile = false;
};

}  // namespace stridescope::session
