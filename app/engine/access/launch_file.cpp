#include "launch_file.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/formats.h"
#include "base/numbers.h"

namespace stridescope::engine::access {
namespace {

constexpr std::array<std::string_view, 5> kPatterns{"digits", "random", "ramp", "ones", "alternating"};

class LaunchReader {
 public:
  explicit LaunchReader(std::string name) : name_(std::move(name)) {}

  Result<LaunchRequest> launch(const JsonValue& json) {
    LaunchRequest request;
    if (json.as<JsonObject>() == nullptr) return wrong("a launch is no object");
    for (const auto& [key, value] : *json.as<JsonObject>()) {
      if (key == "kernel" || key == "template") {
        const auto* const text = value.as<std::string>();
        if (text == nullptr) return wrong("'" + key + "' is no text");
        (key == "kernel" ? request.kernel : request.templateArguments) = *text;
      } else if (key == "grid" || key == "block") {
        const auto extents = extentsOf(value);
        if (!extents) return wrong("'" + key + "' is no list of one to three positive numbers");
        (key == "grid" ? request.grid : request.block) = *extents;
        (key == "grid" ? request.saysGrid : request.saysBlock) = true;
      } else if (key == "shared") {
        const auto* const bytes = value.as<std::uint64_t>();
        if (bytes == nullptr) return wrong("'shared' is no number of bytes");
        request.sharedBytes = *bytes;
        request.saysShared = true;
      } else if (key == "args") {
        const auto* const list = value.as<JsonList>();
        if (list == nullptr) return wrong("'args' is no list");
        for (const JsonValue& each : *list) {
          auto argument = argumentOf(each);
          if (!argument) return tl::unexpected(argument.error());
          if (std::ranges::count(request.arguments, argument->name, &ArgumentRequest::name) != 0)
            return wrong("'args' names '" + argument->name + "' twice");
          request.arguments.push_back(*std::move(argument));
        }
      } else if (key == "expect") {
        const auto* const outputs = value.as<JsonObject>();
        if (outputs == nullptr) return wrong("'expect' is no object");
        for (const auto& [output, wanted] : *outputs) {
          if (wanted.as<std::nullptr_t>() != nullptr) continue;
          if (const auto* const source = wanted.as<JsonObject>()) {
            if (auto fault = readExpectedFrom(output, *source, request)) return wrong(*fault);
            continue;
          }
          const auto numbers = numbersOf(wanted);
          if (!numbers) return wrong("what is expected of '" + output + "' is no list of numbers");
          request.expected[output] = *numbers;
        }
      } else if (key == "same_as") {
        const auto* const other = value.as<std::string>();
        if (other == nullptr || other->empty()) return wrong("'same_as' is no file");
        request.sameAs = *other;
      } else if (key == "tolerance") {
        request.tolerance = value.number();
        if (!request.tolerance || !(*request.tolerance >= 0))
          return wrong("'tolerance' is no number from 0 on");
      } else {
        return wrong("'" + key +
                     "' means nothing here; a launch has kernel, template, grid, block, shared, args, "
                     "expect, same_as and tolerance");
      }
    }
    return request;
  }

  tl::unexpected<Error> wrong(const std::string& what) const {
    return usageError(name_ + ": " + what + ". Fix the launch file.");
  }

 private:
  static std::optional<model::Dim3> extentsOf(const JsonValue& value) {
    const auto* const list = value.as<JsonList>();
    if (list == nullptr || list->empty() || list->size() > 3) return std::nullopt;
    std::array<std::uint64_t, 3> extents{1, 1, 1};
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto* const number = (*list)[i].as<std::uint64_t>();
      if (number == nullptr || *number == 0 || *number > std::numeric_limits<unsigned>::max())
        return std::nullopt;
      extents[i] = *number;
    }
    return model::Dim3(extents[0], unsigned(extents[1]), unsigned(extents[2]));
  }

