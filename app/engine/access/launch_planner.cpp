#include "launch_planner.h"

#include <algorithm>

#include "base/numbers.h"
#include "kernel_numbers.h"
#include "model/trace_check.h"

namespace stridescope::engine::access {
namespace {

constexpr std::uint64_t kMaxBuffersBytes = 1ull << 30;

std::string listed(const std::vector<KernelParameter>& parameters) {
  std::string all;
  for (const KernelParameter& each : parameters) all += (all.empty() ? "" : ", ") + each.name;
  return all.empty() ? "none" : all;
}

}  // namespace

std::size_t Arrays::indexOf(const std::string& name) const {
  return std::size_t(std::ranges::find(names, name) - names.begin());
}

Result<void> LaunchPlanner::checkShape(const LaunchRequest& launch) const {
  if (const auto fault = model::faultOfShape(launch.grid, launch.block))
    return usageError(file_.name + " cannot be launched with " + *fault + ". Choose another shape.");
  if (launch.sharedBytes > model::kMaxSharedBytes)
    return usageError("A block cannot have " + figure(launch.sharedBytes) +
                      " bytes of dynamic shared memory: at most " + figure(model::kMaxSharedBytes) +
                      ". Choose fewer in " + launchFileOf(file_) + " (on the command line: --shared).");
  return {};
}

Result<void> LaunchPlanner::inspect(const KernelRunOptions& options, std::size_t number,
                                    const model::Dim3& grid, AccessLaunch& planned) {
  if (options.inspectedLaunch && *options.inspectedLaunch != number) return {};
  planned.recordsAll = options.inspectsAll;
  if (options.inspectsAll) {
    planned.inspected = grid.count() - 1;  // it comes last, and so all come in order
    if (grid.count() <= model::kMaxBlockTraces) return {};
    return usageError("All blocks of a grid of " + model::text(grid) +
                      " blocks cannot be recorded: at most " + figure(model::kMaxBlockTraces) +
                      ". Choose one with --inspect, or a smaller --grid.");
  }
  const model::Dim3& inspected = options.inspected;
  if (inspected.x >= grid.x || inspected.y >= grid.y || inspected.z >= grid.z)
    return usageError("There is no block " + std::to_string(inspected.x) + "," + std::to_string(inspected.y) +
                      "," + std::to_string(inspected.z) + " in a grid of " + model::text(grid) + " blocks.");
  planned.inspected = inspected.x + grid.x * (inspected.y + grid.y * std::uint64_t(inspected.z));
  return {};
}

Result<AccessLaunch> LaunchPlanner::plan(std::size_t number, const KernelRunOptions& options) {
  const LaunchRequest& launch = file_.launches.launches[number];
  const std::uint32_t kernel = kernels_.ofLaunch[number];
  const KernelDeclaration& declaration = kernels_.all[kernel].declaration;
  if (auto checked = checkShape(launch); !checked) return tl::unexpected(checked.error());
  AccessLaunch planned{.kernel = kernel,
                       .function = declaration.name,
                       .grid = launch.grid,
                       .block = launch.block,
                       .sharedBytes = launch.sharedBytes,
                       .dynamicName = text_.dynamicName.empty() ? "dynamic" : text_.dynamicName};
  for (const KernelDeclaration& other : text_.kernels)
    if (other.name != declaration.name) planned.otherKernels.push_back(other.name);
  if (auto chosen = inspect(options, number, launch.grid, planned); !chosen)
    return tl::unexpected(chosen.error());
  for (const ArgumentRequest& argument : launch.arguments)
    if (std::ranges::count(declaration.parameters, argument.name, &KernelParameter::name) == 0)
      return usageError(declaration.name + " has no parameter '" + argument.name + "'. It has " +
                        listed(declaration.parameters) + ".");
  for (std::size_t p = 0; p < types_[kernel].parameters.size(); ++p) {
    auto planning = argument(launch, kernel, p);
    if (!planning) return tl::unexpected(planning.error());
    planned.arguments.push_back(*std::move(planning));
  }
  return planned;
}

Result<AccessArgument> LaunchPlanner::argument(const LaunchRequest& launch, std::uint32_t kernel,
                                               std::size_t place) {
  const KernelDeclaration& declaration = kernels_.all[kernel].declaration;
  const ParameterType& type = types_[kernel].parameters[place];
  const std::string name =
      place < declaration.parameters.size() ? declaration.parameters[place].name : std::string();
  const auto given = std::ranges::find(launch.arguments, name, &ArgumentRequest::name);
  if (given != launch.arguments.end())
    return type.isPointer ? array(*given, type, place) : value(*given, type);
  const auto& defaults = types_[kernel].defaults;
  if (place < defaults.size() && !defaults[place].empty() && !type.isPointer)
    return AccessArgument{.value = defaults[place], .name = name};
  const bool hasNoNumbers = !type.isPointer && type.isWhole && type.members.empty();  // a functor
  if (hasNoNumbers) return AccessArgument{.value = std::vector<std::uint8_t>(type.bytes), .name = name};
  return usageError("The parameter '" + name + "' of " + declaration.name + " is given nothing. Give it " +
                    (type.isPointer ? "a count of elements" : "a value") + " among the \"args\" of " +
                    launchFileOf(file_) + " beside the kernel (on the command line: --arg " + name +
                    (type.isPointer ? "=PATTERN:COUNT or zero:COUNT" : "=NUMBER") + ").");
}

Result<AccessArgument> LaunchPlanner::value(const ArgumentRequest& given, const ParameterType& type) const {
  const bool isOfArray = !given.pattern.empty() || given.fill || given.count || !given.file.empty();
  if (isOfArray)
    return usageError("The parameter '" + given.name +
                      "' is no pointer, and is given an array. Give it a number.");
  if (!type.isWhole)
    return usageError("The parameter '" + given.name +
                      "' is of a type whose members are not known here. Give it a struct of numbers.");
  auto bytes = given.values.size() == type.members.size()
                   ? elementBytes(given.name, type, given.values)
                   : Result<std::vector<std::uint8_t>>(std::vector<std::uint8_t>());
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->size() != type.bytes)
    return usageError("The parameter '" + given.name + "' takes " + figure(type.members.size()) +
                      (type.members.size() == 1 ? " number" : " numbers") + "; " +
                      figure(given.values.size()) + " are given.");
  return AccessArgument{.value = *std::move(bytes), .name = given.name};
}

