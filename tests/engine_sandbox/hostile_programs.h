// Programs that a person's text could be, and what must become of each.
#pragma once

#include <string>
#include <vector>

namespace stridescope::engine::sandbox {

struct Hostile {
  std::string name;

  // Where it stands.
  std::string outside;          // functions before combine; runs when it is loaded, if it is written so
  std::string inside = "";      // statements of combine(T a, T b)
  std::string value = "a + b";  // that it returns
  std::string text = "";        // instead of these: the text of combine itself, as a person would give it

  // What must be seen. `says`: a regular expression of the sentence. `gives`: the result of the run; empty:
  // it must not get so far. Both: either.
  std::string says = "";
  std::string gives = "";

  // What Scene::harm() has to tell when the same program runs unconfined; empty: it is not tried unconfined,
  // because it would harm the machine or end the tests, or since its harm is none of the scene's.
  std::string harm = "";

  bool needsMemoryLimit = false;
};

// The kinds that were tried against the program before it was confined.
std::vector<Hostile> knownHostiles();

// Thought of afterwards.
std::vector<Hostile> furtherHostiles();

// It stands before `outside` in every program.
extern const char* const kHostilePrelude;

}  // namespace stridescope::engine::sandbox
