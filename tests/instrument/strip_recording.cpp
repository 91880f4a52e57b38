#include "strip_recording.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

namespace stridescope::instrument {
namespace {

constexpr std::string_view kPrefix = "recording::";
constexpr std::string_view kCombineWarp = "RECORDING_COMBINE_WARP(";
constexpr std::string_view kCombineAtomically = "RECORDING_COMBINE_ATOMICALLY(";
constexpr std::pair<std::string_view, std::string_view> kAtomics[] = {
    {"RECORDING_ATOMIC_LOAD(", "__nv_atomic_load_n("},
    {"RECORDING_ATOMIC_STORE(", "__nv_atomic_store_n("},
    {"RECORDING_ATOMIC_FETCH_ADD(", "__nv_atomic_fetch_add("}};
constexpr std::string_view kReduceGroup = "RECORDING_REDUCE_GROUP(";
constexpr std::string_view kInOrder = "recording::InOrder{";
constexpr std::string_view kAt = "recording::At{";
constexpr std::string_view kStatic = "RECORDING_SHARED_STATIC(";
constexpr std::string_view kDynamic = "RECORDING_SHARED_DYNAMIC(";

// The length of the comment or quoted text at the start of `text`; 0 if there is none.
std::size_t lengthOfOpaque(std::string_view text) {
  if (text.starts_with("//")) return std::min(text.find('\n'), text.size());
  if (text.starts_with("/*")) return text.find("*/", 2) + 2;
  if (!text.starts_with('"') && !text.starts_with('\'')) return 0;
  std::size_t end = 1;
  while (end < text.size() && text[end] != text[0]) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

// Whether a ' at `at` separates digits, as in 1'000. Numbers go on with anything that a name may have, and
// bytes that are no ASCII belong to names.
bool separatesDigits(std::string_view text, std::size_t at) {
  if (at == 0 || text[at] != '\'') return false;
  const auto before = static_cast<unsigned char>(text[at - 1]);
  return before >= 0x80 || before == '_' || std::isalnum(before) != 0;
}

std::size_t closingParenthesis(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (const std::size_t opaque = separatesDigits(text, i) ? 0 : lengthOfOpaque(text.substr(i))) {
      i += opaque - 1;
      continue;
    }
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ')' || text[i] == ']' || text[i] == '}') --depth;
    if (depth == 0) return i;
  }
  return text.size();
}

// The length of a template list before a call at the start of `text`; 0 if there is none.
std::size_t lengthOfTemplateList(std::string_view text) {
  if (!text.starts_with('<')) return 0;
  const std::size_t end = text.find_first_of("<>(){};", 1);
  return text.substr(std::min(end, text.size())).starts_with(">(") ? end + 1 : 0;
}

std::vector<std::size_t> topLevelCommas(std::string_view text) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t opaque = separatesDigits(text, i) ? 0 : lengthOfOpaque(text.substr(i)))
      i += opaque - 1;
    else if (const std::size_t list = lengthOfTemplateList(text.substr(i)))
      i += list - 1;
    else if (text[i] == '(' || text[i] == '[' || text[i] == '{')
      i = closingParenthesis(text, i);
    else if (text[i] == ',')
      found.push_back(i);
  }
  return found;
}

std::size_t lastTopLevelComma(std::string_view text) {
  const std::vector<std::size_t> commas = topLevelCommas(text);
  return commas.empty() ? std::string_view::npos : commas.back();
}

class Stripper {
 public:
  explicit Stripper(const Instrumented& instrumented) : sites_(instrumented.sites) {
    for (const SharedDeclaration& each : instrumented.shared)
      if (!each.dynamic && each.extent.empty()) variables_.insert(each.name);
  }

  std::string strip(std::string_view text) const {
    std::string plain;
    for (std::size_t i = 0; i < text.size();) {
      const std::string_view rest = text.substr(i);
      if (const std::size_t opaque = separatesDigits(text, i) ? 0 : lengthOfOpaque(rest)) {
        plain += rest.substr(0, opaque);
        i += opaque;
      } else if (rest.starts_with(kCombineWarp)) {
        plain += "combineWarp(";
        i += lengthWithSite(rest, kCombineWarp);
      } else if (rest.starts_with(kCombineAtomically)) {
        plain += "combineAtomically(";
        i += lengthWithSite(rest, kCombineAtomically);
      } else if (const auto atomic = std::ranges::find_if(
                     kAtomics, [&](const auto& each) { return rest.starts_with(each.first); });
                 atomic != std::end(kAtomics)) {
        plain += atomic->second;
        i += lengthWithSite(rest, atomic->first);
      } else if (rest.starts_with(kReduceGroup)) {
        const std::string& written =
            sites_.at(std::stoul(std::string(rest.substr(kReduceGroup.size())))).text;
        plain += written.substr(0, written.find('(') + 1);
        i += lengthWithSite(rest, kReduceGroup);
      } else if (const std::size_t name = lengthOfVariable(text, i)) {  // &last[0] was &last
        plain += rest.substr(0, name);
        i += name + std::string_view("[0]").size();
      } else if (rest.starts_with(kInOrder)) {
        i += stripOrder(rest, plain);
      } else if (rest.starts_with(kPrefix)) {
        i += stripCall(rest, plain);
      } else if (rest.starts_with(kStatic) || rest.starts_with(kDynamic)) {
        i += stripShared(rest, plain);
      } else {
        plain += text[i++];
      }
    }
    return plain;
  }

 private:
  // The length of the call's head and the site's id after it.
  static std::size_t lengthWithSite(std::string_view text, std::string_view head) {
    const std::size_t after = text.find_first_not_of("0123456789", head.size());
    return text.substr(after).starts_with(", ") ? after + 2 : after;
  }

