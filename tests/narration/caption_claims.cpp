#include "caption_claims.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "claim_text.h"
#include "engine/reference.h"
#include "model/arithmetic.h"
#include "narration/memory_words.h"
#include "narration/requests.h"

namespace stridescope::narration {
namespace {

using model::EventKind;
using Caught = std::vector<std::string>;
constexpr unsigned kLanes = 32, kBanks = 32, kWordBytes = 4, kSector = 32;
constexpr std::size_t kRoundsOfFirstTree = 5;  // a full warp's, with strides 16 to 1

// One access of one warp: where each lane reads or writes.
struct Access {
  EventKind kind{};
  bool shared = true;
  std::uint32_t site = 0, array = 0;
  unsigned warp = 0, width = 4;
  std::map<unsigned, std::uint64_t> offsets{};  // by lane
};

struct Group {
  std::set<unsigned> lanes, banks;
  unsigned way = 0;
};

// The bank rule: groups of lanes by the width, which a load merges in twos where partners agree.
std::vector<Group> groupsOf(const Access& access) {
  const unsigned words = std::max(1u, access.width / kWordBytes);
  unsigned size = kLanes / words;
  const auto agree = [&](unsigned x) {
    return std::ranges::all_of(access.offsets, [&](const auto& entry) {
      const auto partner = access.offsets.find(entry.first ^ x);
      return partner == access.offsets.end() || partner->second == entry.second;
    });
  };
  if (words > 1 && access.kind == EventKind::Load && (agree(1) || agree(2))) size *= 2;
  std::map<unsigned, std::map<unsigned, std::set<std::uint64_t>>> asked;  // group, bank, words
  std::map<unsigned, Group> groups;
  for (const auto& [lane, offset] : access.offsets) {
    groups[lane / size].lanes.insert(lane);
    for (unsigned i = 0; i < words; ++i) {
      const std::uint64_t word = offset / kWordBytes + i;
      groups[lane / size].banks.insert(unsigned(word % kBanks));
      asked[lane / size][unsigned(word % kBanks)].insert(word);
    }
  }
  std::vector<Group> list;
  for (auto& [number, group] : groups) {
    for (const auto& [bank, of] : asked[number]) group.way = std::max(group.way, unsigned(of.size()));
    list.push_back(group);
  }
  return list;
}

struct Cost {
  unsigned taken = 0, ideal = 0, way = 0;
};

Cost costOf(const Access& access) {
  Cost cost;
  if (access.shared) {
    for (const Group& group : groupsOf(access)) {
      cost.taken += group.way;
      cost.ideal += 1;
      cost.way = std::max(cost.way, group.way);
    }
    return cost;
  }
  std::set<std::uint64_t> sectors, elements;
  for (const auto& [lane, offset] : access.offsets) {
    elements.insert(offset);
    for (std::uint64_t sector = offset / kSector; sector <= (offset + access.width - 1) / kSector; ++sector)
      sectors.insert(sector);
  }
  cost.taken = unsigned(sectors.size());
  cost.ideal = unsigned((elements.size() * access.width + kSector - 1) / kSector);
  return cost;
}

// The common distance in bytes between lanes that follow each other; nullopt: there is none.
std::optional<std::uint64_t> distanceOf(const Access& access, const std::set<unsigned>& lanes) {
  std::set<std::int64_t> distances;
  std::optional<std::uint64_t> last;
  for (const unsigned lane : lanes) {
    if (last) distances.insert(std::int64_t(access.offsets.at(lane)) - std::int64_t(*last));
    last = access.offsets.at(lane);
  }
  if (distances.size() != 1 || *distances.begin() < 0) return std::nullopt;
  return std::uint64_t(*distances.begin());
}

class Checker {
 public:
  Checker(const RoundAt& at, const Caption& caption) : at_(at), caption_(caption), text_(caption_.text()) {
    read();
  }

  std::vector<std::string> faults() {
    const bool isOwn = model::leavesArrays(at_.trace);
    expect((isOwn || caption_.sentences.size() <= 2) && !caption_.sentences.empty(), "has sentences");
    for (const std::string& sentence : caption_.sentences) {
      expect(sentence.ends_with('.'), "ends with a full stop");
      expect(sentence.find(". ") == std::string::npos, "sentences are one each");
    }
    checkTitle();
    checkDevices();
    if (isOwn) checkActs();
    checkMessages();
    checkWrites();
    checkThreads();
    checkLoads();
    checkReasons();
    checkCosts();
    checkShuffle();
    checkRest();
    expect(!text_.hasNumber(), "no number is left unchecked: " + text_.rest());
    return faults_;
  }

 private:
  void read() {
    std::set<unsigned> any;
    bool sharedOrExchange = false;
    for (const analysis::WarpOperation& operation : at_.round().operations) {
      const bool exchange = operation.kind >= EventKind::Shuffle && operation.kind <= EventKind::WarpReduce;
      const bool isAccess = operation.kind <= EventKind::Atomic;
      Access access{.kind = operation.kind, .site = operation.site, .warp = operation.warp};
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((operation.mask >> lane & 1) == 0) continue;
        const unsigned thread = operation.warp * kLanes + lane;
        const model::Event& event = at_.launch.recorded().events[operation.event[lane]];
        if (operation.kind == EventKind::Branch) branching_.insert(operation.warp);
        if (exchange) active_.insert(thread), sharedOrExchange = true;
        if (exchange) acts_["exchange registers"].insert(thread);
        if (operation.kind == EventKind::Atomic) acts_["do atomic operations"].insert(thread);
        if (operation.kind < EventKind::Atomic)
          acts_[std::string(operation.kind == EventKind::Load ? "load from " : "store to ") +
                (event.inShared() ? "shared memory" : "device memory")]
              .insert(thread);
        if (operation.kind == EventKind::Shuffle) {
          source_[thread] = operation.warp * kLanes + event.sourceLane();
          received_[thread] = event.value;
          const std::uint32_t index = operation.event[lane];
          if (index > 0 && at_.launch.recorded().events[index - 1].kind() == EventKind::Give)
            given_[thread] = at_.launch.recorded().events[index - 1].value;
        }
        if (!isAccess) continue;
        access.shared = event.inShared();
        access.array = access.shared ? event.sharedArray() : event.buffer();
        access.width = event.width();
        access.offsets[lane] = event.offset();
        any.insert(thread);
        if (access.shared) {
          active_.insert(thread), sharedOrExchange = true;
          if (operation.kind == EventKind::Load) readers_.insert(thread);
          if (operation.kind == EventKind::Store) storers_.insert(thread);
        } else if (operation.kind == EventKind::Load && isOfWords(access.array)) {
          waiting_[thread].insert(event.offset());
        } else if (operation.kind == EventKind::Load) {
          loaders_.insert(thread);
          const unsigned bytes = std::max(1u, at_.launch.buffers[access.array].elementBytes);
          loadedBy_[thread] += std::max(1u, access.width / bytes);
          countFilledUp(event, at_.launch.buffers[access.array]);
          widest_ = std::max(widest_, access.width);
        } else {
          writers_.insert(thread);
        }
      }
      if (isAccess) accesses_.push_back(access);
    }
    if (!sharedOrExchange) active_ = any;
    for (const unsigned thread : active_) ++lanesOf_[thread / kLanes];
  }

  // Counts the elements behind the launch's input in the buffers that are filled up to whole blocks.
  void countFilledUp(const model::Event& event, const model::Array& buffer) {
    if (buffer.role != model::ParameterRole::Input && buffer.role != model::ParameterRole::InPlace) return;
    const std::uint64_t offset = event.offset() % buffer.copyBytes();  // in the copy of its device
    for (unsigned byte = 0; byte < event.width(); byte += buffer.elementBytes)
      filledUp_ += (offset + byte) / buffer.elementBytes >= at_.launch.elements;
    if (event.width() == buffer.elementBytes && offset / buffer.elementBytes >= at_.launch.elements)
      expect(event.value == model::identityOf(at_.trace.experiment),
             "the input is filled up with identities");
  }

