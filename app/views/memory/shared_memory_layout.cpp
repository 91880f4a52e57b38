#include "views/memory/shared_memory_layout.h"

#include <algorithm>
#include <cmath>

#include "model/arithmetic.h"
#include "narration/memory_words.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

// Interleaved addressing: every result lies two distances of its operands after the one before, with both
// operands inside, whichever of them is read first. A lone pair is one only if it stands for all elements.
// The distance is the one in memory: padding lies between elements that are a stride apart.
bool isAdjacent(const MemoryStage& stage, const std::vector<const analysis::ThreadWork*>& working,
                std::optional<std::uint64_t> stride) {
  if (!stride || *stride == 0 || working.empty() || !working[0]->a || !working[0]->b) return false;
  const std::uint64_t first = working[0]->a->element, second = working[0]->b->element;
  const std::uint64_t distance = first < second ? second - first : first - second;
  if (distance == 0 || (working.size() == 1 && 2 * distance < stage.elements())) return false;
  for (std::size_t i = 0; i < working.size(); ++i) {
    const analysis::ThreadWork& work = *working[i];
    if (!work.a || !work.b || !work.result) return false;
    if (!stage.holds(work.a) || !stage.holds(work.b) || !stage.holds(work.result)) return false;
    const std::uint64_t place = stage.first() + i * 2 * distance;
    const auto [lower, upper] = std::minmax(work.a->element, work.b->element);
    if (work.result->element != place || lower != place || upper != place + distance) return false;
  }
  return true;
}

// The values of a thread's operands and of its result, as the band prints them.
class BandTexts {
 public:
  explicit BandTexts(const session::Replay& replay)
      : trace_(replay.run()->trace), launch_(replay.launch()), lists_(roundAt(replay)) {
    const auto& rounds = replay.launchAnalysis().rounds;
    const std::size_t next = replay.playhead().round + 1;
    if (roundAt(replay).endsTheRound() && next < rounds.size() && replay.round().exchanges.empty())
      next_.emplace(roundAt(replay, unsigned(next)));
  }

  std::string operand(const std::optional<analysis::Operand>& operand) const {
    return textOf(operand, false);
  }
  // "out[0]". Requires an operand that has a place.
  std::string placeOf(const analysis::Operand& operand) const {
    return narration::operandName(launch_, operand, model::Digits::Plain);
  }
  std::string result(const analysis::ThreadWork& work) const {
    return work.result ? textOf(work.result, true) : inRegister(work.thread);
  }

 private:
  std::string textOf(const std::optional<analysis::Operand>& operand, bool after) const {
    if (!operand) return {};
    std::string value = narration::printerOf(trace_, launch_, *operand).brief(operand->bits);
    if (!operand->placed || !operand->shared) return value;
    if (lists_.areIn(operand->array)) return narration::listMark(value);
    const std::string list =
        lists_.areOf(operand->array) ? lists_.of(operand->element, after) : std::string();
    return list.empty() ? value : list == "none" ? list : value + " " + narration::listMark(list);
  }
  // What the thread gives to an exchange right after the round.
  std::string inRegister(unsigned thread) const {
    if (!next_ || next_->round().exchanges.empty()) return {};
    const auto& exchange = next_->round().exchanges[thread];
    return exchange ? narration::exchangedText(*next_, *exchange, exchange->given) : std::string();
  }

  const model::Trace& trace_;
  const model::LaunchTrace& launch_;
  narration::HeadLists lists_;
  std::optional<narration::RoundAt> next_;
};

// Whether it is the other operand, read once more.
bool isAgain(const analysis::Operand& operand, const std::optional<analysis::Operand>& other) {
  if (!other || operand.placed != other->placed || operand.bits != other->bits) return false;
  return operand.placed ? analysis::sameElement(operand, *other) : operand.site == other->site;
}

// Those beside A and B. The identity that an accumulator begins with is not counted.
unsigned operandsBeside(const analysis::ThreadWork& work, std::uint64_t identity) {
  return unsigned(std::ranges::count_if(work.operands, [&](const analysis::Operand& operand) {
    return !isAgain(operand, work.a) && !isAgain(operand, work.b) &&
           (operand.placed || operand.bits != identity);
  }));
}

