// A launch file as it is written.
#include "base/formats.h"
#include "engine/access/launch_file.h"

namespace stridescope::engine::access {
namespace {

std::string quoted(const std::string& text) { return printJson(JsonValue{text}); }

// A number as it is, and what JSON has no number for as a text.
std::string number(const std::string& text) {
  if (text.empty()) return "null";
  const JsonValue read = parseJson(text);
  return read.number() ? text : quoted(text);
}

std::string list(const std::vector<std::string>& numbers) {
  std::string all;
  for (const std::string& each : numbers) all += (all.empty() ? "" : ", ") + number(each);
  return "[" + all + "]";
}

std::string extents(const model::Dim3& size) {
  std::string text = "[" + std::to_string(size.x);
  if (size.y > 1 || size.z > 1) text += ", " + std::to_string(size.y);
  if (size.z > 1) text += ", " + std::to_string(size.z);
  return text + "]";
}

std::string printed(const ArgumentRequest& argument) {
  std::string text = "{\"name\": " + quoted(argument.name);
  if (!argument.array.empty()) text += ", \"array\": " + quoted(argument.array);
  if (!argument.pattern.empty()) text += ", \"pattern\": " + quoted(argument.pattern);
  if (argument.fill) text += ", \"fill\": " + number(*argument.fill);
  if (!argument.file.empty()) text += ", \"file\": " + quoted(argument.file);
  if (argument.values.size() == 1) text += ", \"value\": " + number(argument.values.front());
  if (argument.values.size() > 1) text += ", \"data\": " + list(argument.values);
  if (argument.count) text += ", \"count\": " + std::to_string(*argument.count);
  return text + "}";
}

std::string printed(const LaunchRequest& launch, const std::string& indent) {
  std::string text = indent + "{\n";
  const auto member = [&](const std::string& name, const std::string& value) {
    text += (text.ends_with("{\n") ? "" : ",\n") + indent + " " + quoted(name) + ": " + value;
  };
  if (!launch.kernel.empty()) member("kernel", quoted(launch.kernel));
  if (!launch.templateArguments.empty()) member("template", quoted(launch.templateArguments));
  member("grid", extents(launch.grid));
  member("block", extents(launch.block));
  if (launch.sharedBytes > 0) member("shared", std::to_string(launch.sharedBytes));
  std::string arguments;
  for (const ArgumentRequest& argument : launch.arguments)
    arguments += (arguments.empty() ? "" : ",") + ("\n" + indent + "  " + printed(argument));
  member("args", "[" + arguments + "]");
  std::string expected;
  const auto expect = [&](const std::string& name, const std::string& value) {
    expected += (expected.empty() ? "" : ", ") + quoted(name) + ": " + value;
  };
  for (const auto& [name, numbers] : launch.expected) expect(name, list(numbers));
  for (const auto& [name, file] : launch.expectedFiles) expect(name, "{\"file\": " + quoted(file) + "}");
  for (const auto& [name, reduction] : launch.expectedReductions)
    expect(name, "{\"reduce\": " + quoted(reduction.of) + ", \"op\": " + quoted(reduction.op) + "}");
  if (!expected.empty()) member("expect", "{" + expected + "}");
  if (!launch.sameAs.empty()) member("same_as", quoted(launch.sameAs));
  if (launch.tolerance) member("tolerance", printJson(JsonValue{*launch.tolerance}));
  return text + "\n" + indent + "}";
}

}  // namespace

std::string printLaunchFile(const LaunchFile& file) {
  if (file.launches.size() == 1) return printed(file.launches.front(), "") + "\n";
  std::string text;
  for (const LaunchRequest& launch : file.launches)
    text += (text.empty() ? "" : ",\n") + printed(launch, " ");
  return "{\"launches\": [\n" + text + "\n]}\n";
}

}  // namespace stridescope::engine::access
