#include "session/predict.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace stridescope::session {
namespace {

// So many first rounds of a run are looked through for a question that is worth asking.
constexpr std::size_t kMaxRoundsLookedAt = 64;

teaching::Levels levelsOf(const teaching::Score& score) {
  teaching::Levels levels{};
  for (const teaching::Topic topic : teaching::kTopics)
    levels[std::size_t(topic)] = teaching::levelOf(score.of(topic));
  return levels;
}

}  // namespace

Predict::Predict(Replay& replay, AppState& app, ScoreKeeper& score, std::uint64_t seed, Listener listener)
    : replay_(replay), app_(app), score_(score), seed_(seed), listener_(std::move(listener)) {}

const std::vector<AskedQuestion>& Predict::asked() const {
  static const std::vector<AskedQuestion> nothing;
  if (!on_ || !soFar_) return nothing;
  const auto found = now_.rounds.find(shownIndex());
  return found == now_.rounds.end() ? nothing : found->second.asked;
}

bool Predict::isJudged() const {
  if (!on_ || !soFar_) return false;
  const auto found = now_.rounds.find(shownIndex());
  return found != now_.rounds.end() && found->second.judged;
}

std::shared_ptr<const lab::Run> Predict::wholeRun() const { return soFar_ ? soFar_->whole() : nullptr; }

std::size_t Predict::shownIndex() const {
  return soFar_->indexOf(replay_.playhead().launch, replay_.playhead().round);
}

void Predict::follow() {
  const bool wanted = app_.modeFacts().hidesRounds;
  if (wanted == on_) return;
  wanted ? enter() : leave();
}

// The round behind the one that is shown is the first to be guessed; from the last, the first of all.
void Predict::enter() {
  on_ = true;
  score_.open();
  if (!replay_.run()) return;
  const Playhead at = replay_.playhead();
  begin(replay_.sharedRun(), replay_.measured());
  const std::size_t shown = soFar_->indexOf(at.launch, at.round), next = shown + 1;
  const auto left = std::exchange(left_, nullptr);
  const bool isSame = left && left->run == now_.run;
  const bool again = isSame && left->hidden && left->told == 0 && shown == 0;
  now_.told = next < soFar_->rounds() && !again ? next : 0;
  const std::size_t chosen = chosen_;
  if (isSame) takeUp(*left);
  hide(now_.told);
  if (isSame && left->told == now_.told && chosen < asked().size()) chosen_ = chosen;
}

void Predict::takeUp(const Prediction& left) {
  now_.rounds = left.rounds;
  std::erase_if(now_.rounds, [&](const auto& each) { return each.first >= now_.told && each.second.judged; });
}

const std::shared_ptr<const Prediction>& Predict::prediction() const {
  static const std::shared_ptr<const Prediction> nothing;
  if (!on_ || !soFar_) return nothing;
  if (!seen_ || *seen_ != now_) seen_ = std::make_shared<const Prediction>(now_);
  return seen_;
}

void Predict::restore(const Prediction& prediction) {
  if (!on_ || !soFar_ || prediction.run != now_.run || prediction == now_) return;
  const auto differs = [](const AskedQuestion& a, const AskedQuestion& b) { return a != b; };
  const std::vector<AskedQuestion> before = asked();
  now_ = prediction;
  show();
  const auto& asked = this->asked();
  chosen_ = 0;
  for (std::size_t place = 0; place < std::min(before.size(), asked.size()); ++place)
    if (differs(before[place], asked[place])) chosen_ = place;
}

lab::RoundName Predict::lastTold() const {
  const std::size_t shown = shownIndex();
  return soFar_->name(now_.hidden && shown == now_.told && shown > 0 ? shown - 1 : shown);
}

// The window stays at the last round that was told.
void Predict::leave() {
  on_ = false;
  wanted_.reset();
  if (!soFar_) return;
  const lab::RoundName at = lastTold();
  left_ = std::make_shared<const Prediction>(now_);
  replay_.load(soFar_->whole(), std::exchange(measured_, {}));
  replay_.moveTo({at.launch, at.round, 0});
  soFar_.reset();
  now_ = {};
}

