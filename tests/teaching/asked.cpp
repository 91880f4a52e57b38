#include "asked.h"

#include <gtest/gtest.h>

#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"

namespace stridescope::teaching::test {

std::vector<RoundPlace> Recorded::places() const {
  std::vector<RoundPlace> places;
  for (unsigned launch = 0; launch < made.analysis.launches.size(); ++launch)
    for (unsigned round = 0; round < made.analysis.launches[launch].rounds.size(); ++round)
      places.push_back({launch, round});
  return places;
}

std::unique_ptr<const Recorded> recorded(const model::Experiment& experiment) {
  engine::JobControl job;
  auto trace = engine::host::makeHostEngine()->record(experiment, job);
  EXPECT_TRUE(trace) << experiment.variant;
  return std::make_unique<const Recorded>(lab::runOf(*std::move(trace)));
}

model::Experiment experimentOf(const std::string& variant, unsigned threads, model::ElementType type) {
  const kernels::Variant* const found = kernels::findVariant(variant);
  EXPECT_NE(found, nullptr) << variant;
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.type = std::ranges::count(found->types, type) > 0 ? type : found->types.front();
  experiment.op = found->operators.front();
  experiment.threads = threads == 0 ? found->defaultThreads : threads;
  experiment.data = kernels::defaultData(variant, experiment.op);
  const auto checked = engine::checkedExperiment(experiment, false);
  EXPECT_TRUE(checked) << variant;
  return *checked;
}

std::unique_ptr<const Recorded> recorded(const std::string& variant, unsigned threads) {
  return recorded(experimentOf(variant, threads));
}

const Question* findQuestion(const std::vector<Question>& questions, Topic topic) {
  const auto found = std::ranges::find(questions, topic, &Question::topic);
  return found == questions.end() ? nullptr : &*found;
}

Guess marked(std::size_t count, const std::vector<std::size_t>& set) {
  Guess guess{.answered = true, .marks = std::vector<bool>(count, false)};
  for (const std::size_t one : set) guess.marks[one] = true;
  return guess;
}
Guess chosen(unsigned way) { return {.answered = true, .marks = {}, .way = way}; }
Guess typed(std::string text) {
  return {.answered = true, .marks = {}, .way = kOtherWay, .typed = std::move(text)};
}

}  // namespace stridescope::teaching::test
