#include "engine/access/variant_copy.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "engine/access/launch_file.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "model/arithmetic.h"

namespace stridescope::engine::access {
namespace {

using kernels::BufferStart;

constexpr std::uint64_t kMaxWritten = 1 << 16;  // numbers, one by one

std::vector<std::string> printed(const std::vector<std::uint8_t>& bytes, model::ElementType type) {
  const unsigned width = model::bytesOf(type);
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, width);
    numbers.push_back(model::printElement(type, bits));
  }
  return numbers;
}

std::vector<std::string> printed(const std::vector<std::uint64_t>& elements, model::ElementType type) {
  std::vector<std::string> numbers;
  for (const std::uint64_t bits : elements) numbers.push_back(model::printElement(type, bits));
  return numbers;
}

class Copier {
 public:
  Copier(const model::Experiment& experiment, const kernels::RunPlan& plan)
      : experiment_(experiment), plan_(plan) {}

  std::optional<ArgumentRequest> argument(const kernels::PlannedArgument& planned, std::size_t place) {
    ArgumentRequest request;
    request.name = planned.parameter.name;
    if (!planned.buffer) {
      request.values = {std::to_string(planned.number)};
      return request;
    }
    const bool isKnown = *planned.buffer < names_.size() && !names_[*planned.buffer].empty();
    request.array = arrayOf(*planned.buffer, planned.parameter.name);
    if (request.array == request.name) request.array.clear();
    if (isKnown) return request;  // it keeps what it has
    const kernels::PlannedBuffer& buffer = plan_.buffers[*planned.buffer];
    if (!fill(buffer, place, request)) return std::nullopt;
    return request;
  }

  // Buffers that arguments of one name have are told apart.
  std::string arrayOf(unsigned buffer, const std::string& name) {
    if (names_.size() <= buffer) names_.resize(buffer + 1);
    std::string& array = names_[buffer];
    if (!array.empty()) return array;
    array = name;
    for (unsigned number = 2; isTaken(array, buffer); ++number) array = name + std::to_string(number);
    return array;
  }

 private:
  bool isTaken(const std::string& array, unsigned buffer) const {
    for (unsigned each = 0; each < names_.size(); ++each)
      if (each != buffer && names_[each] == array) return true;
    return false;
  }

  bool fill(const kernels::PlannedBuffer& buffer, std::size_t place, ArgumentRequest& request) const {
    const auto number = [&](std::uint64_t bits) { return model::printElement(experiment_.type, bits); };
    switch (buffer.start) {
      case BufferStart::Input: {
        // A pattern's seed is the argument's place, from 1 on.
        const bool isPattern = experiment_.data != model::DataPattern::Given &&
                               buffer.room == buffer.elements &&
                               (!model::isSeeded(experiment_.data) || experiment_.seed == 1 + place);
        if (isPattern) {
          request.pattern = model::nameOf(experiment_.data);
          request.count = buffer.room;
          return true;
        }
        if (buffer.room > kMaxWritten) return false;
        request.values = printed(makeInput(experiment_, buffer.room), experiment_.type);
        return true;
      }
      case BufferStart::Unwritten:
      case BufferStart::Identity:
        // What a kernel leaves unwritten, the launch behind it may read as the identity.
        request.fill = buffer.type ? number(model::identityBits(experiment_.type, experiment_.op)) : "0";
        request.count = buffer.room;
        return true;
      case BufferStart::Zero:
        request.fill = "0";
        request.count = buffer.room;
        return true;
      case BufferStart::Lists:
      case BufferStart::InterleavedLists:
      case BufferStart::ListStarts:
        return fillLists(buffer, request);
    }
    return false;
  }

  bool fillLists(const kernels::PlannedBuffer& buffer, ArgumentRequest& request) const {
    const SortedLists lists = listsOf(experiment_);
    if (buffer.room > kMaxWritten || lists.values.size() > kMaxWritten) return false;
    if (buffer.start == BufferStart::ListStarts) {
      for (std::uint64_t i = 0; i < buffer.room; ++i)
        request.values.push_back(
            std::to_string(lists.starts[std::min<std::size_t>(i, lists.starts.size() - 1)]));
      return true;
    }
    const bool interleaved = buffer.start == BufferStart::InterleavedLists;
    request.values = printed(interleaved ? interleavedValues(lists) : lists.values, experiment_.type);
    return true;
  }

  const model::Experiment& experiment_;
  const kernels::RunPlan& plan_;
  std::vector<std::string> names_;  // by buffer
};

}  // namespace

Result<VariantCopy> copyOfVariant(const model::Trace& trace) {
  const model::Experiment& experiment = trace.experiment;
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (experiment.kernel.get() != nullptr || kernel == nullptr)
    return usageError("This kernel is a person's own already. Copy its file.");
  if (kernel->isOfSeveralGpus())
    return usageError("A kernel of your own runs on one GPU, and this variant needs several.");
  if (experiment.op == model::Operator::Custom)
    return usageError(
        "A copy of a variant with an operator of your own cannot be made. Choose another operator.");
  const kernels::RunPlan plan = kernels::planRun(*kernel, experiment);
  Copier copier(experiment, plan);
  LaunchFile file;
  for (const kernels::LaunchShape& shape : plan.launches) {
    LaunchRequest& launch = file.launches.emplace_back();
    launch.kernel = kernel->function;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.sharedBytes = shape.sharedBytes;
    for (std::size_t p = 0; p < shape.arguments.size(); ++p) {
      auto argument = copier.argument(shape.arguments[p], p);
      if (!argument)
        return usageError("The copy would have more than " + figure(kMaxWritten) +
                          " numbers in its launch file. Choose fewer elements.");
      launch.arguments.push_back(*std::move(argument));
    }
  }
  if (plan.outcome == kernels::Outcome::OneValue && !trace.expected.empty())
    file.launches.back().expected[copier.arrayOf(plan.result, "out")] = {trace.expected};
  return VariantCopy{kernels::preambleOf(kernel->text, experiment) + "\n" + kernel->text,
                     printLaunchFile(file)};
}

}  // namespace stridescope::engine::access