void Predict::begin(std::shared_ptr<const lab::Run> run, lab::RunMeasured measured) {
  soFar_ = std::make_unique<RunSoFar>(std::move(run));
  measured_ = std::move(measured);
  const RunMark mark = markOf(*soFar_->whole());
  if (mark != countedIn_) counted_.clear();
  countedIn_ = mark;
  now_ = {.run = mark};
}

// The same round is hidden in another run.
void Predict::load(std::shared_ptr<const lab::Run> run, lab::RunMeasured measured) {
  if (!soFar_) {
    replay_.load(std::move(run), std::move(measured));
    return enter();
  }
  const lab::RoundName at = soFar_->name(std::min(now_.told, soFar_->rounds() - 1));
  if (wanted_ && wanted_->trying != run->trace.experiment.variant) wanted_.reset();
  begin(std::move(run), std::move(measured));
  if (!wanted_) return hide(soFar_->indexOf(at.launch, at.round));
  const teaching::Topic topic = wanted_->topic;
  const auto found = findWanted(topic);
  hide(found.value_or(soFar_->indexOf(at.launch, at.round)));
  if (!found) return tryNextVariant();
  wanted_.reset();
  for (std::size_t place = 0; place < asked().size(); ++place)
    if (asked()[place].question.topic == topic) chosen_ = place;
}

void Predict::showMeasured(const std::shared_ptr<const lab::Run>& run, lab::RunMeasured measured) {
  if (!soFar_ || soFar_->whole() != run) return;
  measured_ = std::move(measured);
  replay_.showMeasured(replay_.sharedRun(), soFar_->measured(measured_, now_.told));
}

void Predict::show() {
  replay_.load(soFar_->show(now_.told, now_.hidden), soFar_->measured(measured_, now_.told));
  const lab::RoundName& at = soFar_->name(now_.hidden ? now_.told : now_.told - 1);
  isHeld_ = isSummedUp_ = false;
  replay_.moveTo({at.launch, at.round, 0});
}

void Predict::hide(std::size_t index) {
  now_.told = index;
  now_.hidden = true;
  // A round that is told without an answer is asked no longer.
  std::erase_if(now_.rounds, [&](const auto& each) { return each.first < index && !each.second.judged; });
  show();
  ask();
}

void Predict::ask() {
  const lab::RoundName& at = soFar_->name(now_.told);
  chosen_ = 0;
  if (now_.rounds.contains(now_.told)) return;
  PredictedRound& record = now_.rounds[now_.told];
  for (teaching::Question& question :
       teaching::questionsOf(*soFar_->whole(), {at.launch, at.round}, seed_, levelsOf(score())))
    record.asked.push_back({.question = std::move(question)});
}

void Predict::step() {
  if (!soFar_) return;
  const std::size_t shown = shownIndex();
  if (shown + 1 < now_.told + (now_.hidden ? 1 : 0)) return replay_.step(+1);
  if (now_.hidden) return void(isHeld_ = true);
  if (now_.told < soFar_->rounds()) return hide(now_.told);
  if (replay_.atLast()) isSummedUp_ = true;
  replay_.step(+1);  // to the last pass
}

void Predict::stepBack() {
  const bool wasSummedUp = isSummedUp();
  isSummedUp_ = false;
  if (!wasSummedUp) replay_.step(-1);
}

void Predict::goTo(Playhead target) {
  if (!soFar_) return;
  isSummedUp_ = false;
  const std::size_t index = soFar_->indexOf(target.launch, target.round);
  if (index < now_.told || (index == now_.told && now_.hidden)) return replay_.moveTo(target);
  hide(index);
}

void Predict::reveal() {
  if (!isHidden()) return;
  PredictedRound& record = now_.rounds[now_.told];
  std::vector<teaching::Outcome> outcomes;
  for (AskedQuestion& each : record.asked) {
    each.judgement = teaching::judge(*soFar_->whole(), each.question, each.guess);
    if (each.judgement->answered)
      outcomes.push_back({each.question.topic, each.judgement->right, unsigned(each.hints.size())});
  }
  record.judged = true;
  if (counted_.insert(now_.told).second) score_.add(outcomes);
  ++now_.told;
  now_.hidden = false;
  show();
}

