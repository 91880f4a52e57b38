// Makes traces by hand, event by event: what a recorder would have logged. The builder keeps the memory, so
// that loads find what was stored before them, barriers copy it, and tests need not repeat values.
//
// Calls are logged in the order in which they are made, thread by thread; the order between threads matters
// only for what loads find. One launch of one block. Buffers have the roles of the catalogue's parameters of
// their names, arrays the types that the kernel's text declares.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/trace.h"

namespace stridescope::support {

class TraceBuilder {
 public:
  explicit TraceBuilder(unsigned threads, model::ElementType type = model::ElementType::Int);

  // ---- The kernel.

  // Sites are found in this text. Without it the kernel's text is made of the sites' texts, one per line.
  void useKernelText(std::string_view text) { kernelText_ = text; }

  struct SiteSpec {
    model::SiteKind kind{};
    std::string text{};
    std::vector<int> loops{};
    int statement = -1;  // -1: one of its own
    int occurrence = 1;  // the index, from 1, among those in the kernel's text
    bool handsOver = false, isAtomic = false;
  };
  // Ids count from 0 and must follow the order of evaluation. A loop's site stands in its own loop; that is
  // added.
  std::uint32_t site(SiteSpec spec);

  // Gives the number of the space.
  std::uint32_t sharedArray(std::string name, unsigned elements, unsigned elementBytes = 0);  // 0: the type's
  std::uint32_t buffer(std::string name, unsigned elements, unsigned elementBytes = 0);
  // Fills a buffer (or an array, as if something unseen had) without a trace.
  void poke(std::uint32_t space, unsigned element, std::uint64_t bits);
  std::uint64_t peek(std::uint32_t space, unsigned element) const;

  // ---- What threads do.

  std::uint64_t load(unsigned thread, std::uint32_t site, std::uint32_t space, unsigned element);
  void store(unsigned thread, std::uint32_t site, std::uint32_t space, unsigned element, std::uint64_t bits);
  // An atomic that leaves `left` in memory; the operand is what the log keeps.
  void atomic(unsigned thread, std::uint32_t site, std::uint32_t space, unsigned element,
              std::uint64_t operand, std::uint64_t left);
  void branch(unsigned thread, std::uint32_t site, bool taken);
  // What a variable of the element type becomes; gives the bits.
  std::uint64_t assign(unsigned thread, std::uint32_t site, std::uint64_t bits);

  // Every thread (or each of those named) comes to it; all of shared memory is copied.
  void blockBarrier(std::uint32_t site);
  void blockBarrier(std::uint32_t site, const std::vector<unsigned>& threads);
  // The lanes of the mask come to it; each copies what it touched since its last barrier.
  void warpBarrier(std::uint32_t site, unsigned warp, std::uint32_t mask = ~0u);
  // Each lane of `lanes` gives a value and receives that of its source lane (its own if that one takes no
  // part).
  void shuffle(std::uint32_t site, unsigned warp, const std::function<unsigned(unsigned lane)>& sourceOf,
               const std::function<std::uint64_t(unsigned lane)>& given, std::uint32_t lanes = ~0u);
  // Each lane of `lanes` gives a value and receives the same result.
  void warpReduce(std::uint32_t site, unsigned warp, const std::function<std::uint64_t(unsigned lane)>& given,
                  std::uint64_t result, std::uint32_t lanes = ~0u);
  void vote(std::uint32_t site, unsigned warp, const std::function<bool(unsigned lane)>& predicate,
            std::uint32_t lanes = ~0u);

  // Any event, as it is.
  void raw(unsigned thread, model::Event event) { logs_[thread].push_back(event); }

  model::Trace build() const;

 private:
  struct Memory {
    model::Array array;
    std::vector<std::uint8_t> bytes;
  };
  Memory& memoryOf(std::uint32_t space);
  const Memory& memoryOf(std::uint32_t space) const;
  void logAccess(unsigned thread, std::uint32_t site, model::EventKind kind, std::uint32_t space,
                 unsigned element, std::uint64_t bits);
  model::Site locate(const SiteSpec& spec, int id) const;

  struct Touched {
    std::uint32_t space;
    unsigned element;
  };
  unsigned threads_;
  model::ElementType type_;
  std::string kernelText_;
  std::vector<SiteSpec> sites_;
  std::vector<Memory> shared_, buffers_;
  std::vector<std::vector<model::Event>> logs_;
  std::vector<std::vector<Touched>> touched_;  // per thread, since its last barrier
  std::vector<std::uint32_t> warpBarriers_;    // per thread, so far
  std::vector<std::vector<std::uint8_t>> barrierCopies_;
  std::vector<model::BlockTrace::CopiedWord> copied_;
};

}  // namespace stridescope::support
