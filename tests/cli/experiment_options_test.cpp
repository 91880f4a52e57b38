// What was typed, as an experiment and the fields of it that were given.
#include "cli/experiment_options.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace stridescope::cli {
namespace {

using model::Experiment;

// As if a command line had these words after these options.
Result<ExperimentRequest> requestOf(const std::vector<std::pair<std::string, std::string>>& words,
                                    const std::string& variant = {}) {
  ExperimentOptions options;
  Options declared;
  options.declare(declared);
  for (const auto& [name, text] : words) {
    const auto option = std::ranges::find(declared.options, name, &Option::names);
    if (option == declared.options.end()) ADD_FAILURE() << "there is no " << name;
    *std::get<std::optional<std::string>*>(option->target) = text;
  }
  return readExperimentRequest(variant, options);
}

// Another value than there is.
template <class Field>
void change(Field& field) {
  if constexpr (std::is_enum_v<Field>)
    field = model::allOf(field)[field == model::allOf(field)[1] ? 2 : 1];
  else if constexpr (std::is_arithmetic_v<Field>)
    ++field;
  else if constexpr (std::is_same_v<Field, std::string>)
    field += "?";
  else if constexpr (std::is_same_v<Field, model::CustomOperator>)
    field.combine += "?";
  else if constexpr (std::is_same_v<Field, Shared<model::Kernel>>)
    field = Shared(model::Kernel{.id = "other"});
  else
    field = model::SharedData({"other", {1, 2, 3}, {}});
}

// The names of the fields that an experiment must have as the request has them.
std::string heldTo(const ExperimentRequest& request) {
  std::string names;
  forEachFieldOf<Experiment>([&](std::string_view wanted, const auto&) {
    Experiment other = request.experiment;
    forEachField(other, [&](std::string_view name, auto& field) {
      if (name == wanted) change(field);
    });
    if (!request.admits(other)) names += (names.empty() ? "" : " ") + std::string(wanted);
  });
  return names;
}

TEST(ExperimentOptions, HoldARecordingToWhatWasTyped) {
  struct Typed {
    std::vector<std::pair<std::string, std::string>> words;
    std::string fields;
  };
  const Typed all[] = {
      {{}, ""},
      {{{"--type", "double"}}, "type"},
      {{{"--op", "max"}}, "op"},
      {{{"--combine", "a > b ? a : b"}, {"--identity", "0"}}, "op custom"},
      {{{"--threads", "64"}}, "threads"},
      {{{"-n,--elements", "2^10"}}, "elements"},
      {{{"--data", "random"}, {"--seed", "7"}}, "data seed"},
      {{{"--launch", "1"}, {"--block", "2"}}, "launch block"},
      {{{"--schedule", "random"}, {"--schedule-seed", "3"}}, "schedule schedule_seed"},
      {{{"--lists", "5"}}, "lists"},
      {{{"--block-order", "reversed"}}, "block_order"},
      {{{"--block-order", "random:3"}}, "block_order block_order_seed"},
      {{{"--type", "int"}, {"--threads", "256"}}, "type threads"},  // as unless given
  };
  for (const Typed& typed : all) {
    const auto request = requestOf(typed.words);
    ASSERT_TRUE(request) << typed.fields << ": " << request.error().sentence;
    EXPECT_EQ(heldTo(*request), typed.fields);
    EXPECT_EQ(request->leavesTheRestOpen(), typed.fields.empty());
  }
}

TEST(ExperimentOptions, AVariantAloneLeavesTheRestOpen) {
  const auto request = requestOf({}, "sequential");
  ASSERT_TRUE(request);
  EXPECT_EQ(heldTo(*request), "variant");
  EXPECT_TRUE(request->leavesTheRestOpen());
  EXPECT_FALSE(requestOf({{"--seed", "1"}}, "sequential")->leavesTheRestOpen());
}

TEST(ExperimentOptions, AreReadAsTyped) {
  const auto request = requestOf({{"--type", "int64"},
                                  {"--combine", "a > b ? a : b"},
                                  {"--identity", "-5"},
                                  {"--threads", "64"},
                                  {"-n,--elements", "2^10"},
                                  {"--data", "random"},
                                  {"--seed", "18446744073709551615"},
                                  {"--launch", "1"},
                                  {"--block", "2"},
                                  {"--schedule", "warps"},
                                  {"--schedule-seed", "3"},
                                  {"--lists", "5"}},
                                 "sequential");
  ASSERT_TRUE(request) << request.error().sentence;
  EXPECT_EQ(request->experiment, (Experiment{.variant = "sequential",
                                             .type = model::ElementType::Int64,
                                             .op = model::Operator::Custom,
                                             .threads = 64,
                                             .elements = 1024,
                                             .data = model::DataPattern::Random,
                                             .seed = ~std::uint64_t(0),
                                             .launch = 1,
                                             .block = 2,
                                             .schedule = model::Schedule::WarpByWarp,
                                             .scheduleSeed = 3,
                                             .lists = 5,
                                             .custom = {"a > b ? a : b", "-5", std::uint64_t(-5)}}));
}

TEST(ExperimentOptions, AliasesComeToTheNames) {
  const auto request =
      requestOf({{"--type", "long"}, {"--op", "sum"}, {"-n,--elements", "65,537"}}, "reduce6");
  ASSERT_TRUE(request) << request.error().sentence;
  EXPECT_EQ(request->experiment.variant, "grid_stride");
  EXPECT_EQ(request->experiment.type, model::ElementType::Int64);
  EXPECT_EQ(request->experiment.op, model::Operator::Add);
  EXPECT_EQ(request->experiment.elements, 65537u);
}

// What standard input is for the process, while this lives.
class StandardInputFrom {
 public:
  explicit StandardInputFrom(const std::string& text) : before_(::dup(STDIN_FILENO)) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), ssize_t(text.size()));  // it fits the pipe
    ::close(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
  }
  ~StandardInputFrom() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInputFrom(const StandardInputFrom&) = delete;
  StandardInputFrom& operator=(const StandardInputFrom&) = delete;

 private:
  int before_;
};

