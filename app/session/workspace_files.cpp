// The session's recordings: opened and saved.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "archive/recording_file.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "base/regular_file.h"
#include "engine/access/kernel_file.h"
#include "engine/access/launch_guess.h"
#include "engine/code_trust.h"
#include "engine/own_data.h"
#include "session/experiment_choices.h"
#include "session/own_kernel.h"
#include "session/workspace.h"

namespace stridescope::session {
namespace {

// The recorded experiment is chosen, as far as it is not for a person who had chosen otherwise: a block size,
// n and a data pattern come back when the recording is left.
ExperimentChoices choicesBeside(const ExperimentChoices& before, const model::Experiment& recorded) {
  ExperimentChoices choices = choicesOf(recorded, !isOneBlockLoad(recorded));
  if (recorded.given.get() != nullptr) return choices;  // numbers that are nowhere else
  const auto keep = [&](bool chosen, bool& flag, auto field) {
    if (!chosen) return;
    flag = true;
    choices.experiment.*field = before.experiment.*field;
  };
  keep(before.threads, choices.threads, &model::Experiment::threads);
  keep(before.elements, choices.elements, &model::Experiment::elements);
  keep(before.data, choices.data, &model::Experiment::data);
  return choices;
}

struct Nearest {
  std::string path, opened;  // the recording's; what it was made of, where that is another file
  archive::RecordingIndex index;
  std::size_t entry = 0;
  unsigned nearness = 0;
};

// Guesses the launches of a kernel without a launch file. nullopt: its text leaves too much open.
std::optional<engine::access::LaunchFile> guessedLaunches(const std::filesystem::path& path,
                                                          const std::string& text) {
  engine::access::KernelFile file{
      .name = path.filename(), .folder = path.parent_path(), .text = text, .launches = {.launches = {{}}}};
  if (!engine::access::guessLaunch(file)) return std::nullopt;
  return std::move(file.launches);
}

KernelAttempt attemptOf(KernelOrder order, const SessionServices& services, engine::JobControl& control) {
  KernelAttempt attempt{.order = std::move(order)};
  if (!attempt.order.text) {
    auto text = readRegularFile(attempt.order.path, "CUDA C++", engine::access::kMaxKernelTextBytes);
    if (!text) {
      attempt.error = text.error();
      return attempt;
    }
    attempt.order.text = withoutReturns(*std::move(text));
  }
  const std::filesystem::path launchFile = launchFileOf(attempt.order.path);
  std::error_code unknown;
  if (auto launches = readRegularFile(launchFile, "a launch file", engine::access::kMaxLaunchFileBytes))
    attempt.launches = *std::move(launches);
  else if (!std::filesystem::exists(launchFile, unknown))
    attempt.order.launches = guessedLaunches(attempt.order.path, *attempt.order.text);
  auto record = services.recordKernel(attempt.order, control);
  if (record)
    attempt.record = *std::move(record);
  else
    attempt.error = record.error();
  return attempt;
}

// The nearest of all traces in these files. If none can be read, the error is the last file's.
Result<Nearest> nearestIn(const std::vector<std::string>& paths, const model::Experiment& shown,
                          const SessionServices& services, const std::string& engine,
                          engine::JobControl& control) {
  std::optional<Nearest> best;
  Error unread = cancelled().value();
  for (const std::string& opened : paths) {
    std::string path = opened;
    if (model::isKernelFile(opened)) {
      const KernelAttempt attempt = attemptOf({.path = opened, .engine = engine}, services, control);
      if (attempt.error) return tl::unexpected(*attempt.error);
      path = attempt.record.recording;
    }
    auto index = archive::readIndex(path, &control.cancel);
    if (!index) {
      unread = index.error();
      continue;
    }
    const auto nearness = [&](const archive::RecordingEntry& entry) {
      return nearnessOf(entry.experiment, shown);
    };
    const auto entry = std::ranges::max_element(index->traces, {}, nearness);
    if (best && nearness(*entry) <= best->nearness) continue;
    const auto place = std::size_t(entry - index->traces.begin());
    const unsigned near = nearness(*entry);
    best = Nearest{path, opened, std::move(*index), place, near};
  }
  if (!best) return tl::unexpected(std::move(unread));
  return *std::move(best);
}

}  // namespace

void addRecorded(const std::vector<std::string>& paths, std::vector<EngineChoice>& choices) {
  for (const std::filesystem::path path : paths)
    if (const auto index = archive::readIndex(path))
      choices.push_back({.id = path.string(),
                         .label = "recorded on " + index->traces.front().executor.device + " (" +
                                  printable(path.stem().native()) + ")"});
}

std::string launchFileOf(const std::string& kernel) {
  return std::filesystem::path(kernel).replace_extension(".launch.json");
}

void Workspace::openRecording(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  const bool interrupts = jobs_.status().has_value();
  const std::string what = paths.size() == 1 ? printable(paths.front()) : "the recordings from a GPU";
  const bool isKernel = model::isKernelFile(paths.front());
  if (isKernel && !services_.recordKernel) return;
  jobs_.start((isKernel ? "Compiling " : "Reading ") + what,
              [=, this, shown = asked_.experiment,
               engine = executing_](engine::JobControl& control) -> Jobs::Delivery {
                auto nearest = nearestIn(paths, shown, services_, engine,
                                         control);  // input data is compared here: it may be large
                return [=, this, nearest = std::move(nearest)]() mutable {
                  if (!nearest)
                    return tellUnread(nearest.error(), Overlay::OpenFile, paths.front(), interrupts);
                  app_.closeOverlay(Overlay::OpenFile);
                  std::optional<model::Experiment> other;
                  if (nearest->nearness < kSameExperiment)
                    other = nearest->index.traces[nearest->entry].experiment;
                  app_.keepRecent(nearest->opened);
                  showRecording(nearest->path, std::move(nearest->index), other);
                };
              });
}

void Workspace::recordKernel(KernelOrder order, std::function<void(const KernelAttempt&)> attempted) {
  order.engine = executing_;
  const bool interrupts = jobs_.status().has_value();
  jobs_.start("Compiling " + printable(std::filesystem::path(order.path).filename().native()),
              [=, this](engine::JobControl& control) -> Jobs::Delivery {
                KernelAttempt attempt = attemptOf(order, services_, control);
                auto index = attempt.error ? Result<archive::RecordingIndex>(cancelled())
                                           : archive::readIndex(attempt.record.recording, &control.cancel);
                if (!attempt.error && !index) attempt.error = index.error();
                return [=, this, index = std::move(index)]() mutable {
                  if (!attempt.record.recording.empty()) app_.leaveOutOfRecent(attempt.record.recording);
                  attempted(attempt);
                  if (index) {
                    const model::Experiment recorded = index->traces.front().experiment;
                    return showRecording(attempt.record.recording, *std::move(index), recorded);
                  }
                  if (!interrupts) return;
                  const auto message = app_.message();  // recording takes it away
                  startRecording();
                  if (message) app_.tell(*message);
                };
              });
}

void Workspace::showRecording(const std::string& path, archive::RecordingIndex index,
                              const std::optional<model::Experiment>& other) {
  asked_.recording = std::make_shared<const archive::RecordingIndex>(std::move(index));
  asked_.engineId = path;
  if (other) {
    asked_.experiment = *other;
    if (!asked_.before) asked_.before = asked_.choices;
    asked_.choices = choicesBeside(*asked_.before, *other);
  }
  startRecording();
}

void Workspace::tellUnread(const Error& error, Overlay form, const std::string& path, bool interrupted) {
  if (interrupted) startRecording();  // which takes the message before away
  Message message = messageOf(error);
  message.form = form;
  message.actionLabel = "Open another";
  message.action = ShowOverlay{form, path};
  app_.tell(std::move(message));
}

void Workspace::takeShippedRecordings(std::vector<std::string> paths) {
  services_.shippedRecordings = std::move(paths);
  opens_.start("Looking at recordings", [this, services = services_](engine::JobControl&) -> Jobs::Delivery {
    return [this, engines = services.listEngines()]() mutable { engines_ = std::move(engines); };
  });
  // What is recorded now is looked up once it is there. The run that is shown stays the same one, with all
  // that a person did with it.
  if (asked_.recording || jobs_.status()) return;
  if (const auto run = lastRun_.lock()) lookUp(run);
}

void Workspace::saveRecording(const SaveRecording& request, std::shared_ptr<const lab::Run> run,
                              lab::RunMeasured measured) {
  const auto postpone = [this](std::string sentence) {
    app_.tell({.kind = MessageKind::ToDo, .sentence = std::move(sentence), .form = Overlay::SaveFile});
  };
  if (!run || jobs_.status())
    return postpone("There is nothing to save yet. Save again when the recording has ended.");
  if (saves_.status()) return postpone("Another file is being saved. Save again when it has been written.");
  saves_.poll();  // what became of the one before
  saves_.start(
      "Saving " + printable(request.path),
      [this, request, run = std::move(run),
       measured = std::move(measured)](engine::JobControl&) -> Jobs::Delivery {
        auto written =
            archive::writeRecording(request.path, {&run->trace, 1}, request.overwrite, lab::keptOf(measured));
        return [this, request, written = std::move(written)] {
          if (written) return app_.tellSaved(absoluteOf(request.path), Overlay::SaveFile);
          Message message = messageOf(written.error(), request.path, SaveRecording{request.path, true});
          message.form = Overlay::SaveFile;
          app_.tell(std::move(message));
        };
      });
}

// What a person brings along: an operator, numbers from a file.

namespace {

// What the numbers of a file might be instead: the other types that the variant and the operator offer.
std::vector<model::ElementType> otherTypes(const model::Experiment& experiment) {
  std::vector<model::ElementType> types;
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return types;
  for (const model::ElementType type : model::kElementTypes)
    if (type != experiment.type && whyNotType(*kernel, type, experiment.op).empty()) types.push_back(type);
  return types;
}

bool isListsFile(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

}  // namespace

void Workspace::chooseCustom(const ChooseCustom& request) {
  custom_ = {.combine = request.combine, .identity = request.identity};
  const auto refuse = [this](const Error& error) {
    Message message = messageOf(error);
    message.form = Overlay::CustomOperator;
    app_.tell(std::move(message));
  };
  const auto custom = engine::readCustomOperator(request.combine, request.identity, asked_.experiment.type);
  if (!custom) return refuse(custom.error());
  if (const std::string why = whyNotCustom(); !why.empty())
    return refuse({.kind = ErrorKind::Usage, .sentence = why});
  // A text that was written here may be compiled. A recording's stands in the field, too, but may be longer
  // than what is seen of it there.
  const bool fromFile = fileCode_ && fileCode_->text == custom->combine;
  if (services_.trust && !fromFile) services_.trust->allow(custom->combine);
  choose([&](ExperimentChoices& choices) {
    choices.experiment.op = model::Operator::Custom;
    choices.experiment.custom = custom_;
  });
}

void Workspace::askAboutCode(const Error& error) {
  codeQuestion_ = CodeQuestion{.text = error.details, .from = {}, .unconfined = {}};
  if (fileCode_ && fileCode_->text == error.details) codeQuestion_ = fileCode_;
  if (error.cause == ErrorCause::UnconfinedCode) codeQuestion_->unconfined = error.sentence;
  app_.openOverlay(Overlay::TrustCode);
}

void Workspace::answerCode(bool allow) {
  if (!codeQuestion_) return;
  const CodeQuestion question = *std::exchange(codeQuestion_, std::nullopt);
  app_.closeOverlay();
  if (allow && services_.trust) {
    services_.trust->allow(question.text);
    if (!question.unconfined.empty()) services_.trust->allowUnconfined();
    startRecording();
    return;
  }
  takeBackRequest();
  app_.tell({.kind = MessageKind::Fine, .sentence = "The operator was not compiled, and nothing of it ran."});
}

std::string Workspace::whyNotCustom() const {
  const model::Kernel* const kernel = kernels::kernelOf(asked_.experiment);
  return kernel == nullptr ? std::string()
                           : whyNotOperator(*kernel, asked_.experiment.type, model::Operator::Custom);
}

Message tellLeft(const model::GivenData& numbers, model::ElementType type) {
  return {.kind = MessageKind::Fine,
          .sentence = "The numbers of " + numbers.name + " came with a recording, in another type than " +
                      std::string(model::nameOf(type)) +
                      ": a data pattern stands in their place. Open them as a file.",
          .actionLabel = "Open a file",
          .action = ShowOverlay{Overlay::OwnData}};
}

void Workspace::openData(const OpenData& request) {
  ExperimentChoices choices = asked_.choices;
  if (!request.variant.empty()) choices.experiment.variant = request.variant;
  choices.experiment.type = request.type.value_or(asked_.experiment.type);  // seen, though perhaps borrowed
  choices.experiment.launch = 0, choices.experiment.block = 0;
  choices.numbersPath = request.path;
  const model::ElementType type = experimentFor(choices).type;
  if (isListsFile(request.path) && refusesLists(request.path, choices.experiment)) return;
  readNumbers(std::move(choices), type);
}

void Workspace::readNumbers(ExperimentChoices choices, model::ElementType type) {
  const std::string path = choices.numbersPath;
  const bool lists = isListsFile(path);
  const bool interrupts = jobs_.status().has_value();
  jobs_.start(
      "Reading " + printable(path),
      [=, this, choices = std::move(choices)](engine::JobControl&) -> Jobs::Delivery {
        auto numbers = lists ? engine::readLists(path, type) : engine::readNumbers(path, type);
        const auto other =
            numbers ? std::nullopt : engine::typeThatReads(path, lists, otherTypes(experimentFor(choices)));
        return [=, this, numbers = std::move(numbers)]() mutable {
          if (!numbers) {
            tellUnread(numbers.error(), Overlay::OwnData, path, interrupts);
            if (other && *other != asked_.experiment.type)
              offer({path, *other, choices.experiment.variant}, model::nameOf(*other));
            return;
          }
          ExperimentChoices read = choices;
          read.experiment.given = model::SharedData(std::move(*numbers));
          read.numbersType = type;
          const bool taken = asked_.recording ? take(read, chosenAnew(asked_.choices, read))
                                              : takeChecked(choices.experiment.type == type ? read : choices,
                                                            experimentFor(read));
          if (taken) app_.closeOverlay(Overlay::OwnData);
        };
      });
}

bool Workspace::refusesLists(const std::string& path, const model::Experiment& request) {
  const model::Kernel* const kernel = kernels::kernelOf(request);
  if (kernel == nullptr || kernel->merges()) return false;
  tellUnread({.kind = ErrorKind::Usage,
              .sentence = path + " is a file of lists, and \"" + kernel->title +
                          "\" reduces numbers: it has no lists. Choose a merge, or open a file of numbers."},
             Overlay::OwnData, path, false);
  const auto merge = std::ranges::find_if(kernels::catalog(), &kernels::Variant::merges);
  if (merge != kernels::catalog().end()) offer({path, std::nullopt, std::string(merge->id)}, merge->title);
  return true;
}

// The message on screen offers to choose `what` and to open the file with it.
void Workspace::offer(const OpenData& request, std::string_view what) {
  Message message = *app_.message();
  message.actionLabel = "Choose " + std::string(what);
  message.action = request;
  app_.tell(std::move(message));
}

}  // namespace stridescope::session
