// The browser edition's page: its window is the canvas, and page.js calls what is at the end of this file.
#include <emscripten/emscripten.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "canvas_context.h"
#include "canvas_input.h"
#include "engine/experiment_check.h"
#include "lab/sources/sources.h"
#include "measure/timing_board.h"
#include "narration/wording.h"
#include "on_a_machine.h"
#include "page_services.h"
#include "page_start.h"
#include "page_words.h"
#include "session/link.h"
#include "session/session.h"
#include "shell/frame.h"
#include "teaching/score.h"
#include "views/frame/command_table.h"
#include "views/frame/workbench.h"
#include "views/panels.h"
#include "views/shared/spoken_questions.h"

EM_JS(void, pageTitle, (const char* title), { document.title = UTF8ToString(title); });
// The caller frees it.
EM_JS(char*, pageAddress, (), { return stringToNewUTF8(location.href.split('#')[0]); });
// The page keeps the folder with the settings in the browser, soon.
EM_JS(void, pageKeepFiles, (), { Module.page.keepFiles(); });

namespace stridescope::web {
namespace {

double now() { return emscripten_get_now() / 1000; }

class Page {
 public:
  // `alone`: the id of the panel that is all there is, with the round's caption: Present with its large map.
  // nullopt: the whole window.
  static Result<std::unique_ptr<Page>> make(const std::optional<std::string>& alone);

  // Draws a frame if one is due. Seconds until the next may be; infinite: not until something happens.
  double frame();
  // Draws the frames that a tap needs at once, until what it opens has the keyboard.
  void answerTap();
  void follow(std::string_view link);
  // See page_start.h. It goes on in a mode once the run is shown, where no link leads into another one.
  std::string modeToResume() const { return resumed_.empty() ? modeAsText(*session_) : resumed_; }
  void resume(std::string_view mode) { resumed_ = mode; }
  void open(const std::string& file);
  void step(int direction);
  void tell(const std::string& sentence);
  void offerRecordings(double bytes);
  void takeRecordings();
  void loseRecordings(const std::string& why);
  void keepSettings();
  void drawForPicture();
  void give(std::size_t command);
  void answer(std::size_t question, std::size_t answer);
  void answer(std::size_t question, std::string_view typed);
  int endOfPresent() const;
  std::string words() const { return wordsAsJson(*session_, panels_); }
  std::string programLinks() const;
  std::string reading() const { return readingAsJson(*session_, *board_->snapshot(), panels_); }
  std::string questions() const { return questionsAsJson(*session_); }
  std::string commands() const { return commandsAsJson(*session_, commands_); }
  unsigned frames() const { return frames_; }
  bool isSettled() const;  // a round is on the screen, and nothing changes it
  session::Session& session() { return *session_; }

 private:
  explicit Page(std::unique_ptr<CanvasContext> canvas) : canvas_(std::move(canvas)) {}
  Result<void> start(const std::optional<std::string>& alone);
  void standAlone(const std::string& panel);
  void stayAlone();
  void draw();
  void dismissRefusal();
  bool readRecordings();
  void goOnInMode();