  void expect(bool right, const std::string& what) {
    if (!right) faults_.push_back(what);
  }
  void expectEqual(const std::string& named, std::uint64_t counted, const std::string& what) {
    if (numberOf(named) != counted)
      faults_.push_back(what + ": says " + named + ", counted " + std::to_string(counted));
  }
  // Takes all such phrases.
  void each(std::string_view pattern, const std::function<void(const Caught&)>& check) {
    while (const auto caught = text_.take(pattern)) check(*caught);
  }
  // Those with a noun in the singular and in the plural: "<n>" is "" or "s".
  void eachNumber(const std::string& pattern, const std::function<void(const Caught&)>& check) {
    std::string one = pattern, many = pattern;
    for (std::string* text : {&one, &many})
      for (std::size_t at = 0; (at = text->find("<n>", at)) != std::string::npos;)
        text->replace(at, 3, text == &one ? "" : "s");
    each(many, check);
    if (one != many) each(one, check);
  }

  bool sameLanesEverywhere() const {
    return std::ranges::all_of(lanesOf_,
                               [&](const auto& warp) { return warp.second == lanesOf_.begin()->second; });
  }
  unsigned warps() const { return (at_.launch.block + kLanes - 1) / kLanes; }

  void checkTitle() {
    each("element # of #,", [&](const Caught& n) {
      expectEqual(n[0], at_.round().outputElement.value_or(0) + 1, "the element");
      expectEqual(n[1], at_.launch.elements, "the elements");
    });
    each("pass # of #,", [&](const Caught& n) {
      expect(at_.pass != nullptr && numberOf(n[0]) == at_.pass->pass + 1, "the pass");
      expectEqual(n[1], at_.whole().passes, "the passes");
    });
    each("stride #:", [&](const Caught& n) {
      for (const unsigned thread : active_)
        expect(accessesTwoElementsApart(thread, numberOf(n[0])),
               "thread " + std::to_string(thread) + " has the stride");
    });
    each("shuffle by #:", [&](const Caught& n) {
      for (const auto& [thread, source] : source_)
        expect(source == thread || (source > thread ? source - thread : thread - source) == numberOf(n[0]),
               "the shuffle's distance");
    });
    each("round #:", [&](const Caught& n) { expectEqual(n[0], at_.index, "the round"); });
  }

  // As these kernels say: element i is at i + i / 32.
  std::uint64_t withoutPadding(std::uint64_t place) const {
    const std::string& kernel = at_.trace.experiment.variant;
    return kernel == "padded_tree" || kernel == "scan_blelloch_padded.cu" ? place - place / 33 : place;
  }

  bool accessesTwoElementsApart(unsigned thread, std::uint64_t distance) const {
    std::map<std::pair<bool, std::uint32_t>, std::set<std::uint64_t>> elements;
    for (const Access& access : accesses_) {
      if (access.warp != thread / kLanes) continue;
      const auto own = access.offsets.find(thread % kLanes);
      if (own == access.offsets.end()) continue;
      const auto& arrays = access.shared ? at_.launch.recorded().shared : at_.launch.buffers;
      const std::uint64_t element = own->second / std::max(1u, arrays[access.array].elementBytes);
      elements[{access.shared, access.array}].insert(access.shared ? withoutPadding(element) : element);
    }
    return std::ranges::any_of(elements, [&](const auto& array) {
      return std::ranges::any_of(array.second,
                                 [&](std::uint64_t e) { return array.second.contains(e + distance); });
    });
  }

  // The lanes' accesses of device memory in the round, or in all of a block.
  template <class Check>
  void forEachDeviceAccess(const Check& check) const {
    for (const analysis::WarpOperation& operation : at_.round().operations)
      for (unsigned lane = 0; operation.kind <= EventKind::Atomic && lane < kLanes; ++lane) {
        if ((operation.mask >> lane & 1) == 0) continue;
        const model::Event& event = at_.launch.recorded().events[operation.event[lane]];
        if (event.inGlobal()) check(event, at_.launch.buffers[event.buffer()]);
      }
  }

  // Whether the block accesses `count` elements of the array on the device, from the first to the last one,
  // and no others there.
  bool accessesElements(bool loads, const std::string& name, std::uint64_t device, std::uint64_t first,
                        std::uint64_t last, std::uint64_t count) const {
    std::set<std::uint64_t> elements;
    forEachDeviceAccess([&](const model::Event& event, const model::Array& buffer) {
      if (buffer.name != name || event.offset() / buffer.copyBytes() != device) return;
      if ((event.kind() == EventKind::Load) != loads) return;
      const std::uint64_t element = event.offset() % buffer.copyBytes() / buffer.elementBytes;
      for (unsigned i = 0; i < event.width() / buffer.elementBytes; ++i) elements.insert(element + i);
    });
    return !elements.empty() && *elements.begin() == first && *elements.rbegin() == last &&
           elements.size() == count;
  }

  bool writesOn(std::uint64_t device, const std::string& name, std::uint64_t element,
                const std::string& value) const {
    bool does = false;
    forEachDeviceAccess([&](const model::Event& event, const model::Array& buffer) {
      does = does || (event.kind() != EventKind::Load && buffer.name == name &&
                      event.offset() / buffer.copyBytes() == device &&
                      event.offset() % buffer.copyBytes() / buffer.elementBytes == element &&
                      (value.empty() || WordPrinter(buffer).brief(event.value) == value));
    });
    return does;
  }

  // "GPU 0 loads elements 512 to 1023 of in from GPU 1, ..."
  void checkDevices() {
    if (at_.launch.devices == 1) return;
    const unsigned own = at_.launch.recorded().device;
    each("step # of #", [&](const Caught& n) {
      expect(&at_.trace.launches[numberOf(n[0]) - 1] == &at_.launch, "the step");
      expectEqual(n[1], at_.trace.launches.size(), "the steps");
    });
    each("writes $ to @[#] of GPU #", [&](const Caught& n) {
      expect(writesOn(numberOf(n[3]), n[1], numberOf(n[2]), n[0]), "what is written where");
    });
    each("takes @[#] of GPU # away", [&](const Caught& n) {
      expect(writesOn(numberOf(n[2]), n[0], numberOf(n[1]), {}), "the word that is taken away");
    });
    const auto checkElements = [&](bool loads, const Caught& n, std::uint64_t device) {
      // "64 of elements 0 to 511 of in", "elements 0 to 511 of in", "element 3 of in"; a GPU's number
      // follows.
      const auto array = std::ranges::find_if(n, [](const std::string& each) {
        return each.find_first_not_of("0123456789") != std::string::npos;
      });
      const auto numbers = std::size_t(array - n.begin());
      const std::uint64_t last = numberOf(n[numbers - 1]), first = numberOf(n[numbers < 2 ? 0 : numbers - 2]);
      expect(accessesElements(loads, *array, device, first, last,
                              numbers == 3 ? numberOf(n[0]) : last - first + 1),
             std::string(loads ? "loaded" : "stored") + " elements of GPU " + std::to_string(device));
    };
    for (const std::string what : {"# of elements # to # of @", "elements # to # of @", "element # of @"}) {
      each(what + " from GPU #", [&](const Caught& n) {
        expect(numberOf(n.back()) != own, "another GPU's");
        checkElements(true, n, numberOf(n.back()));
      });
      each(what + " on GPU #", [&](const Caught& n) {
        expect(numberOf(n.back()) != own, "another GPU's");
        checkElements(false, n, numberOf(n.back()));
      });
      const auto ofOwn = [&](bool loads) {
        return [&, loads](Caught n) {
          n.push_back(std::to_string(own));
          checkElements(loads, n, own);
        };
      };
      each("its own " + what, ofOwn(true));
      each(what + " in its own memory", ofOwn(false));
    }
    each("GPU # sends # bytes into the memory of GPU #", [&](const Caught& n) {
      std::uint64_t bytes = 0;
      forEachDeviceAccess([&](const model::Event& event, const model::Array& buffer) {
        const std::uint64_t device = event.offset() / buffer.copyBytes();
        if (event.kind() == EventKind::Load || device == own) return;
        bytes += event.width();
        expect(device == numberOf(n[2]), "the GPU that is sent to");
      });
      expectEqual(n[0], own, "the GPU that sends");
      expectEqual(n[1], bytes, "the bytes that are sent");
    });
    each("GPU # waits for the word of GPU #", [&](const Caught& n) {
      expectEqual(n[0], own, "the GPU that waits");
      bool waits = false;
      forEachDeviceAccess([&](const model::Event& event, const model::Array& buffer) {
        const std::uint64_t wordsBytes = buffer.copyBytes() / at_.launch.devices;
        waits = waits || (event.kind() == EventKind::Load && buffer.role == model::ParameterRole::Inbox &&
                          event.offset() / buffer.copyBytes() == own &&
                          event.offset() % buffer.copyBytes() / wordsBytes == numberOf(n[1]));
      });
      expect(waits, "whose word it waits for");
    });
    for (const char* act : {" loads", " stores", " sends", " waits", " has no turn"})
      each(std::string("GPU #") + act,
           [&](const Caught& n) { expectEqual(n[0], own, "the GPU that is told"); });
    checkLinks();
  }

