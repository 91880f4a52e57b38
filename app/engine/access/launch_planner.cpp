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

// What a struct's members are called where they are given: an array of numbers has one name.
std::vector<std::string> givenNames(const std::string& name, const ParameterType& type) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < type.members.size(); ++m) {
    const std::string& member = type.members[m].name;
    const bool isPointer = std::ranges::count(type.pointers, std::uint32_t(m), &PointerMember::member) != 0;
    std::string given = name + "." + (isPointer ? member : member.substr(0, member.find('[')));
    if (names.empty() || names.back() != given) names.push_back(std::move(given));
  }
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
  return all;
}

// "p.in" and "p.size" are members of "p"; so is "p.size.x" one of "p.size", and "p.w[2]" one of "p.w".
bool isMemberOf(const std::string& name, const std::string& whole) {
  return name != whole && isPartOf(name, whole);
}

ParameterType pointedTo(const PointerMember& pointer) {
  return {.isPointer = true,
          .isConst = pointer.isConst,
          .isWhole = pointer.isWhole,
          .bytes = pointer.bytes,
          .members = pointer.members};
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
                       .dynamicName = text_.dynamicName.empty() ? "dynamic" : text_.dynamicName,
                       .dynamicIsCast = text_.dynamicIsCast};
  for (const KernelDeclaration& other : text_.kernels)
    if (other.name != declaration.name) planned.otherKernels.push_back(other.name);
  if (auto chosen = inspect(options, number, launch.grid, planned); !chosen)
    return tl::unexpected(chosen.error());
  if (auto named = checkNames(launch, kernel); !named) return tl::unexpected(named.error());
  for (std::size_t p = 0; p < types_[kernel].parameters.size(); ++p) {
    auto planning = argument(launch, kernel, p);
    if (!planning) return tl::unexpected(planning.error());
    planned.arguments.push_back(*std::move(planning));
  }
  return planned;
}

// Each argument is that of a parameter, or of a member of one.
Result<void> LaunchPlanner::checkNames(const LaunchRequest& launch, std::uint32_t kernel) const {
  const KernelDeclaration& declaration = kernels_.all[kernel].declaration;
  for (const ArgumentRequest& argument : launch.arguments) {
    const auto of = std::ranges::find_if(declaration.parameters, [&](const KernelParameter& parameter) {
      return isPartOf(argument.name, parameter.name);
    });
    if (of == declaration.parameters.end())
      return usageError(declaration.name + " has no parameter '" + argument.name + "'. It has " +
                        listed(declaration.parameters) + ".");
    const auto place = std::size_t(of - declaration.parameters.begin());
    if (argument.name == of->name || place >= types_[kernel].parameters.size()) continue;
    const ParameterType& type = types_[kernel].parameters[place];
    if (type.isPointer || type.members.empty() || type.members.front().name.empty())
      return usageError("'" + argument.name + "' is no member: the parameter '" + of->name + "' of " +
                        declaration.name + " is no struct with members that are known.");
  }
  return {};
}

Result<AccessArgument> LaunchPlanner::argument(const LaunchRequest& launch, std::uint32_t kernel,
                                               std::size_t place) {
  const KernelDeclaration& declaration = kernels_.all[kernel].declaration;
  const ParameterType& type = types_[kernel].parameters[place];
  const std::string name =
      place < declaration.parameters.size() ? declaration.parameters[place].name : std::string();
  const auto given = std::ranges::find(launch.arguments, name, &ArgumentRequest::name);
  const bool isByMembers = std::ranges::any_of(
      launch.arguments, [&](const ArgumentRequest& other) { return isMemberOf(other.name, name); });
  if (given != launch.arguments.end() && isByMembers)
    return usageError("The parameter '" + name +
                      "' is given as a whole and by its members. Give it one way or the other.");
  if (isByMembers) return byMembers(launch, name, type, place);
  if (given != launch.arguments.end() && !type.isPointer) return value(*given, type);
  if (given != launch.arguments.end()) {
    auto pointer = array(*given, type, place);
    if (!pointer) return tl::unexpected(pointer.error());
    return AccessArgument{.value = std::vector<std::uint8_t>(sizeof(std::uint64_t)),
                          .pointers = {*std::move(pointer)}};
  }
  const auto& defaults = types_[kernel].defaults;
  if (place < defaults.size() && !defaults[place].empty() && !type.isPointer)
    return AccessArgument{.value = defaults[place]};
  const bool hasNoNumbers = !type.isPointer && type.isWhole && type.members.empty();  // a functor
  if (hasNoNumbers) return AccessArgument{.value = std::vector<std::uint8_t>(type.bytes)};
  if (!type.pointers.empty()) return needsMembers(name, type);
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
  if (!type.pointers.empty()) return needsMembers(given.name, type);
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
  return AccessArgument{.value = *std::move(bytes)};
}