void Predict::skip() {
  if (!isHidden()) return;
  now_.rounds.erase(now_.told);
  counted_.insert(now_.told);  // it is seen now
  ++now_.told;
  if (now_.told < soFar_->rounds()) return hide(now_.told);
  now_.hidden = false;
  show();
}

void Predict::tryAgain() {
  if (!soFar_ || isHidden()) return;
  const std::size_t index = shownIndex();
  now_.rounds.erase(now_.rounds.lower_bound(index), now_.rounds.end());
  ++seed_;
  hide(index);
}

AskedQuestion* Predict::openQuestion(std::size_t place) {
  if (!isHidden()) return nullptr;
  auto& asked = now_.rounds[now_.told].asked;
  return place < asked.size() ? &asked[place] : nullptr;
}

void Predict::hint() {
  AskedQuestion* const question = openQuestion(chosen_);
  if (question == nullptr || question->hints.size() >= teaching::kHints) return;
  question->hints.push_back(teaching::hintsFor(*soFar_->whole(), question->question)[question->hints.size()]);
}

void Predict::mark(const PredictStep& step) {
  AskedQuestion* const question = openQuestion(step.question);
  if (question == nullptr) return;
  const bool threads = question->question.topic == teaching::Topic::ActiveThreads;
  if (!threads && question->question.topic != teaching::Topic::PartialWarps) return;
  const std::size_t block = replay_.launch().block;
  const std::size_t count = threads ? block : model::warpsOf(block);
  teaching::Guess& guess = question->guess;
  guess.marks.resize(count, false);
  for (std::size_t i = step.first; i <= step.last && i < count; ++i) guess.marks[i] = step.on;
  guess.answered = std::ranges::find(guess.marks, true) != guess.marks.end();
  chosen_ = step.question;
}

// A question of another concept is not answered so.
void Predict::answer(const PredictStep& step, teaching::Guess guess,
                     std::initializer_list<teaching::Topic> topics) {
  AskedQuestion* const question = openQuestion(step.question);
  if (question == nullptr || std::ranges::find(topics, question->question.topic) == topics.end()) return;
  question->guess = std::move(guess);
  chosen_ = step.question;
}

void Predict::apply(const PredictStep& step) {
  using teaching::Topic;
  if (step.act == PredictAct::DeleteScore) {
    score_.forget();
    return app_.remark("The score is deleted.");
  }
  if (!on_ || !soFar_) return;
  isHeld_ = false;
  switch (step.act) {
    case PredictAct::Reveal:
      return reveal();
    case PredictAct::Skip:
      return skip();
    case PredictAct::TryAgain:
      return tryAgain();
    case PredictAct::Hint:
      return hint();
    case PredictAct::Choose:
      if (step.question < asked().size()) chosen_ = step.question;
      return;
    case PredictAct::Mark:
      return mark(step);
    case PredictAct::AnswerNone:
      return answer(step, {.answered = true}, {Topic::ActiveThreads, Topic::PartialWarps});
    case PredictAct::AnswerWay:
      return answer(step, {.answered = true, .way = step.way}, {Topic::ConflictWays});
    case PredictAct::AnswerText:
      return answer(step, {.answered = !step.text.empty(), .typed = step.text}, {Topic::CellValues});
    case PredictAct::AskElsewhere:
      if (step.question < asked().size()) want(asked()[step.question].question.topic);
      return;
    case PredictAct::AskWeakest:
      if (const auto topic = teaching::weakest(score())) want(*topic);
      return;
    case PredictAct::DeleteScore:
      return;
  }
}

// The variants behind the shown one come first, then those before it; those that demonstrate a bug are left
// out.
void Predict::want(teaching::Topic topic) {
  const std::string own = soFar_->whole()->trace.experiment.variant;
  std::vector<std::string> before, behind;
  bool passed = false;
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.id == own)
      passed = true;
    else if (!variant.isWrong())
      (passed ? behind : before).emplace_back(variant.id);
  }
  behind.insert(behind.end(), before.begin(), before.end());
  std::ranges::reverse(behind);
  wanted_ = Wanted{.topic = topic, .variants = std::move(behind), .trying = {}};
  tryNextVariant();
}