  // In a launch of one round, what all GPUs take from each other and bring one another.
  void checkLinks() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> bytes;
    for (const model::BlockTrace& block : at_.launch.blocks)
      for (const model::Event& event : block.events) {
        if (event.kind() > EventKind::Atomic || !event.inGlobal()) continue;
        const std::uint64_t device = event.offset() / at_.launch.buffers[event.buffer()].copyBytes();
        if (device == block.device) continue;
        bytes[event.kind() == EventKind::Load
                  ? std::pair<std::uint64_t, std::uint64_t>(device, block.device)
                  : std::pair<std::uint64_t, std::uint64_t>(block.device, device)] += event.width();
      }
    const auto check = [&](const Caught& n) {
      expect(at_.analysis.rounds.size() == 1, "a launch of one round");
      expectEqual(n[0], bytes.size(), "the links");
      std::set<std::uint64_t> carried;
      for (const auto& [link, of] : bytes) carried.insert(of);
      expect(
          !carried.empty() && *carried.begin() == numberOf(n[1]) && *carried.rbegin() == numberOf(n.back()),
          "what the links carry");
    };
    each("# links carry # to # bytes each", check);
    each("# links carry # bytes each", check);
    each("# link carries # bytes", check);
    each("(of block # of each GPU's #)", [&](const Caught& n) {
      const std::uint64_t blocks = at_.launch.grid / at_.launch.devices;
      expectEqual(n[0], at_.launch.recorded().block % blocks, "the block in its GPU's grid");
      expectEqual(n[1], blocks, "the blocks of a GPU");
    });
  }

  bool isOfWords(std::uint32_t buffer) const {
    return at_.launch.buffers[buffer].role == model::ParameterRole::Messages;
  }

  // "3 of 512 threads wait for words of 3 other blocks, and combine the results"
  void checkMessages() {
    std::set<std::uint64_t> words, blocks;
    for (const auto& [thread, offsets] : waiting_) words.insert(offsets.begin(), offsets.end());
    const std::uint64_t perBlock = 2 * model::bytesOf(at_.trace.experiment.type);  // bytes of words
    for (const std::uint64_t offset : words) blocks.insert(offset / perBlock);
    bool told = words.empty();
    const auto check = [&](const Caught& n) {
      told = true;
      expectEqual(n.front(), waiting_.size(), "the threads that wait");
      if (n.size() > 2) expectEqual(n[1], at_.launch.block, "the block");
      expectEqual(n.back(), blocks.size(), "the blocks that they wait for");
      expect(!blocks.contains(at_.launch.recorded().block), "nobody waits for the own block");
    };
    const auto checkWhole = [&](const Caught& n) {
      check(n);
      expect(words.size() * 8 == blocks.size() * perBlock, "all words of each");
    };
    for (const std::string who :
         {"# of # threads wait", "# threads wait", "# of # threads waits", "# thread waits"})
      for (const char* what :
           {" for words of # other blocks", " for words of # other block", " for a word of # other block"}) {
        for (const char* whole : {", and combine the results", ", and combine the result",
                                  ", and combines the results", ", and combines the result"})
          each(who + what + whole, checkWhole);
        each(who + what, check);
      }
    expect(told, "who waits is told");
    for (const char* take : {"# threads take the words away", "# thread takes the words away"})
      each(take, [&](const Caught& n) {
        expectEqual(n[0], writers_.size(), "the threads that take words away");
        for (const Access& access : accesses_)
          expect(access.shared || access.kind != EventKind::Store || isOfWords(access.array),
                 "only words are taken away");
      });
    each("sends the ~ of this block in @[#]",
         [&](const Caught& n) { expect(writes(n[1], numberOf(n[2]), {}), "the word that is sent"); });
    each("adds the ~ of this block to @[#], and counts the block there",
         [&](const Caught& n) { expect(writes(n[1], numberOf(n[2]), {}), "the sum and the count"); });
    each("sets @[#] back to 0", [&](const Caught& n) {
      expect(writes(n[0], numberOf(n[1]), "0"), "what is set back for the next launch");
    });
  }

  // "thread 0 writes 5 to out[0], the sum of this block, and counts this block in finished[0]"
  void checkWrites() {
    each("the least head is $, of list #: thread # writes it to @[#], and list # moves on by one",
         [&](const Caught& n) {
           expect(writes(n[3], numberOf(n[4]), n[0]), "the least head");
           expect(std::ranges::any_of(at_.launch.buffers,
                                      [&](const model::Array& buffer) {
                                        return buffer.role == model::ParameterRole::Origin &&
                                               writes(buffer.name, numberOf(n[4]), n[1]);
                                      }),
                  "the list it came from");
           expect(n[1] == n[5] && writers_.contains(unsigned(numberOf(n[2]))), "the list and the thread");
         });
    for (const bool atomic : {false, true})
      each(atomic ? "combines $ atomically into @[#]" : "writes $ to @[#]", [&](const Caught& n) {
        expect(writes(n[1], numberOf(n[2]), n[0]), n[1] + "[" + n[2] + "] becomes " + n[0]);
      });
    each("counts this block in @[#]",
         [&](const Caught& n) { expect(writes(n[0], numberOf(n[1]), {}), "the count"); });
    each("thread # |", [&](const Caught& n) {
      expect(writers_.size() == 1 && writers_.contains(unsigned(numberOf(n[0]))), "the thread that writes");
    });
    for (const char* pattern :
         {"# threads write to @[#]", "# threads each combine a value atomically into @[#]"})
      each(pattern, [&](const Caught& n) {
        expectEqual(n[0], writers_.size(), "the threads that write");
        expect(writes(n[1], numberOf(n[2]), {}), "where they write");
      });
    for (const char* pattern :
         {"# threads write to device memory", "# threads each combine a value atomically into device memory"})
      each(pattern, [&](const Caught& n) { expectEqual(n[0], writers_.size(), "the threads that write"); });
  }