// Whose number stands over the column: the first operand's that has a place.
const analysis::Operand* numberedOperand(const Band& band, const analysis::ThreadWork& work) {
  for (const auto* operand : {&work.a, &work.b})
    if (*operand && (*operand)->placed) return &**operand;
  return band.hasA || !work.result || !work.result->placed ? nullptr : &*work.result;
}

std::size_t powerOfTwoAtMost(std::size_t n) {
  std::size_t power = 1;
  while (power * 2 <= n) power *= 2;
  return power;
}

// The widest cells any value of the round needs, so that a row is drawn with all its values or with none.
struct Needed {
  float operand = 0, result = 0;
};

Needed neededWidths(const std::vector<const analysis::ThreadWork*>& working, const BandTexts& texts,
                    const BandLayoutInput& input) {
  std::string longestOperand, longestResult;
  const auto keepLonger = [](std::string& longest, std::string text) {
    if (text.size() > longest.size()) longest = std::move(text);
  };
  for (const analysis::ThreadWork* work : working) {
    keepLonger(longestOperand, texts.operand(work->a));
    keepLonger(longestOperand, texts.operand(work->b));
    keepLonger(longestResult, texts.result(*work));
  }
  return {std::max(input.minimumCell, input.textWidth(longestOperand)),
          std::max(input.minimumCell, input.textWidth(longestResult))};
}

bool fits(std::size_t columns, BandShape shape, const Needed& needed, float width) {
  const float column = width / float(columns);
  const float operand = shape == BandShape::Adjacent ? column / 2 : column;
  return operand >= needed.operand && column >= needed.result;
}

std::size_t chooseColumns(std::size_t all, BandShape shape, const Needed& needed,
                          const BandLayoutInput& input) {
  if (input.columnsInView) return std::clamp<std::size_t>(*input.columnsInView, 1, all);
  if (fits(all, shape, needed, input.width)) return all;
  std::size_t columns = powerOfTwoAtMost(all);
  while (columns > 1 && !fits(columns, shape, needed, input.width)) columns /= 2;
  return columns;
}

std::size_t chooseFirst(std::size_t all, std::size_t inView,
                        const std::vector<const analysis::ThreadWork*>& working,
                        const BandLayoutInput& input) {
  std::size_t first = std::min(input.firstColumn.value_or(0), all - inView);
  if (!input.heldThread || input.firstColumn) return first;
  const auto held = std::ranges::find(working, *input.heldThread,
                                      [](const analysis::ThreadWork* work) { return work->thread; });
  if (held == working.end()) return first;
  const auto place = std::size_t(held - working.begin());
  return std::min(place / inView * inView,
                  all - inView);  // aligned, so that the view stays while the hover moves
}

}  // namespace

Band layOutBand(const session::Replay& replay, const BandLayoutInput& input) {
  const BandTexts texts(replay);
  std::vector<const analysis::ThreadWork*> working;
  const auto& all = replay.flow().work;
  // Beside elements, counters and flags are no work to draw; the lists' numbers of a merge are.
  const bool ofElements =
      !replay.round().outputElement && std::ranges::any_of(all, &analysis::ThreadWork::ofElements);
  for (const analysis::ThreadWork& work : all)
    if ((work.a || work.result) && (work.ofElements || !ofElements)) working.push_back(&work);

  const std::uint64_t identity = model::identityOf(replay.run()->trace.experiment);
  Band band;
  band.allColumns = working.size();
  if (working.empty()) return band;
  band.shape =
      isAdjacent(stageOf(replay), working, replay.round().stride) ? BandShape::Adjacent : BandShape::Columns;
  for (const analysis::ThreadWork* work : working) {
    band.hasA |= work->a.has_value();
    band.hasB |= work->b.has_value();
    band.hasResult |= work->result.has_value();
  }

  const Needed needed = neededWidths(working, texts, input);
  const std::size_t inView = chooseColumns(working.size(), band.shape, needed, input);
  band.valuesFit = fits(inView, band.shape, needed, input.width);
  band.firstColumn = chooseFirst(working.size(), inView, working, input);

  // Edges are whole pixels, so neighbouring cells may differ by one.
  const auto edge = [&](float column) { return std::round(column * input.width / float(inView)); };
  for (std::size_t i = 0; i < inView; ++i) {
    const analysis::ThreadWork* work = working[band.firstColumn + i];
    BandColumn column{.work = work,
                      .a = {},
                      .b = {},
                      .result = {edge(float(i)), edge(float(i + 1))},
                      .aText = texts.operand(work->a),
                      .bText = texts.operand(work->b),
                      .resultText = texts.result(*work),
                      .index = {},
                      .placedText = {}};
    column.placedText = column.resultText;
    if (const analysis::Operand* numbered = numberedOperand(band, *work)) {
      column.index = std::to_string(numbered->element);
      if (work->result && work->result->placed && !analysis::sameElement(*work->result, *numbered))
        column.placedText = texts.placeOf(*work->result) + " = " + column.resultText;
    }
    column.more = operandsBeside(*work, identity);
    column.inRegister = work->result ? !work->result->placed : !column.resultText.empty();
    column.a = column.b = column.result;
    if (band.shape == BandShape::Adjacent) {
      const bool aComesFirst = work->a->element < work->b->element;
      (aComesFirst ? column.a : column.b).to = edge(float(i) + 0.5f);
      (aComesFirst ? column.b : column.a).from = edge(float(i) + 0.5f);
    }
    band.columns.push_back(std::move(column));
  }
  band.placesFit = std::ranges::all_of(band.columns, [&](const BandColumn& column) {
    return input.textWidth(column.placedText) <= column.result.width();
  });
  return band;
}

