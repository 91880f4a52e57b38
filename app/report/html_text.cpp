#include "report/html_text.h"

#include "model/trace.h"

namespace stridescope::report {

std::string escaped(std::string_view text, Lines lines) {
  std::string safe;
  for (const char c : printable(text, lines)) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::string securityPolicy(const PageParts& parts) {
  std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'";
  if (parts.pictures) policy += "; img-src data:";
  if (!parts.script.empty()) {
    const std::string hex = model::hashOf(parts.script);
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes += char(std::stoi(hex.substr(i, 2), nullptr, 16));
    policy += "; script-src 'sha256-" + base64(bytes) + "'";
  }
  return "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n";
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

}  // namespace stridescope::report