  // A store or an atomic of that value in that element; an empty value: any.
  bool writes(const std::string& name, std::uint64_t element, const std::string& value) const {
    for (const analysis::WarpOperation& operation : at_.round().operations) {
      if (operation.kind != EventKind::Store && operation.kind != EventKind::Atomic) continue;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((operation.mask >> lane & 1) == 0) continue;
        const model::Event& event = at_.launch.recorded().events[operation.event[lane]];
        if (!event.inGlobal()) continue;
        const model::Array& buffer = at_.launch.buffers[event.buffer()];
        if (buffer.name != name || event.offset() / std::max(1u, buffer.elementBytes) != element) continue;
        if (value.empty() || WordPrinter(buffer).brief(event.value) == value) return true;
      }
    }
    return false;
  }

  void checkThreads() {
    const unsigned block = at_.launch.block, working = unsigned(lanesOf_.size());
    const unsigned active = unsigned(active_.size());
    // "1 of 256 threads adds; 256 threads write"
    each("# of # threads ~; |", [&](const Caught& n) {
      expectEqual(n[0], combining(), "those that combine");
      expectEqual(n[1], block, "the block");
    });
    for (const char* would : {"lane each, though # warp would do", "lanes each, though # warp would do",
                              "lane each, though # warps would do", "lanes each, though # warps would do"})
      each(std::string("every #@ of # threads ~, so # warps issue for # ") + would, [&](const Caught& n) {
        checkEvery(n);
        expectEqual(n.back(), (active + kLanes - 1) / kLanes, "the warps that would do");
      });
    each("every #@ of # threads", [&](const Caught& n) { checkStep(n); });
    eachNumber("the other # lane<n> of the warp are inactive", [&](const Caught& n) {
      expect(warps() == 1 && numberOf(n[0]) == block - active, "the inactive lanes");
    });
    each("the other 1 lane of the warp is inactive",
         [&](const Caught&) { expect(warps() == 1 && block - active == 1, "the inactive lane"); });
    eachNumber("the other # thread<n> are inactive", [&](const Caught& n) {
      expect(block < kLanes && numberOf(n[0]) == block - active, "the inactive threads");
    });
    each("the other 1 thread is inactive",
         [&](const Caught&) { expect(block < kLanes && block - active == 1, "the inactive thread"); });
    eachNumber("the first # of # thread<n>", [&](const Caught& n) {
      expect(active == numberOf(n[0]) && *active_.rbegin() + 1 == active, "they are the first " + n[0]);
      expectEqual(n[1], block, "the block");
    });
    each("all # threads put the head of their list", [&](const Caught& n) {
      expect(numberOf(n[0]) == block, "all threads");
      checkHeads({n[0], n[0]});
    });
    eachNumber("all # thread<n>",
               [&](const Caught& n) { expect(numberOf(n[0]) == block && active == block, "all threads"); });
    eachNumber("# of # thread<n> work in # passes", [&](const Caught& n) { checkPasses(n); });
    eachNumber("# of # thread<n> works in # passes", [&](const Caught& n) { checkPasses(n); });
    each("# of # threads puts the head of its list", [&](const Caught& n) { checkHeads(n); });
    each("# of # threads put the head of their list", [&](const Caught& n) { checkHeads(n); });
    for (const char* pattern : {"# of # threads read ~, and # store", "# of # threads reads ~, and # store"})
      each(pattern, [&](const Caught& n) {
        expectEqual(n[0], readers_.size(), "the readers");
        expectEqual(n[1], block, "the block");
        expectEqual(n[3], storers_.size(), "those that store");
      });
    if (!isLoad())
      eachNumber("# of # thread<n>", [&](const Caught& n) {
        expectEqual(n[0], active, "the active threads");
        expectEqual(n[1], block, "the block");
      });
    for (const char* pattern :
         {"in # full warps and # of 32 lanes of warp #", "in # full warp and # of 32 lanes of warp #"})
      each(pattern, [&](const Caught& n) {
        expectEqual(n[0], fullWarps(), "full warps");
        expectEqual(n[1], lanesOf_[unsigned(numberOf(n[2]))], "lanes of the partial warp");
        expect(fullWarps() + 1 == working, "one is partial");
      });
    eachNumber("in # full warp<n>", [&](const Caught& n) {
      expectEqual(n[0], working, "working warps");
      expectEqual(n[0], fullWarps(), "full warps");
    });
    each("# of 32 lanes of each of # warps", [&](const Caught& n) {
      expect(sameLanesEverywhere() && lanesOf_.begin()->second == numberOf(n[0]), "lanes of each warp");
      expectEqual(n[1], working, "working warps");
    });
    each("# of 32 lanes of warp #", [&](const Caught& n) {
      expect(working == 1 && lanesOf_.contains(unsigned(numberOf(n[1]))), "the only warp");
      expectEqual(n[0], active, "its lanes");
    });
    each("in # warps, none of them full", [&](const Caught& n) {
      expectEqual(n[0], working, "working warps");
      expect(fullWarps() == 0, "none is full");
    });
    each("in # warps, # of them full", [&](const Caught& n) {
      expectEqual(n[0], working, "working warps");
      expectEqual(n[1], fullWarps(), "full warps");
    });
    for (const std::string state : {"are idle or have finished", "are idle", "have finished"})
      each("the other # warps " + state, [&](const Caught& n) {
        expectEqual(n[0], warps() - working, "the other warps");
        const unsigned finished = finishedWarps();
        expect((finished > 0) == state.ends_with("finished"), "some have finished, or none");
        expect((finished == warps() - working) == (state == "have finished"), "all of them have finished");
      });
    eachNumber("the other # thread<n> have nothing left to do", [&](const Caught& n) {
      expectEqual(n[0], block - active, "the other threads");
      expect(at_.index + 1 == at_.analysis.rounds.size(), "nothing comes after it");
    });
    eachNumber("the other # thread<n> wait at the barrier",
               [&](const Caught& n) { expectEqual(n[0], block - active, "the other threads"); });
    each("as # warps only test their conditions",
         [&](const Caught& n) { expectEqual(n[0], branching_.size(), "warps"); });
    each("as # warp only tests its conditions",
         [&](const Caught& n) { expectEqual(n[0], branching_.size(), "warps"); });
  }

  // The caption of an own kernel tells each thing that threads do once, with the number of those that do it.
  void checkActs() {
    std::set<std::string> told;
    for (const std::string& sentence : caption_.sentences) {
      const std::set<std::string> named = actsIn(sentence);
      if (named.empty()) continue;
      const std::set<unsigned>& threads = acts_[*named.begin()];
      for (const std::string& act : named) {
        expect(told.insert(act).second, "to " + act + " is told once");
        expect(acts_[act] == threads, "the same threads " + act);
      }
      std::smatch who;
      static const std::regex kWho(
          R"(([Aa]ll |[Tt]he first |[Ee]very |[Tt]he only |)(\d*)(?:\w\w)?(?: of )?(\d*) ?threads? )"
          R"((?:load|store|do|exchange))");
      const std::string plain = withoutThinSpaces(sentence);
      if (!std::regex_search(plain, who, kWho)) {
        expect(false, "who does it: " + plain);
        continue;
      }
      const std::string how = who[1].str();
      const auto is = [&](const char* word) { return how.size() > 3 && how.substr(1) == word + 1; };
      const unsigned block = at_.launch.block;
      if (is("All ") || is("The only ")) {
        expect(threads.size() == block && (is("The only ") ? block == 1 : numberOf(who[2]) == block),
               "all threads " + *named.begin());
      } else if (is("Every ")) {
        expect(threads == active_, "the active ones " + *named.begin());
      } else {
        expectEqual(who[2], threads.size(), "those that " + *named.begin());
        expectEqual(who[3], block, "the block");
        expect(!is("The first ") || *threads.rbegin() + 1 == threads.size(), "they are the first");
      }
    }
    for (const auto& [act, threads] : acts_)
      expect(threads.empty() || told.contains(act), "that threads " + act + " is told");
    // Which lanes of which warps, and all else that is said of the active ones, is looked at with the rest.
    eachNumber("the first # of # thread<n>", [](const Caught&) {});
    eachNumber("all # thread<n>", [](const Caught&) {});
    for (const char* rest : {" load", " store", " do", " exchange"})
      eachNumber(std::string("# of # thread<n>") + rest, [](const Caught&) {});
  }
  static std::string withoutThinSpaces(std::string text) {
    for (std::size_t at = 0; (at = text.find("\u202f", at)) != std::string::npos;) text.erase(at, 3);
    return text;
  }
  // What a sentence says that its threads do.
  static std::set<std::string> actsIn(const std::string& sentence) {
    static const std::regex kLoads(
        R"(loads? from (and stores? to )?(shared and device|shared|device) memory)"),
        kStores(R"(stores? to (shared and device|shared|device) memory)"),
        kAtomics("do(es)? atomic operations"), kExchanges("exchanges? registers");
    std::set<std::string> acts;
    const auto add = [&](const std::string& act, const std::string& where) {
      for (const std::string memory : {"shared", "device"})
        if (where.find(memory) != std::string::npos) acts.insert(act + memory + " memory");
    };
    std::smatch found;
    if (std::regex_search(sentence, found, kLoads)) {
      add("load from ", found[2]);
      if (found[1].matched) add("store to ", found[2]);
    }
    if (std::regex_search(sentence, found, kStores)) add("store to ", found[1]);
    if (std::regex_search(sentence, kAtomics)) acts.insert("do atomic operations");
    if (std::regex_search(sentence, kExchanges)) acts.insert("exchange registers");
    return acts;
  }

  void checkStep(const Caught& n) {
    const std::uint64_t step = numberOf(n[0]);
    expectEqual(n[2], at_.launch.block, "the block");
    std::set<unsigned> regular;
    for (std::uint64_t thread = 0; thread < at_.launch.block; thread += step)
      regular.insert(unsigned(thread));
    expect(regular == active_, "every " + n[0] + "th thread is active");
  }
  void checkEvery(const Caught& n) {
    checkStep(n);
    expectEqual(n[4], lanesOf_.size(), "the warps that issue");
    expect(sameLanesEverywhere() && lanesOf_.begin()->second == numberOf(n[5]), "the active lanes of each");
  }
  void checkPasses(const Caught& n) {
    expectEqual(n[0], active_.size(), "the active threads");
    expectEqual(n[1], at_.launch.block, "the block");
    expectEqual(n[2], at_.whole().passes, "the passes");
  }
  void checkHeads(const Caught& n) {
    std::set<unsigned> threads;
    for (const Access& access : accesses_)
      if (!access.shared && access.kind == EventKind::Load &&
          at_.launch.buffers[access.array].role == model::ParameterRole::ListValues)
        for (const auto& [lane, offset] : access.offsets) threads.insert(access.warp * kLanes + lane);
    expectEqual(n[0], threads.size(), "the lists with a head");
    expectEqual(n[1], at_.launch.block, "the block");
    const std::uint64_t asked = at_.trace.experiment.lists;
    const std::uint64_t lists = asked == 0 ? at_.launch.block : asked;
    each("the other # lists are exhausted",
         [&](const Caught& rest) { expectEqual(rest[0], lists - threads.size(), "exhausted lists"); });
    for (const char* without : {"# threads have no list", "# thread has no list"})
      each(without, [&](const Caught& rest) {
        expectEqual(rest[0], at_.launch.block - lists, "threads without a list");
      });
  }
  unsigned finishedWarps() const {
    unsigned finished = 0;
    const auto& lanes = at_.round().lanes;
    for (std::size_t first = 0; first < lanes.size(); first += kLanes) {
      const auto begin = lanes.begin() + std::ptrdiff_t(first);
      const auto end = begin + std::ptrdiff_t(std::min<std::size_t>(kLanes, lanes.size() - first));
      finished += std::all_of(begin, end,
                              [](analysis::LaneState lane) { return lane == analysis::LaneState::Finished; });
    }
    return finished;
  }
  unsigned fullWarps() const {
    return unsigned(std::ranges::count_if(lanesOf_, [](const auto& warp) { return warp.second == kLanes; }));
  }
  // Threads that read two elements of shared memory and store one.
  unsigned combining() const {
    std::map<unsigned, std::set<std::uint64_t>> reads;
    for (const Access& access : accesses_)
      if (access.shared && access.kind == EventKind::Load)
        for (const auto& [lane, offset] : access.offsets) reads[access.warp * kLanes + lane].insert(offset);
    return unsigned(std::ranges::count_if(
        reads, [&](const auto& own) { return own.second.size() > 1 && storers_.contains(own.first); }));
  }

  bool isLoad() const { return caption_.sentences[0].find("oad:") != std::string::npos; }

  void checkLoads() {
    if (!isLoad()) return;
    std::uint64_t loaded = 0, filledUp = 0;
    for (const auto& [thread, elements] : loadedBy_) loaded += elements;
    for (const char* are : {"are identities, which fill", "is an identity, which fills"})
      each(std::string("# of the # elements ") + are + " up the block", [&](const Caught& n) {
        filledUp = numberOf(n[0]);
        expectEqual(n[1], loaded, "the elements in all");
      });
    if (text_.has(": identities, which fill up the block")) filledUp = loaded;
    expect(filledUp == filledUp_, "the elements behind the input: counted " + std::to_string(filledUp_));
    each(", # apart,", [&](const Caught& n) {
      for (const unsigned thread : loaders_)
        expect(accessesTwoElementsApart(thread, numberOf(n[0])), "the elements' distance");
    });
    for (const char* blocks : {"blocks", "block"})
      each(std::string("the results of the # ") + blocks + " of launch #", [&](const Caught& n) {
        const std::size_t number = numberOf(n[1]);
        expect(number + 1 < at_.trace.launches.size() && &at_.trace.launches[number + 1] == &at_.launch,
               "the launch before");
        expectEqual(n[0], at_.trace.launches[number].grid, "its blocks");
      });
    each("in loads of # bytes", [&](const Caught& n) { expectEqual(n[0], widest_, "the widest load"); });
    for (const char* pattern : {"then # threads store their values", "then # thread stores its value"})
      each(pattern, [&](const Caught& n) { expectEqual(n[0], storers_.size(), "those that store"); });
    for (const char* who : {"# of # threads", "# threads", "# thread"}) {
      each(std::string(who) + " ~ # elements each",
           [&](const Caught& n) { checkLoaders(n, numberOf(n.back())); });
      each(std::string(who) + " ~ two elements each", [&](const Caught& n) { checkLoaders(n, 2); });
      each(std::string(who) + " ~ one element each", [&](const Caught& n) { checkLoaders(n, 1); });
      each(std::string(who) + " ~ one element", [&](const Caught& n) { checkLoaders(n, 1); });
      each(std::string(who) + " ~ two elements", [&](const Caught& n) { checkLoaders(n, 2); });
      for (const char* all : {" ~ # elements", " ~ # element"})
        each(std::string(who) + all, [&](const Caught& n) {
          checkLoaders(n, std::nullopt);
          expectEqual(n.back(), loaded, "the elements in all");
        });
    }
  }
  void checkLoaders(const Caught& n, std::optional<std::uint64_t> each) {
    expectEqual(n[0], loaders_.size(), "the threads that load");
    for (const auto& [thread, loaded] : loadedBy_)
      expect(!each || loaded == *each, "the elements of each thread");
  }

  void checkReasons() {
    for (const char* words : {"words", "word"})
      for (const char* lanes : {"lanes", "lane"})
        each(std::string("active lanes are # ") + words + " apart, # " + lanes,
             [&](const Caught& n) { checkConflict(numberOf(n[0]), numberOf(n[1])); });
    for (const char* lanes : {"lanes", "lane"})
      each(std::string("different words of the same banks, # ") + lanes,
           [&](const Caught& n) { checkConflict(std::nullopt, numberOf(n[0])); });
    for (const char* elements : {"elements", "element"})
      each(std::string("active lanes are # ") + elements + " apart", [&](const Caught& n) {
        expect(std::ranges::any_of(accesses_,
                                   [&](const Access& access) {
                                     if (access.shared || access.offsets.size() < 2) return false;
                                     const unsigned bytes =
                                         std::max(1u, at_.launch.buffers[access.array].elementBytes);
                                     return distanceOf(access, lanesIn(access)) == numberOf(n[0]) * bytes &&
                                            costOf(access).taken > costOf(access).ideal;
                                   }),
               "the distance of the elements");
      });
    for (const char* bytes : {"bytes", "byte"})
      each(std::string("each lane accesses # ") + bytes + " of its element of # bytes", [&](const Caught& n) {
        expect(std::ranges::any_of(accesses_,
                                   [&](const Access& access) {
                                     return !access.shared && access.width == numberOf(n[0]) &&
                                            at_.launch.buffers[access.array].elementBytes == numberOf(n[1]) &&
                                            distanceOf(access, lanesIn(access)) == numberOf(n[1]) &&
                                            costOf(access).taken > costOf(access).ideal;
                                   }),
               "accesses to a part of each element");
      });
    if (text_.has("neighbouring lanes access neighbouring") ||
        text_.has("Because neighbouring lanes access neighbouring")) {
      const bool shared = text_.has("neighbouring words");
      for (const Access& access : accesses_)
        expect(access.shared != shared || access.kind == EventKind::Atomic || access.offsets.size() == 1 ||
                   distanceOf(access, lanesIn(access)) == access.width,
               "the lanes are neighbours");
    }
    for (const char* apart :
         {"because active lanes are # or # words apart,", "because active lanes are # words apart,",
          "because active lanes are # word apart,"})
      each(apart, [&](const Caught& n) {
        std::set<std::uint64_t> named;
        for (const std::string& words : n) named.insert(numberOf(words) * kWordBytes);
        expect(distancesOfShared() == named, "the distances of the active lanes");
      });
    for (const char* whose : {"the warp", "a warp"})
      each(std::string("the # active lanes of ") + whose + " hit different banks", [&](const Caught& n) {
        for (const Access& access : accesses_)
          if (access.shared && access.kind != EventKind::Atomic)
            expect(access.offsets.size() == numberOf(n[0]) && costOf(access).way == 1,
                   "lanes that hit different banks");
      });
    for (const char* words : {"words", "word"})
      each(std::string("with the padding between them the operands are # ") + words + " apart",
           [&](const Caught& n) {
             const std::uint64_t bytes = numberOf(n[0]) * kWordBytes;
             expect(bytes > at_.round().stride.value_or(0) * model::bytesOf(at_.trace.experiment.type),
                    "padding lies between the operands");
             for (const unsigned thread : storers_)
               expect(readsSharedApart(thread, bytes), "the operands' distance in memory");
           });
    each("#-byte loads merge two ~ of a warp where lanes i and i ^ # share an address or one is inactive",
         [&](const Caught& n) {
           const auto isMerged = [&](const Access& access) {
             const auto agree = [&](std::uint64_t x) {
               return std::ranges::all_of(access.offsets, [&](const auto& entry) {
                 const auto partner = access.offsets.find(entry.first ^ unsigned(x));
                 return partner == access.offsets.end() || partner->second == entry.second;
               });
             };
             return access.shared && access.kind == EventKind::Load && access.width == numberOf(n[0]) &&
                    numberOf(n.back()) == (agree(1) ? 1 : 2) && (agree(1) || agree(2));
           };
           expect(numberOf(n[0]) > kWordBytes && std::ranges::any_of(accesses_, isMerged),
                  "loads that are merged");
         });
    each("takes a wavefront for 8-byte elements", [&](const Caught&) {
      expect(std::ranges::any_of(accesses_,
                                 [](const Access& access) { return access.shared && access.width == 8; }),
             "8-byte elements");
    });
  }
  // Whether the thread reads two elements of shared memory so many bytes apart.
  bool readsSharedApart(unsigned thread, std::uint64_t bytes) const {
    std::vector<std::uint64_t> offsets;
    for (const Access& access : accesses_)
      if (const auto own = access.offsets.find(thread % kLanes);
          access.shared && access.kind == EventKind::Load && access.warp == thread / kLanes &&
          own != access.offsets.end())
        offsets.push_back(own->second);
    return offsets.size() == 2 &&
           std::max(offsets[0], offsets[1]) - std::min(offsets[0], offsets[1]) == bytes;
  }
  // Bytes from an active lane to the next one, over all loads and stores in shared memory.
  std::set<std::uint64_t> distancesOfShared() const {
    std::set<std::uint64_t> distances;
    for (const Access& access : accesses_) {
      if (!access.shared || access.kind == EventKind::Atomic) continue;
      std::optional<std::uint64_t> last;
      for (const auto& [lane, offset] : access.offsets) {
        if (last) distances.insert(offset - *last);
        last = offset;
      }
    }
    return distances;
  }
  std::set<unsigned> lanesIn(const Access& access) const {
    std::set<unsigned> lanes;
    for (const auto& [lane, offset] : access.offsets) lanes.insert(lane);
    return lanes;
  }

  // Takes the rest of the phrase: whose lanes they are and which banks they hit.
  void checkConflict(std::optional<std::uint64_t> words, std::uint64_t lanes) {
    unsigned most = kLanes;
    if (text_.take("| of half a warp")) most = kLanes / 2;
    if (text_.take("| of a quarter of a warp")) most = kLanes / 4;
    std::optional<std::string> name;
    for (const char* pattern : {"| of the @ hit", "| in the @ hit"})
      if (const auto caught = text_.take(pattern)) name = (*caught)[0];
    for (const char* pattern : {"| of @ @ hit", "| in @ @ hit"})
      if (const auto caught = text_.take(pattern)) name = (*caught)[0] + " " + (*caught)[1];
    if (!name) text_.take("| hit");
    std::optional<std::uint64_t> banks;
    std::set<unsigned> named;
    for (const char* pattern : {"| only # of 32 banks", "| # of 32 banks"})
      if (const auto caught = text_.take(pattern)) banks = numberOf((*caught)[0]);
    for (const char* pattern :
         {"| only banks #, #, # and #", "| only banks #, # and #", "| only banks # and #", "| only bank #"})
      if (const auto caught = text_.take(pattern))
        for (const std::string& bank : *caught) named.insert(unsigned(numberOf(bank)));
    bool found = false;
    for (const NamedRequest& request : namedRequests(at_)) {
      if (!request.request->shared || (name && request.name != *name)) continue;
      for (const Access& access : accesses_) {
        if (!access.shared || access.site != request.request->site || access.kind != request.request->kind)
          continue;
        for (const Group& group : groupsOf(access)) {
          const auto distance = distanceOf(access, group.lanes);
          found = found || (group.lanes.size() == lanes && lanes <= most && group.way > 1 &&
                            (!words || distance == *words * kWordBytes) &&
                            (banks ? group.banks.size() == *banks : group.banks == named));
        }
      }
    }
    expect(found, "such a conflict is found");
  }

  // Whom the subject of a cost stands for.
  bool isMeant(const std::string& subject, const NamedRequest& request) const {
    const bool load = request.request->kind == EventKind::Load;
    if (subject.find(' ') != std::string::npos && subject.back() >= 'A' && subject.back() <= 'Z') {
      return subject == request.name;
    }
    return subject.find(load ? "load" : "store") != std::string::npos;
  }

  void checkCosts() {
    const std::vector<NamedRequest> requests = namedRequests(at_);
    std::vector<std::string> subjects;
    for (const char* load : {"each load", "the load"}) {
      for (const char* store : {" and each store", " and the store"})
        subjects.push_back(std::string(load) + store);
      subjects.emplace_back(load);
    }
    subjects.insert(subjects.end(), {"each store", "the store"});
    for (const NamedRequest& request : requests)
      if (request.name.find(' ') != std::string::npos) subjects.push_back(request.name);
    for (const std::string& subject : subjects)
      for (const char* verb : {" take", " takes", " touch", " touches"}) {
        if (!text_.has((subject + verb).substr(1))) continue;  // most captions have none of the many forms
        for (const char* unit : {"wavefronts", "wavefront", "sectors", "sector"}) {
          const std::string begin = subject + verb + " # " + unit;
          const auto check = [&](const Caught& n, bool sum, std::optional<unsigned> ideal,
                                 std::optional<unsigned> way) {
            checkCost(subject, unit[0] == 'w', unsigned(numberOf(n[0])),
                      sum ? std::optional(numberOf(n[1])) : std::nullopt, ideal, way);
          };
          for (const char* how : {" over # requests", " over # request", " each time", " per warp", ""}) {
            const bool sum = std::string_view(how).starts_with(" over");
            const std::size_t next = sum ? 2 : 1;
            const std::string price = begin + how;
            for (const char* article : {"a", "an"})
              each(price + " instead of #, " + article + " #-way bank conflict", [&](const Caught& n) {
                check(n, sum, unsigned(numberOf(n[next])), unsigned(numberOf(n[next + 1])));
              });
            each(price + " instead of #",
                 [&](const Caught& n) { check(n, sum, unsigned(numberOf(n[next])), std::nullopt); });
            each(price, [&](const Caught& n) { check(n, sum, std::nullopt, std::nullopt); });
          }
        }
      }
    if (text_.has("no conflict"))
      for (const Access& access : accesses_)
        expect(!access.shared || access.kind == EventKind::Atomic ||
                   costOf(access).taken == costOf(access).ideal,
               "there is no conflict");
    if (text_.has("fully coalesced"))
      for (const Access& access : accesses_)
        expect(
            access.shared || access.kind == EventKind::Atomic || costOf(access).taken == costOf(access).ideal,
            "it is coalesced");
  }

  // `requests`: over so many together; nullopt: each of them.
  void checkCost(const std::string& subject, bool shared, unsigned taken,
                 std::optional<std::uint64_t> requests, std::optional<unsigned> ideal,
                 std::optional<unsigned> way) {
    bool meant = false;
    for (const NamedRequest& request : namedRequests(at_)) {
      if (request.request->shared != shared || request.request->kind == EventKind::Atomic ||
          !isMeant(subject, request))
        continue;
      meant = true;
      Cost all;
      std::uint64_t counted = 0;
      bool alike = true;
      for (const Access& access : accesses_) {
        if (access.site != request.request->site || access.kind != request.request->kind ||
            access.shared != shared)
          continue;
        const Cost cost = costOf(access);
        ++counted;
        all = {all.taken + cost.taken, all.ideal + cost.ideal, std::max(all.way, cost.way)};
        alike = alike && cost.taken == taken && cost.ideal == ideal.value_or(taken);
      }
      expect(
          requests ? all.taken == taken && all.ideal == ideal.value_or(taken) && counted == *requests : alike,
          "what " + subject + " costs");
      expect(!way || *way == all.way, "the way of " + subject);
    }
    expect(meant, subject + " stands for a request");
  }

  void checkShuffle() {
    std::set<unsigned> shuffling;
    for (const auto& [thread, source] : source_) shuffling.insert(thread / kLanes);
    each("in each of # warps,",
         [&](const Caught& n) { expectEqual(n[0], shuffling.size(), "the warps that shuffle"); });
    const auto takeLanes = [&](const std::string& rest,
                               const std::function<void(const std::set<unsigned>&, const Caught&)>& check) {
      for (const char* whose : {" of warp #", ""})
        for (const char* lanes : {"lanes # to #", "lanes # and #", "lane #"})
          each(std::string(lanes) + whose + rest, [&](const Caught& n) {
            const bool several = lanes[4] == 's';
            std::set<unsigned> set;
            for (std::uint64_t lane = numberOf(n[0]); lane <= numberOf(n[several ? 1 : 0]); ++lane)
              set.insert(unsigned(lane));
            if (whose[0] != '\0')
              expect(shuffling.size() == 1 && *shuffling.begin() == numberOf(n[several ? 2 : 1]), "the warp");
            check(set, n);
          });
    };
    const auto lanesWhere = [&](const std::function<bool(unsigned, unsigned)>& holds) {
      std::map<unsigned, std::set<unsigned>> lanes;
      for (const auto& [thread, source] : source_)
        if (holds(thread, source)) lanes[thread / kLanes].insert(thread % kLanes);
      return lanes;
    };
    const auto inEachWarp = [&](const std::map<unsigned, std::set<unsigned>>& lanes,
                                const std::set<unsigned>& named) {
      return lanes.size() == shuffling.size() &&
             std::ranges::all_of(lanes, [&](const auto& warp) { return warp.second == named; });
    };
    const auto absent = [&](unsigned thread, unsigned source) {
      return source != thread && !source_.contains(source);
    };
    const auto served = [&](unsigned thread, unsigned source) {
      return source != thread && source_.contains(source);
    };
    for (const char* ask : {" asks for the register # ", " ask for the register # "})
      for (const char* unit : {"lanes", "lane"})
        takeLanes(ask + std::string(unit), [&](const std::set<unsigned>& lanes, const Caught& n) {
          expect(inEachWarp(lanesWhere(absent), lanes), "lanes that ask for an absent one");
          expectEqual(n.back(), at_.round().stride.value_or(0), "the distance");
        });
    for (const char* unit : {" lanes", " lane"})
      takeLanes(" ~ the register #" + std::string(unit),
                [&](const std::set<unsigned>& lanes, const Caught& n) {
                  expect(inEachWarp(lanesWhere(served), lanes), "lanes that get another one's register");
                  expectEqual(n.back(), at_.round().stride.value_or(0), "the distance");
                });
    for (const char* pattern : {"each lane ~ the register # lanes", "each lane ~ the register # lane"})
      each(pattern,
           [&](const Caught& n) { expectEqual(n.back(), at_.round().stride.value_or(0), "the distance"); });
    for (const char* own : {" have no lane there", " has no lane there"})
      takeLanes(own, [&](const std::set<unsigned>& lanes, const Caught&) {
        expect(
            inEachWarp(lanesWhere([](unsigned thread, unsigned source) { return thread == source; }), lanes),
            "lanes without a source");
      });
    const std::uint64_t identity = model::identityOf(at_.trace.experiment);
    const bool changesNothing = text_.has("so this step changes no result");
    for (const char* hold : {" hold only the identity", " holds only the identity"})
      takeLanes(hold, [&](const std::set<unsigned>& lanes, const Caught&) {
        expect(*lanes.rbegin() < kLanes, "lanes that there are");
        for (const auto& [thread, source] : source_) {
          const bool told = lanes.contains(thread % kLanes), is = given_[thread] == identity;
          expect(told ? is : !is || someLoadedIs(identity), "the lanes that hold the identity");
          expect(!changesNothing || lanes.contains(thread % kLanes) || source == thread ||
                     received_[thread] == identity,
                 "a step that changes nothing");
        }
      });
    for (const char* hold : {" hold only the identity", " holds only the identity"})
      for (const char* lanes : {"# lanes", "# lane"})
        each(std::string(lanes) + hold, [&](const Caught& n) {
          expectEqual(n[0], std::uint64_t(std::ranges::count(at_.work().registerGivesIdentity, true)),
                      "the lanes that hold the identity");
        });
    for (const char* which : {" that hold an element", ""})
      for (const char* verb : {" is still needed", " are still needed"}) {
        const std::string end = std::string(which) + verb;
        for (const char* per : {" results per warp", " results"})
          each("# of the #" + (per + end), [&](const Caught& n) { checkNeeded(n, shuffling); });
        each("# of the # results of the block" + end, [&](const Caught& n) {
          const analysis::RoundFlow& flow = at_.work();
          const auto isUsed = [&](unsigned thread) {
            return flow.registerUseful[thread] && !flow.registerIdentity[thread];
          };
          const auto holdsAnElement = [&](unsigned thread) { return !flow.registerIdentity[thread]; };
          expectEqual(n[0], std::uint64_t(std::ranges::count_if(active_, isUsed)), "those still needed");
          expectEqual(n[1], std::uint64_t(std::ranges::count_if(active_, holdsAnElement)), "the results");
        });
      }
    for (const char* verb : {" results is used", " results are used"})
      each(std::string("only # of the #") + verb, [&](const Caught& n) {
        expectEqual(n[1], active_.size(), "the results");
        expectEqual(n[0],
                    std::uint64_t(std::ranges::count(at_.work().work, true, &analysis::ThreadWork::useful)),
                    "those that are used");
        expect(numberOf(n[0]) <= at_.round().stride.value_or(active_.size()), "no more than the stride");
      });
    each("the # registers of each of # warps", [&](const Caught& n) {
      expect(sameLanesEverywhere() && lanesOf_.begin()->second == numberOf(n[0]), "the registers");
      expectEqual(n[1], lanesOf_.size(), "the warps");
    });
    each("the # registers of warp #", [&](const Caught& n) {
      expect(lanesOf_.size() == 1 && lanesOf_.contains(unsigned(numberOf(n[1]))), "the warp");
      expectEqual(n[0], active_.size(), "the registers");
    });
  }

  // Whether a thread that loaded an element since the last block barrier gives just this: then values do not
  // tell who holds nothing else.
  bool someLoadedIs(std::uint64_t value) const {
    const auto& rounds = at_.analysis.rounds;
    for (std::size_t index = at_.index + 1; index-- > 0;) {
      if (index < at_.index && rounds[index].endsWith == analysis::RoundEnd::BlockBarrier) return false;
      for (const analysis::WarpOperation& operation : rounds[index].operations)
        for (unsigned lane = 0; operation.kind == EventKind::Load && lane < kLanes; ++lane) {
          if ((operation.mask >> lane & 1) == 0) continue;
          const auto given = given_.find(operation.warp * kLanes + lane);
          const model::Event& event = at_.launch.recorded().events[operation.event[lane]];
          if (event.width() >= model::bytesOf(at_.trace.experiment.type) && given != given_.end() &&
              given->second == value)
            return true;
        }
    }
    return false;
  }

  // A result that is made of identities alone is not needed, though its lane reaches the first one.
  void checkNeeded(const Caught& n, const std::set<unsigned>& shuffling) {
    const analysis::RoundFlow& work = at_.work();
    for (const unsigned warp : shuffling) {
      std::uint64_t needed = 0, identities = 0;
      for (unsigned thread = warp * kLanes; thread < std::min(at_.launch.block, (warp + 1) * kLanes);
           ++thread) {
        needed += work.registerUseful[thread] && !work.registerIdentity[thread];
        identities += active_.contains(thread) && work.registerIdentity[thread];
      }
      expectEqual(n[0], needed, "the results that are needed");
      expectEqual(n[1], lanesOf_[warp] - identities, "the results that hold an element");
    }
    // A shuffle down by s leaves what counts in s lanes; in the second tree each warp has left one value.
    if (at_.trace.experiment.variant == "warp_shuffle") {
      const std::uint64_t values = shuffling.size() == 1 && at_.index > kRoundsOfFirstTree
                                       ? (at_.launch.block + kLanes - 1) / kLanes
                                       : std::min<std::uint64_t>(kLanes, at_.launch.elements);
      expectEqual(n[0], std::min<std::uint64_t>(at_.round().stride.value_or(0), values),
                  "the results that are needed in a tree of shuffles");
    }
  }

  void checkRest() {
    each("only warp # exchanges data from here on", [&](const Caught& n) {
      for (std::size_t index = at_.index; index < at_.analysis.rounds.size(); ++index)
        for (const analysis::WarpOperation& operation : at_.analysis.rounds[index].operations) {
          const bool shared = operation.kind <= EventKind::Atomic &&
                              at_.launch.recorded()
                                  .events[operation.event[unsigned(std::countr_zero(operation.mask))]]
                                  .inShared();
          expect(!shared || operation.warp == numberOf(n[0]), "no other warp touches shared memory");
        }
    });
    for (const char* pattern : {"# threads take the other head", "# thread takes the other head"})
      each(pattern,
           [&](const Caught& n) { expectEqual(n[0], storers_.size(), "those that take the other head"); });
    if (text_.has("o thread takes the other head")) expect(storers_.empty(), "no thread stores");
    if (text_.has("the sum of this block"))
      expect(at_.analysis.races.empty() && at_.trace.ok, "a sum is right");
    each("no thread reads @[#] from here on: its $, the ~ of # elements, is lost", [&](const Caught& n) {
      expect(!isRead(n[0], numberOf(n[1]), at_.index), "it is not read from here on");
      expect(numberOf(n[4]) > 1 && at_.launch.block > numberOf(n[4]), "the lost elements");
    });
    each("no thread reads @[#] from here on: its $, 1 element, is lost", [&](const Caught& n) {
      expect(!isRead(n[0], numberOf(n[1]), at_.index), "it is not read from here on");
    });
    for (const char* what :
         {"the ~ of # elements, $ in @[#], is missing from it", "1 element, $ in @[#], is missing from it"})
      each(what, [&](const Caught& n) {
        expect(!isRead(n[n.size() - 2], numberOf(n.back()), at_.index), "it is not read");
        expect(at_.index + 1 == at_.analysis.rounds.size(), "nothing comes after it");
      });
    each("one value, @[#], has no partner and waits for the next stride", [&](const Caught& n) {
      expect(!isRead(n[0], numberOf(n[1]), at_.index, at_.index + 1), "it is not read in this round");
      expect(isRead(n[0], numberOf(n[1]), at_.index + 1), "it is read later");
    });
    // "reads slots[0]"
    each("@[#]", [&](const Caught& n) {
      expect(std::ranges::any_of(
                 accesses_,
                 [&](const Access& access) {
                   return access.shared && at_.launch.recorded().shared[access.array].name == n[0] &&
                          std::ranges::all_of(access.offsets, [&](const auto& lane) {
                            return lane.second /
                                       std::max(1u,
                                                at_.launch.recorded().shared[access.array].elementBytes) ==
                                   numberOf(n[1]);
                          });
                 }),
             "all read " + n[0] + "[" + n[1] + "]");
    });
  }

  // Some thread reads the element of shared memory in a round of [first, last).
  bool isRead(const std::string& array, std::uint64_t element, std::size_t first,
              std::size_t last = ~std::size_t{0}) const {
    for (std::size_t index = first; index < std::min(last, at_.analysis.rounds.size()); ++index)
      for (const analysis::WarpOperation& operation : at_.analysis.rounds[index].operations)
        for (unsigned lane = 0; operation.kind == EventKind::Load && lane < kLanes; ++lane) {
          if ((operation.mask >> lane & 1) == 0) continue;
          const model::Event& event = at_.launch.recorded().events[operation.event[lane]];
          if (!event.inShared()) continue;
          const model::Array& read = at_.launch.recorded().shared[event.sharedArray()];
          if (read.name == array && event.offset() / std::max(1u, read.elementBytes) == element) return true;
        }
    return false;
  }

  const RoundAt& at_;
  Caption caption_;
  ClaimText text_;
  std::vector<std::string> faults_;
  std::vector<Access> accesses_;
  std::set<unsigned> active_, readers_, storers_, loaders_, writers_, branching_;
  std::map<unsigned, unsigned> lanesOf_;            // active ones, by warp
  std::map<std::string, std::set<unsigned>> acts_;  // the threads that "load from shared memory"
  std::map<unsigned, unsigned> source_;             // the thread whose register a shuffle asks for
  std::map<unsigned, std::uint64_t> given_, received_, loadedBy_;
  unsigned widest_ = 0;
  std::map<unsigned, std::set<std::uint64_t>> waiting_;  // for which words, as offsets in their buffer
  std::uint64_t filledUp_ = 0;
};

}  // namespace

std::vector<std::string> faultsOfCaption(const RoundAt& at, const Caption& caption) {
  return Checker(at, caption).faults();
}

std::optional<Caption> withWrongNumber(Caption caption, std::size_t index) {
  for (std::string& sentence : caption.sentences)
    for (std::size_t at = 0; at < sentence.size(); ++at) {
      const auto isDigit = [&](std::size_t i) {
        return i < sentence.size() && sentence[i] >= '0' && sentence[i] <= '9';
      };
      if (!isDigit(at) || isDigit(at + 1)) continue;  // the last digit of each
      if (index-- > 0) continue;
      sentence[at] = sentence[at] == '9' ? '8' : char(sentence[at] + 1);
      return caption;
    }
  return std::nullopt;
}

}  // namespace stridescope::narration
