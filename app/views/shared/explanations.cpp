#include "views/shared/explanations.h"

#include <algorithm>
#include <array>

#include "imgui_internal.h"

namespace stridescope::views {
namespace {

constexpr std::array kTable{
    // The experiment bar.
    Explanation{"variant", "The kernel that is run, and how it is launched.", {}},
    Explanation{"type", "The type T of the elements.", {}},
    Explanation{"operator", "What combines two elements into one.", "reduction"},
    Explanation{"block size", "Threads per block.", "block"},
    Explanation{"n", "The number of elements. One block's load is what one block takes in at once.", {}},
    Explanation{"data pattern", "The values of the elements. A seed makes other random values.", {}},
    Explanation{
        "schedule",
        "The order in which the CPU executor runs the threads between two barriers, and the blocks. It "
        "matters where there is a race, or a floating total; a GPU has an order of its own.",
        "race"},
    Explanation{"block shown", "The block of the launch that the maps show.", {}},
    Explanation{"what executes",
                "What ran the kernel: a GPU, the CPU executor, which runs the same text on this machine's "
                "processor, or a recording of such a run.",
                {}},
    // The bar of two runs, and what differs between them.
    Explanation{"left variant", "The kernel of the left column.", {}},
    Explanation{"right variant", "The kernel of the right column.", {}},
    Explanation{"locked by",
                "What stands side by side: the rounds of the same number, or those of the same stride.",
                "stride"},
    Explanation{"set for",
                "Whether type, operator, sizes, data, schedule, block and engine are set for both sides or "
                "for one.",
                {}},
    Explanation{"arrow: better side",
                "An arrow points to the side that needs less for the same work. A factor compares figures of "
                "one origin alone.",
                {}},
    Explanation{"highest conflict, ways", "The worst request of the round.", "bank conflict"},
    Explanation{"wavefronts", {}, "wavefront"},
    Explanation{"bank conflicts", "Wavefronts beyond those that the same requests need at least.", {}},
    Explanation{"wavefronts per element", "Wavefronts of all rounds for each element of the input.",
                "wavefront"},
    Explanation{"requests to shared memory", {}, "request"},
    Explanation{"working warps", "Warps with an active lane in the round.", "warp"},
    Explanation{"working warps, summed", "Warps with an active lane, added up over all rounds.", "warp"},
    Explanation{"partial warps", {}, "partial warp"},
    Explanation{"partial warps, summed", "Added up over all rounds.", "partial warp"},
    Explanation{"divergent branches in source",
                "Warps that come to a branch of the kernel's text which some of their lanes take and others "
                "do not.",
                "divergence"},
    Explanation{"sectors of device memory", {}, "sector"},
    Explanation{"ideal sectors", "The sectors that would do if the same bytes lay side by side.", "sector"},
    Explanation{"threads whose result is used", "The block's result is made of what they compute.", {}},
    Explanation{"this round alone", "A block that has the GPU for itself: a median.", "cycle"},
    Explanation{"this round in a full grid", "A block among as many as the GPU holds at once: a median.",
                "cycle"},
    Explanation{"all rounds alone",
                "From the first warp's first round to its last, of a block alone on the GPU: a median.",
                {}},
    Explanation{
        "all rounds in a full grid",
        "From the first warp's first round to its last, of a block among as many as the GPU holds: a median.",
        {}},
    Explanation{"the whole reduction",
                "All its launches over the experiment's n, with the input not in L2: a median.",
                {}},
    Explanation{"grids that do nothing",
                "What the same launches take with kernels that do nothing: as many blocks start and end.",
                "launch"},
    // The times.
    Explanation{
        "µs",
        "Median time of one reduction, in microseconds, with blocks of the variant's default size: 256 "
        "threads for most.",
        {}},
    Explanation{"GB/s", "Bytes of the input per second, each element once; 1 GB is 10^9 bytes.", "bandwidth"},
    Explanation{"ceiling",
                "The rate in GB/s as a share of the peak read bandwidth, which is measured on the same GPU.",
                {}},
    Explanation{
        "of CUB",
        "The time over CUB's: the median of the ratios of samples that were taken in turn. Below 1 is "
        "faster than CUB.",
        {}},
    Explanation{"× first", "How many times as fast as the first variant that was timed beside it.", {}},
    Explanation{"× before", "How many times as fast as the variant before it in its family.", {}},
    // The marks of Shared memory.
    Explanation{"operand A", "The first of the two values that a thread combines in this round.", {}},
    Explanation{"A, in a register",
                "The first of the two values: the thread has held it since an earlier pass.", "register"},
    Explanation{"operand B", "The second of the two values that a thread combines in this round.", {}},
    Explanation{"operand", "The value that a thread reads in this round.", {}},
    Explanation{"not what the pass before left",
                "A value that was read before, or after, the thread that should have written it did so.",
                "race"},
    Explanation{"thread that only reads", "It reads a value in this round and writes none.", {}},
    Explanation{"result", "A value written in this round that a later one still reads.", {}},
    Explanation{"in its register", "The result stays in the thread's register: nothing is stored.",
                "register"},
    Explanation{"unused result",
                "A value written in this round that the block's result is not made of: nobody reads it, or "
                "what is made of it is lost.",
                {}},
    Explanation{
        "still needed", "A value that this round does not touch and that the block's result is made of.", {}},
    Explanation{"input", "The value that the lane holds before the round.", "register"},
    Explanation{"not combined yet", "A value that no thread has combined into another one so far.", {}},
    Explanation{"combined", "A value that a thread has combined into another one.", {}},
    Explanation{"no longer needed",
                "A value that the block's result is not made of from here on: nobody reads it, or what is "
                "made of it is lost.",
                {}},
    Explanation{"to come", "The place of a round that has not run yet.", {}},
    // The heads of the maps.
    Explanation{"banks × strides: most words in one bank",
                "For each round and bank, how many different words the bank must serve for one request, at "
                "most; at the right the highest way of the round.",
                "bank conflict"},
    Explanation{
        "sectors × strides: most of one request",
        "For each round and warp, how many sectors one request touches, at most; at the right those of "
        "the worst warp, and how many would do.",
        "sector"},
    Explanation{"1 to 32 active lanes", "How many of the warp's lanes are active in the round.", "active"},
    Explanation{
        "divergent branches",
        "How often a warp came to a branch of the kernel's text with a condition that was true in some "
        "of its lanes and false in others.",
        "divergence"},
    // The figures in the margin of Source.
    Explanation{"8-way", "The worst of the line's requests in this round.", "bank conflict"},
    Explanation{"16/32",
                "Of the lanes of the shown warp that evaluate the condition, those for which it is true.",
                "divergence"},
    // The states of lanes.
    Explanation{"active", {}, "active"},
    Explanation{"inactive, in a working warp", {}, "active"},
    Explanation{"in an idle warp", {}, "idle"},
    Explanation{"finished", "The thread has returned from the kernel.", {}},
    Explanation{"active, result used", "The lane computes a value that the block's result is made of.", {}},
    Explanation{
        "active, result unused", "The lane computes a value that the block's result is not made of.", {}},
    Explanation{"active, identities only", "The lane combines values that no element went into.", "identity"},
};

}  // namespace

std::span<const Explanation> explanationTable() { return kTable; }

std::string Explanations::of(std::string_view label) const {
  const auto found = std::ranges::find(kTable, label, &Explanation::label);
  if (found == kTable.end()) return {};
  std::string text(found->sentence);
  if (found->term.empty()) return text;
  if (!text.empty()) text += "\n";
  return text + std::string(found->term) + ": " + glossary_(found->term);
}

void explain(const ViewContext& view, std::string_view label, ImVec2 min, ImVec2 max,
             std::string_view words) {
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
  if (ImGui::GetCurrentContext()->MouseStationaryTimer < ImGui::GetStyle().HoverStationaryDelay) return;
  std::string text = view.explanations.of(label);
  if (!words.empty()) text = std::string(words) + (text.empty() ? "." : ": " + text);
  if (!text.empty()) wideTooltip(view, text);
}

}  // namespace stridescope::views
