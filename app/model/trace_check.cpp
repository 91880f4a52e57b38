#include "model/trace_check.h"

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <initializer_list>
#include <tuple>

#include "base/plain_text.h"
#include "model/arithmetic.h"
#include "model/faults.h"
#include "model/kernel_model.h"

namespace stridescope::model {
namespace {

Fault faultOfText(std::string_view text, std::string_view what, std::size_t limit = kMaxTextBytes) {
  if (text.size() > limit) return std::string(what) + " is longer than " + std::to_string(limit) + " bytes";
  if (!isPlainUtf8(text)) return std::string(what) + " is not UTF-8 text";
  return {};
}

// A person's own operator, its trial, and their input data.
Fault faultOfOwn(const Trace& trace) {
  const Experiment& experiment = trace.experiment;
  const CustomOperator& custom = experiment.custom;
  if (Fault fault = faultOfText(custom.combine, "combine")) return fault;
  if (Fault fault = faultOfText(custom.identity, "the identity")) return fault;
  if ((experiment.op == Operator::Custom) == custom.combine.empty())
    return custom.combine.empty() ? "its custom operator has no combine"
                                  : "its operator is not custom, but has a combine";
  if (Fault fault = faultOfText(trace.trial.whyNotTried, "the trial's sentence")) return fault;
  if (trace.trial.findings.size() > 4) return "its trial has too many findings";
  for (const TrialFinding& finding : trace.trial.findings) {
    if (finding.property > TrialProperty::Commutative || finding.verdict > TrialVerdict::Fails)
      return "its trial has an unknown finding";
    if (Fault fault = faultOfText(finding.sentence, "the trial's sentence")) return fault;
  }
  if (Fault fault = faultOfOwnData(experiment)) return fault;
  const GivenData* const given = experiment.given.get();
  return given == nullptr ? Fault() : faultOfText(given->name, "the name of its numbers");
}

// Whether printElement() has written it: one value, or those of a merge with blanks between them, of which a
// long one has the first and how many there are.
bool isPrintedValues(ElementType type, std::string_view text) {
  constexpr std::string_view kRest = " ... (", kEnd = " values)";
  if (const std::size_t rest = text.find(kRest); rest != std::string_view::npos && text.ends_with(kEnd)) {
    const std::string_view count =
        text.substr(rest + kRest.size(), text.size() - rest - kRest.size() - kEnd.size());
    if (count.empty() || !std::ranges::all_of(count, [](char c) { return c >= '0' && c <= '9'; }))
      return false;
    text = text.substr(0, rest);
  }
  for (;;) {
    const std::size_t blank = text.find(' ');
    if (!readPrintedElement(type, text.substr(0, blank))) return false;
    if (blank == std::string_view::npos) return true;
    text.remove_prefix(blank + 1);
  }
}

// Results are compared and shown as numbers: a text that is none could say of itself that it was checked.
Fault faultOfValues(ElementType type, const std::string& text, std::string_view what) {
  if (text.empty() || isPrintedValues(type, text)) return {};
  constexpr std::size_t kShown = 40;
  const std::string shown(cutBetweenCharacters(text, kShown));
  return std::string(what) + " is '" + printable(shown) +
         (shown.size() < text.size() ? "...', which" : "', which") + " is no " + std::string(nameOf(type));
}

// A verdict against its own figures. A floating result may differ and be right, within its bound.
Fault faultOfVerdict(const Trace& trace) {
  if (Fault fault = faultOfValues(trace.experiment.type, trace.result, "its result")) return fault;
  if (Fault fault = faultOfValues(trace.experiment.type, trace.expected, "its expected result")) return fault;
  const bool exact = !isFloating(trace.experiment.type) || trace.experiment.op == Operator::Custom;
  if (trace.ok && exact && trace.result != trace.expected)
    return "its result is called right, but is not the one expected";
  // A person's own operator is right if it is equal. A merge can be wrong though its values are right.
  if (!trace.ok && trace.experiment.op == Operator::Custom && !trace.result.empty() &&
      trace.result == trace.expected)
    return "its result is called wrong, but is the one expected";
  if (trace.ok && trace.experiment.elements > 0 && trace.result.empty())  // nothing merged is nothing
    return "its result is called right, but is no number";
  return {};
}

Fault faultOfHeader(const Trace& trace) {
  const Experiment& experiment = trace.experiment;
  if (experiment.variant.empty()) return "its variant has no name";
  if (std::size_t(experiment.type) >= kElementTypes.size()) return "its element type is unknown";
  if (experiment.op > Operator::Custom) return "its operator is unknown";
  if (experiment.data > DataPattern::Given) return "its data pattern is unknown";
  if (std::size_t(experiment.schedule) >= kSchedules.size()) return "its schedule is unknown";
  if (std::size_t(experiment.blockOrder) >= kBlockOrders.size()) return "its block order is unknown";
  if (experiment.gpus < 1 || experiment.gpus > kMaxGpus)
    return "it has " + std::to_string(experiment.gpus) + " GPUs";
  if (trace.executor.kind > EngineKind::Recorded) return "its engine is unknown";
  if (experiment.threads < 1 || experiment.threads > kMaxThreads)
    return "its block size is " + std::to_string(experiment.threads);
  if (experiment.lists > kMaxThreads) return "it has too many lists";
  const Executor& executor = trace.executor;
  struct Text {
    std::string_view text, what;
  };
  for (const auto& [text, what] :
       std::initializer_list<Text>{{experiment.variant, "the variant's name"},
                                   {trace.preamble, "the preamble"},
                                   {executor.device, "the device's name"},
                                   {executor.computeCapability, "the compute capability"},
                                   {executor.driver, "the driver's version"},
                                   {executor.compiler, "the compiler's name"},
                                   {executor.recordedOn, "the date"},
                                   {trace.checkNote, "the check's note"}})
    if (Fault fault = faultOfText(text, what)) return fault;
  if (Fault fault = faultOfText(trace.result, "the result", kMaxResultBytes)) return fault;
  if (Fault fault = faultOfText(trace.expected, "the expected result", kMaxResultBytes)) return fault;
  if (Fault fault = faultOfOwn(trace)) return fault;
  if (Fault fault = faultOfVerdict(trace)) return fault;
  return faultOfText(trace.kernelText, "the kernel's text", kMaxKernelTextBytes);
}

// Where each line of the text begins.
std::vector<std::size_t> lineStarts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  return starts;
}

Fault faultOfSites(const Trace& trace) {
  if (trace.sites.size() > recording::kMaxSites) return "it has too many sites";
  const std::vector<std::size_t> lines = lineStarts(trace.kernelText);
  const auto isLoop = [&](int id) {
    return id >= 0 && std::size_t(id) < trace.sites.size() &&
           trace.sites[std::size_t(id)].kind == SiteKind::Loop;
  };
  for (std::size_t i = 0; i < trace.sites.size(); ++i) {
    const Site& site = trace.sites[i];
    const std::string name = numbered("site", i);
    if (site.id < 0 || std::size_t(site.id) != i)
      return name + " carries the number " + std::to_string(site.id);
    if (site.kind > SiteKind::Assign) return name + " is of an unknown kind";
    if (site.line < 1 || std::size_t(site.line) > lines.size() || site.column < 1 || site.length < 0 ||
        lines[std::size_t(site.line) - 1] + std::size_t(site.column - 1) + std::size_t(site.length) >
            trace.kernelText.size())
      return name + " lies outside the kernel's text";
    if (site.statement < 0) return name + " has a negative statement number";
    if (site.loops.size() > kMaxLoopDepth || !std::all_of(site.loops.begin(), site.loops.end(), isLoop))
      return name + " stands in a loop that there is not";
    if (Fault fault = faultOfText(site.text, "the text of " + name)) return fault;
  }
  return {};
}

Fault faultOfSiteModels(const Trace& trace) {
  const KernelModel& kernel = trace.kernel;
  const auto isIndex = [](int index, const auto& list) {
    return index >= 0 && std::size_t(index) < list.size();
  };
  const auto isIndexOrNone = [&](int index, const auto& list) { return index == -1 || isIndex(index, list); };
  for (std::size_t i = 0; i < kernel.sites.size(); ++i) {
    const SiteModel& site = kernel.sites[i];
    const std::string name = numbered("site", i);
    if (site.operation > Operation::Assign) return name + " does something unknown";
    if (kindOf(site.operation) != trace.sites[i].kind)
      return name + " does " + std::string(nameOf(site.operation)) + ", which its kind does not";
    if (!isIndexOrNone(site.function, kernel.functions))
      return name + " stands in a function that there is not";
    if (!isIndexOrNone(site.variable, kernel.variables) ||
        (site.operation == Operation::Assign) != (site.variable >= 0))
      return name + " assigns to a variable that there is not";
    if (site.order > MemoryOrder::SequentiallyConsistent || site.scope > MemoryScope::System)
      return name + " has an unknown memory order";
    if (site.step < 0) return name + " has a negative step";
    if (site.step >= int(recording::kMaxSites)) return name + " has a step that there is not";
  }
  for (const SiteOperand& operand : kernel.operands)
    if (!isIndex(operand.site, kernel.sites) || !isIndexOrNone(operand.source, kernel.sites) ||
        !isIndexOrNone(operand.variable, kernel.variables) ||
        !isIndexOrNone(operand.callee, kernel.functions))
      return "an operand of its kernel names what there is not";
  return {};
}

Fault faultOfKernel(const Trace& trace) {
  const KernelModel& kernel = trace.kernel;
  if (std::max({kernel.functions.size(), kernel.variables.size(), kernel.calls.size(),
                kernel.operands.size()}) > kMaxKernelRows)
    return "its kernel has too many parts";
  if (!kernel.sites.empty() && kernel.sites.size() != trace.sites.size())
    return "its kernel tells of " + std::to_string(kernel.sites.size()) + " sites of " +
           std::to_string(trace.sites.size());
  for (const KernelFunction& function : kernel.functions) {
    if (function.line < 1) return "a function stands in no line";
    if (const Fault fault = faultOfName(function.name)) return "the name of a function " + *fault;
  }
  for (const KernelVariable& variable : kernel.variables) {
    if (variable.line < 1) return "a variable stands in no line";
    if (variable.kind > VariableKind::Shared) return "a variable is of an unknown kind";
    if (variable.function < -1 || variable.function >= int(kernel.functions.size()))
      return "a variable stands in a function that there is not";
    if (const Fault fault = faultOfName(variable.name)) return "the name of a variable " + *fault;
    for (const std::string* text : {&variable.type, &variable.extent})
      if (Fault fault = faultOfText(*text, "a text of a variable")) return fault;
  }
  const int functions = int(kernel.functions.size());
  for (const KernelCall& call : kernel.calls)
    if (call.caller < 0 || call.caller >= functions || call.callee < 0 || call.callee >= functions ||
        call.sitesBefore < 0 || std::size_t(call.sitesBefore) > trace.sites.size() || call.loop < -1 ||
        (call.loop >= 0 && (std::size_t(call.loop) >= trace.sites.size() ||
                            trace.sites[std::size_t(call.loop)].kind != SiteKind::Loop)))
      return "a call of its kernel names what there is not";
  return faultOfSiteModels(trace);
}

// A member's name is that of a number within a struct: "size.x", "weights[2]".
bool isMemberName(std::string_view name) {
  const auto isOfName = [](char c) {
    const bool isOfAscii = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return isOfAscii || static_cast<unsigned char>(c) >= 0x80 || std::string_view("_.[]").find(c) < 4;
  };
  return name.size() <= kMaxNameBytes && isPlainUtf8(name) && std::ranges::all_of(name, isOfName) &&
         printableLength(name, Lines::One) == name.size();
}

Fault faultOfExtents(const Array& array) {
  if (array.extents.size() == 1 || array.extents.size() > kMaxExtents)
    return "has an array of " + std::to_string(array.extents.size()) + " dimensions";
  std::uint64_t bytes = array.elementBytes;
  for (const std::uint64_t extent : array.extents) {
    if (extent < 1 || extent > array.bytes / bytes) return "has an array that is smaller than its extents";
    bytes *= extent;
  }
  if (!array.extents.empty() && bytes != array.bytes) return "has an array that is larger than its extents";
  return {};
}

Fault faultOfMembers(const Array& array) {
  if (array.members.size() > kMaxElementBytes) return "has an array of elements with too many members";
  if (array.type && !array.members.empty()) return "has an array with a type and members";
  unsigned end = 0;
  for (const MemberType& member : array.members) {
    if (member.kind > NumberKind::Bool) return "has an array with a member of an unknown kind";
    if (member.bytes < 1 || member.bytes > sizeof(std::uint64_t) || member.offset < end ||
        member.offset > array.elementBytes || member.bytes > array.elementBytes - member.offset)
      return "has an array with a member outside its place";
    if (!isMemberName(member.name) || (member.name.empty() && array.members.size() > 1))
      return "has an array with a member whose name is none";
    end = member.offset + member.bytes;
  }
  return {};
}

Fault faultOfArray(const Array& array, bool isShared) {
  if (array.devices < 1 || (isShared && array.devices != 1)) return "has an array on no device";
  if (array.elementBytes < 1 || array.elementBytes > kMaxElementBytes)
    return "has an array with elements of " + std::to_string(array.elementBytes) + " bytes";
  if (array.type && std::size_t(*array.type) >= kElementTypes.size())
    return "has an array of an unknown element type";
  if (array.type && bytesOf(*array.type) != array.elementBytes)
    return "has an array of " + std::string(nameOf(*array.type)) + " with elements of " +
           std::to_string(array.elementBytes) + " bytes";
  if (array.role && std::size_t(*array.role) >= kParameterRoles.size())
    return "has a buffer of an unknown role";
  if (array.role && (isShared || !isBuffer(*array.role)))
    return "has an array whose role is " + std::string(nameOf(*array.role));
  if (const Fault fault = faultOfName(array.name)) return "has an array whose name " + *fault;
  if (Fault fault = faultOfExtents(array)) return fault;
  return faultOfMembers(array);
}

std::size_t textBytesOf(const Array& array) {
  std::size_t bytes = array.name.size();
  for (const MemberType& member : array.members) bytes += member.name.size();
  return bytes;
}

Fault faultOfBuffers(const LaunchTrace& launch) {
  if (launch.buffers.size() > recording::kMaxBuffers) return "has too many buffers";
  for (const Array& array : launch.buffers)
    if (array.bytes > 1ull << 40) return "has a buffer of " + std::to_string(array.bytes) + " bytes";
  for (const Array& array : launch.buffers) {
    if (Fault fault = faultOfArray(array, false)) return fault;
    const bool hasCopies = array.devices == launch.devices && array.bytes % array.devices == 0 &&
                           array.bytes / array.devices % array.elementBytes == 0 && array.bytes > 0;
    if (array.devices != 1 && !hasCopies) return "has a buffer that its devices have no copies of";
  }
  return {};
}

Fault faultOfSharedArrays(const BlockTrace& block) {
  if (block.shared.size() > recording::kMaxSharedArrays) return "has too many shared arrays";
  std::uint64_t sharedBytes = 0;
  for (const Array& array : block.shared) {
    if (array.bytes > kMaxSharedBytes - sharedBytes) return "has more shared memory than a block can";
    sharedBytes += array.bytes;
  }
  for (const Array& array : block.shared)
    if (Fault fault = faultOfArray(array, true)) return fault;
  for (const auto& copy : block.barrierCopies)
    if (copy.size() != sharedBytes) return "has a barrier copy of another size than its shared memory";
  return {};
}

Fault faultOfProblems(const BlockTrace& block, const LaunchTrace& launch, const Trace& trace) {
  if (block.problems.size() > kMaxProblems) return "has too many problems";
  for (const Problem& problem : block.problems) {
    if (problem.kind > ProblemKind::Crash) return "has a problem of an unknown kind";
    if (problem.site < -1 || problem.site >= int(trace.sites.size()))
      return "has a problem at a site that there is not";
    if (problem.thread >= launch.block) return "has a problem in a thread that there is not";
    if (Fault fault = faultOfText(problem.text, "has a problem whose text")) return fault;
  }
  return {};
}

Fault faultOfRows(std::uint64_t all, unsigned y, unsigned z, const std::string& what) {
  const std::uint64_t rows = std::uint64_t(y) * z;
  if (rows == 0 || all % rows != 0)
    return "has " + std::to_string(all) + " " + what + ", which " + std::to_string(y) + " x " +
           std::to_string(z) + " rows do not hold";
  return {};
}

Fault faultOfLaunchShape(const LaunchTrace& launch) {
  if (Fault fault = faultOfRows(launch.grid, launch.gridY, launch.gridZ, "blocks")) return fault;
  if (Fault fault = faultOfRows(launch.block, launch.blockY, launch.blockZ, "threads")) return fault;
  if (const Fault fault = faultOfShape(launch.gridShape(), launch.blockShape())) return "has " + *fault;
  return {};
}

// By device, then by number in the grid.
bool isBefore(const BlockTrace& a, const BlockTrace& b) {
  return std::tie(a.device, a.block) < std::tie(b.device, b.block);
}

Fault faultOfArrivals(const LaunchTrace& launch) {
  if (launch.arrivals.size() > std::min<std::uint64_t>(launch.grid, kMaxArrivals))
    return "has too many arrivals";
  std::vector<std::uint64_t> blocks;
  for (const Arrival& arrival : launch.arrivals) blocks.push_back(arrival.block);
  std::ranges::sort(blocks);
  if (!blocks.empty() && blocks.back() >= launch.grid) return "has an arrival of a block outside its grid";
  if (std::ranges::adjacent_find(blocks) != blocks.end()) return "has a block that arrives twice";
  return {};
}

Fault faultOfLaunch(const LaunchTrace& launch, const Trace& trace) {
  if (launch.block < 1 || launch.block > kMaxThreads)
    return "has a block of " + std::to_string(launch.block) + " threads";
  // A kernel of a person's own may be launched with any blocks, one launch after the other. A recording has
  // only its name.
  const Kernel* const own = trace.experiment.kernel.get();
  const bool isFree = own != nullptr ? own->launch.fixed.has_value() : isOwnKernel(trace.experiment);
  if (launch.block != trace.experiment.threads && !isFree)
    return "has a block of " + std::to_string(launch.block) + " threads where the experiment has " +
           std::to_string(trace.experiment.threads);
  if (Fault fault = faultOfLaunchShape(launch)) return fault;
  if (launch.blocks.empty()) return "has no recorded block";
  if (launch.blocks.size() > kMaxBlockTraces) return "has too many recorded blocks";
  if (launch.shown >= launch.blocks.size()) return "shows a block that is not recorded";
  if (launch.devices < 1 || launch.devices > kMaxGpus || launch.grid % launch.devices != 0)
    return "has " + std::to_string(launch.grid) + " blocks on " + std::to_string(launch.devices) + " devices";
  if (Fault fault = faultOfBuffers(launch)) return fault;
  if (Fault fault = faultOfArrivals(launch)) return fault;
  for (std::size_t i = 0; i < launch.blocks.size(); ++i) {
    const BlockTrace& block = launch.blocks[i];
    if (block.block >= launch.grid) return "inspects a block outside its grid";
    if (launch.devices > 1 && block.device != block.block / launch.blocksOfDevice())
      return "has a block on another device than its number says";
    if (i > 0 && !isBefore(launch.blocks[i - 1], block))
      return "has its recorded blocks in another order than their places";
    if (Fault fault = faultOfSharedArrays(block)) return fault;
    if (Fault fault = faultOfEvents(block, launch, trace)) return fault;
    if (Fault fault = faultOfProblems(block, launch, trace)) return fault;
  }
  return {};
}

}  // namespace

