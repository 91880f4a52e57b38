#include "cli/printable_buffer.h"

#include <algorithm>
#include <bit>

#include "base/plain_text.h"

namespace stridescope::cli {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;  // output may be large: JSON

// How many bytes at the end of `text` begin a UTF-8 character that is not whole.
std::size_t begunAtTheEnd(std::string_view text) {
  for (std::size_t bytes = 1; bytes <= std::min<std::size_t>(text.size(), 3); ++bytes) {
    const auto byte = static_cast<unsigned char>(text[text.size() - bytes]);
    if ((byte & 0xc0) == 0x80) continue;
    return std::size_t(std::countl_one(byte)) > bytes ? bytes : 0;
  }
  return 0;
}

}  // namespace

PrintableBuffer::~PrintableBuffer() { PrintableBuffer::sync(); }

void PrintableBuffer::write(std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = cutBetweenCharacters(text, kPieceBytes);
    if (printableLength(piece, Lines::Many) == piece.size())
      target_.write(piece.data(), std::streamsize(piece.size()));
    else
      target_ << printable(piece, Lines::Many);
    text.remove_prefix(piece.size());
  }
}

std::streamsize PrintableBuffer::xsputn(const char* data, std::streamsize size) {
  std::string_view text(data, std::size_t(size));
  const std::string joined = begun_.empty() ? std::string() : begun_ + std::string(text);
  if (!joined.empty()) text = joined;
  const std::size_t begun = begunAtTheEnd(text);
  write(text.substr(0, text.size() - begun));
  begun_ = text.substr(text.size() - begun);
  return target_ ? size : 0;
}

PrintableBuffer::int_type PrintableBuffer::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char byte = traits_type::to_char_type(character);
  return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

int PrintableBuffer::sync() {
  write(begun_);
  begun_.clear();
  target_.flush();
  return target_ ? 0 : -1;
}

}  // namespace stridescope::cli
