// A kernel's text cut into words, enough to find a variable's declaration, a loop and a call. It need not be
// right about every text: what is read out of it is held against the trace before it is told
// (thread_condition.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope::teaching {

// Words of the text: [first, last).
struct Words {
  std::size_t first = 0, last = 0;
  bool empty() const { return first >= last; }
};

class KernelText {
 public:
  explicit KernelText(std::string_view text);  // which must outlive it
  KernelText(const KernelText&) = delete;
  KernelText& operator=(const KernelText&) = delete;

  // Empty behind the end.
  std::string_view at(std::size_t word) const {
    return word < words_.size() ? words_[word].text : std::string_view();
  }
  // The three words of "threadIdx.x" count as one.
  std::size_t lengthAt(std::size_t word) const { return at(word + 1) == "." ? 3 : 1; }
  bool isName(std::size_t word) const;
  std::string nameAt(std::size_t word) const;  // "threadIdx.x"

  // The first word at this place or behind it: 1-based, the column in bytes. nullopt: the text ends before.
  std::optional<std::size_t> wordAt(int line, int column) const;
  // The words from the same place on that make up so many bytes.
  Words wordsAt(int line, int column, int length) const;
  // As the text has them, each name that `replaced` gives a text for replaced by it.
  template <class Replaced>
  std::string print(Words words, Replaced replaced) const {
    std::string text;
    for (std::size_t i = words.first; i < words.last;) {
      const std::size_t length = isName(i) ? lengthAt(i) : 1;
      if (i > words.first && isSpaced(i)) text += ' ';
      std::optional<std::string> other;
      if (isName(i)) other = replaced(i, nameAt(i));
      text += other ? *other : nameAt(i);
      i += length;
    }
    return text;
  }

  // The bracket that closes the one at `open`, or the last word.
  std::size_t closing(std::size_t open) const;

  // ---- Declarations: those of a function begin behind the { at its body's first word.

  struct Function {
    std::string_view name;
    std::vector<std::string_view> parameters;
    Words body;
  };
  const Function* functionOf(std::size_t word) const;  // nullptr: it stands in none

  // for (start; condition; step) what it repeats
  struct ForLoop {
    Words start, condition, step;
    Words body;  // the whole statement, `for` included
  };

  // name = value
  struct Declaration {
    std::string_view type, name;
    Words value;
    std::size_t at = 0;             // the name's word
    const ForLoop* loop = nullptr;  // whose start it is
  };
  // The last one of the name before `word`, in the same function. nullptr: there is none.
  const Declaration* declarationOf(std::string_view name, std::size_t word) const;

  // Whether the name is changed anywhere in its function but in its declaration and its own loop's step.
  bool isChanged(const Declaration& declaration) const;

  // The arguments of each call of the function.
  struct Call {
    std::size_t at = 0;
    std::vector<Words> arguments;
  };
  std::vector<Call> callsOf(std::string_view function) const;

 private:
  struct Word {
    std::string_view text;
    int line = 1, column = 1;
    bool spaced = false;  // white space stands before it
  };

  void cut(std::string_view text);
  void findFunctions();
  void findLoops();
  void findDeclarations();
  bool isSpaced(std::size_t word) const { return words_[word].spaced; }
  std::vector<Words> splitAtCommas(Words words) const;
  std::size_t endOfStatement(std::size_t word) const;

  std::vector<Word> words_;
  std::vector<Function> functions_;
  std::vector<ForLoop> loops_;
  std::vector<Declaration> declarations_;
};

}  // namespace stridescope::teaching
