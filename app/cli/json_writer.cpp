#include "cli/json_writer.h"

#include <algorithm>

#include "base/json.h"

namespace stridescope::cli {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;

bool isItself(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

void JsonWriter::key(std::string_view name) {
  string(name);
  append(":");
  isFirst_ = true;
}

void JsonWriter::endLine() {
  append("\n");
  flush();
}

void JsonWriter::flush() {
  out_.write(text_.data(), std::streamsize(text_.size()));
  flushed_ += text_.size();
  text_.clear();
}

void JsonWriter::begin(char bracket) {
  literal({&bracket, 1});
  isFirst_ = true;
}

void JsonWriter::end(char bracket) {
  isFirst_ = true;
  literal({&bracket, 1});
}

void JsonWriter::separate() {
  if (!isFirst_) append(",");
  if (breaksLine_) append("\n");
  isFirst_ = breaksLine_ = false;
}

void JsonWriter::literal(std::string_view text) {
  separate();
  append(text);
}

void JsonWriter::integer(std::int64_t number) { literal(std::to_string(number)); }
void JsonWriter::integer(std::uint64_t number) { literal(std::to_string(number)); }

void JsonWriter::floating(double number) { literal(jsonText(number)); }

void JsonWriter::string(std::string_view text) {
  if (!std::ranges::all_of(text, isItself)) return literal(jsonText(text));
  literal("\"");
  append(text);
  append("\"");
}

void JsonWriter::append(std::string_view text) {
  text_ += text;
  if (text_.size() >= kPieceBytes) flush();
}

}  // namespace stridescope::cli