  // The length of a shared variable's name at `at` with [0] behind it; 0 if something else stands there.
  std::size_t lengthOfVariable(std::string_view text, std::size_t at) const {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    if (!isPart(text[at]) || (at > 0 && isPart(text[at - 1]))) return 0;
    std::size_t length = 0;
    while (at + length < text.size() && isPart(text[at + length])) ++length;
    const bool found = variables_.contains(std::string(text.substr(at, length))) &&
                       text.substr(at + length).starts_with("[0]");
    return found ? length : 0;
  }

  // InOrder{[&](auto recording_1, auto recording_2) { return f(recording_1, recording_2); }, a, b}() was
  // f(a, b).
  std::size_t stripOrder(std::string_view text, std::string& plain) const {
    const std::size_t close = closingParenthesis(text, kInOrder.size() - 1);
    const std::string_view arguments = text.substr(kInOrder.size(), close - kInOrder.size());
    std::vector<std::size_t> commas = topLevelCommas(arguments);
    constexpr std::string_view kReturn = "{ return ", kEnd = "; }";
    const std::size_t begin = arguments.find(kReturn) + kReturn.size();
    std::string call = strip(arguments.substr(begin, commas.at(0) - kEnd.size() - begin));
    commas.push_back(arguments.size());
    std::string result;
    for (std::size_t k = 0; k + 1 < commas.size(); ++k) {
      const std::string name = "recording_" + std::to_string(k + 1);
      const std::size_t at = call.find(name);  // in the order of the text
      result += call.substr(0, at);
      call = call.substr(std::min(call.size(), at + name.size()));
      result += strip(arguments.substr(commas[k] + 2, commas[k + 1] - commas[k] - 2));
    }
    plain += result + call;
    return close + std::string_view("}()").size();
  }

  std::size_t stripCall(std::string_view text, std::string& plain) const {
    const std::size_t open = text.find('(');
    const std::size_t close = closingParenthesis(text, open);
    const std::string name(text.substr(kPrefix.size(), open - kPrefix.size()));
    std::string_view arguments = text.substr(open + 1, close - open - 1);
    const std::size_t digits = std::min(arguments.find_first_not_of("0123456789"), arguments.size());
    const recording::Site& site = sites_.at(std::stoul(std::string(arguments.substr(0, digits))));
    arguments.remove_prefix(digits);
    if (arguments.starts_with(", ")) arguments.remove_prefix(2);

    if (name == "load" || name == "store" || name == "update") {
      if (arguments.starts_with(kAt))
        arguments = arguments.substr(kAt.size(), arguments.size() - kAt.size() - 1);
      const std::size_t comma = lastTopLevelComma(arguments);
      const std::string array = strip(arguments.substr(0, comma));
      const std::string index = strip(arguments.substr(comma + 2));
      const bool variable = !site.text.starts_with('*') && !site.text.ends_with(']');
      plain += site.text.starts_with('*') ? "*" + array : variable ? array : array + "[" + index + "]";
    } else if (name == "value<T>") {
      // "{ recording::value<T>(0, a);" was "{".
      const bool parameter = plain.ends_with("{ ") && arguments == site.text;
      if (parameter) {
        plain.pop_back();
        return close + 2;
      }
      plain += strip(arguments);
    } else if (name == "branch") {
      const bool withoutCondition = site.text.starts_with("for") && site.text.ends_with(')') &&
                                    site.text.find(';') != std::string::npos;
      if (!withoutCondition) plain += strip(arguments);
    } else if ((name == "syncthreads" || name == "synccluster") && !site.text.starts_with("__")) {
      plain += site.text;  // block.sync(), cluster.sync()
    } else {
      plain += (name.starts_with("atomic") ? "" : "__") + name + "(" + strip(arguments) + ")";
    }
    return close + 1;
  }

  // Two arrays of one declaration are two calls of the same type with nothing between them.
  std::size_t stripShared(std::string_view text, std::string& plain) const {
    const bool dynamic = text.starts_with(kDynamic);
    const std::size_t open = text.find('(');
    const std::size_t close = closingParenthesis(text, open);
    std::string_view arguments = text.substr(open + 1, close - open - 1);
    arguments.remove_prefix(arguments.find(", ") + 2);
    const std::size_t afterName = arguments.find(", ");
    const std::string name(arguments.substr(0, afterName));
    arguments.remove_prefix(afterName + 2);
    const std::size_t comma = dynamic ? arguments.size() : lastTopLevelComma(arguments);
    const std::string type(arguments.substr(0, comma));
    const std::string extent = dynamic                     ? "[]"
                               : variables_.contains(name) ? ""
                                                           : std::string(arguments.substr(comma + 2));
    const bool continues = plain.ends_with(';') && continuedType_ == type;
    if (continues)
      plain.replace(plain.size() - 1, 1, ", " + name + extent);
    else
      plain += std::string(dynamic ? "extern " : "") + "__shared__ " + type + " " + name + extent;
    continuedType_ = !dynamic && text.substr(close).starts_with(");RECORDING_SHARED_STATIC") ? type : "";
    return close + 1;
  }

  const std::vector<recording::Site>& sites_;
  std::set<std::string> variables_;    // shared ones that are no arrays
  mutable std::string continuedType_;  // the type of a declaration that goes on with another array
};

}  // namespace

std::string stripRecording(const Instrumented& instrumented) {
  return Stripper(instrumented).strip(instrumented.text);
}

}  // namespace stridescope::instrument