void Predict::tryNextVariant() {
  while (wanted_ && !wanted_->variants.empty()) {
    wanted_->trying = wanted_->variants.back();
    wanted_->variants.pop_back();
    if (listener_.offers(wanted_->trying)) return listener_.choose(std::string(wanted_->trying));
  }
  if (wanted_)
    app_.remark("No other variant asks more about " + std::string(teaching::nameOf(wanted_->topic)) +
                " than this one.");
  wanted_.reset();
}

std::optional<std::size_t> Predict::findWanted(teaching::Topic topic) const {
  for (std::size_t index = 0; index < std::min(soFar_->rounds(), kMaxRoundsLookedAt); ++index) {
    const lab::RoundName& at = soFar_->name(index);
    for (const teaching::Question& question :
         teaching::questionsOf(*soFar_->whole(), {at.launch, at.round}, seed_, levelsOf(score())))
      if (question.topic == topic && !teaching::isPlain(*soFar_->whole(), question)) return index;
  }
  return std::nullopt;
}

struct ScoreKeeper::Pending {
  std::mutex mutex;
  bool forget = false;  // before the outcomes
  std::vector<teaching::Outcome> outcomes;
  bool unusable = false;  // the file is damaged or newer: nothing is written until it is deleted
  std::optional<Error> untold;

  // Brings the file up to date with what nobody has written yet. nullopt: it holds nothing to be shown.
  std::optional<teaching::Score> bring(const std::string& file) {
    const std::lock_guard lock(mutex);
    if (std::exchange(forget, false)) {
      if (auto deleted = teaching::deleteScore(file); !deleted) {
        untold = deleted.error();
        return std::nullopt;
      }
      unusable = false;
    }
    const std::vector<teaching::Outcome> all = std::exchange(outcomes, {});
    if (unusable) return std::nullopt;
    const auto score = all.empty() ? teaching::readScore(file) : teaching::addToScore(file, all);
    if (score) return *score;
    unusable = true;
    untold = score.error();
    return std::nullopt;
  }
};

ScoreKeeper::ScoreKeeper(std::string file, std::function<void()> wake, AppState& app)
    : file_(std::move(file)),
      app_(app),
      pending_(std::make_shared<Pending>()),
      jobs_(std::move(wake), [&app](const Error& error) { app.tell(messageOf(error)); }) {}

ScoreKeeper::~ScoreKeeper() {
  jobs_.cancel();
  jobs_.wait();
  if (opened_ && !file_.empty()) (void)pending_->bring(file_);  // nobody is left to be told
}

void ScoreKeeper::open() {
  if (std::exchange(opened_, true) || file_.empty()) return;
  startJob();
}

void ScoreKeeper::add(const std::vector<teaching::Outcome>& outcomes) {
  if (outcomes.empty()) return;
  for (const teaching::Outcome& outcome : outcomes) score_.add(outcome);
  if (file_.empty()) return;
  {
    const std::lock_guard lock(pending_->mutex);
    pending_->outcomes.insert(pending_->outcomes.end(), outcomes.begin(), outcomes.end());
  }
  startJob();
}

void ScoreKeeper::forget() {
  score_ = {};
  if (file_.empty()) return;
  {
    const std::lock_guard lock(pending_->mutex);
    pending_->forget = true;
    pending_->outcomes.clear();
  }
  startJob();
}

void ScoreKeeper::poll() {
  jobs_.poll();
  const std::lock_guard lock(pending_->mutex);
  if (const auto error = std::exchange(pending_->untold, std::nullopt)) app_.tell(messageOf(*error));
}

void ScoreKeeper::wait() {
  jobs_.wait();
  poll();
}

void ScoreKeeper::startJob() {
  jobs_.start("Keeping the score",
              [this, pending = pending_, file = file_](engine::JobControl&) -> Jobs::Delivery {
                return [this, score = pending->bring(file)] {
                  if (score) score_ = *score;
                };
              });
}

}  // namespace stridescope::session
