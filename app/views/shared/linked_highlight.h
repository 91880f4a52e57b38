// Everything of the shown round that has to do with what is pointed at, so that each panel lights its part.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "session/replay.h"

namespace stridescope::views {

class MemoryStage;

class LinkedHighlight {
 public:
  LinkedHighlight() = default;
  // Lights what belongs to the replay's hover in its round; empty without a hover. A thread's linked marks
  // are what it touched; a warp's, those of its threads; an element's, a bank's and a site's are the accesses
  // to it or by it.
  explicit LinkedHighlight(const session::Replay& replay);

  bool thread(std::uint64_t index) const { return has(threads_, index); }
  bool element(std::uint64_t index) const { return elements_.contains(index); }  // an element of the stage
  // An element of any shared array, by its number.
  bool element(std::uint32_t array, std::uint64_t index) const { return ofArrays_.contains({array, index}); }
  bool site(std::uint64_t id) const { return has(sites_, id); }
  bool bank(unsigned bank) const { return (banks_ >> bank & 1) != 0; }
  bool warp(unsigned warp) const { return has(warps_, warp); }  // some thread of it is lit
  bool anyElement(std::uint64_t from, std::uint64_t to) const;  // any in [from, to)
  // The hovered round, if it belongs to the shown launch.
  bool round(unsigned round) const { return round_ == round; }

  std::vector<unsigned> threads() const;  // ascending
  std::optional<unsigned> lowestThread() const;
  // The thread that what is pointed at belongs to. For an element it is the one that writes it in the round,
  // else the lowest that reads it; for a warp, a bank or an access the lowest active one; for a thread the
  // thread itself. nullopt: none of them does anything in the round.
  std::optional<unsigned> owner() const { return owner_; }
  // It writes the element that is pointed at.
  bool ownerWrites() const { return writer_.has_value(); }
  std::uint32_t banks() const { return banks_; }

 private:
  static bool has(const std::vector<bool>& set, std::uint64_t index) {
    return index < set.size() && set[index];
  }
  static void add(std::vector<bool>& set, std::uint64_t index);
  void addItself(const session::Replay& replay, const session::Hover& hover);
  // `hovered`: the stage of an element that is pointed at.
  void addOperation(const model::LaunchTrace& launch, const MemoryStage& stage, const MemoryStage& hovered,
                    const analysis::WarpOperation& operation, const session::Hover& hover);
  void addElementsOf(const model::LaunchTrace& launch, const model::Event& event);
  void addThread(unsigned thread);
  std::optional<unsigned> lowestActive(const session::Replay& replay) const;

  std::vector<bool> threads_, warps_, sites_;
  std::set<std::uint64_t> elements_;  // few out of perhaps very many
  std::set<std::pair<std::uint32_t, std::uint64_t>> ofArrays_;
  std::uint32_t banks_ = 0;
  std::optional<unsigned> round_, owner_, writer_;
};

// What went wrong in the shown round, as the panels mark it: a race's element, the threads, the sites. Pure.

struct TroubleMarks {
  const analysis::Race* race = nullptr;   // the one of the round that is shown
  std::size_t races = 0;                  // how many the round has
  std::optional<std::uint64_t> element;   // the race's, in the launch's stage (map_bytes.h)
  std::optional<unsigned> problemThread;  // that of the round's first problem
  std::vector<std::uint32_t> threads, sites;

  bool thread(std::uint32_t thread) const;
  bool site(std::uint32_t site) const;
};

// Marks the round's first race that the hovered thread or element takes part in, else its first race; then
// the problems. Empty without a run.
TroubleMarks troubleMarks(const session::Replay& replay);

// Where the launch's races and problems show: the first pass of each, and every pass in which a thread read
// what the passes before had not left. Requires replay.run().
std::vector<session::Playhead> troubledPlaces(const session::Replay& replay, unsigned launch);

// The next place with a race after the playhead (direction +1) or before it (-1): the first pass of each
// round that shows one, over all launches; beyond the last the first again. nullopt: there is none, or no
// run.
std::optional<session::Playhead> nextRace(const session::Replay& replay, int direction);

}  // namespace stridescope::views
