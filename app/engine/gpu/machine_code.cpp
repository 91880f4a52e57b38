#include "engine/gpu/machine_code.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

#include "base/process.h"
#include "engine/gpu/gpu_device.h"
#include "engine/gpu/kernel_compiler.h"
#include "kernels/catalog.h"
#include "model/quantity.h"

namespace stridescope::engine::gpu {
namespace {

constexpr std::size_t kMaxListing = std::size_t{16} << 20;
constexpr std::chrono::seconds kListingTime{20};

// A file with these bytes, removed with the object.
class TemporaryFile {
 public:
  static Result<std::unique_ptr<TemporaryFile>> with(const std::string& bytes) {
    std::error_code ignored;
    std::string name = (std::filesystem::temp_directory_path(ignored) / "stridescope.XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) return unavailable("No temporary file could be made for nvdisasm.");
    std::unique_ptr<TemporaryFile> file(new TemporaryFile(name));
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    ::close(descriptor);
    if (written != ssize_t(bytes.size()))
      return unavailable("The disk is full: nvdisasm has nothing to read.");
    return file;
  }
  ~TemporaryFile() { ::unlink(name_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& name() const { return name_; }

 private:
  explicit TemporaryFile(std::string name) : name_(std::move(name)) {}
  std::string name_;
};

std::string findDisassembler() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const folder = std::getenv(variable)) folders.push_back(std::string(folder) + "/bin");
  folders.emplace_back("/usr/local/cuda/bin");
  return findTool("nvdisasm", folders);
}

Result<std::string> disassembled(const std::string& tool, const std::string& cubin) {
  const auto file = TemporaryFile::with(cubin);
  if (!file) return tl::unexpected(file.error());
  return runTool({tool, "--print-code", "--print-line-info-inline", (*file)->name()}, kMaxListing,
                 kListingTime);
}

// "--gpu-architecture=sm_90"
std::string targetIn(const std::string& option) { return option.substr(option.find('=') + 1); }

}  // namespace

Result<model::MachineCode> machineCodeOf(const model::Experiment& experiment, std::optional<unsigned> index,
                                         const GpuPlaces& places) {
  model::MachineCode code{.experiment = experiment,
                          .kernelHash = model::hashOf(kernels::kernelText(experiment)),
                          .executor = {.kind = model::EngineKind::Gpu, .recordedOn = model::utcNow()}};
  int driver = 0, capability = kReadCapability;
  if (index) {
    const auto api = loadDriver(places.driver);
    if (!api) return tl::unexpected(api.error());
    const auto facts = deviceFacts(**api, *index);
    if (!facts) return tl::unexpected(facts.error());
    driver = (*api)->version;
    capability = facts->computeCapability;
    code.executor.device = facts->name;
    code.executor.computeCapability = facts->capabilityText();
    code.executor.driver = installedDriverRelease();
  }
  const auto nvrtc = loadNvrtc(places.nvrtc, driver);
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  code.executor.compiler = "NVRTC " + (*nvrtc)->versionText();
  auto architecture = architectureOption(**nvrtc, capability);
  if (!architecture) return tl::unexpected(architecture.error());
  code.target = targetIn(*architecture);

  const KernelText kernel = kernelTextOf(experiment);
  const auto program = KernelCompiler(*nvrtc, *architecture, {}).listed(kernel);
  if (!program) return tl::unexpected(program.error());
  if (const bool isMachine = code.target.starts_with("sm_"); isMachine && !findDisassembler().empty()) {
    const auto compiled = compile(**nvrtc, *program);
    if (!compiled) return tl::unexpected(compiled.error());
    code.lines = disassembledLines(compiled->image, kernel.fileName);
  }
  if (code.lines.empty()) {
    const auto ptx = compileToPtx(**nvrtc, *program);
    if (!ptx) return tl::unexpected(ptx.error());
    code.kind = model::CodeKind::Ptx;
    code.lines = ptxLines(*ptx, kernel.fileName);
  }
  if (const auto fault = model::faultOf(code))
    return unavailable("The machine code of " + experiment.variant + " cannot be shown: " + *fault + ".");
  return code;
}

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

template <class Take>
void eachLine(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<unsigned> numberIn(std::string_view text) {
  text = trimmed(text);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() ? std::optional(number) : std::nullopt;
}

// "sequential.cu", "/tmp/sequential.cu"
bool isFile(std::string_view path, std::string_view fileName) {
  return path == fileName || (path.ends_with(fileName) && path[path.size() - fileName.size() - 1] == '/');
}

// Blanks in a row become one.
std::string squeezed(std::string_view text) {
  std::string line;
  for (const char c : text)
    if ((c != ' ' && c != '\t') || (!line.empty() && line.back() != ' ')) line += c == '\t' ? ' ' : c;
  return std::string(trimmed(line));
}

void add(std::vector<model::CodeLine>& lines, unsigned line, std::string text) {
  if (text.size() > model::kMaxCodeLineBytes) text.resize(model::kMaxCodeLineBytes);
  if (lines.size() < model::kMaxCodeLines) lines.push_back({line, std::move(text)});
}

// `File "a.cu", line 9 inlined at "b.cu", line 13`: the innermost place in the kernel's file.
std::optional<unsigned> placeOf(std::string_view annotation, std::string_view fileName) {
  for (std::size_t quote = annotation.find('"'); quote != std::string_view::npos;
       quote = annotation.find('"', quote)) {
    const std::size_t end = annotation.find('"', quote + 1);
    if (end == std::string_view::npos) break;
    constexpr std::string_view kLine = ", line ";
    const bool isOurs = isFile(annotation.substr(quote + 1, end - quote - 1), fileName);
    if (isOurs && annotation.substr(end + 1).starts_with(kLine))
      if (const auto number = numberIn(annotation.substr(end + 1 + kLine.size()))) return number;
    quote = end + 1;
  }
  return std::nullopt;
}

}  // namespace

std::vector<model::CodeLine> disassembledLines(const std::string& cubin, std::string_view fileName) {
  const std::string tool = findDisassembler();
  if (tool.empty()) return {};
  const auto listing = disassembled(tool, cubin);
  return listing ? sassLines(*listing, fileName) : std::vector<model::CodeLine>();
}

namespace {

// Behind the end: a branch to itself, and empty instructions to the next boundary.
void dropPadding(std::vector<model::CodeLine>& lines) {
  while (!lines.empty() && (lines.back().text == "NOP" || lines.back().text.starts_with(".L")))
    lines.pop_back();
  if (lines.size() > 1 && lines.back().text.starts_with("BRA") && lines[lines.size() - 2].text.ends_with(":"))
    lines.resize(lines.size() - 2);
}

}  // namespace

std::vector<model::CodeLine> sassLines(std::string_view text, std::string_view fileName) {
  constexpr std::string_view kFunction = ".text.";
  std::vector<model::CodeLine> lines;
  std::vector<std::size_t> functions;  // where each begins
  unsigned current = 0;
  bool annotated = false;  // the line before was an annotation, too, for a place inside this one
  eachLine(text, [&](std::string_view line) {
    if (line.starts_with("//##")) {
      if (!annotated) current = 0;
      if (current == 0) current = placeOf(line, fileName).value_or(0);
      annotated = true;
      return;
    }
    annotated = false;
    if (line.starts_with(kFunction) && line.ends_with(":")) {
      dropPadding(lines);
      functions.push_back(lines.size());
      current = 0;
      return add(lines, 0, std::string(line.substr(kFunction.size())));
    }
    if (line.starts_with(".L") && line.ends_with(":")) return add(lines, current, std::string(line));
    // "/*0010*/  @!P0 BRA `(.L_x_1) ;" and perhaps its encoding in a comment behind it
    if (!line.starts_with("/*")) return;
    const std::size_t address = line.find("*/");
    const std::size_t end = line.find(';');
    if (address == std::string_view::npos || end == std::string_view::npos || end < address) return;
    add(lines, current, squeezed(line.substr(address + 2, end - address - 2)));
  });
  dropPadding(lines);
  if (functions.size() == 1 && functions.front() < lines.size())
    lines.erase(lines.begin() + std::ptrdiff_t(functions.front()));
  return lines;
}

std::vector<model::CodeLine> ptxLines(std::string_view text, std::string_view fileName) {
  std::vector<model::CodeLine> lines;
  // `.file 1 "sequential.cu"` may stand behind what refers to it.
  std::map<unsigned, bool> ours;
  eachLine(text, [&](std::string_view line) {
    if (!line.starts_with(".file")) return;
    const std::size_t quote = line.find('"'), end = line.rfind('"');
    if (const auto number = numberIn(line.substr(5));
        number && end > quote && quote != std::string_view::npos)
      ours[*number] = isFile(line.substr(quote + 1, end - quote - 1), fileName);
  });
  unsigned current = 0;
  int depth = 0;
  eachLine(text, [&](std::string_view line) {
    if (line.starts_with(".loc")) {
      // ".loc 2 3 5, function_name $L__info_string0, inlined_at 1 13 7": the innermost place in the kernel's
      // file
      std::optional<unsigned> place;
      for (std::string_view rest = line.substr(4); !rest.empty();) {
        const std::string_view entry = trimmed(rest.substr(0, rest.find(',')));
        constexpr std::string_view kInlined = "inlined_at";
        const std::string_view numbers =
            trimmed(entry.starts_with(kInlined) ? entry.substr(kInlined.size()) : entry);
        if (const auto file = numberIn(numbers); !place && file && ours[*file])
          if (const auto number = numberIn(numbers.substr(numbers.find(' ') + 1))) place = number;
        const std::size_t comma = rest.find(',');
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      }
      current = place.value_or(0);
      return;
    }
    line = trimmed(line.substr(0, line.find("//")));
    if (line == "{") ++depth;
    if (line == "}") --depth;
    if (depth == 0 || line.empty()) return;
    if (line.ends_with(":")) return add(lines, current, std::string(line));
    if (line.starts_with(".") || line == "{" || line == "}") return;  // declarations
    if (line.ends_with(";")) line.remove_suffix(1);
    add(lines, current, squeezed(line));
  });
  return lines;
}

}  // namespace stridescope::engine::gpu
