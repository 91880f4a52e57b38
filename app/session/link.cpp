#include "session/link.h"

#include <algorithm>
#include <array>

#include "analysis/analysis.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "model/experiment_fields.h"
#include "model/operator_table.h"
#include "narration/wording.h"
#include "session/experiment_choices.h"

namespace stridescope::session {

void choose(const Link& link, ExperimentChoices& choices) {
  if (!link.variant.empty()) {
    if (link.anew) choices = resetChoices(link.variant);
    choices.experiment.variant = link.variant;
  }
  choose(link.choices, choices);
}

teaching::Topic topicOf(const Link& link) {
  const auto found = std::ranges::find(kQuestionNames, link.question);
  return teaching::kTopics[std::size_t(found - kQuestionNames.begin()) % kQuestionNames.size()];
}

Mode modeOf(const Link& link) {
  switch (link.action) {
    case LinkAction::Predict:
      return Mode::Predict;
    case LinkAction::Compare:
      return Mode::Compare;
    default:
      return Mode::Explore;
  }
}

std::vector<LinkText> linksIn(std::span<const markdown::Block> blocks) {
  std::vector<LinkText> links;
  for (const markdown::Block& block : blocks)
    for (const markdown::Link& link : block.links)
      if (!link.image && link.target.starts_with('#'))
        links.push_back({link.target.substr(1), link.line, link.column, link.verbatim});
  return links;
}

std::vector<LinkText> linksIn(std::string_view markdown) {
  const auto blocks = markdown::read(markdown);
  return blocks ? linksIn(*blocks) : std::vector<LinkText>();
}

std::optional<std::string> faultOf(const LinkText& link, std::span<const std::string> panels) {
  const auto parsed = parseLink(link.text, panels);
  if (parsed) return std::nullopt;
  const LinkFault& fault = parsed.error();
  std::size_t column = link.column;
  if (link.verbatim) column += 1 + narration::charactersIn(std::string_view(link.text).substr(0, fault.at));
  return "Line " + std::to_string(link.line) + ", column " + std::to_string(column) + ": " + fault.sentence;
}

namespace {

using Panels = std::span<const std::string>;
using Parsed = tl::expected<void, LinkFault>;
constexpr std::array<std::string_view, 6> kHeads{"show", "try", "predict", "compare", "variant", "a panel"};
constexpr std::array<std::pair<std::string_view, RingKind>, 6> kRings{{{"thread", RingKind::Thread},
                                                                       {"warp", RingKind::Warp},
                                                                       {"element", RingKind::Element},
                                                                       {"bank", RingKind::Bank},
                                                                       {"line", RingKind::Line},
                                                                       {"request", RingKind::Request}}};

tl::unexpected<LinkFault> fault(std::size_t at, std::string sentence) {
  return tl::unexpected(LinkFault{at, std::move(sentence)});
}

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

// "there is no variant 'sequentail'; did you mean sequential?"
std::string noneBut(std::string_view what, std::string_view given, const std::string& near) {
  return "there is no " + std::string(what) + " " + quoted(given) +
         (near.empty() ? "." : "; did you mean " + near + "?");
}
std::string noSuch(std::string_view what, std::string_view given, const std::vector<std::string>& valid) {
  return noneBut(what, given, engine::nearestName(given, valid));
}

// "load-A" for "load A", as a link has no blanks.
std::string withBlanks(std::string_view text) {
  std::string words(text);
  std::ranges::replace(words, '-', ' ');
  return words;
}

struct Piece {
  std::string_view text;
  std::size_t at = 0;  // in the whole link
};

// At each `separator`; at least one piece.
std::vector<Piece> split(Piece whole, char separator) {
  std::vector<Piece> pieces;
  while (true) {
    const std::size_t end = std::min(whole.text.find(separator), whole.text.size());
    pieces.push_back({whole.text.substr(0, end), whole.at});
    if (end == whole.text.size()) return pieces;
    whole = {whole.text.substr(end + 1), whole.at + end + 1};
  }
}

class Parser {
 public:
  explicit Parser(Panels panels) : panels_(panels) {}

