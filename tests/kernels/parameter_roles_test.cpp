// The catalogue's roles and element types against what the kernels' texts declare and how they use it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "instrument/instrument.h"
#include "kernels/catalog.h"
#include "kernels/described_arrays.h"
#include "kernels/run_plan.h"

namespace stridescope::kernels {
namespace {

using model::ParameterRole;

// "const T* in" of the kernel's parameter list.
std::vector<std::string> declarationsOf(const Variant& variant) {
  const std::string text(kernelText(variant.id));
  const std::string head = "__global__ void " + std::string(variant.function) + "(";
  const std::size_t begin = text.find(head) + head.size();
  std::istringstream list(text.substr(begin, text.find(')', begin) - begin));
  std::vector<std::string> declarations;
  for (std::string each; std::getline(list, each, ',');) {
    std::istringstream words(each);
    std::string joined;
    for (std::string word; words >> word;)
      if (word != "__restrict__") joined += (joined.empty() ? "" : " ") + word;
    declarations.push_back(joined);
  }
  return declarations;
}

// "T" of "const T*".
std::string wordsOfType(std::string declared) {
  for (const std::string_view qualifier : {"const ", "volatile "})
    if (declared.starts_with(qualifier)) declared.erase(0, qualifier.size());
  return declared.substr(0, declared.find('*'));
}

// What a parameter of the role must be declared as, without its name.
std::set<std::string> declaredAs(ParameterRole role) {
  switch (role) {
    case ParameterRole::Input:
      return {"const T*", "Arrays"};
    case ParameterRole::ListValues:
      return {"const T*"};
    case ParameterRole::ListStarts:
      return {"const unsigned*"};
    case ParameterRole::Output:
      return {"T*", "volatile T*", "Arrays"};
    case ParameterRole::InPlace:
    case ParameterRole::Accumulator:
    case ParameterRole::Partials:
    case ParameterRole::Merged:
      return {"T*", "volatile T*"};
    case ParameterRole::Ticket:
    case ParameterRole::Origin:
      return {"unsigned*"};
    case ParameterRole::CountedSum:
    case ParameterRole::Messages:
    case ParameterRole::Inbox:
      return {"unsigned long long*"};
    case ParameterRole::ListCount:
    case ParameterRole::Device:
    case ParameterRole::Devices:
    case ParameterRole::Step:
    case ParameterRole::Steps:
      return {"unsigned"};
    case ParameterRole::Count:
      return {"unsigned", "unsigned long long"};
    case ParameterRole::Scalar:
      break;
  }
  return {};
}

TEST(ParameterRoles, AreThoseOfTheKernelsSignature) {
  for (const Variant& variant : catalog()) {
    SCOPED_TRACE(variant.id);
    const std::vector<std::string> declarations = declarationsOf(variant);
    ASSERT_EQ(declarations.size(), variant.parameters.size());
    for (std::size_t i = 0; i < declarations.size(); ++i) {
      const model::KernelParameter& parameter = variant.parameters[i];
      const std::size_t name = declarations[i].rfind(' ');
      EXPECT_EQ(declarations[i].substr(name + 1), parameter.name);
      const std::string type = declarations[i].substr(0, name);
      EXPECT_TRUE(declaredAs(parameter.role).contains(type)) << type << ": " << model::nameOf(parameter.role);
      EXPECT_EQ(type == "Arrays", parameter.of == model::ParameterOf::All);
      if (type == "Arrays") continue;  // pointers to elements
      EXPECT_EQ(parameter.type.name, wordsOfType(type));
      EXPECT_EQ(parameter.type.isElement(), parameter.type.name == "T");
    }
  }
}

TEST(ParameterRoles, AreEachTakenOnce) {
  for (const Variant& variant : catalog()) {
    std::set<ParameterRole> roles;
    for (const model::KernelParameter& parameter : variant.parameters)
      EXPECT_TRUE(roles.insert(parameter.role).second);
    const auto inputs = std::ranges::count_if(roles, [](ParameterRole role) {
      return role == ParameterRole::Input || role == ParameterRole::InPlace ||
             role == ParameterRole::ListValues;
    });
    const auto results = std::ranges::count_if(roles, [](ParameterRole role) {
      return role == ParameterRole::Output || role == ParameterRole::Accumulator ||
             role == ParameterRole::Merged;
    });
    EXPECT_EQ(inputs, 1) << variant.id;
    EXPECT_EQ(results, 1) << variant.id;
    EXPECT_EQ(variant.merges(), variant.family == Family::Merge);
  }
}

// Only the roles count: other names give the same plan.
TEST(ParameterRoles, MakeThePlanWhateverTheNames) {
  for (Variant variant : catalog()) {
    SCOPED_TRACE(variant.id);
    const model::Experiment experiment{
        .variant = std::string(variant.id), .threads = variant.defaultThreads, .elements = 5000};
    const RunPlan plan = planRun(variant, experiment);
    for (model::KernelParameter& parameter : variant.parameters) parameter.name = "x";
    const RunPlan other = planRun(variant, experiment);
    ASSERT_EQ(other.buffers.size(), plan.buffers.size());
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      EXPECT_EQ(other.buffers[i].start, plan.buffers[i].start);
      EXPECT_EQ(other.buffers[i].type, plan.buffers[i].type);
      EXPECT_EQ(other.buffers[i].elementBytes, plan.buffers[i].elementBytes);
      EXPECT_EQ(other.buffers[i].room, plan.buffers[i].room);
    }
    EXPECT_EQ(other.launches.size(), plan.launches.size());
    EXPECT_EQ(other.outcome, plan.outcome);
    EXPECT_EQ(other.result, plan.result);
    EXPECT_EQ(other.origin, plan.origin);
  }
}

TEST(DescribedArrays, HaveTheTypesOfTheText) {
  model::Trace trace;
  trace.experiment.variant = "a person's own";
  trace.experiment.type = model::ElementType::Float;
  trace.kernelText =
      "// lists and data are spoken of here\n"
      "__global__ void f(const T* __restrict__ in, unsigned* origin) {\n"
      "  extern __shared__ T data[]; __shared__ unsigned lists[32]; __shared__ bool last; }\n";
  model::LaunchTrace& launch = trace.launches.emplace_back();
  launch.recorded().shared = {{"data", 4, 8}, {"lists", 4, 8}, {"last", 1, 1}};
  launch.buffers = {{"in", 4, 8}, {"origin", 4, 8}};
  trace.kernel = instrument::modelFor(trace.kernelText, {});
  describeArrays(trace);
  const auto type = std::optional(model::ElementType::Float);
  EXPECT_EQ(launch.recorded().shared[0].type, type);
  EXPECT_EQ(launch.recorded().shared[1].type, std::nullopt);
  EXPECT_EQ(launch.recorded().shared[2].type, std::nullopt);
  EXPECT_EQ(launch.buffers[0].type, type);
  EXPECT_EQ(launch.buffers[1].type, std::nullopt);
  for (const model::Array& buffer : launch.buffers) EXPECT_EQ(buffer.role, std::nullopt);

  trace.experiment.variant = "k_way_merge";
  describeArrays(trace);
  EXPECT_EQ(launch.buffers[1].role, ParameterRole::Origin);
  EXPECT_EQ(launch.buffers[0].role, std::nullopt) << "that kernel has no parameter of this name";
}

TEST(DescribedArrays, ReadTheTypeOffADeclaration) {
  using model::ElementType;
  EXPECT_EQ(typeOfDeclared("T", 8, ElementType::Double), ElementType::Double);
  EXPECT_EQ(typeOfDeclared("volatile T", 4, ElementType::Int), ElementType::Int);
  EXPECT_EQ(typeOfDeclared("unsigned", 4, ElementType::Unsigned), std::nullopt);
  EXPECT_EQ(typeOfDeclared("volatile unsigned", 4, ElementType::Int), std::nullopt);
  EXPECT_EQ(typeOfDeclared("unsigned long long", 8, ElementType::Int64), std::nullopt);
  EXPECT_EQ(typeOfDeclared("Pack", 16, ElementType::Int), std::nullopt);
}

}  // namespace
}  // namespace stridescope::kernels
