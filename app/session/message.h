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
  bool stays = false;            // an offer: until it is taken or dismissed, whatever runs meanwhile
  Overlay form = Overlay::None;  // the form that it is about, which shows it while it is open
};

// What a sentence for all says of the command line's options stands in brackets, "(on the command line:
// --engine host)": in the window it is left out.
std::string inWindow(std::string sentence);

Message messageOf(const Error& error);
// The message for an error in saving a file: if one stands there already, it offers `overwriting`.
Message messageOf(const Error& error, const std::string& path, const Command& overwriting);

}  // namespace stridescope::session