  tl::expected<Link, LinkFault> parse(std::string_view text) {
    const std::size_t mark = std::min(text.find('?'), text.size());
    if (auto head = takeHead({text.substr(0, mark), 0}); !head) return tl::unexpected(head.error());
    if (mark < text.size())
      for (const Piece& part : split({text.substr(mark + 1), mark + 1}, '&'))
        if (auto taken = takePart(part); !taken) return tl::unexpected(taken.error());
    if (place_ != LinkPlace()) link_.place = place_;
    for (const Parsed& checked : {checkChoices(), checkThreads(), checkRing()})
      if (!checked) return tl::unexpected(checked.error());
    return link_;
  }

 private:
  Parsed takeHead(const Piece& head) {
    const std::vector<Piece> path = split(head, '/');
    const std::string_view action = path.front().text;
    const auto part = [&](std::size_t i) { return i < path.size() ? path[i] : Piece{"", head.text.size()}; };
    const std::size_t most = action == "compare" || action == "predict" ? 3 : 2;
    if (path.size() > most) return fault(path[most].at, quoted(path[most].text) + " is one / too many.");
    if (action == "show" || action == "try") {
      link_.action = action == "show" ? LinkAction::Show : LinkAction::Try;
      link_.anew = action == "show" && path.size() > 1;
      return path.size() > 1 ? takeVariant(path[1], link_.variant) : Parsed();
    }
    if (action == "variant") return takeVariant(part(1), link_.variant);
    if (action == "predict") {
      link_.action = LinkAction::Predict;
      link_.anew = path.size() > 2;
      if (auto question = takeQuestion(part(1)); !question || !link_.anew) return question;
      return takeVariant(part(2), link_.variant);
    }
    if (action == "compare") {
      link_.action = LinkAction::Compare;
      if (auto first = takeVariant(part(1), link_.variant); !first) return first;
      return takeVariant(part(2), link_.other);
    }
    if (path.size() > 1) return noHead(path.front());
    return takePanelAndRound(head);
  }

  Parsed takeQuestion(const Piece& question) {
    const std::vector<std::string> valid(kQuestionNames.begin(), kQuestionNames.end());
    if (std::ranges::find(valid, question.text) == valid.end()) {
      const std::string near = engine::nearestName(question.text, valid);
      return fault(question.at, "there is no question " + quoted(question.text) +
                                    (near.empty() ? "; they are active, warps, conflict, and value."
                                                  : "; did you mean " + near + "?"));
    }
    link_.question = question.text;
    return {};
  }

  Parsed noHead(const Piece& head) const {
    std::vector<std::string> valid(kHeads.begin(), kHeads.end());
    valid.insert(valid.end(), panels_.begin(), panels_.end());
    const std::string near = engine::nearestName(head.text, valid);
    return fault(head.at, quoted(head.text) +
                              " is no link: one begins with a panel, variant, show, try, predict or compare" +
                              (near.empty() ? "." : "; did you mean " + near + "?"));
  }

  // banks@8
  Parsed takePanelAndRound(const Piece& head) {
    const std::vector<Piece> parts = split(head, '@');
    if (!isPanel(parts[0].text)) return noHead(parts[0]);
    link_.panel = parts[0].text;
    if (parts.size() == 1) return {};
    if (parts[1].text == "0") return takeRound({"first", parts[1].at});
    if (parts[1].text == "last") return takeRound(parts[1]);
    return takeNumber("the stride", parts[1], place_.stride);
  }

  Parsed takePart(const Piece& part) {
    const std::vector<Piece> sides = split(part, '=');
    const std::string_view name = sides[0].text;
    const auto field = std::ranges::find_if(model::experimentFields(), [&](const auto& each) {
      return !each.example.empty() && each.key == name;
    });
    const bool isField = field != model::experimentFields().end();
    const auto found = std::ranges::find(kParts, name, &Part::name);
    if (!isField && found == kParts.end()) {
      std::vector<std::string> valid;
      for (const model::ExperimentField& each : model::experimentFields())
        if (!each.example.empty()) valid.emplace_back(each.key);
      for (const Part& each : kParts) valid.emplace_back(each.name);
      return fault(part.at, noSuch("part of a link called", name, valid));
    }
    if (sides.size() != 2 || sides[1].text.empty())
      return fault(part.at, quoted(name) + " needs one value, such as " + std::string(name) + "=" +
                                std::string(isField ? field->example : found->example) + ".");
    return isField ? takeField(*field, sides[1]) : (this->*found->take)(sides[1]);
  }