std::optional<std::string> faultOfShape(const Dim3& grid, const Dim3& block) {
  const auto isWithin = [](const Dim3& size, const Dim3& limit) {
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y &&
           size.z <= limit.z;
  };
  if (!isWithin(block, kMaxBlock) || block.count() > kMaxThreads)
    return "a block of " + text(block) + " threads, where CUDA has 1 to " + text(kMaxBlock) +
           ", and no more than " + std::to_string(kMaxThreads) + " in all";
  if (!isWithin(grid, kMaxGrid))
    return "a grid of " + text(grid) + " blocks, where CUDA has 1 to " + text(kMaxGrid);
  return {};
}

bool isPlainUtf8(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  for (auto at = text.begin(); at != text.end();) {
    const boost::locale::utf::code_point code = Utf8::decode(at, text.end());
    if (code == 0 || !boost::locale::utf::is_valid_codepoint(code)) return false;
  }
  return true;
}

std::optional<std::string> faultOfOwnData(const Experiment& experiment) {
  const GivenData* const given = experiment.given.get();
  if ((experiment.data == DataPattern::Given) != (given != nullptr))
    return given == nullptr ? "its input data is missing" : "it has numbers that are not its data";
  if (given == nullptr) return {};
  const std::size_t count = given->values.size(), lists = given->listLengths.size();
  if (count > kMaxGivenValues) return "it has too many numbers of its own";
  if (experiment.elements != count)
    return "it has " + std::to_string(count) + " numbers of its own for " +
           std::to_string(experiment.elements) + " elements";
  if (lists == 0) return {};
  if (lists > kMaxThreads) return "it has too many lists";
  if (experiment.lists != 0 && experiment.lists != lists)
    return "it has " + std::to_string(lists) + " lists of its own where it merges " +
           std::to_string(experiment.lists);
  std::uint64_t listed = 0;
  for (const std::uint32_t length : given->listLengths) listed += length;
  if (listed == count) return {};
  return "its lists have " + std::to_string(listed) + " of " + std::to_string(count) + " numbers";
}