TEST(ExperimentOptions, ADashReadsStandardInput) {
  const StandardInputFrom input("4, 5\n6\n");
  const auto request = requestOf({{"--input", "-"}}, "sequential");
  ASSERT_TRUE(request) << request.error().sentence;
  ASSERT_NE(request->experiment.given.get(), nullptr);
  EXPECT_EQ(request->experiment.given.get()->values, (std::vector<std::uint64_t>{4, 5, 6}));
  EXPECT_EQ(request->experiment.given.get()->name, "standard input");
  EXPECT_EQ(request->experiment.elements, 3u);
}

TEST(ExperimentOptions, ADashReadsListsToo) {
  const StandardInputFrom input("[[1, 4], [2]]");
  const auto request = requestOf({{"--lists", "-"}}, "k_way_merge");
  ASSERT_TRUE(request) << request.error().sentence;
  EXPECT_EQ(request->experiment.lists, 2u);
}

// The second side of a comparison, and the second variant of a recording, find the same numbers.
TEST(ExperimentOptions, StandardInputIsReadOnceForAll) {
  const StandardInputFrom input("7\n8\n");
  ExperimentOptions both, left;
  Options declared, ofLeft;
  both.declare(declared);
  left.declareOf("left", ofLeft);
  *std::get<std::optional<std::string>*>(
      std::ranges::find(declared.options, "--input", &Option::names)->target) = "-";
  const auto first = readExperimentRequest("sequential", left.over(both));
  const auto second = readExperimentRequest("warp_shuffle", both);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->experiment.given, second->experiment.given);
  EXPECT_EQ(second->experiment.elements, 2u);
}

TEST(ExperimentOptions, StandardInputWithoutANumberIsRefused) {
  const StandardInputFrom input("# nothing\n");
  const auto request = requestOf({{"--input", "-"}}, "sequential");
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().kind, ErrorKind::Usage);
  EXPECT_EQ(request.error().sentence,
            "standard input holds no number. Write one number per line, or commas between numbers.");
}

TEST(ExperimentOptions, ThatDoNotGoTogetherAreRefused) {
  const auto sentenceOf = [](const std::vector<std::pair<std::string, std::string>>& words) {
    const auto request = requestOf(words);
    return request ? "" : request.error().sentence;
  };
  EXPECT_EQ(sentenceOf({{"--op", "custom"}}),
            "--op custom needs --combine and --identity, as in --combine 'a > b ? a : b' "
            "--identity=-2147483648.");
  EXPECT_EQ(sentenceOf({{"--identity", "0"}}),
            "--identity belongs to --combine; the other operators have theirs.");
  EXPECT_EQ(sentenceOf({{"--op", "min"}, {"--combine", "a"}, {"--identity", "0"}}),
            "--combine is an operator of its own: leave out --op min.");
  EXPECT_EQ(sentenceOf({{"--lists", "own.json"}, {"--input", "own.txt"}}),
            "--input and --lists both give numbers. Give one of them.");
  EXPECT_EQ(sentenceOf({{"--input", "own.txt"}, {"--data", "ones"}}),
            "--input gives the numbers and how many there are. Leave out --elements and --data.");
  EXPECT_EQ(sentenceOf({{"--lists", "0"}}), "--lists takes 1 to 1024, not 0.");
  EXPECT_EQ(sentenceOf({{"--schedule", "lane"}}),
            "--schedule lane is not one of lanes, warps, lockstep, random; did you mean lanes?");
}

}  // namespace
}  // namespace stridescope::cli