  // {"file": "want.npy"}, {"reduce": "in", "op": "+"}.
  static std::optional<std::string> readExpectedFrom(const std::string& output, const JsonObject& source,
                                                     LaunchRequest& request) {
    const std::string wrong =
        "what is expected of '" + output +
        "' is neither {\"file\": FILE} nor {\"reduce\": ARRAY, \"op\": OP} with one of + * min "
        "max & | ^";
    std::map<std::string, std::string> words;
    for (const auto& [key, value] : source) {
      const auto* const word = value.as<std::string>();
      if (word == nullptr) return wrong;
      words[key] = *word;
    }
    if (words.size() == 1 && words.contains("file")) {
      request.expectedFiles[output] = words["file"];
      return std::nullopt;
    }
    const bool isReduction =
        words.size() == 2 && words.contains("reduce") && std::ranges::count(kReductions, words["op"]) != 0;
    if (!isReduction) return wrong;
    request.expectedReductions[output] = {words["reduce"], words["op"]};
    return std::nullopt;
  }

  // nullopt: it is no number; an empty text: null.
  static std::optional<std::string> numberOf(const JsonValue& value) {
    if (value.as<std::nullptr_t>() != nullptr) return std::string();
    if (const auto* const flag = value.as<bool>()) return std::string(*flag ? "1" : "0");
    if (const auto* const text = value.as<std::string>()) return *text;
    if (value.number()) return printJson(value).substr(0, printJson(value).find('\n'));
    return std::nullopt;
  }

  static std::optional<std::vector<std::string>> numbersOf(const JsonValue& value) {
    std::vector<std::string> numbers;
    if (const auto* const list = value.as<JsonList>()) {
      for (const JsonValue& each : *list) {
        const auto number = numberOf(each);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
      }
      return numbers;
    }
    const auto one = numberOf(value);
    if (!one) return std::nullopt;
    return std::vector{*one};
  }

  // It says twice what it is, or half of it.
  static std::optional<std::string> contradictionIn(const ArgumentRequest& argument,
                                                    const JsonObject& members) {
    std::vector<std::string> ways;
    for (const auto& [key, value] : members)
      if (key != "name" && key != "count" && key != "array") ways.push_back(key);
    const std::string of = " of the argument '" + argument.name + "'";
    if (ways.size() > 1)
      return "'" + ways[0] + "' and '" + ways[1] + "'" + of +
             " contradict each other; an argument has one of data, pattern, fill, file and value";
    const bool needsCount = !argument.pattern.empty() || argument.fill;
    if (needsCount && !argument.count) return "'" + ways[0] + "'" + of + " needs a count of elements";
    if (argument.count && !ways.empty() && ways[0] == "value")
      return "'value' and 'count'" + of +
             " contradict each other; an array of one value is a fill with a count";
    return std::nullopt;
  }

  Result<ArgumentRequest> argumentOf(const JsonValue& json) const {
    ArgumentRequest argument;
    if (json.as<JsonObject>() == nullptr) return wrong("an argument is no object");
    for (const auto& [key, value] : *json.as<JsonObject>()) {
      const auto* const text = value.as<std::string>();
      if (key == "name" && text != nullptr) {
        argument.name = *text;
      } else if (key == "pattern" && text != nullptr && std::ranges::count(kPatterns, *text) != 0) {
        argument.pattern = *text;
      } else if (key == "file" && text != nullptr) {
        argument.file = *text;
      } else if (key == "array" && text != nullptr && !text->empty()) {
        argument.array = *text;
      } else if (key == "count" && value.as<std::uint64_t>() != nullptr) {
        argument.count = *value.as<std::uint64_t>();
      } else if (key == "fill" && numberOf(value)) {
        argument.fill = *numberOf(value);
      } else if ((key == "data" || key == "value") && numbersOf(value)) {
        argument.values = *numbersOf(value);
      } else {
        return wrong(
            "'" + key + "' of the argument '" + argument.name +
            "' makes no sense; an argument has name and data, pattern with count, fill with count, file, "
            "array, or value");
      }
    }
    if (argument.name.empty()) return wrong("an argument has no name");
    if (auto fault = contradictionIn(argument, *json.as<JsonObject>())) return wrong(*fault);
    return argument;
  }

  std::string name_;
};

}  // namespace