  // A field of the experiment.
  Parsed takeField(const model::ExperimentField& field, const Piece& given) {
    const std::string title(field.title);
    if (field.readName == nullptr) {
      const auto read = typedNumber(given.text);
      if (!read || *read > field.mostHeld) return noNumber(field.key == "n" ? title : "the " + title, given);
      field.giveNumber(*read, link_.choices);
      return {};
    }
    const auto hasBlank = [](const std::string& name) { return name.find(' ') != name.npos; };
    const std::string name =
        std::ranges::any_of(field.ownNames, hasBlank) ? withBlanks(given.text) : std::string(given.text);
    if (field.readName(name, link_.choices)) return {};
    return fault(given.at, noSuch(title, name, field.ownNames));
  }

  static Parsed noNumber(std::string_view what, const Piece& given) {
    return fault(given.at,
                 std::string(what) + " is a number, such as 8 or 2^20, not " + quoted(given.text) + ".");
  }

  template <class Number>
  Parsed takeNumber(std::string_view what, const Piece& given, std::optional<Number>& number) {
    const auto read = typedNumber(given.text);
    if (!read || !std::in_range<Number>(*read)) return noNumber(what, given);
    number = Number(*read);
    return {};
  }
  Parsed takeVariant(const Piece& given, std::string& variant) const {
    if (given.text.empty()) return fault(given.at, "the id of a variant is missing, as in show/sequential.");
    const std::string_view id = model::resolved(model::Named::Variant, given.text);
    if (kernels::findVariant(id) == nullptr)
      return fault(given.at, noneBut("variant", given.text, engine::nearestVariant(given.text)));
    variant = id;
    return {};
  }
  Parsed takeLaunch(const Piece& given) { return takeNumber("the launch", given, place_.launch); }
  Parsed takeStride(const Piece& given) { return takeNumber("the stride", given, place_.stride); }
  Parsed takePass(const Piece& given) { return takeNumber("the pass", given, place_.pass); }
  Parsed takeRound(const Piece& given) {
    if (given.text == "first" || given.text == "last") {
      if (!place_.launch) place_.launch = given.text == "first" ? 0 : ~0u;
      place_.round = given.text == "first" ? 0 : ~0u;
      return {};
    }
    return takeNumber("the round", given, place_.round);
  }
  Parsed takePanel(const Piece& given) {
    if (!isPanel(given.text))
      return fault(given.at, noSuch("panel", given.text, {panels_.begin(), panels_.end()}));
    link_.panel = given.text;
    return {};
  }
  Parsed takeRequest(const Piece& given) {
    link_.request = withBlanks(given.text);
    return {};
  }
  Parsed takeRing(const Piece& given) {
    ringAt_ = given.at;
    const std::vector<Piece> sides = split(given, ':');
    const auto kind = std::ranges::find(kRings, sides[0].text, &std::pair<std::string_view, RingKind>::first);
    if (kind == kRings.end() || sides.size() != 2)
      return fault(given.at,
                   "a ring marks a thread, warp, element, bank, line or request, as in "
                   "ring=thread:5, not " +
                       quoted(given.text) + ".");
    LinkRing ring{.kind = kind->second};
    if (ring.kind == RingKind::Request) {
      ring.request = withBlanks(sides[1].text);
    } else {
      std::optional<std::uint64_t> index;
      if (auto read = takeNumber("what is ringed", sides[1], index); !read) return read;
      ring.index = *index;
    }
    link_.ring = ring;
    return {};
  }

  bool isPanel(std::string_view id) const { return std::ranges::find(panels_, id) != panels_.end(); }