Result<AccessArgument> LaunchPlanner::array(const ArgumentRequest& given, const ParameterType& type,
                                            std::size_t place) {
  const auto index = std::uint32_t(arrays_.indexOf(given.arrayName()));
  if (index == arrays_.names.size()) {
    auto bytes = contents(given, type, place);
    if (!bytes) return tl::unexpected(bytes.error());
    total_ += bytes->size();
    if (total_ > kMaxBuffersBytes)
      return usageError("The arrays of " + file_.name + " take more than " + figure(kMaxBuffersBytes) +
                        " bytes. Take smaller ones.");
    made_.push_back(given);
    arrays_.names.push_back(given.arrayName());
    arrays_.types.push_back(type);
    arrays_.bytes.push_back(*std::move(bytes));
    arrays_.isWritten.push_back(!type.isConst);
  } else {
    const std::uint64_t elements = arrays_.bytes[index].size() / std::max(1u, type.bytes);
    const bool saysSame = given.saysNothing() || given == made_[index];
    if (!saysSame || (given.count && *given.count != elements))
      return usageError(
          "'" + given.name + "' has " + figure(elements) +
          " elements from an earlier launch, and keeps them: a later launch names it, and may say "
          "its count, which is the same. Or give it another name.");
    arrays_.isWritten[index] = arrays_.isWritten[index] || !type.isConst;
  }
  return AccessArgument{.isBuffer = true, .buffer = index, .name = given.arrayName()};
}

Result<std::vector<std::uint8_t>> LaunchPlanner::contents(const ArgumentRequest& given,
                                                          const ParameterType& type,
                                                          std::size_t place) const {
  if (!type.isWhole || type.members.empty())
    return usageError("The elements of '" + given.name +
                      "' are of a type whose members are not known here. Give it a struct of numbers.");
  std::vector<std::string> values = given.values;
  if (!given.file.empty()) {
    auto read = numbersOfFile(file_.folder, given.file, type);
    if (!read) return tl::unexpected(read.error());
    const std::uint64_t elements =
        read->bytes.empty() ? read->numbers.size() / type.members.size() : read->bytes.size() / type.bytes;
    if (given.count && *given.count != elements)
      return usageError("'" + given.name + "' has a count of " + figure(*given.count) + ", and " +
                        given.file + " has " + figure(elements) + " elements. Leave out the count.");
    if (!read->bytes.empty()) return read->bytes;
    values = std::move(read->numbers);
  }
  if (!given.pattern.empty() || given.fill) {
    if (!given.count) return usageError("'" + given.name + "' has no count of elements.");
    if (*given.count > kMaxBuffersBytes / std::max(1u, type.bytes))
      return usageError("'" + given.name + "' is too large: at most " + figure(kMaxBuffersBytes) + " bytes.");
    return filled(given, type, 1 + place);
  }
  if (given.count && given.file.empty()) {
    if (values.empty())
      return usageError("'" + given.name + "' has a count and no elements: say \"fill\" or \"pattern\".");
    if (*given.count * type.members.size() != values.size())
      return usageError("'" + given.name + "' has a count of " + figure(*given.count) + " and data of " +
                        figure(values.size()) + (values.size() == 1 ? " number" : " numbers") +
                        ". Leave out the count.");
  }
  return elementBytes(given.name, type, values);
}

}  // namespace stridescope::engine::access