Result<LaunchFile> parseLaunchFile(const std::string& name, std::string_view json) {
  LaunchReader reader(name);
  const JsonValue whole = parseJson(json);
  if (whole.as<JsonObject>() == nullptr) {
    const auto fault = faultOfJson(json);
    return reader.wrong(fault ? "it is no JSON from line " + std::to_string(fault->first) + ", column " +
                                    std::to_string(fault->second) + " on"
                              : "it is no JSON object");
  }
  LaunchFile file;
  if (const JsonValue* const several = whole.member("launches")) {
    const auto* const list = several->as<JsonList>();
    if (list == nullptr || list->empty()) return reader.wrong("'launches' is no list of launches");
    if (whole.as<JsonObject>()->size() > 1)
      return reader.wrong("'launches' stands in place of all other members, and there are others beside it");
    for (const JsonValue& each : *list) {
      auto launch = reader.launch(each);
      if (!launch) return tl::unexpected(launch.error());
      file.launches.push_back(*std::move(launch));
    }
    return file;
  }
  auto launch = reader.launch(whole);
  if (!launch) return tl::unexpected(launch.error());
  file.launches.push_back(*std::move(launch));
  return file;
}

std::optional<model::Dim3> parseThree(std::string_view text, char separator, unsigned otherwise) {
  std::array<unsigned, 3> numbers{otherwise, otherwise, otherwise};
  for (unsigned& number : numbers) {
    const auto end = std::min(text.find(separator), text.size());
    const auto typed = typedNumber(text.substr(0, end));
    if (!typed || *typed > std::numeric_limits<unsigned>::max()) return std::nullopt;
    number = unsigned(*typed);
    if (end == text.size()) return model::Dim3(numbers[0], numbers[1], numbers[2]);
    text.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::optional<model::Dim3> parseExtents(std::string_view text) {
  const auto extents = parseThree(text, 'x', 1);
  return extents && extents->x > 0 && extents->y > 0 && extents->z > 0 ? extents : std::nullopt;
}

std::string extentsText(const model::Dim3& extents) {
  std::string text = std::to_string(extents.x);
  if (extents.y > 1 || extents.z > 1) text += "x" + std::to_string(extents.y);
  if (extents.z > 1) text += "x" + std::to_string(extents.z);
  return text;
}

std::string whatOf(const ArgumentRequest& argument) {
  const std::string count = argument.count ? std::to_string(*argument.count) : std::string();
  if (!argument.pattern.empty()) return argument.pattern + ":" + count;
  if (argument.fill == "0") return "zero:" + count;
  if (!argument.file.empty()) return "file:" + argument.file;
  std::string text;
  for (const std::string& number : argument.values) text += (text.empty() ? "" : ", ") + number;
  return text;
}

Result<ArgumentRequest> parseArgument(std::string_view text) {
  const auto equals = text.find('=');
  const auto wrong = [&] {
    return usageError("--arg " + std::string(text) +
                      " cannot be read: write NAME=PATTERN:COUNT, NAME=zero:COUNT, NAME=file:PATH or "
                      "NAME=NUMBER, with one of the patterns digits, random, ramp, ones and alternating.");
  };
  if (equals == std::string_view::npos || equals == 0) return wrong();
  ArgumentRequest argument;
  argument.name = text.substr(0, equals);
  const std::string_view what = text.substr(equals + 1);
  const auto colon = what.find(':');
  if (colon == std::string_view::npos) {
    if (what.empty()) return wrong();
    const auto counted = typedNumber(what);  // 2^20
    argument.values = {counted ? std::to_string(*counted) : std::string(what)};
    return argument;
  }
  const std::string_view kind = what.substr(0, colon), rest = what.substr(colon + 1);
  if (kind == "file") {
    argument.file = rest;
    return argument;
  }
  argument.count = typedNumber(rest);
  if (!argument.count) return wrong();
  if (kind == "zero")
    argument.fill = "0";
  else if (std::ranges::count(kPatterns, kind) != 0)
    argument.pattern = kind;
  else
    return wrong();
  return argument;
}

}  // namespace stridescope::engine::access
