#include "measure/baselines/gpu_baselines.h"

#include <limits>

#include "measure/baselines/gpu_baselines_compiled.h"

namespace stridescope::measure::baselines {
namespace {

constexpr std::uint64_t kMaxElements = std::numeric_limits<std::uint32_t>::max();

static_assert(static_cast<int>(compiled::Element::Int) == static_cast<int>(model::ElementType::Int) &&
                  static_cast<int>(compiled::Element::Double) == static_cast<int>(model::ElementType::Double),
              "the two lists of types agree");

class Baseline final : public GpuBaseline {
 public:
  Baseline(std::string name, std::unique_ptr<compiled::CompiledBaseline> compiled)
      : name_(std::move(name)), compiled_(std::move(compiled)) {}

  Result<void> told(const char* failure) const {
    if (failure == nullptr) return {};
    return unavailable(name_ + " could not be run. Start the timing again.", failure);
  }
  Result<void> prepare() { return told(compiled_->prepare()); }

  Result<void> enqueue(std::uint64_t input, std::uint64_t output, void* stream) override {
    return told(
        compiled_->enqueue(reinterpret_cast<const void*>(input), reinterpret_cast<void*>(output), stream));
  }
  bool givesToHost() const override { return compiled_->givesToHost(); }
  std::uint64_t hostResult() const override { return compiled_->hostResult(); }

 private:
  std::string name_;
  std::unique_ptr<compiled::CompiledBaseline> compiled_;
};

}  // namespace

Result<std::unique_ptr<GpuBaseline>> makeGpuBaseline(const std::string& id, model::ElementType type,
                                                     model::Operator op, std::uint64_t elements,
                                                     unsigned gpu) {
  const bool extreme = op == model::Operator::Min || op == model::Operator::Max;
  const bool hasExtremes = type == model::ElementType::Int || type == model::ElementType::Float;
  if (op != model::Operator::Add && !(extreme && hasExtremes))
    return usageError(
        id + " is compiled into this program for + in every type and for min and max in int and float.");
  if (elements > kMaxElements) return usageError(id + " is timed up to 2^32 - 1 elements.");
  if (const char* failure = compiled::useGpu(gpu))
    return unavailable("CUDA's runtime library cannot use this GPU, so " + id + " is not timed.", failure);
  const auto library = id == "thrust" ? compiled::Library::Thrust : compiled::Library::Cub;
  const auto reduction = op == model::Operator::Min   ? compiled::Reduction::Min
                         : op == model::Operator::Max ? compiled::Reduction::Max
                                                      : compiled::Reduction::Sum;
  auto baseline = std::make_unique<Baseline>(
      id, compiled::makeCompiled(library, static_cast<compiled::Element>(type), reduction, elements));
  if (auto prepared = baseline->prepare(); !prepared) return tl::unexpected(prepared.error());
  return baseline;
}

std::string gpuBaselineVersion() { return compiled::compiledVersion(); }

}  // namespace stridescope::measure::baselines
