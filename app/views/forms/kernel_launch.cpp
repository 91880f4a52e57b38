#include "views/forms/kernel_launch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "base/read_floating.h"
#include "engine/access/launch_file.h"
#include "imgui_stdlib.h"
#include "session/own_kernel.h"
#include "views/forms/experiment_fields.h"
#include "views/forms/forms.h"

namespace stridescope::views {

using engine::access::ArgumentRequest;
using engine::access::extentsText;
using engine::access::isPartOf;
using engine::access::LaunchFile;
using engine::access::LaunchRequest;
using engine::access::whatOf;

namespace {

constexpr float kLaunchFieldWidth = 220;  // units
constexpr const char* kGridFault = "This is no grid. Type one to three numbers, such as 8, 32x8 or 4x4x2.";
constexpr const char* kBlockFault =
    "This is no block. Type one to three numbers, such as 256, 32x8 or 8x8x4.";
constexpr const char* kBytesFault = "This is no number of bytes. Type one, such as 1024 or 2^12.";

std::size_t shownLaunch(const session::Parts& parts, const LaunchFile& file) {
  return std::min<std::size_t>(parts.replay.playhead().launch, file.launches.size() - 1);
}

const engine::access::KernelDeclaration* declarationOf(const session::OwnKernel& kernel,
                                                       const std::string& name) {
  for (const auto& each : kernel.kernels())
    if (name.empty() || each.name == name || each.qualified == name) return &each;
  return nullptr;
}

// What a field cannot say stays as it is: an array by another's name, a fill that is not 0.
bool isTypable(const ArgumentRequest& argument) {
  constexpr std::size_t kMaxNumbers = 32;
  return argument.array.empty() && (!argument.fill || *argument.fill == "0") &&
         argument.values.size() <= kMaxNumbers;
}

// Guesses the launches of a file that has none.
LaunchFile guessedFor(const session::OwnKernel& kernel, const std::string& name) {
  LaunchFile file{.launches = {{}}};
  file.launches.front().kernel = name;
  return kernel.guessed(std::move(file));
}

bool isNumber(std::string_view text) {
  constexpr std::array<std::string_view, 5> kWords{"inf", "-inf", "nan", "true", "false"};
  double value = 0;
  const auto [end, error] = readFloating(text.data(), text.data() + text.size(), value);
  return (error == std::errc() && end == text.data() + text.size()) || typedNumber(text).has_value() ||
         std::ranges::count(kWords, text) != 0;
}

// nullopt: it is nothing that --arg takes.
std::optional<ArgumentRequest> argumentOf(const std::string& name, const std::string& what) {
  if (what.find(',') == what.npos) {
    if (what.find(':') == what.npos && !isNumber(what)) return std::nullopt;
    const auto argument = engine::access::parseArgument(name + "=" + what);
    return argument ? std::optional(*argument) : std::nullopt;
  }
  ArgumentRequest argument;
  argument.name = name;
  std::string_view rest = what;
  while (true) {
    std::string_view number = rest.substr(0, rest.find(','));
    const auto begin = number.find_first_not_of(' ');
    if (begin == number.npos) return std::nullopt;
    number = number.substr(begin, number.find_last_not_of(' ') - begin + 1);
    if (!isNumber(number)) return std::nullopt;
    argument.values.emplace_back(number);
    if (rest.find(',') == rest.npos) return argument;
    rest.remove_prefix(rest.find(',') + 1);
  }
}

// A field of the bar whose value is typed. `take` gives why what was typed is none; empty: it was taken.
void typedEntry(ViewContext& view, const std::string& shown, const char* hint,
                const std::function<std::string(const std::string&)>& take) {
  static struct { std::string text, why; } typed;  // the open list's
  if (ImGui::IsWindowAppearing()) {
    typed = {shown, {}};
    ImGui::SetKeyboardFocusHere();
  }
  const float width = view.px(kLaunchFieldWidth);
  ImGui::SetNextItemWidth(width);
  const bool enter = ImGui::InputTextWithHint(
      "##typed", hint, &typed.text, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (ImGui::IsItemEdited()) typed.why.clear();
  if (enter) {
    typed.why = take(typed.text);
    if (typed.why.empty())
      ImGui::CloseCurrentPopup();
    else
      ImGui::SetKeyboardFocusHere(-1);
  }
  if (!typed.why.empty()) remark(view, width, printable(typed.why), session::MessageKind::Wrong);
}

}  // namespace

// What the form is filled in with.
struct LaunchDraft {
  LaunchFile file;
  std::size_t launch = 0;
  std::string kernel, templateArguments, grid, block, shared;
  // By parameter, or by member of a struct whose members are given; what it is.
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string why;  // what is wrong with them

  void show(const session::OwnKernel& own, std::size_t which) {
    launch = which;
    const LaunchRequest& request = file.launches[launch];
    kernel = request.kernel;
    templateArguments = request.templateArguments;
    grid = extentsText(request.grid), block = extentsText(request.block);
    shared = std::to_string(request.sharedBytes);
    showArguments(own);
  }

