#include "shared_layout.h"

#include <algorithm>
#include <optional>

#include "kernel_text.h"

namespace stridescope::engine::access {
namespace {

// The launched kernel as the compiler names it: "fold<int, Gcd>". Empty: it is not known.
std::string kernelNameOf(const KernelLibrary& library, const DebugInfo& info, const AccessLaunch& launch) {
  if (launch.kernel >= library.kernelCount) return {};
  const auto address = reinterpret_cast<std::uint64_t>(library.kernels[launch.kernel].function);
  const FunctionCode* const code = info.functionOf(address - library.base);
  return code == nullptr ? std::string() : code->name;
}

std::uint64_t bytesOf(const SharedVariable& variable) {
  std::uint64_t bytes = variable.element.bytes;
  for (const std::uint64_t extent : variable.extents) bytes *= extent;
  return bytes;
}

// The one of the launched kernel, or else of any function.
const SharedVariable* pointerNamed(const DebugInfo& info, const AccessLaunch& launch, std::string_view name) {
  const SharedVariable* found = nullptr;
  for (const SharedVariable& pointer : info.pointers) {
    if (pointer.name != name) continue;
    found = &pointer;
    if (withoutArguments(pointer.function) == launch.function) break;
  }
  return found;
}

// What the pointers among the kernel's variables point to, if that is of one type: `float* tile =
// (float*)raw;`.
const ParameterType* castOf(const KernelLibrary& library, const DebugInfo& info, const AccessLaunch& launch) {
  const std::string kernel = kernelNameOf(library, info, launch);
  const ParameterType* found = nullptr;
  for (const SharedVariable& pointer : info.pointers) {
    if (kernel.empty() || pointer.function != kernel || pointer.name == launch.dynamicName) continue;
    const ParameterType& element = pointer.element;
    if (found != nullptr && (element.bytes != found->bytes || element.members != found->members))
      return nullptr;
    found = &element;
  }
  return found;
}

}  // namespace

std::string_view withoutArguments(std::string_view function) {
  return function.substr(0, function.find('<'));
}

std::vector<SharedVariable> sharedOf(const KernelLibrary& library, const DebugInfo& info,
                                     const AccessLaunch& launch) {
  const std::string kernel = kernelNameOf(library, info, launch);
  std::vector<SharedVariable> arrays;
  for (const SharedVariable& variable : info.shared) {
    const auto function = withoutArguments(variable.function);
    if (variable.name == kAnchorSymbol || std::ranges::count(launch.otherKernels, function) != 0) continue;
    const bool isOfOtherArguments =  // of the template whose kernel this is
        !kernel.empty() && function == withoutArguments(kernel) && variable.function != kernel;
    if (isOfOtherArguments) continue;
    arrays.push_back(variable);
  }
  const std::vector<SharedVariable> declared = arrays;
  for (SharedVariable& array : arrays)
    if (std::ranges::count(declared, array.name, &SharedVariable::name) > 1 && !array.function.empty())
      array.name = std::string(withoutArguments(array.function)) + "::" + array.name;
  return arrays;
}

SharedVariable dynamicOf(const KernelLibrary& library, const DebugInfo& info, const AccessLaunch& launch) {
  SharedVariable words;
  if (const SharedVariable* const pointer = pointerNamed(info, launch, launch.dynamicName)) words = *pointer;
  const ParameterType* const cast = launch.dynamicIsCast ? castOf(library, info, launch) : nullptr;
  if (cast != nullptr) words.element = *cast;
  words.name = launch.dynamicName;
  words.extents.clear();
  if (words.element.bytes == 0 || launch.sharedBytes % words.element.bytes != 0) words.element = {.bytes = 4};
  return words;
}

SharedVariable declaredArray(const DebugInfo& info, const AccessLaunch& launch, const std::string& name,
                             const DeclaredElements& declared) {
  SharedVariable array;
  const std::size_t scope = name.rfind("::");
  if (scope == std::string::npos) {
    if (const SharedVariable* const pointer = pointerNamed(info, launch, name)) array = *pointer;
  } else {
    const auto of = std::ranges::find_if(info.pointers, [&](const SharedVariable& pointer) {
      return pointer.name == name.substr(scope + 2) &&
             withoutArguments(pointer.function) == name.substr(0, scope);
    });
    if (of != info.pointers.end()) array = *of;
  }
  array.name = name;
  if (declared.bytes % std::max(1u, declared.elementBytes) != 0) {
    array.element = {.bytes = 4};
  } else if (array.element.bytes != declared.elementBytes) {
    array.extents.clear();
    array.element = {.bytes = declared.elementBytes};
    if (declared.kind == ::accesses::ElementKind::Floating)
      array.element.members = {{NumberKind::Floating, declared.elementBytes}};
    if (declared.kind == ::accesses::ElementKind::Signed)
      array.element.members = {{NumberKind::Signed, declared.elementBytes}};
  }
  if (bytesOf(array) != declared.bytes) array.extents.clear();
  return array;
}

void describeElements(const ParameterType& element, model::Array& array) {
  array.elementBytes = shownElementBytes(element.bytes);
  if (!element.isWhole || array.elementBytes != element.bytes) return;
  if (element.members.size() == 1) array.type = model::elementTypeOf(element.members.front());
  if (array.type) return;
  std::vector<MemberType> members = element.members;
  std::ranges::stable_sort(members, {}, &MemberType::offset);
  // What a base class without a name of its own adds cannot be told apart.
  if (members.size() == 1 || std::ranges::none_of(members, &std::string::empty, &MemberType::name))
    array.members = std::move(members);
}

model::Array arrayOf(const SharedVariable& variable, std::uint64_t bytes) {
  model::Array array{.name = variable.name, .bytes = bytes};
  describeElements(variable.element, array);
  // Counters and flags are no elements of a reduction.
  if (array.type == model::ElementType::Unsigned) {
    array.type.reset();
    array.members = variable.element.members;
  }
  const bool isOfElements = array.elementBytes == variable.element.bytes;
  if (isOfElements && variable.extents.size() > 1 && variable.extents.size() <= model::kMaxExtents)
    array.extents = variable.extents;
  return array;
}

SharedLayout layoutOf(const KernelLibrary& library, const DebugInfo& info, const AccessLaunch& launch) {
  SharedLayout layout;
  for (const SharedVariable& array : sharedOf(library, info, launch))
    layout.arrays.push_back(arrayOf(array, array.bytes));
  layout.dynamic = arrayOf(dynamicOf(library, info, launch), launch.sharedBytes);
  return layout;
}

}  // namespace stridescope::engine::access