  std::unique_ptr<CanvasContext> canvas_;
  std::unique_ptr<shell::FrameRunner> runner_;
  const std::shared_ptr<FetchedRecordings> fetched_ = std::make_shared<FetchedRecordings>();
  std::unique_ptr<RecordingsReader> reader_;  // while there is something to read
  std::shared_ptr<measure::TimingBoard> board_;
  std::string settingsFile_, keptSettings_, title_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<views::Workbench> workbench_;
  const std::vector<views::Panel> panels_ = views::allPanels();  // as the window has them
  std::string resumed_;  // a mode, of which see page_start.h; empty: nothing is to be gone on with
  std::string alone_;    // the id of the panel that is all there is; empty: the whole window
  std::vector<views::CommandEntry> commands_ = views::withoutBrowsersKeys(views::commandTable(panels_));
  shell::FramePacer pacer_;
  std::string refused_;  // what was wrong with a typed answer, while that may be shown
  bool hasNews_ = false;
  unsigned frames_ = 0;
};

Result<std::unique_ptr<Page>> Page::make(const std::optional<std::string>& alone) {
  auto canvas = CanvasContext::open("#canvas");
  if (!canvas) return tl::unexpected(canvas.error());
  std::unique_ptr<Page> page(new Page(*std::move(canvas)));
  STRIDESCOPE_TRY(page->start(alone));
  return page;
}

Result<void> Page::start(const std::optional<std::string>& alone) {
  const std::string folder = session::configFolder();
  std::error_code ignored;  // without the folder nothing is kept
  std::filesystem::create_directories(folder, ignored);
  settingsFile_ = folder + "/settings.json";
  auto runner = shell::FrameRunner::create(*canvas_, {.layoutFile = folder + "/" + shell::kLayoutFileName});
  if (!runner) return tl::unexpected(runner.error());
  runner_ = *std::move(runner);
  takeInput(*canvas_);

  const session::Settings settings = session::loadSettings(settingsFile_);
  session::SessionServices services = pageServices(fetched_, [this] { hasNews_ = true; });
  services.scoreFile = teaching::scoreFile();
  char* const address = pageAddress();
  services.pageAddress = address;
  std::free(address);
  services.questionSeed = std::random_device{}();
  board_ = services.timings;
  session_ = std::make_unique<session::Session>(services, settings, startOf(settings));
  keptSettings_ = session::settingsToJson(session_->app().settings());
  if (alone) standAlone(*alone);
  workbench_ = std::make_unique<views::Workbench>(
      *session_, [](const session::Settings&) {}, panels_, commands_);
  stayAlone();  // before anything is told: Present shows no message that was told before it
  return {};
}

double Page::frame() {
  const bool hasMoreToRead = readRecordings();
  goOnInMode();
  if (takeInputNews() || workbench_->wantsFrameSoon()) pacer_.wake(now());
  if (std::exchange(hasNews_, false)) pacer_.news(now());
  if (pacer_.frameDue(now())) draw();
  return hasMoreToRead ? 0 : std::min(pacer_.secondsToWait(now()), workbench_->looksAgainIn());
}

void Page::draw() {
  const double begun = now();
  stayAlone();
  runner_->run(*workbench_);
  ++frames_;
  pacer_.frameBegun(begun, workbench_->wantsFrameSoon(), runner_->pointerRestsIn());
  canvas_->tellRequests();
  if (std::string title = workbench_->title(); title != title_) {
    title_ = std::move(title);
    pageTitle(title_.c_str());
  }
}

// The queue holds where the finger was, its press and its release, which Dear ImGui takes one a frame. A list
// or a form that it opens needs more of them, until its field has the keyboard.
void Page::answerTap() {
  constexpr int kForTheTap = 4, kForAField = 8;
  const ImGuiContext& imgui = *runner_->imgui();
  const auto opens = [&] {
    return imgui.OpenPopupStack.Size > 0 || session_->app().overlay() != session::Overlay::None;
  };
  for (int frame = 0; frame < kForTheTap || (opens() && frame < kForAField); ++frame) {
    draw();
    if (imgui.InputEventsQueue.Size == 0 && imgui.PlatformImeData.WantTextInput) return;
  }
}

void Page::follow(std::string_view text) {
  const auto link = session::parseLink(text, views::idsOf(panels_));
  hasNews_ = true;
  if (!link) return tell(narration::capitalized(link.error().sentence));
  if (!alone_.empty() && session::modeOf(*link) != session::Mode::Explore)
    return tell("A panel alone shows one run. The whole window predicts and compares.");
  if (session::modeOf(*link) != session::Mode::Explore) resumed_.clear();
  session_->apply(session::FollowLink{*link});
}

bool Page::isSettled() const {
  return session_->replay().run() != nullptr && !session_->workspace().job() && !session_->wantsFrameSoon();
}

void Page::goOnInMode() {
  if (resumed_.empty() || !isSettled()) return;
  resumeMode(*session_, std::exchange(resumed_, {}));
  hasNews_ = true;
}

void Page::open(const std::string& file) {
  if (!alone_.empty() && file.ends_with(".md"))
    return tell("A panel alone shows no tour. Open it in the whole window.");
  workbench_->onDrop(file);
  hasNews_ = true;
}

// What cannot stand alone leaves the window as it is, and says so.
void Page::standAlone(const std::string& name) {
  std::vector<std::string> ids;
  for (const views::Panel& panel : panels_)
    if (panel.placeIn(session::Mode::Present) != nullptr) ids.push_back(panel.id);
  if (std::ranges::find(ids, name) != ids.end()) {
    alone_ = name;
    commands_ = views::withoutBrowsersKeys(views::panelAloneTable(*views::findPanel(panels_, name)));
    return;
  }
  const std::string near = engine::nearestName(name, ids);
  const bool isThere = views::findPanel(panels_, name) != nullptr;
  tell((isThere ? "The panel '" + name + "' cannot stand alone"
                : "There is no panel '" + printable(name) + "' to embed") +
       (near.empty() || isThere ? "." : "; did you mean " + near + "?"));
}

// Links, and what a message offers, may lead elsewhere.
void Page::stayAlone() {
  if (alone_.empty()) return;
  session::AppState& app = session_->app();
  const auto* const place = views::findPanel(panels_, alone_)->placeIn(session::Mode::Present);
  const bool isMap = place->role != session::PanelRole::Main;
  if (!app.isPresenting()) session_->apply(session::EnterMode{session::Mode::Present});
  if (app.isMapInFront() != isMap || (isMap && app.presentedMap() != alone_))
    session_->apply(session::ShowPanel{alone_});
  if (app.isOn(session::PresenterTool::LargeMap) != isMap)
    session_->apply(session::UseTool{session::PresenterTool::LargeMap});
  while (app.overlay() != session::Overlay::None) app.closeOverlay();
}

void Page::step(int direction) {
  if (direction > 0)
    session_->apply(session::StepForward{});
  else
    session_->apply(session::StepBack{});
  hasNews_ = true;
}

// A command of the list, if it can be given now.
void Page::give(std::size_t command) {
  if (command >= commands_.size() || !views::isEnabled(commands_[command], session_->parts())) return;
  session_->apply(commands_[command].make(session_->parts()));
  hasNews_ = true;
}

// One of those that are offered; what is offered no more is none.
void Page::answer(std::size_t question, std::size_t answer) {
  const auto questions = views::spokenQuestions(session_->parts());
  if (question >= questions.size() || answer >= questions[question].answers.size()) return;
  dismissRefusal();
  session_->apply(questions[question].answers[answer].step);
  hasNews_ = true;
}

void Page::answer(std::size_t question, std::string_view typed) {
  const auto steps = views::typedAnswer(session_->parts(), question, typed);
  if (!steps) {
    refused_ = steps.error().sentence;
    return tell(refused_);
  }
  dismissRefusal();
  for (const session::PredictStep& step : *steps) session_->apply(step);
  hasNews_ = true;
}

// What was wrong with an answer is said no longer than until there is another one.
void Page::dismissRefusal() {
  const auto& message = session_->app().message();
  if (message && !refused_.empty() && message->sentence == printable(refused_))
    session_->app().dismissMessage();
  refused_.clear();
}

// The command that ends Present; below 0: there is nothing to end, or no way out, as of a panel alone.
int Page::endOfPresent() const {
  if (!alone_.empty() || !session_->app().isPresenting()) return -1;
  const auto end = std::ranges::find(commands_, "End Present", &views::CommandEntry::name);
  return end == commands_.end() ? -1 : int(end - commands_.begin());
}

void Page::tell(const std::string& sentence) {
  session_->app().tell(session::messageOf({.kind = ErrorKind::Usage, .sentence = printable(sentence)}));
  hasNews_ = true;
}

void Page::offerRecordings(double bytes) {
  session_->app().offerRecordings(std::uint64_t(std::max(0.0, bytes)));
  hasNews_ = true;
}

void Page::takeRecordings() { reader_ = std::make_unique<RecordingsReader>(); }

void Page::loseRecordings(const std::string& why) {
  session_->app().takeRecordings(false);
  tell("The recordings could not be fetched: " + why + ". Look at the network, and fetch them again.");
}

// A turn between two frames, while the rest of the page waits. Whether there are more.
bool Page::readRecordings() {
  if (!reader_) return false;
  if (!reader_->takeTurn(*fetched_, *board_)) return true;
  reader_.reset();
  session_->app().takeRecordings(true);
  session_->takeShippedRecordings(lab::sources::shippedRecordings());
  hasNews_ = true;
  return false;
}

// "[[x, y, width, height], ...]" in units of the page.
std::string Page::programLinks() const {
  const double density = CanvasContext::density();
  nlohmann::json places = nlohmann::json::array();
  for (const auto& [min, max] : workbench_->programLinks())
    places.push_back({double(min.x) / density, double(min.y) / density, double(max.x - min.x) / density,
                      double(max.y - min.y) / density});
  return places.dump();
}

void Page::keepSettings() {
  workbench_->saveState();
  const session::Settings& settings = session_->app().settings();
  std::string json = session::settingsToJson(settings);
  if (json != keptSettings_ && session::saveSettings(settingsFile_, settings))
    keptSettings_ = std::move(json);
  pageKeepFiles();  // with the layout and the score, which are written where they change
}

void Page::drawForPicture() {
  workbench_->drawForPicture();
  hasNews_ = true;
}

std::unique_ptr<Page>& page() {
  static std::unique_ptr<Page> only;
  return only;
}

}  // namespace
}  // namespace stridescope::web