Result<AccessArgument> LaunchPlanner::byMembers(const LaunchRequest& launch, const std::string& name,
                                                const ParameterType& type, std::size_t place) {
  if (!type.isWhole)
    return usageError("The parameter '" + name +
                      "' is of a type whose members are not known here. Give it a struct of numbers and "
                      "pointers.");
  AccessArgument whole{.value = std::vector<std::uint8_t>(type.bytes)};
  std::vector<bool> isGiven(type.members.size(), false);
  for (const ArgumentRequest& given : launch.arguments) {
    if (!isMemberOf(given.name, name)) continue;
    std::vector<std::size_t> named;  // the members that it speaks of
    for (std::size_t m = 0; m < type.members.size(); ++m) {
      const std::string member = name + "." + type.members[m].name;
      if (isPartOf(member, given.name)) named.push_back(m);
    }
    if (named.empty())
      return usageError("There is no member '" + given.name + "'. There are " +
                        listed(givenNames(name, type)) + ".");
    for (const std::size_t m : named) {
      if (isGiven[m])
        return usageError("'" + name + "." + type.members[m].name + "' is given twice. Give it once.");
      isGiven[m] = true;
    }
    const auto pointer =
        std::ranges::find(type.pointers, std::uint32_t(named.front()), &PointerMember::member);
    if (pointer != type.pointers.end() && named.size() == 1) {
      auto made = array(given, pointedTo(*pointer), place + named.front());
      if (!made) return tl::unexpected(made.error());
      made->offset = type.members[named.front()].offset;
      whole.pointers.push_back(*std::move(made));
      continue;
    }
    for (const PointerMember& other : type.pointers)
      if (std::ranges::count(named, std::size_t(other.member)) != 0)
        return usageError("'" + given.name + "' has the pointer '" + name + "." +
                          type.members[other.member].name +
                          "' in it. Give each member by its name: " + listed(givenNames(name, type)) + ".");
    // Its numbers alone, as a struct of their own that has as many bytes.
    ParameterType part{.bytes = type.bytes};
    for (const std::size_t m : named) part.members.push_back(type.members[m]);
    const auto bytes = value(given, part);
    if (!bytes) return tl::unexpected(bytes.error());
    for (const MemberType& member : part.members)
      std::copy_n(bytes->value.begin() + member.offset, member.bytes, whole.value.begin() + member.offset);
  }
  for (std::size_t m = 0; m < isGiven.size(); ++m)
    if (!isGiven[m])
      return usageError("The member '" + name + "." + type.members[m].name +
                        "' is given nothing. Give each of them: " + listed(givenNames(name, type)) + ".");
  return whole;
}

tl::unexpected<Error> LaunchPlanner::needsMembers(const std::string& name, const ParameterType& type) const {
  return usageError("The parameter '" + name +
                    "' is a struct with pointers in it. Give each of its members by its "
                    "name, among the \"args\" of " +
                    launchFileOf(file_) + " beside the kernel (on the command line: --arg): " +
                    listed(givenNames(name, type)) + ".");
}

Result<AccessPointer> LaunchPlanner::array(const ArgumentRequest& given, const ParameterType& type,
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
  return AccessPointer{.buffer = index, .name = given.arrayName()};
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
