#include "output_check.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

#include "base/numbers.h"
#include "kernel_numbers.h"
#include "model/array_names.h"

namespace stridescope::engine::access {
namespace {

// Folds the members, all of one kind, as C++ does in a loop; whole numbers wrap.
std::string reduced(const MemberType& member, const std::vector<std::string>& numbers,
                    const std::string& op) {
  const bool isReal = member.kind == NumberKind::Floating || member.kind == NumberKind::Half ||
                      member.kind == NumberKind::Bfloat;
  const auto fold = [&](auto zero) {
    using T = decltype(zero);
    T result{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      T next{};
      std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), next);
      if (i == 0)
        result = next;
      else if (op == "+")
        result = T(result + next);
      else if (op == "*")
        result = T(result * next);
      else if (op == "min")
        result = std::min(result, next);
      else if (op == "max")
        result = std::max(result, next);
      else if constexpr (std::is_integral_v<T>)
        result = op == "&" ? result & next : op == "|" ? result | next : result ^ next;
    }
    return result;
  };
  if (isReal) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof(text), fold(0.0)).ptr};
  }
  if (member.kind != NumberKind::Signed) {
    const std::uint64_t bits = fold(std::uint64_t{}), unused = 64 - member.bytes * 8;
    return std::to_string(bits << unused >> unused);
  }
  // In the unsigned type, because sums may wrap; the least and the greatest are those of signed numbers.
  if (op == "min" || op == "max") return std::to_string(fold(std::int64_t{}));
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::int64_t signedNext = 0;
    std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), signedNext);
    const auto next = std::uint64_t(signedNext);
    result = i == 0      ? next
             : op == "+" ? result + next
             : op == "*" ? result * next
             : op == "&" ? result & next
             : op == "|" ? result | next
                         : result ^ next;
  }
  const unsigned unused = 64 - member.bytes * 8;
  return std::to_string(std::int64_t(result << unused) >> unused);
}

}  // namespace

Result<void> readExpected(const KernelFile& file, const Arrays& arrays, LaunchRequest& launch) {
  const auto unknown = [](const std::string& name) {
    return usageError("What is expected names '" + name + "', which is no array of the launch. Fix it.");
  };
  for (const auto& [name, path] : launch.expectedFiles) {
    const std::size_t index = arrays.indexOf(name);
    if (index == arrays.names.size()) return unknown(name);
    auto read = numbersOfFile(file.folder, path, arrays.types[index]);
    if (!read) return tl::unexpected(read.error());
    launch.expected[name] =
        read->bytes.empty() ? std::move(read->numbers) : printedMembers(arrays.types[index], read->bytes);
  }
  for (const auto& [name, reduction] : launch.expectedReductions) {
    const std::size_t of = arrays.indexOf(reduction.of), output = arrays.indexOf(name);
    if (output == arrays.names.size()) return unknown(name);
    if (of == arrays.names.size()) return unknown(reduction.of);
    const ParameterType& type = arrays.types[of];
    const bool isBitwise = reduction.op == "&" || reduction.op == "|" || reduction.op == "^";
    const NumberKind kind = type.members.front().kind;
    const bool isWhole =
        kind == NumberKind::Signed || kind == NumberKind::Unsigned || kind == NumberKind::Bool;
    if (type.members.size() != 1 || arrays.bytes[of].empty() || (isBitwise && !isWhole))
      return usageError("'" + reduction.of + "' cannot be reduced with " + reduction.op +
                        ": its elements must be single numbers, whole ones for & | ^, and at least one.");
    launch.expected[name] = {
        reduced(type.members.front(), printedMembers(type, arrays.bytes[of]), reduction.op)};
  }
  return {};
}

std::optional<std::string> faultOfExpected(const LaunchRequest& launch, const Arrays& arrays) {
  for (const auto& [name, wanted] : launch.expected) {
    const auto known = std::ranges::find(arrays.names, name);
    const auto index = std::size_t(known - arrays.names.begin());
    if (known == arrays.names.end() || !arrays.isWritten[index])
      return "\"expect\" names '" + name +
             "', which is no array that the kernel is given to write. Fix the launch "
             "file.";
    const auto& members = arrays.types[index].members;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!wanted[i].empty() && !isNumberOf(members[i % members.size()], wanted[i]))
        return "'" + wanted[i] + "', number " + figure(i) + " of what is expected of '" + name +
               "', is no number of its type. Fix the launch file.";
  }
  return std::nullopt;
}

std::string KernelOutput::nameOf(std::uint64_t member) const {
  const std::size_t each = std::max<std::size_t>(1, types.size());
  const std::string element = name + "[" + figure(member / each) + "]";
  return types.empty() ? element : element + model::memberSuffix(types[member % each]);
}

void checkOutputs(const LaunchRequest& launch, KernelRun& run, const Arrays& arrays) {
  for (const auto& [name, wanted] : launch.expected) {
    const auto found = std::ranges::find(run.outputs, name, &KernelOutput::name);
    if (found == run.outputs.end()) continue;
    const auto& type =
        arrays.types[std::size_t(std::ranges::find(arrays.names, name) - arrays.names.begin())];
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].empty()) continue;
      if (run.check == KernelCheck::NotChecked) run.check = KernelCheck::Right;
      const bool isThere = i < found->members.size();
      const MemberType& member = type.members[i % type.members.size()];
      if (isThere && agrees(member, found->members[i], wanted[i], launch.tolerance)) continue;
      run.check = KernelCheck::Wrong;
      if (!run.mismatch)
        run.mismatch = {name, i, isThere ? found->members[i] : "nothing", wanted[i], found->nameOf(i)};
      break;
    }
  }
}

}  // namespace stridescope::engine::access