  void showArguments(const session::OwnKernel& own) {
    arguments.clear();
    const auto* const declaration = declarationOf(own, kernel);
    if (declaration == nullptr) return;
    for (const engine::access::KernelParameter& parameter : declaration->parameters) {
      const std::size_t before = arguments.size();
      for (const ArgumentRequest& given : file.launches[launch].arguments)
        if (isPartOf(given.name, parameter.name)) arguments.emplace_back(given.name, whatOf(given));
      if (arguments.size() == before) arguments.emplace_back(parameter.name, std::string());
    }
  }

  // Empty: it is taken into the file.
  std::string take() {
    LaunchRequest request = file.launches[launch];
    const auto grids = engine::access::parseExtents(grid), blocks = engine::access::parseExtents(block);
    const auto bytes = typedNumber(shared);
    if (!grids) return kGridFault;
    if (!blocks) return kBlockFault;
    if (!bytes) return kBytesFault;
    request.kernel = kernel, request.templateArguments = templateArguments;
    request.grid = *grids, request.block = *blocks, request.sharedBytes = *bytes;
    std::vector<ArgumentRequest> all;
    for (const auto& [name, what] : arguments) {
      const auto found = std::ranges::find(request.arguments, name, &ArgumentRequest::name);
      if (found != request.arguments.end() && (!isTypable(*found) || whatOf(*found) == what)) {
        all.push_back(*found);
        continue;
      }
      if (what.empty())
        return "'" + name + "' is given nothing. Type a number, or a pattern and a count as in ramp:1024.";
      auto argument = argumentOf(name, what);
      if (!argument)
        return "'" + name + "' cannot be '" + what +
               "'. Type a number, a pattern and a count as in ramp:1024 or zero:64, or file:PATH.";
      all.push_back(*std::move(argument));
    }
    request.arguments = std::move(all);
    file.launches[launch] = std::move(request);
    return {};
  }
};

std::vector<BarField> kernelBarFields(ViewContext& view) {
  std::vector<BarField> fields;
  const auto& launches = view.kernel.launches();
  if (!launches) return fields;
  const LaunchRequest& shown = launches->launches[shownLaunch(view, *launches)];
  // The launch file with the shown launch changed.
  const auto change = [&view](const auto& how) {
    LaunchFile file = *view.kernel.launches();
    how(file.launches[shownLaunch(view, file)]);
    view.commands.push_back(session::SetLaunches{engine::access::printLaunchFile(file)});
  };
  if (view.kernel.kernels().size() > 1)
    fields.push_back({.label = "kernel",
                      .width = 130,
                      .shown = shown.kernel.empty() ? "which one?" : shown.kernel,
                      .entries = [&view, change] {
                        for (const auto& each : view.kernel.kernels()) {
                          if (!ImGui::Selectable(each.name.c_str())) continue;
                          if (view.kernel.hasLaunchFile())
                            change([&](LaunchRequest& launch) { launch.kernel = each.name; });
                          else
                            view.commands.push_back(session::SetLaunches{
                                engine::access::printLaunchFile(guessedFor(view.kernel, each.name))});
                        }
                      }});
  const auto typed = [&](const char* label, float width, const std::string& value, const char* hint,
                         const char* fault, auto parse, auto set) {
    fields.push_back({.label = label,
                      .width = width,
                      .shown = value,
                      .entries =
                          [&view, value, hint, fault, parse, set, change] {
                            typedEntry(view, value, hint, [&](const std::string& text) -> std::string {
                              const auto parsed = parse(text);
                              if (!parsed) return fault;
                              change([&](LaunchRequest& launch) { set(launch, *parsed); });
                              return {};
                            });
                          },
                      .isTyped = true});
  };
  const auto extents = [](const std::string& text) { return engine::access::parseExtents(text); };
  typed("grid", 84, extentsText(shown.grid), "8, 32x8, 4x4x2", kGridFault, extents,
        [](LaunchRequest& launch, const model::Dim3& to) { launch.grid = to; });
  typed("block", 84, extentsText(shown.block), "256, 32x8, 8x8x4", kBlockFault, extents,
        [](LaunchRequest& launch, const model::Dim3& to) { launch.block = to; });
  typed(
      "dynamic shared bytes", 84, std::to_string(shown.sharedBytes), "1024, 2^12", kBytesFault,
      [](const std::string& text) { return typedNumber(text); },
      [](LaunchRequest& launch, std::uint64_t to) { launch.sharedBytes = to; });
  std::string names;
  for (const ArgumentRequest& argument : shown.arguments)
    names += (names.empty() ? "" : ", ") + argument.name;
  fields.push_back({.label = "arguments",
                    .width = 150,
                    .shown = names.empty() ? "none yet" : printable(names),
                    .entries = [&view, &shown] {
                      for (const ArgumentRequest& argument : shown.arguments) {
                        const std::string what = argument.name + " = " + whatOf(argument);
                        ImGui::TextUnformatted(printable(what.substr(0, 60)).c_str());
                      }
                      if (ImGui::Selectable("Change them..."))
                        view.commands.push_back(session::ShowOverlay{session::Overlay::Launches});
                    }});
  return fields;
}

namespace {

bool labelled(ViewContext& view, const std::string& label, std::string& value, const char* hint,
              float width) {
  const float column = view.px(170);
  const ImVec2 min = ImGui::GetCursorScreenPos();
  view.text(*ImGui::GetWindowDrawList(), min, {min.x + column - view.px(8), min.y + ImGui::GetFrameHeight()},
            label, view.words(view.colours().text, draw::kBodySize));
  ImGui::SetCursorScreenPos({min.x + column, min.y});
  ImGui::SetNextItemWidth(width - column);
  return ImGui::InputTextWithHint(("##" + label).c_str(), hint, &value, ImGuiInputTextFlags_EnterReturnsTrue);
}

}  // namespace

void drawLaunchForm(ViewContext& view, OverlayState& state, float width, bool appearing) {
  const session::OwnKernel& kernel = view.kernel;
  if (!kernel.launches())
    return sentence(view, width,
                    "The launch file cannot be read, or it is too long to be shown. Change it in an editor.",
                    view.colours().text);
  if (appearing || !state.launch) {
    state.launch = std::make_shared<LaunchDraft>();
    state.launch->file = *kernel.launches();
    state.launch->show(kernel, shownLaunch(view, state.launch->file));
    ImGui::SetKeyboardFocusHere();
  }
  LaunchDraft& draft = *state.launch;
  if (draft.file.launches.size() > 1) {
    const std::string of = "launch " + std::to_string(draft.launch);
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##launch", of.c_str())) {
      for (std::size_t i = 0; i < draft.file.launches.size(); ++i)
        if (ImGui::Selectable(("launch " + std::to_string(i)).c_str(), i == draft.launch)) {
          draft.why = draft.take();
          if (draft.why.empty()) draft.show(kernel, i);
        }
      ImGui::EndCombo();
    }
  }
  bool enter = false;
  if (kernel.kernels().size() > 1) {
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo("##kernel", draft.kernel.empty() ? "Choose a kernel" : draft.kernel.c_str())) {
      for (const auto& each : kernel.kernels())
        if (ImGui::Selectable(each.name.c_str(), each.name == draft.kernel)) {
          draft.kernel = each.name;
          if (kernel.hasLaunchFile()) {
            draft.showArguments(kernel);
          } else {
            draft.file = guessedFor(kernel, each.name);
            draft.show(kernel, 0);
          }
        }
      ImGui::EndCombo();
    }
  }
  const auto* const declaration = declarationOf(kernel, draft.kernel);
  if (declaration != nullptr && declaration->isTemplate)
    enter |= labelled(view, "template arguments", draft.templateArguments, "int, 256", width);
  enter |= labelled(view, "grid", draft.grid, "8, 32x8, 4x4x2", width);
  enter |= labelled(view, "block", draft.block, "256, 32x8, 8x8x4", width);
  enter |= labelled(view, "dynamic shared bytes", draft.shared, "1024, 2^12", width);
  for (auto& [name, what] : draft.arguments) {
    const auto& given = draft.file.launches[draft.launch].arguments;
    const auto found = std::ranges::find(given, name, &ArgumentRequest::name);
    if (found != given.end() && !isTypable(*found)) {
      sentence(view, width, printable(name) + " is as the launch file says.", view.colours().dim);
      continue;
    }
    enter |= labelled(view, printable(name), what, "a number, ramp:1024, zero:64, file:PATH", width);
  }
  const bool clicked = ImGui::Button("Run it so");
  sentence(view, width,
           (kernel.isGuessed() ? "This is guessed from the text. " : std::string()) +
               "What is filled in is written to " + printable(session::launchFileOf(kernel.name())) +
               " beside the kernel's file.",
           view.colours().dim);
  if (clicked || enter) {
    draft.why = draft.take();
    if (draft.why.empty()) {
      view.commands.push_back(session::SetLaunches{engine::access::printLaunchFile(draft.file)});
      view.commands.push_back(session::ShowOverlay{session::Overlay::Launches});  // closes it
    }
  }
  if (!draft.why.empty()) remark(view, width, printable(draft.why), session::MessageKind::Wrong);
}

void drawCopyVariant(ViewContext& view, OverlayState& state, float width, bool appearing) {
  sentence(
      view, width,
      "Where to save a copy of the shown variant, to edit it and to run it again. Its launch file stands "
      "beside it.",
      view.colours().text);
  const FileForm form{.title = "Edit a copy",
                      .save = true,
                      .kinds = {{"Kernels", "*.cu"}},
                      .path = view.workspace.experiment().variant + ".cu"};
  if (const auto given = drawFileForm(view, state, form, width, appearing)) {
    std::string path = given->path;
    if (!model::isKernelFile(path)) path += ".cu";
    view.commands.push_back(session::CopyVariant{path, given->mayOverwrite});
  }
}

}  // namespace stridescope::views
