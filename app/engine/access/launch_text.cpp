// Writes a launch file.
#include <algorithm>

#include "base/formats.h"
#include "launch_file.h"

namespace stridescope::engine::access {
namespace {

// JSON's numbers, digit for digit; what it has no number for is a text.
std::string numberText(const std::string& number) {
  const auto isNumber = [&] {
    std::size_t at = number.starts_with('-') ? 1 : 0;
    const std::size_t digits = at;
    while (at < number.size() && number[at] >= '0' && number[at] <= '9') ++at;
    if (at == digits || (number[digits] == '0' && at > digits + 1)) return false;
    if (at < number.size() && number[at] == '.') {
      const std::size_t behind = ++at;
      while (at < number.size() && number[at] >= '0' && number[at] <= '9') ++at;
      if (at == behind) return false;
    }
    if (at < number.size() && (number[at] == 'e' || number[at] == 'E')) {
      ++at;
      if (at < number.size() && (number[at] == '+' || number[at] == '-')) ++at;
      const std::size_t behind = at;
      while (at < number.size() && number[at] >= '0' && number[at] <= '9') ++at;
      if (at == behind) return false;
    }
    return at == number.size();
  };
  if (number.empty()) return "null";
  return isNumber() ? number : jsonText(number);
}

std::string listText(const std::vector<std::string>& numbers) {
  std::string text = "[";
  for (const std::string& number : numbers) text += (text.size() > 1 ? ", " : "") + numberText(number);
  return text + "]";
}

std::string extentsText(const model::Dim3& extents) {
  std::string text = "[" + std::to_string(extents.x);
  if (extents.y > 1 || extents.z > 1) text += ", " + std::to_string(extents.y);
  if (extents.z > 1) text += ", " + std::to_string(extents.z);
  return text + "]";
}

std::string argumentText(const ArgumentRequest& argument) {
  std::string text = "{\"name\": " + jsonText(argument.name);
  const auto add = [&](const char* member, const std::string& value) {
    text += ", \"" + std::string(member) + "\": " + value;
  };
  if (!argument.array.empty()) add("array", jsonText(argument.array));
  if (!argument.pattern.empty()) add("pattern", jsonText(argument.pattern));
  if (argument.fill) add("fill", numberText(*argument.fill));
  if (argument.count) add("count", std::to_string(*argument.count));
  if (!argument.file.empty()) add("file", jsonText(argument.file));
  if (argument.values.size() == 1)
    add("value", numberText(argument.values.front()));
  else if (!argument.values.empty())
    add("data", listText(argument.values));
  return text + "}";
}

std::string launchText(const LaunchRequest& launch, const std::string& indent) {
  std::vector<std::string> members;
  const auto add = [&](const char* member, const std::string& value) {
    members.push_back(indent + " \"" + member + "\": " + value);
  };
  if (!launch.kernel.empty()) add("kernel", jsonText(launch.kernel));
  if (!launch.templateArguments.empty()) add("template", jsonText(launch.templateArguments));
  add("grid", extentsText(launch.grid));
  add("block", extentsText(launch.block));
  if (launch.sharedBytes > 0) add("shared", std::to_string(launch.sharedBytes));
  std::string arguments;
  for (const ArgumentRequest& argument : launch.arguments)
    arguments += (arguments.empty() ? "\n" : ",\n") + indent + "  " + argumentText(argument);
  add("args", "[" + arguments + "]");
  std::string expected;
  for (const auto& [array, numbers] : launch.expected)
    expected += (expected.empty() ? "" : ", ") + jsonText(array) + ": " + listText(numbers);
  if (!expected.empty()) add("expect", "{" + expected + "}");
  if (launch.tolerance) add("tolerance", jsonText(*launch.tolerance));
  std::string text = "{\n";
  for (std::size_t i = 0; i < members.size(); ++i)
    text += members[i] + (i + 1 < members.size() ? ",\n" : "\n");
  return text + indent + "}";
}

}  // namespace

std::string launchFileText(const LaunchFile& file) {
  if (file.launches.size() == 1) return launchText(file.launches.front(), "") + "\n";
  std::string text = "{\"launches\": [";
  for (std::size_t i = 0; i < file.launches.size(); ++i)
    text += (i > 0 ? ",\n " : "\n ") + launchText(file.launches[i], " ");
  return text + "\n]}\n";
}

}  // namespace stridescope::engine::access