using stridescope::web::page;

extern "C" {

// After main(). Seconds until the next call should come; less than a monitor's frame: at the next one.
EMSCRIPTEN_KEEPALIVE double page_frame() { return page()->frame(); }
EMSCRIPTEN_KEEPALIVE void page_answer_tap() { page()->answerTap(); }
// What stands behind the # of the address.
EMSCRIPTEN_KEEPALIVE void page_follow(const char* link) { page()->follow(link); }
// A file of the page's memory: a recording, a tour, a kernel.
EMSCRIPTEN_KEEPALIVE void page_open(const char* file) { page()->open(file); }
// To the next round, or to the one before where `direction` is negative.
EMSCRIPTEN_KEEPALIVE void page_step(int direction) { page()->step(direction); }
EMSCRIPTEN_KEEPALIVE void page_tell(const char* sentence) { page()->tell(sentence); }
// The recordings that come with the program: so many bytes of them can be transferred; whether somebody has
// asked for them since this was last called; they are in the page's memory; they could not be fetched.
EMSCRIPTEN_KEEPALIVE void page_offer_recordings(double bytes) { page()->offerRecordings(bytes); }
EMSCRIPTEN_KEEPALIVE int page_wants_recordings() {
  return page()->session().app().takeRecordingsRequest() ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void page_take_recordings() { page()->takeRecordings(); }
EMSCRIPTEN_KEEPALIVE void page_lose_recordings(const char* why) { page()->loseRecordings(why); }
// The mode, for a page that is loaded again: page_resume() goes on in it, where the address has none.
EMSCRIPTEN_KEEPALIVE const char* page_mode() {
  static std::string mode;
  mode = page()->modeToResume();
  return mode.c_str();
}
EMSCRIPTEN_KEEPALIVE void page_resume(const char* mode) { page()->resume(mode); }
EMSCRIPTEN_KEEPALIVE void page_keep_settings() { page()->keepSettings(); }

// What is shown, in words, and the commands of the mode (page_words.h); a command by its index.
EMSCRIPTEN_KEEPALIVE const char* page_words() {
  static std::string words;
  words = page()->words();
  return words.c_str();
}
EMSCRIPTEN_KEEPALIVE const char* page_commands() {
  static std::string commands;
  commands = page()->commands();
  return commands.c_str();
}
// The lesson or the stop of a tour that is open.
EMSCRIPTEN_KEEPALIVE const char* page_reading() {
  static std::string reading;
  reading = page()->reading();
  return reading.c_str();
}
// What Predict asks; an answer by its place, or as it is typed.
EMSCRIPTEN_KEEPALIVE const char* page_questions() {
  static std::string questions;
  questions = page()->questions();
  return questions.c_str();
}
EMSCRIPTEN_KEEPALIVE void page_answer(unsigned question, unsigned answer) {
  page()->answer(question, std::size_t(answer));
}
EMSCRIPTEN_KEEPALIVE void page_answer_typed(unsigned question, const char* typed) {
  page()->answer(question, std::string_view(typed));
}
// The command that ends Present; below 0: there is none.
EMSCRIPTEN_KEEPALIVE int page_end_of_present() { return page()->endOfPresent(); }
// Where the page has links to the program for a machine; and whether it has one for the message.
EMSCRIPTEN_KEEPALIVE const char* page_program_links() {
  static std::string places;
  places = page()->programLinks();
  return places.c_str();
}
EMSCRIPTEN_KEEPALIVE int page_offers_program() {
  const auto& message = page()->session().app().message();
  return message && stridescope::web::leadToProgram(message->details) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void page_give(unsigned command) { page()->give(command); }

EMSCRIPTEN_KEEPALIVE unsigned page_frames() { return page()->frames(); }
// Whether a round is on the screen, and nothing changes it.
EMSCRIPTEN_KEEPALIVE int page_is_settled() { return page()->isSettled() ? 1 : 0; }

// For tests.
EMSCRIPTEN_KEEPALIVE void page_fetch_recordings() {
  page()->session().apply(stridescope::session::FetchRecordings{});
}
EMSCRIPTEN_KEEPALIVE int page_has_recordings() {
  const auto& session = page()->session();
  return session.app().shippedRecordings() == stridescope::session::ShippedRecordings::Here &&
                 !session.workspace().shippedRecordings().empty()
             ? 1
             : 0;
}
EMSCRIPTEN_KEEPALIVE void page_draw_for_picture() { page()->drawForPicture(); }
EMSCRIPTEN_KEEPALIVE int page_round() { return int(page()->session().replay().playhead().round); }
EMSCRIPTEN_KEEPALIVE const char* page_variant() {
  static std::string variant;
  const auto* const run = page()->session().replay().run();
  variant = run == nullptr ? std::string() : run->trace.experiment.variant;
  return variant.c_str();
}
EMSCRIPTEN_KEEPALIVE double page_elements() {
  const auto* const run = page()->session().replay().run();
  return run == nullptr ? 0 : double(run->trace.experiment.elements);
}
// The file of the tour that is open; empty: none is.
EMSCRIPTEN_KEEPALIVE const char* page_tour() {
  static std::string file;
  const auto& tour = page()->session().app().tour();
  file = tour ? tour->path : std::string();
  return file.c_str();
}
// How much of what runs is done, 0 to 1; below 0: that is not known; above 1: nothing runs.
EMSCRIPTEN_KEEPALIVE double page_job_done() {
  const auto job = page()->session().workspace().job();
  return job ? double(job->fraction) : 2;
}
EMSCRIPTEN_KEEPALIVE unsigned page_stop() { return unsigned(page()->session().app().tourStop()); }
EMSCRIPTEN_KEEPALIVE const char* page_remark() {
  static std::string sentence;
  sentence = page()->session().app().loneRemark().value_or("");
  return sentence.c_str();
}
EMSCRIPTEN_KEEPALIVE const char* page_message() {
  static std::string sentence;
  const auto& message = page()->session().app().message();
  sentence = message ? message->sentence : std::string();
  return sentence.c_str();
}
}

// The argument, if there is one: the id of the panel that is all there is.
int main(int count, char** arguments) {
  auto opened =
      stridescope::web::Page::make(count > 1 ? std::optional<std::string>(arguments[1]) : std::nullopt);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().sentence.c_str());
    return 1;
  }
  page() = *std::move(opened);
  return 0;
}
