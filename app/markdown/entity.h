// Entities of a Markdown text: MD4C finds them and leaves what they stand for to its callers.
#pragma once

#include <string>
#include <string_view>

namespace stridescope::markdown {

// "&amp;", "&#955;", "&#x3bb;": what it stands for, as UTF-8. A number that no character has is U+FFFD, as
// CommonMark has it. Of HTML's names those that a text of this kind needs are known; another one stays as it
// is.
std::string entityText(std::string_view entity);

}  // namespace stridescope::markdown