bool isOutlined(const Band& band, const BandColumn& column) {
  return !column.work->useful || (band.hasResult && !column.hasResult());
}

std::vector<MemoryRow> memoryRows(const MemoryStage& stage, const std::vector<analysis::RoundFlow>& flow,
                                  unsigned current) {
  std::vector<MemoryRow> rows;
  if (!stage.exists()) return rows;
  for (unsigned round = 0; round < flow.size(); ++round) {
    MemoryRow row{.round = round, .span = 1, .live = {}};
    if (round + kRowsAround < current || round > current + kRowsAround) {
      rows.push_back(std::move(row));
      continue;
    }
    const std::vector<bool>& live = stage.liveAfter(flow[round]);
    for (std::uint64_t element = 0; element < live.size(); ++element)
      if (live[element]) row.live.push_back(element);

    // A live cell stands for the dead ones up to the next live one. The last cell alone shows no distance:
    // it goes on as the rows before it did, doubling or staying one wide.
    if (row.live.size() > 1) {
      row.span = row.live[1] - row.live[0];
      for (std::size_t i = 2; i < row.live.size(); ++i)
        row.span = std::min(row.span, row.live[i] - row.live[i - 1]);
    } else if (!rows.empty() && rows.back().live.size() > 1) {
      row.span = rows.back().span > 1 ? rows.back().span * 2 : 1;
    } else if (!rows.empty()) {
      row.span = rows.back().span;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool touchesStage(const Band& band, const MemoryStage& stage) {
  return std::ranges::any_of(band.columns, [&](const BandColumn& column) {
    return stage.holds(column.work->a) || stage.holds(column.work->b) || stage.holds(column.work->result);
  });
}

bool isContiguous(const Band& band) {
  const analysis::Operand* before = nullptr;
  for (const BandColumn& column : band.columns) {
    const analysis::Operand* const own = numberedOperand(band, *column.work);
    if (own == nullptr || (before != nullptr && own->element != before->element + 1)) return false;
    before = own;
  }
  return true;
}

ElementRange elementsInView(const Band& band, const MemoryStage& stage) {
  const std::uint64_t allElements = stage.elements();
  if (band.columns.empty() || band.everything()) return {0, allElements};
  const analysis::ThreadWork& first = *band.columns.front().work;
  const analysis::ThreadWork& last = *band.columns.back().work;
  const std::optional<analysis::Operand>& from = first.result ? first.result : first.a;
  const std::optional<analysis::Operand>& to = last.result ? last.result : last.a;
  if (!stage.holds(from) || !stage.holds(to)) return {0, allElements};
  std::uint64_t end = stage.placeOf(*to) + 1;
  if (band.shape == BandShape::Adjacent && last.b)
    end = stage.placeOf(*to) +
          2 * (std::max(last.a->element, last.b->element) - std::min(last.a->element, last.b->element));
  return {std::min(stage.placeOf(*from), allElements), std::min(end, allElements)};
}

}  // namespace stridescope::views
