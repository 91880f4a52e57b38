#include "views/forms/path_field.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/plain_text.h"
#include "imgui_stdlib.h"
#include "views/forms/forms.h"
#include "views/shared/fuzzy_match.h"

namespace stridescope::views {
namespace {

constexpr float kPathRowHeight = 20, kPathRowInset = 6;  // units

// A line of the list.
struct PathRow {
  std::string label, note = {};
  std::string text;                      // what the field becomes
  bool isFolder = false;                 // then the field goes on in it
  const OfferedFile* offered = nullptr;  // it stands first
};

// What the list is about: while Tab goes through the names, what was typed before.
TypedPath listedPath(const PathFieldState& state, const std::string& text) {
  return state.cycled ? *state.cycled : typedPath(text);
}

std::vector<shell::FolderEntry> candidates(const PathFieldState& state, const TypedPath& typed,
                                           const PathFieldSpec& spec) {
  if (!state.listing || state.listed.folder != typed.folder) return {};
  return candidatesFor(typed, *state.listing, spec.kinds);
}

std::vector<PathRow> rowsOf(const PathFieldState& state, const std::string& text, const PathFieldSpec& spec) {
  std::vector<PathRow> rows;
  TypedPath typed = listedPath(state, text);
  const std::string sought = lowerCase(typed.begun);
  if (typed.folder.empty())
    for (const OfferedFile& offered : spec.first)
      if (lowerCase(offered.label).find(sought) != std::string::npos)
        rows.push_back(
            {.label = offered.label, .note = offered.note, .text = offered.path, .offered = &offered});
  if (!spec.listsFolders) return rows;
  std::vector<shell::FolderEntry> entries = candidates(state, typed, spec);
  // A name to save under that is new: it goes along into another folder.
  const std::string name = spec.save && entries.empty() ? typed.begun : std::string();
  if (!name.empty()) {
    typed.begun.clear();
    entries = candidates(state, typed, spec);
  }
  if (typed.begun.empty())
    if (const std::string above = folderAbove(typed.folder); !above.empty())
      rows.push_back({.label = "../", .note = "the folder above", .text = above + name, .isFolder = true});
  for (const shell::FolderEntry& entry : entries)
    rows.push_back({.label = printable(entry.name) + (entry.isFolder ? "/" : ""),
                    .text = pathOf(typed, entry) + (entry.isFolder ? name : ""),
                    .isFolder = entry.isFolder});
  return rows;
}

// Asks for the folder of the typed path, and takes the answer.
void readFolder(PathFieldState& state, const TypedPath& typed) {
  const bool isSame = state.reader && state.reader->folder() == typed.folder;
  const bool isHidden = typed.begun.starts_with('.');
  const std::string begun = isSame ? state.reader->begun() : std::string();
  // A folder may have very many entries: those that begin so are asked for.
  const bool isPart = isSame && state.isRead && state.listing && !state.listing->isWhole;
  const bool isEnough = isSame && typed.begun.starts_with(begun) && begun.starts_with('.') == isHidden;
  if (!isEnough || (isPart && typed.begun != begun)) {
    state.reader = std::make_unique<shell::FolderReader>(
        typed.folder, isPart ? typed.begun : std::string(isHidden ? "." : ""));
    state.isRead = false;
  }
  if (state.isRead) return;
  auto answer = state.reader->answer();
  if (!answer) return;
  state.isRead = true;
  state.listed = {state.reader->folder(), state.reader->begun()};
  state.listing = *std::move(answer);
}

struct FieldInput {
  PathFieldState& state;
  const PathFieldSpec& spec;
};

void replaceText(ImGuiInputTextCallbackData& data, const std::string& text) {
  data.DeleteChars(0, data.BufTextLen);
  data.InsertChars(0, text.c_str());
  data.CursorPos = data.SelectionStart = data.SelectionEnd = data.BufTextLen;
}

// Whether there is something that Tab adds to the text. Else it goes to the next control: also where nothing
// was typed, and when it has gone through all names.
bool mayComplete(const PathFieldState& state, const std::string& text, const PathFieldSpec& spec) {
  if (!state.isTyped || !spec.listsFolders) return false;
  const TypedPath typed = listedPath(state, text);
  if (!state.isRead || state.listed.folder != typed.folder) return true;
  const std::vector<shell::FolderEntry> names = candidates(state, typed, spec);
  if (!names.empty() && !state.cycled && completed(typed, names) != text) return true;
  return names.size() > 1 && state.cycle + 1 < int(names.size());
}

// The longest common beginning of what may follow; where that is no more than is typed, one name after the
// other.
void complete(ImGuiInputTextCallbackData& data, const FieldInput& input) {
  PathFieldState& state = input.state;
  const std::string text(data.Buf, std::size_t(data.BufTextLen));
  if (!mayComplete(state, text, input.spec)) return;
  const TypedPath typed = listedPath(state, text);
  if (!state.isRead || state.listed.folder != typed.folder) {
    state.tabWaits = true;
    return;
  }
  const std::vector<shell::FolderEntry> names = candidates(state, typed, input.spec);
  const std::string longer = completed(typed, names);
  if (!state.cycled && longer != text) return replaceText(data, longer);
  if (!state.cycled) state.cycled = typed;
  ++state.cycle;
  state.chosen = -1;
  replaceText(data, pathOf(typed, names[std::size_t(state.cycle)]));
}

void forgetChoice(PathFieldState& state) {
  state.chosen = state.cycle = -1;
  state.cycled.reset();
}

int onInput(ImGuiInputTextCallbackData* data) {
  const FieldInput& input = *static_cast<const FieldInput*>(data->UserData);
  PathFieldState& state = input.state;
  switch (data->EventFlag) {
    case ImGuiInputTextFlags_CallbackCompletion:
      complete(*data, input);
      break;
    case ImGuiInputTextFlags_CallbackHistory:
      state.chosen = std::max(-1, state.chosen + (data->EventKey == ImGuiKey_DownArrow ? 1 : -1));
      state.shows = true;
      break;
    case ImGuiInputTextFlags_CallbackEdit:
      forgetChoice(state);
      state.tabWaits = false;
      state.isTyped = true;
      break;
    default:
      if (std::exchange(state.toEnd, false))
        data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
      if (state.tabWaits && state.isRead) {
        state.tabWaits = false;
        complete(*data, input);
      }
  }
  return 0;
}

// Goes on in a folder, or with a name in the field.
void goOn(PathFieldState& state, std::string& text, const std::string& with) {
  text = with;
  forgetChoice(state);
  state.refocus = state.toEnd = state.isTyped = true;
}

// The line is taken: the path, if that is what there is to give.
std::optional<std::string> take(ViewContext& view, PathFieldState& state, std::string& text,
                                const PathFieldSpec& spec, const PathRow& row) {
  if (row.offered != nullptr && row.offered->command) {
    view.commands.push_back(*row.offered->command);
    return std::nullopt;
  }
  if (row.isFolder || spec.save) {
    goOn(state, text, row.text);
    return std::nullopt;
  }
  text = row.text;
  forgetChoice(state);
  return shell::withHome(row.text);
}

}  // namespace

bool hasListing(const PathFieldState& state) {
  return state.reader && !state.isRead && state.reader->answer().has_value();
}

bool awaitsListing(const PathFieldState& state) { return state.reader && !state.isRead; }

std::optional<std::string> takePath(ViewContext& view, PathFieldState& state, std::string& text,
                                    const PathFieldSpec& spec) {
  const std::vector<PathRow> rows = rowsOf(state, text, spec);
  if (state.chosen >= 0 && state.chosen < int(rows.size()))
    return take(view, state, text, spec, rows[std::size_t(state.chosen)]);
  if (text.empty()) return std::nullopt;
  const TypedPath typed = typedPath(text);
  const bool isFolder = std::ranges::any_of(candidates(state, typed, spec), [&](const auto& entry) {
    return entry.isFolder && entry.name == typed.begun;
  });
  if (isFolder || typed.begun.empty()) {
    goOn(state, text, typed.folder + typed.begun + (isFolder ? "/" : ""));
    return std::nullopt;
  }
  return shell::withHome(text);
}

std::optional<std::string> drawPathField(ViewContext& view, PathFieldState& state, std::string& text,
                                         const PathFieldSpec& spec, float width) {
  if (spec.listsFolders) readFolder(state, listedPath(state, text));
  if (std::exchange(state.refocus, false)) ImGui::SetKeyboardFocusHere();
  FieldInput input{state, spec};
  ImGui::SetNextItemWidth(width);
  ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory |
                              ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackAlways;
  if (mayComplete(state, text, spec)) flags |= ImGuiInputTextFlags_CallbackCompletion;
  const bool enter = ImGui::InputText("##path", &text, flags, onInput, &input);
  const std::vector<PathRow> rows = rowsOf(state, text, spec);
  state.chosen = std::min(state.chosen, int(rows.size()) - 1);
  return enter ? takePath(view, state, text, spec) : std::nullopt;
}

std::optional<std::string> drawFileList(ViewContext& view, PathFieldState& state, std::string& text,
                                        const PathFieldSpec& spec, float width, int lines) {
  std::optional<std::string> taken;
  const std::vector<PathRow> rows = rowsOf(state, text, spec);
  const float height = view.px(kPathRowHeight);
  const bool shown = ImGui::BeginChild("files", {width, height * float(lines)}, ImGuiChildFlags_NavFlattened);
  if (!shown) {
    ImGui::EndChild();
    return taken;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);  // arrows go through it
  const draw::TextStyle dim = view.words(view.colours().dim);
  if (std::exchange(state.shows, false) && state.chosen >= 0) {
    const float top = height * float(state.chosen), room = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + height > ImGui::GetScrollY() + room) ImGui::SetScrollY(top + height - room);
  }
  ImGuiListClipper clipper;
  clipper.Begin(int(rows.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const PathRow& row = rows[std::size_t(i)];
      const ImVec2 min = ImGui::GetCursorScreenPos();
      const ImVec2 max{min.x + ImGui::GetContentRegionAvail().x - view.px(kPathRowInset), min.y + height};
      ImGui::PushID(i);
      if (ImGui::Selectable(("##" + row.label).c_str(), i == state.chosen, 0, {0, height}))
        taken = take(view, state, text, spec, row);
      ImGui::PopID();
      const float noteWidth = row.note.empty() ? 0 : draw::textSize(dim, row.note).x + view.px(12);
      ImDrawList& list = *ImGui::GetWindowDrawList();
      view.text(list, {min.x + view.px(kPathRowInset), min.y}, {max.x - noteWidth, max.y}, row.label,
                view.words(view.colours().text, draw::kBodySize));
      if (!row.note.empty())
        view.text(list, {max.x - noteWidth, min.y}, max, row.note, dim, draw::TextAlign::Right);
    }
  clipper.End();
  const TypedPath typed = listedPath(state, text);
  const bool isListed = !spec.listsFolders || (state.isRead && state.listed.folder == typed.folder);
  if (!isListed)
    sentence(view, width, "The folder is being read.", view.colours().dim);
  else if (!state.listing)
    sentence(view, width, state.listing.error().sentence, view.colours().text);
  else if (!state.listing->isWhole)
    sentence(view, width, "There are more: type the beginning of the name.", view.colours().dim);
  else if (rows.empty())
    sentence(view, width, "Nothing here begins so.", view.colours().dim);
  ImGui::PopItemFlag();
  ImGui::PopStyleVar();
  ImGui::EndChild();
  return taken;
}

namespace {

// The common beginning ends between two characters of UTF-8.
std::size_t commonLength(std::string_view a, std::string_view b) {
  std::size_t length = std::size_t(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto isWithinCharacter = [](std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u;
  };
  while (length > 0 && (isWithinCharacter(a, length) || isWithinCharacter(b, length))) --length;
  return length;
}

}  // namespace

TypedPath typedPath(std::string_view text) {
  if (text == "~" || text == ".." || text.ends_with("/.."))
    return {.folder = std::string(text) + "/", .begun = {}};
  const std::size_t slash = text.rfind('/');
  if (slash == text.npos) return {.folder = {}, .begun = std::string(text)};
  return {.folder = std::string(text.substr(0, slash + 1)), .begun = std::string(text.substr(slash + 1))};
}

bool isOfKinds(std::string_view name, const std::vector<shell::FileKind>& kinds) {
  if (kinds.empty()) return true;
  for (const shell::FileKind& kind : kinds) {
    std::istringstream patterns(kind.patterns);
    for (std::string pattern; patterns >> pattern;)
      if (pattern.starts_with('*') ? name.ends_with(std::string_view(pattern).substr(1)) : name == pattern)
        return true;
  }
  return false;
}

std::string withEnding(std::string path, const std::vector<shell::FileKind>& kinds) {
  const std::string name = typedPath(path).begun;
  if (kinds.size() != 1 || name.empty() || name.find('.') != std::string::npos) return path;
  const std::string& pattern = kinds.front().patterns;
  if (pattern.starts_with("*.") && pattern.find(' ') == std::string::npos) path += pattern.substr(1);
  return path;
}

std::vector<shell::FolderEntry> candidatesFor(const TypedPath& typed, const shell::FolderListing& listing,
                                              const std::vector<shell::FileKind>& kinds) {
  std::vector<shell::FolderEntry> candidates;
  for (const shell::FolderEntry& entry : listing.entries) {
    if (!entry.name.starts_with(typed.begun)) continue;
    if (entry.name.starts_with('.') && typed.begun.empty()) continue;
    if (entry.isFolder || isOfKinds(entry.name, kinds)) candidates.push_back(entry);
  }
  return candidates;
}

std::string pathOf(const TypedPath& typed, const shell::FolderEntry& entry) {
  return typed.folder + entry.name + (entry.isFolder ? "/" : "");
}

std::string completed(const TypedPath& typed, const std::vector<shell::FolderEntry>& candidates) {
  if (candidates.size() == 1) return pathOf(typed, candidates.front());
  if (candidates.empty()) return typed.folder + typed.begun;
  std::string_view common = candidates.front().name;
  for (const shell::FolderEntry& entry : candidates)
    common = common.substr(0, commonLength(common, entry.name));
  return typed.folder + std::string(common);
}

std::string folderAbove(std::string_view folder) {
  if (folder == "/") return {};
  if (folder.empty()) return "../";
  if (folder == "~/" || folder.ends_with("../")) return std::string(folder) + "../";
  if (folder == "./") return "../";
  folder.remove_suffix(1);
  const std::size_t slash = folder.rfind('/');
  return slash == folder.npos ? "./" : std::string(folder.substr(0, slash + 1));
}

}  // namespace stridescope::views