  // Whether the variant offers what is chosen with it.
  Parsed checkChoices() const {
    ExperimentChoices choices = resetChoices(link_.variant);
    choose(link_, choices);
    const model::Experiment legal = experimentFor(choices);
    const model::Kernel* const kernel = kernels::kernelOf(legal);
    if (kernel == nullptr) return {};
    std::string why;
    const auto type = link_.choices.get(&model::Experiment::type);
    const auto op = link_.choices.get(&model::Experiment::op);
    const auto threads = link_.choices.get(&model::Experiment::threads);
    const auto elements = link_.choices.get(&model::Experiment::elements);
    if (op && legal.op != *op) why = whyNotOperator(*kernel, legal.type, *op);
    if (why.empty() && type && legal.type != *type) why = whyNotType(*kernel, *type, legal.op);
    if (why.empty() && threads) why = whyNotThreads(*kernel, *threads);
    if (why.empty() && elements) why = whyNotElements(legal, *elements);
    return why.empty() ? Parsed() : fault(0, std::move(why));
  }

  // What no run of the variant, or of any, has.
  Parsed checkRing() const {
    if (!link_.ring || link_.ring->kind == RingKind::Request) return {};
    const std::uint64_t index = link_.ring->index;
    if (link_.ring->kind == RingKind::Bank && index >= analysis::kBankCount)
      return fault(ringAt_, "the banks are 0 to 31; there is no bank " + figure(index) + ".");
    if (link_.variant.empty()) return {};
    if (link_.ring->kind == RingKind::Line) {
      const auto lines = std::uint64_t(std::ranges::count(kernels::kernelText(link_.variant), '\n'));
      if (index == 0 || index > lines)
        return fault(ringAt_, "the kernel's text has lines 1 to " + figure(lines) + ", and no line " +
                                  figure(index) + ".");
    }
    if (!link_.anew) return {};  // that depends on the block size that is chosen then
    ExperimentChoices choices = resetChoices(link_.variant);
    choose(link_, choices);
    const std::uint64_t threads = experimentFor(choices).threads;
    const std::uint64_t warps = model::warpsOf(threads);
    if (link_.ring->kind == RingKind::Thread && index >= threads)
      return fault(ringAt_, "the block has threads 0 to " + figure(threads - 1) + ", and no thread " +
                                figure(index) + ".");
    if (link_.ring->kind == RingKind::Warp && index >= warps)
      return fault(ringAt_, "the block has " + figure(warps) + (warps == 1 ? " warp" : " warps") +
                                ", from 0 on, and no warp " + figure(index) + ".");
    return {};
  }

  // Whether any variant has such blocks.
  Parsed checkThreads() const {
    const auto threads = link_.choices.get(&model::Experiment::threads);
    if (!link_.variant.empty() || !threads) return {};
    std::string why;
    for (const kernels::Variant& variant : kernels::catalog()) {
      std::string whyNot = whyNotThreads(variant, *threads);
      if (whyNot.empty()) return {};
      if (why.empty()) why = std::move(whyNot);
    }
    return fault(0, std::move(why));
  }

  struct Part {
    std::string_view name, example;
    Parsed (Parser::*take)(const Piece& given);
  };
  static const std::array<Part, 7> kParts;  // beside the fields of the experiment

  Panels panels_;
  Link link_;
  LinkPlace place_;
  std::size_t ringAt_ = 0;
};

const std::array<Parser::Part, 7> Parser::kParts{{{"launch", "1", &Parser::takeLaunch},
                                                  {"round", "4", &Parser::takeRound},
                                                  {"stride", "8", &Parser::takeStride},
                                                  {"pass", "2", &Parser::takePass},
                                                  {"panel", "banks", &Parser::takePanel},
                                                  {"request", "load-A", &Parser::takeRequest},
                                                  {"ring", "thread:5", &Parser::takeRing}}};

}  // namespace

tl::expected<Link, LinkFault> parseLink(std::string_view text, std::span<const std::string> panels) {
  return Parser(panels).parse(text);
}

}  // namespace stridescope::session
