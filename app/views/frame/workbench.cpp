#include "views/frame/workbench.h"

#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "draw/draw_context.h"
#include "imgui_internal.h"
#include "shell/docking.h"
#include "shell/key_input.h"
#include "views/forms/experiment_bar.h"
#include "views/frame/menu_bar.h"
#include "views/reading/glossary.h"
#include "views/shared/panel.h"
#include "views/transport/transport_view.h"

namespace stridescope::views {
namespace {

constexpr float kMenuHeight = 28, kCaptionHeight = 75, kTransportTop = 82;
// A text that is read has as much as it needs, in units; over a column it leaves a part of the height.
constexpr float kLowReading = 200, kMinBeside = 240, kColumn = 200, kAboveReading = 0.44f;
// A new layout has its tabs after as many; until then none of them can be brought to the front.
constexpr int kFramesToFront = 4;
// Seconds: a window that came to the front so long ago is there, and closes when it is asked for again; Esc,
// which closed the window of the notes, does nothing in the first one; and in Present a pointer rests.
constexpr double kStaysInFront = 5, kEscapeRests = 1, kPointerRests = 3, kUnrung = 0.25;

// The panel shares its place with no other.
bool isAlone(std::string_view id, std::span<const Panel> panels) {
  const Panel* const panel = findPanel(panels, id);
  const ImGuiWindow* const window =
      panel == nullptr ? nullptr : ImGui::FindWindowByName(panel->title.c_str());
  return window != nullptr && (window->DockNode == nullptr || window->DockNode->Windows.Size <= 1);
}

// The pointer or a list that it opened is in the bar.
bool isBarUsed(float bottom) {
  return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0 ||
         (ImGui::IsMousePosValid() && ImGui::GetIO().MousePos.y < bottom);
}

float widthOf(const PanelArea& area) { return area.max.x - area.min.x; }

}  // namespace

Workbench::Workbench(session::Session& session, std::function<void(const session::Settings&)> saveSettings,
                     std::vector<Panel> panels, std::vector<CommandEntry> commands)
    : session_(session),
      saveSettings_(std::move(saveSettings)),
      panels_(std::move(panels)),
      commands_(commands.empty() ? commandTable(panels_) : std::move(commands)),
      explanations_([](std::string_view term) {
        const GlossaryEntry* const entry = glossary().find(term);
        return entry == nullptr ? std::string() : entry->sentence;
      }),
      hidden_(session.app().settings().hiddenPanels),
      compare_(panels_),
      presenter_(std::ranges::count(commands_, session::Mode::Present, &CommandEntry::mode) > 0) {
  session.app().setPanels(knownPanels(panels_));
  for (const Panel& panel : panels_)
    if (panel.givesWayToTexts) ladder_ = panel.id;
  const auto stale = [this] { lit_.stale = true; };
  litChanges_ = session_.replay().observe(
      {.loaded = stale, .closed = stale, .moved = stale, .selectionChanged = stale});
}

shell::Appearance Workbench::appearance() const {
  const session::AppState& app = session_.app();
  return {.theme = app.theme() == session::ThemeName::Light ? draw::Theme::Light : draw::Theme::Dark,
          .textSize = float(app.settings().textSize) / 100.0f,
          .scale = app.isPresenting() ? presenterScale(size_) : 0,
          .fullscreen = app.fullscreen()};
}

std::string Workbench::title() const {
  const model::Kernel* const kernel = kernels::kernelOf(session_.workspace().experiment());
  const std::string& variant = session_.workspace().experiment().variant;
  const std::string shown = kernel == nullptr ? printable(variant) : std::string(kernel->title);
  return shown.empty() ? "Stridescope" : "Stridescope · " + shown;
}

void Workbench::onNotice(const std::string& sentence) { notice_ = sentence; }

// When nothing else is being told: what starts with the window begins by taking messages away.
void Workbench::tellNotice() {
  if (notice_.empty() || session_.app().message() || session_.workspace().job()) return;
  session_.app().tell({.kind = session::MessageKind::ToDo, .sentence = std::exchange(notice_, {})});
}

void Workbench::onSecondClosed() {
  notesWereClosed_ = true;
  if (session_.app().wantsNotes()) session_.apply(session::ToggleNotes{});
}

bool Workbench::wantsFrameSoon() const {
  return session_.wantsFrameSoon() || framesToFront_ > 0 || framesToSettleIn_ > 0 || hasAnswer(overlay_) ||
         (framesAway_ > 0 && session_.comparison() == nullptr && !session_.app().isPresenting()) ||
         pointerWentToRest_ || presenter_.wantsFrameSoon() || looksAgainIn() <= 0;
}

double Workbench::looksAgainIn() const {
  const std::chrono::duration<double> sinceFrame = std::chrono::steady_clock::now() - lastFrame_;
  const double remark = session_.app().remarkGoesIn().value_or(HUGE_VAL) - sinceFrame.count();
  return std::max(0.0, std::min(remark, awaitsAnswer(overlay_) ? kUnrung : HUGE_VAL));
}

bool Workbench::takeSecondRaise() {
  if (!session_.app().takeNotesRaise()) return false;
  notesRaisedAt_ = lastSeconds_;
  return true;
}

void Workbench::seeNotes(const shell::Frame& frame) {
  if (std::exchange(hasNotes_, frame.second != nullptr) != hasNotes_) notesRaisedAt_ = frame.seconds;
  if (std::exchange(notesWereClosed_, false)) notesClosedAt_ = frame.seconds;
  session_.app().restEscape(frame.seconds - notesClosedAt_ < kEscapeRests);
  const bool hasKeyboard = frame.second != nullptr && frame.second->hasKeyboard;
  session_.app().seeNotes(!hasNotes_ || hasKeyboard || frame.seconds - notesRaisedAt_ < kStaysInFront);
}

void Workbench::onDrop(const std::filesystem::path& path) {
  const std::string kind = path.extension().string();
  if (kind == ".txt" || kind == ".csv" || kind == ".json")
    session_.apply(session::OpenData{path.string()});
  else if (kind == ".md")
    session_.apply(session::OpenTour{path.string()});
  else
    session_.apply(session::OpenRecording{path.string()});
}

PanelArea Workbench::areaOf(std::string_view id) const {
  const Panel* const panel = findPanel(panels_, id);
  const std::string suffix(session_.app().isPresenting() ? kPresentedWindow : "");
  const ImGuiWindow* const window =
      panel == nullptr ? nullptr : ImGui::FindWindowByName((panel->title + suffix).c_str());
  if (window == nullptr || !window->WasActive || window->Hidden) return {};
  return {window->Pos, {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y}};
}

std::optional<shell::PictureRequest> Workbench::takePictureRequest() {
  exporting_ = session_.app().takePictureRequest();
  if (!exporting_) return std::nullopt;
  constexpr float kAll = 1e6f;
  const PanelArea area =
      exporting_->panel.empty() ? PanelArea{{0, 0}, {kAll, kAll}} : areaOf(exporting_->panel);
  return shell::PictureRequest{area.min, area.max, exporting_->density};
}

void Workbench::onPicture(Result<shell::Image> picture) {
  session_.exports().write(*std::exchange(exporting_, std::nullopt), std::move(picture));
}

void Workbench::drawPanels(ViewContext& view, shell::DockSpace& docks) {
  if (hidden_ != view.app.settings().hiddenPanels) {
    hidden_ = view.app.settings().hiddenPanels;
    docks.panelsComeAndGo();
  }
  if (const auto id = session_.app().takePanelToFront())
    if (const Panel* const panel = findPanel(panels_, *id)) {
      toFront_ = panel->title;
      framesToFront_ = kFramesToFront;
    }
  tabs_.follow(view, framesToFront_ > 0 ? std::string_view(toFront_) : std::string_view());
  const bool hasKeys = !isCovered(view.app);
  for (const Panel& panel : panels_) {
    if (!view.app.isShown(panel.id) || (withoutLadder_ && panel.givesWayToTexts)) continue;
    const bool focused = hasKeys && view.app.focused() == panel.id;
    view.walk = focused ? &walk_ : nullptr;
    panel.draw(view);
    if (focused) drawFocus(view, panel);
  }
  view.walk = nullptr;
  if (framesToFront_ == 0) return;
  --framesToFront_;
  bringToFront(toFront_, view.app, readingCovers_);
}

// Draws the comparison in place of the panels.
void Workbench::drawCompared(ViewContext& view, ImVec2 min, ImVec2 max) {
  if (const auto id = session_.app().takePanelToFront()) compare_.showMap(*id);
  const bool hasKeys = !isCovered(view.app);
  compare_.draw(view, min, max, hasKeys ? &walk_ : nullptr);
  for (const ComparePart part : kCompareParts) {
    if (!hasKeys || view.app.focused() != idOf(part)) continue;
    const Box box = compare_.boxOf(part);
    walk_.drawRing(view.draw);
    if (!box.isEmpty()) focus_.drawRing(view, *ImGui::GetForegroundDrawList(), box.min, box.max);
  }
}

// The ring round a panel that has the keyboard, and round the cell where the arrows stand.
void Workbench::drawFocus(const ViewContext& view, const Panel& panel) {
  walk_.drawRing(view.draw);
  const ImGuiWindow* const window = ImGui::FindWindowByName(panel.title.c_str());
  if (window == nullptr || window->Hidden || !window->Active) return;
  focus_.drawRing(view, *window->DrawList, window->Pos,
                  {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y});
}

void Workbench::takeKeys(shell::KeyInput& keys) {
  walk_.begin();
  const bool comes = framesToFront_ > 0;  // its cells are known soon
  keysOf_ = focus_.keysOf(session_.app(), walk_.hasCells() || comes);
  const std::string before = session_.app().focused();
  applyPressed(commands_, session_, keys, keysOf_);
  // The Ladder has given way to what is read: the next part has the keyboard.
  if (withoutLadder_ && session_.app().focused() == ladder_) {
    const std::vector<FocusStop> stops = focusStops(session_.parts(), panels_);
    const std::string& after = nextStop(stops, ladder_, +1).id;
    session_.app().focus(before == after ? nextStop(stops, ladder_, -1).id : after);
  }
  if (focus_.follow(session_.app())) walk_.forget();
  if (keysOf_ == KeysOf::Map && !ImGui::GetIO().WantTextInput) walk_.take(keys);
}

// What is read beside the panels, in its column, and what lies over them.
void Workbench::drawOverlays(ViewContext& view, ImVec2 readingMin, ImVec2 readingMax) {
  const auto draw = [&](session::Overlay overlay, OverlayState& state) {
    drawOverlay(overlay, view, state, focus_, commands_, size_, readingMin, readingMax);
  };
  draw(view.app.seenText(), beside_);
  // What asks for a picture is not part of it.
  if (!exporting_) draw(isCovered(view.app) ? view.app.overlay() : session::Overlay::None, overlay_);
}

void Workbench::present(ViewContext& view, shell::DockSpace& docks) {
  docks.keep();
  framesAway_ = kFramesToFront;
  constexpr float kMostToRead = 0.38f;  // of the width: the maps are what the room came for
  const float gap = view.px(draw::kPanelGap);
  const bool reads = view.app.seenText() != session::Overlay::None;
  const float left =
      reads ? gap + std::min(size_.x * kMostToRead, readingWidth(view, beside_, size_.x, true)) : 0;
  const float bottom = presenter_.draw(view, focus_, isCovered(view.app) ? nullptr : &walk_, left, size_);
  drawOverlays(view, {gap, gap}, {left, bottom});
  presenter_.drawTools(view, size_);
  focus_.drawList(view, size_);
  focus_.keepKeys(session_.app(), keysOf_);
}

// A pointer that lies where another mode, or another round in Present, has something else does not point at
// that. While it is a tool, it is looked at wherever it stays.
void Workbench::restPointer(shell::PointerRest& pointer, session::Playhead before) {
  const session::AppState& app = session_.app();
  using enum session::PresenterTool;
  const bool isTool = app.isOn(Spotlight) || app.isOn(Draw), isPresenting = app.isPresenting();
  const bool stepped = before != session_.replay().playhead();
  pointer.restAfter(isPresenting && !isTool ? std::optional(kPointerRests) : std::nullopt);
  if (std::exchange(mode_, app.mode()) != app.mode() || (isPresenting && stepped && !isTool)) pointer.rest();
  pointerWentToRest_ = isPresenting && pointer.hasComeToRest();
  const bool isKept = session_.replay().pinned() || walk_.isWalking();
  if (pointerWentToRest_ && !isKept) session_.apply(session::PointAt{});
  if (isPresenting && pointer.rests()) ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

void Workbench::drawFrame(shell::Frame& frame) {
  lastFrame_ = std::chrono::steady_clock::now();
  session_.update(frame.seconds - lastSeconds_);
  lastSeconds_ = frame.seconds;
  tellNotice();
  frame.draw.isPicture = isPicture_;
  // This frame has the scale that was asked for before: a key that ends Present is seen in the next.
  const bool presents = session_.app().isPresenting();
  const session::Playhead before = session_.replay().playhead();
  seeNotes(frame);
  keepPointerInForm(session_.app().overlay());
  takeKeys(frame.keys);
  restPointer(frame.pointer, before);
  if (session_.app().takeLayoutReset()) {
    frame.docks.reset();
    tabs_.forget();
  }
  if (const auto text = session_.app().takeCopiedText())
    ImGui::SetClipboardText(printable(*text, Lines::Many).c_str());

  const session::Comparison* const both = session_.comparison();
  if (both != nullptr) {
    compare_.refresh(*both, session_.measurements());
  } else if (std::exchange(lit_.stale, false)) {
    lit_.linked = LinkedHighlight(session_.replay());
    lit_.trouble = troubleMarks(session_.replay());
  }
  times_.refresh(session_.workspace(), session_.measurements());
  session::Commands commands;
  const SideMarks* const marks = both != nullptr ? &compare_.runs().marks(both->chosen()) : nullptr;
  ViewContext view{session_.parts(),
                   frame.draw,
                   commands,
                   marks != nullptr ? marks->linked : lit_.linked,
                   marks != nullptr ? marks->trouble : lit_.trouble,
                   times_,
                   panels_,
                   explanations_,
                   &compare_.runs(),
                   &programLinks_};
  programLinks_.clear();
  askForRecordings(view, [&](const Panel& panel) { return widthOf(areaOf(panel.id)) > 0; });
  if (frame.second != nullptr) drawSpeakerNotes(view, notes_, frame.second->list, frame.second->size);
  const float gap = view.px(draw::kPanelGap), inset = view.px(draw::kPanelInset);
  const ImVec2 size = size_ = frame.size;
  if (presents) {
    present(view, frame.docks);
    return session_.apply(commands);
  }
  presenter_.leave();
  const float units = 1 / frame.draw.scale;
  const StripRoom strips = stripRoom(size.x * units, size.y * units);
  hasFields_ = !strips.isLowest || view.app.focused() == session::kBarPart ||
               (hasFields_ && isBarUsed(view.px(shell::kTopBarHeight)));
  float top = view.px(hasFields_ ? shell::kTopBarHeight : kMenuHeight + 4);

  if (beginStrip("##bar", {0, 0}, {size.x, top}, ImGuiWindowFlags_MenuBar)) {
    drawMenuBar(view, commands_, jobLine_);
    focus_.enterHere(view.app, session::kBarPart);
    if (hasFields_)
      drawExperimentBar(view, {gap + view.px(8), view.px(kMenuHeight + 4)}, {size.x - gap - view.px(4), top});
    if (view.app.focused() == session::kBarPart)
      focus_.drawRing(view, *ImGui::GetWindowDrawList(), {gap, view.px(kMenuHeight + 3)},
                      {size.x - gap, top - view.px(2)});
  }
  ImGui::End();
  if (session_.app().isMessageShown()) {
    const float bottom = top + messageHeight(view, size.x - 2 * gap);
    if (beginStrip("##message", {gap, top}, {size.x - gap, bottom}, ImGuiWindowFlags_NoFocusOnAppearing)) {
      focus_.enterHere(view.app, session::kMessagePart);
      drawMessageStrip(view, {gap, top}, {size.x - gap, bottom});
      if (view.app.focused() == session::kMessagePart)
        focus_.drawRing(view, *ImGui::GetWindowDrawList(), {gap, top}, {size.x - gap, bottom});
    }
    ImGui::End();
    top = bottom;
  }

  const float saved = view.px(strips.saved);
  const float bottomHeight = view.px(shell::kTransportHeight) - saved;
  // A text that is read beside the panels takes the Ladder's room, if that has a place of its own; in a small
  // window, and in Predict and Compare, which show no Ladder, the others are laid out for what is left.
  const bool forTheRest = size.x * units < shell::kNarrowLayoutWidth || both != nullptr ||
                          !view.app.hasPanel(view.app.mode(), ladder_);
  const float readingRoom = view.app.isReading() ? readingWidth(view, beside_, size.x, forTheRest) : 0;
  const float room = size.y - top - bottomHeight;
  const bool readsLow = room * units < kLowReading;
  readingCovers_ = readingRoom > 0 && (size.x - readingRoom) * units < (readsLow ? kMinBeside : kColumn);
  const float reading = readingCovers_ ? 0 : readingRoom;
  const float width = (size.x - (forTheRest ? reading : 0)) * units, height = size.y * units;
  const std::string layout = shell::defaultLayoutName(width, height);
  const float ladder = widthOf(areaOf(ladder_));  // the window's first frame has none
  const bool withoutLadder = both == nullptr && reading > 0 && view.app.isShown(ladder_) &&
                             isAlone(ladder_, panels_) && (withoutLadder_ || ladder > 0);
  if (!withoutLadder_) ladderWidth_ = ladder / shrink_;
  shell::Beside beside;
  if (reading > 0) {
    const float all = size.x - 2 * gap, taken = reading + gap - (withoutLadder ? ladderWidth_ : 0);
    beside = {.px = reading + gap, .shrink = forTheRest ? 1 : std::clamp((all - taken) / all, 0.1f, 1.0f)};
  }
  shrink_ = beside.shrink;
  const bool comeAndGo = std::exchange(withoutLadder_, withoutLadder) != withoutLadder;
  if (comeAndGo || (both == nullptr && framesAway_ > 0)) frame.docks.panelsComeAndGo();
  framesToSettleIn_ = comeAndGo ? kFramesToFront : std::max(0, framesToSettleIn_ - 1);
  if (both != nullptr) framesAway_ = kFramesToFront;
  if (both == nullptr && framesAway_ > 0) {
    --framesAway_;
    tabs_.panelsComeBack();
  }
  if (both != nullptr) {
    frame.docks.keep();
    drawCompared(view, {gap + (reading > 0 ? reading + gap : 0), top + gap},
                 {size.x - gap, size.y - bottomHeight - gap});
  } else {
    const std::string group(view.app.modeFacts().layouts);
    frame.docks.use(group);
    frame.docks.draw(layout, modeLayouts(view.app.mode(), width, height, panels_), top, bottomHeight, gap,
                     frame.draw.scale, beside);
    tabs_.use(group, layout);
    drawPanels(view, frame.docks);
  }

  // A text that is as high as the window leaves the strip what is beside it.
  const float stripLeft = readsLow && reading > 0 ? gap + reading + gap : gap;
  const ImVec2 stripMin{stripLeft, size.y - bottomHeight}, stripMax{size.x - gap, size.y - gap};
  if (beginStrip("##transport", stripMin, stripMax, ImGuiWindowFlags_NoBackground)) {
    ImGui::GetWindowDrawList()->AddRectFilled(stripMin, stripMax, view.colours().panel,
                                              view.px(draw::kPanelRadius));
    const ImVec2 min{stripMin.x + inset + view.px(4), stripMin.y + view.px(8)};
    const float right = stripMax.x - inset;
    drawCaption(view, min, {right, stripMin.y + view.px(kCaptionHeight) - saved}, {strips.isLow ? 0 : 1});
    drawTransport(view, {min.x, stripMin.y + view.px(kTransportTop) - saved}, {right, stripMax.y});
  }
  ImGui::End();
  const float above = std::min(room * kAboveReading, room - view.px(kLowReading));
  drawOverlays(view, {gap, top + gap + (readingCovers_ && !readsLow ? above : 0)},
               {readingCovers_ ? size.x - gap : gap + reading, size.y - gap - (readsLow ? 0 : bottomHeight)});
  if (!exporting_) drawRemark(view, {stripMin.x, stripMin.y - gap}, stripMax.x - stripMin.x);
  focus_.drawList(view, size);
  focus_.keepKeys(session_.app(), keysOf_);
  session_.apply(commands);
}

}  // namespace stridescope::views
