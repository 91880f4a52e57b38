// What the launches of a person's kernels are given, as the process that runs them is told it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "access_worker.h"
#include "engine/access/kernel_run.h"
#include "engine/access/kernel_types.h"
#include "kernel_source.h"

namespace stridescope::engine::access {

// The arrays of all launches, by name: arguments of one name share one.
struct Arrays {
  std::vector<std::string> names;
  std::vector<ParameterType> types;
  std::vector<std::vector<std::uint8_t>> bytes;
  std::vector<bool> isWritten;

  std::size_t indexOf(const std::string& name) const;  // names.size(): there is none
};

class LaunchPlanner {
 public:
  LaunchPlanner(const KernelFile& file, const NamedKernels& kernels, const KernelText& text,
                const std::vector<KernelTypes>& types)
      : file_(file), kernels_(kernels), text_(text), types_(types) {}

  // One launch after the other. Usage: a sentence of what is wrong with it.
  Result<AccessLaunch> plan(std::size_t launch, const KernelRunOptions& options);

  const Arrays& arrays() const { return arrays_; }

 private:
  Result<void> checkShape(const LaunchRequest& launch) const;
  static Result<void> inspect(const KernelRunOptions& options, std::size_t number, const model::Dim3& grid,
                              AccessLaunch& planned);
  Result<void> checkNames(const LaunchRequest& launch, std::uint32_t kernel) const;
  Result<AccessArgument> argument(const LaunchRequest& launch, std::uint32_t kernel, std::size_t place);
  Result<AccessArgument> value(const ArgumentRequest& given, const ParameterType& type) const;
  // A struct, each of whose members is given by its name.
  Result<AccessArgument> byMembers(const LaunchRequest& launch, const std::string& name,
                                   const ParameterType& type, std::size_t place);
  tl::unexpected<Error> needsMembers(const std::string& name, const ParameterType& type) const;
  // A pointer to the array that an argument names.
  Result<AccessPointer> array(const ArgumentRequest& given, const ParameterType& type, std::size_t place);
  Result<std::vector<std::uint8_t>> contents(const ArgumentRequest& given, const ParameterType& type,
                                             std::size_t place) const;

  const KernelFile& file_;
  const NamedKernels& kernels_;
  const KernelText& text_;
  const std::vector<KernelTypes>& types_;
  Arrays arrays_;
  std::vector<ArgumentRequest> made_;  // what each array was made of
  std::uint64_t total_ = 0;
};

}  // namespace stridescope::engine::access
