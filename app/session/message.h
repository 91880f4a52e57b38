// A sentence for the person who sits at the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "session/command.h"

namespace stridescope::session {

enum class MessageKind : std::uint8_t { Fine, ToDo, Wrong };
struct Message {
  MessageKind kind = MessageKind::ToDo;
  std::string sentence = {};
  std::string details = {};      // copied with 'copy details'
  std::string note = {};         // what a person did meanwhile, beside the sentence
  std::string actionLabel = {};  // empty: none
  std::optional<Command> action = {};
};

Message messageOf(const Error& error);

}  // namespace stridescope::session