std::optional<std::string> faultOf(const Trace& trace) {
  if (Fault fault = faultOfHeader(trace)) return fault;
  if (Fault fault = faultOfSites(trace)) return fault;
  if (Fault fault = faultOfKernel(trace)) return fault;
  if (trace.launches.size() > kMaxLaunches) return "it has too many launches";
  std::size_t events = 0, copyBytes = 0, textBytes = 0;
  for (const Site& site : trace.sites) textBytes += site.text.size();
  for (const KernelVariable& variable : trace.kernel.variables)
    textBytes += variable.name.size() + variable.type.size() + variable.extent.size();
  for (const KernelFunction& function : trace.kernel.functions) textBytes += function.name.size();
  for (const LaunchTrace& launch : trace.launches) {
    for (const Array& array : launch.buffers) textBytes += textBytesOf(array);
    for (const BlockTrace& block : launch.blocks) {
      events += block.events.size() + block.copied.size();
      for (const auto& copy : block.barrierCopies) copyBytes += copy.size();
      for (const Problem& problem : block.problems) textBytes += problem.text.size();
      for (const OtherAct& act : block.others) textBytes += act.kind.size() + act.sentence.size();
      for (const Array& array : block.shared) textBytes += textBytesOf(array);
    }
  }
  if (events > kMaxTraceEvents) return "it has more than " + std::to_string(kMaxTraceEvents) + " events";
  if (copyBytes > kMaxBarrierCopyBytes) return "its copies of shared memory are too large";
  if (textBytes > kMaxSiteAndProblemTextBytes) return "its texts are too large";
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    if (Fault fault = faultOfLaunch(trace.launches[i], trace)) return numbered("launch", i) + " " + *fault;
  return {};
}

}  // namespace stridescope::model
