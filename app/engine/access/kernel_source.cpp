#include "kernel_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/numbers.h"
#include "base/regular_file.h"
#include "kernel_library.h"
#include "kernel_tokens.h"

namespace stridescope::engine::access {

std::string_view embeddedAccessHeader(std::string_view fileName);  // generated from kernels/access/
std::vector<std::string_view> embeddedAccessHeader();
std::string_view embeddedRecordingHeader(std::string_view fileName);  // generated from kernels/recording/

namespace {

constexpr std::string_view kSource = "stridescope_kernel.cpp";
// What the compiler is told the lines are from on which a person's template arguments stand.
constexpr std::string_view kArguments = "template arguments of kernel ";
// All that stands before the person's text.
constexpr std::string_view kFirstHeader = "stridescope_first.h";
constexpr std::string_view kFirstHeaderText =
    "#include \"cuda_device.h\"\n#include \"dynamic_shared.h\"\n#include \"calls.h\"\n";
// What a text with recording calls finds beside it.
constexpr std::string_view kRecordedHeader = "recorded.h";
constexpr std::array<std::string_view, 4> kRecordingHeaders{"event.h", "core.h", "atomics.h",
                                                            "warp_operations.h"};
constexpr std::size_t kMaxIncludedFiles = 64;
constexpr std::uint64_t kMaxIncludedBytes = 4 << 20;

// `recorded`: what the text's recording calls were put into; null: it has none.
std::string sourceOf(const KernelFile& file, const NamedKernels& kernels, const RecordedText* recorded) {
  std::string source = "#include \"" + std::string(kFirstHeader) + "\"\n", entries;
  if (recorded != nullptr) {
    if (recorded->pass.elementType)
      source +=
          "#define RECORDING_ELEMENT " + std::string(model::cppNameOf(*recorded->pass.elementType)) + "\n";
    source += "#include \"" + std::string(kRecordedHeader) + "\"\n" + recorded->settled.check();
  }
  source += "#include \"" + file.name + "\"\n";
  for (std::size_t k = 0; k < kernels.all.size(); ++k) {
    const NamedKernel& kernel = kernels.all[k];
    const std::string number = std::to_string(k);
    source += "#line 1 \"" + std::string(kArguments) + number + "\"\nstatic constexpr auto* access_kernel_" +
              number + " = " + kernel.expression + ";\n";
    const std::string& qualified = kernel.declaration.qualified;
    const auto scope = qualified.substr(0, qualified.size() - kernel.declaration.name.size());
    std::string defaults;
    for (std::size_t p = 0; p < kernel.declaration.parameters.size(); ++p) {
      const KernelParameter& parameter = kernel.declaration.parameters[p];
      const std::string name = "access_default_" + number + "_" + std::to_string(p);
      const bool isAsked = kernel.fromDefault.contains(p);
      defaults += isAsked ? "&" + scope + name + ", " : "nullptr, ";
      if (!isAsked) continue;
      // In the kernel's namespace, as where it stands.
      source += "#line " + std::to_string(parameter.line) + " \"" + file.name + "\"\n" +
                (scope.empty() ? "" : "namespace " + scope.substr(0, scope.size() - 2) + " { ") +
                "static const decltype(accesses::parameterOf<" + std::to_string(p) + ">(::access_kernel_" +
                number + ")) " + name + " = " + parameter.otherwise + ";" + (scope.empty() ? "" : " }") +
                "\n";
    }
    source += "static const void* const access_defaults_" + number + "[] = {" + defaults + "nullptr};\n";
    entries += "  accesses::entryOf<access_kernel_" + number + ">(access_defaults_" + number + "),\n";
  }
  const std::string visible = "__attribute__((visibility(\"default\"))) ";
  return source + "#line 1 \"" + std::string(kSource) + "\"\nextern \"C\" {\n" + visible +
         "extern const accesses::KernelEntry " + kKernelsSymbol + "[] = {\n" + entries + "};\n" + visible +
         "extern const unsigned " + kKernelCountSymbol + " = " + std::to_string(kernels.all.size()) + ";\n" +
         visible + "void* " + kAnchorSymbol +
         "() {\n  static thread_local int access_thread_storage;\n  return &access_thread_storage;\n}\n}\n";
}

struct Included {
  std::vector<sandbox::CompiledFile> files{};
  std::vector<std::pair<std::string, BranchCondition>> branches{};  // by file
  bool knowsBranches = true;
};

// The files beside it that the text includes, and what those include.
Result<Included> includedFiles(const KernelFile& file, const KernelText& text,
                               const KernelTextOptions& options,
                               std::string KernelText::*form = &KernelText::text) {
  Included all;
  auto& files = all.files;
  auto next = options;
  std::vector<std::string> waiting;
  const auto wait = [&](const KernelText& read) {
    for (const KernelText::IncludedFile& each : read.includes) waiting.push_back(each.name);
  };
  wait(text);
  std::set<std::string> known;
  while (!waiting.empty()) {
    const std::string name = waiting.back();
    waiting.pop_back();
    const bool isOurs = !embeddedAccessHeader(name).empty();
    if (isOurs || !known.insert(name).second || name.find("..") != std::string::npos || name.starts_with('/'))
      continue;
    const auto path = std::filesystem::path(file.folder.empty() ? "." : file.folder) / name;
    const auto content = readRegularFile(path, "CUDA C++", kMaxIncludedBytes);
    if (!content) continue;  // the compiler says that it is missing, or finds the system's
    if (files.size() == kMaxIncludedFiles)
      return limitMet(file.name + " includes more than " + figure(kMaxIncludedFiles) + " files of its own.");
    const auto included = readKernelText(name, *content, next);
    if (!included) return tl::unexpected(included.error());
    all.knowsBranches = all.knowsBranches && included->branches.isComplete;
    for (const BranchCondition& condition : included->branches.all)
      all.branches.emplace_back(name, condition);
    next.firstBranch += unsigned(included->branches.all.size());
    wait(*included);
    files.push_back({name, *included.*form});
  }
  return all;
}

// An error in a person's template arguments, by their own words.
Error toldOfArguments(Error error, const NamedKernels& kernels) {
  std::istringstream lines(error.details);
  for (std::string line; std::getline(lines, line);) {
    const auto mark = line.find("error: ");
    if (mark == std::string::npos) continue;
    if (!line.starts_with(kArguments)) return error;
    const std::size_t number = std::size_t(std::atoi(line.c_str() + kArguments.size()));
    if (number >= kernels.all.size()) return error;
    const NamedKernel& kernel = kernels.all[number];
    const std::string what = line.substr(mark + std::string_view("error: ").size());
    // What the compiler says of the whole of it speaks of the program's own variable.
    const bool isOfArgument = what.find("access_") == std::string::npos &&
                              what.find("auto") == std::string::npos &&
                              what.find("converting") == std::string::npos;
    error.sentence = kernel.declaration.name + "<" + kernel.templateArguments + "> makes no sense" +
                     (isOfArgument ? ": " + what : "") + (what.ends_with('?') ? " " : ". ") +
                     "The kernel is " +
                     (kernel.declaration.isTemplate ? kernel.declaration.templateHead : "no template") +
                     ". Fix \"template\" in the launch file (on the command line: --template).";
    error.details.clear();  // it speaks of the program's own text
    return error;
  }
  return error;
}

// `text`: the file's, as it is compiled.
Result<sandbox::ObjectFile> compiled(const KernelFile& file, const std::string& text,
                                     const RecordedText* recorded, std::vector<sandbox::CompiledFile> files,
                                     const NamedKernels& kernels, JobControl& job,
                                     const std::shared_ptr<sandbox::CompiledHeaders>& headers) {
  for (const std::string_view header : embeddedAccessHeader())
    files.push_back({std::string(header), std::string(embeddedAccessHeader(header))});
  for (const std::string_view header : kRecordingHeaders)
    files.push_back({"recording/" + std::string(header), std::string(embeddedRecordingHeader(header))});
  files.push_back({file.name, text + "\n"});
  files.push_back({std::string(kFirstHeader), std::string(kFirstHeaderText)});
  files.push_back({std::string(kSource), sourceOf(file, kernels, recorded)});
  const auto compiler = sandbox::findCompiler(file.name);
  if (!compiler) return tl::unexpected(compiler.error());
  std::vector<std::string> options{"-O0", "-g", "-w", "-fsanitize=thread", "-fstack-clash-protection", "-I."};
  if (compiler->front().find("clang") == std::string::npos)
    options.insert(options.end(),
                   {"--param", "tsan-distinguish-volatile=1", "-fdiagnostics-column-unit=byte"});
  else  // the read of x[i] += 1 is announced, too
    options.insert(options.end(), {"-fstandalone-debug", "-mllvm", "-tsan-instrument-read-before-write=1",
                                   "-mllvm", "-tsan-distinguish-volatile=1"});
  // The sanitizer's library is left out: what it would define is in runtime.h.
  options.emplace_back("-nodefaultlibs");
  auto object = sandbox::compileObject({.what = file.name,
                                        .textFile = file.name,
                                        .textLines = unsigned(1 + std::ranges::count(file.text, '\n')),
                                        .files = std::move(files),
                                        .source = std::string(kSource),
                                        .options = std::move(options),
                                        .libraries = {"-lstdc++", "-lm", "-lgcc_s", "-lgcc", "-lc"},
                                        .cause = ErrorCause::KernelText,
                                        .limits = {},
                                        .firstHeader = std::string(kFirstHeader),
                                        .headers = headers},
                                       job);
  if (!object && object.error().details.find("relocation truncated to fit") != std::string::npos)
    return usageError(
        file.name +
        " has variables that are too large: __device__ and __constant__ variables may have 2 GiB "
        "together here. Make them smaller, or pass an array as a parameter.");
  if (!object) return tl::unexpected(toldOfArguments(object.error(), kernels));
  return object;
}

}  // namespace

Result<std::vector<SourceText>> deviceFilesOf(const KernelFile& file, const KernelText& text) {
  auto included = includedFiles(file, text, {.tellsBranches = false}, &KernelText::deviceText);
  if (!included) return tl::unexpected(included.error());
  std::vector<SourceText> files;
  for (sandbox::CompiledFile& each : included->files)
    files.push_back({std::move(each.name), std::move(each.text)});
  return files;
}

namespace {

// One of a file that the text includes stands at the directive, and tells where it is in that file.
BranchCondition atInclude(const KernelText& text, const std::string& name, BranchCondition condition) {
  const std::string file = std::filesystem::path(name).filename();
  condition.text = file + ":" + std::to_string(condition.place.first);
  condition.place = {1, 1};
  condition.length = 0;
  condition.isLoop = false;
  for (const KernelText::IncludedFile& include : text.includes)
    if (std::filesystem::path(include.name).filename() == file) condition.place.first = include.line;
  return condition;
}

}  // namespace

namespace {

// `files`: which conditions are of one text.
std::vector<ToldCondition> toldConditions(const std::vector<BranchCondition>& conditions,
                                          const std::vector<std::string>& files) {
  std::vector<ToldCondition> told(conditions.size());
  for (std::size_t c = 0; c < conditions.size(); ++c) {
    told[c].isLoop = conditions[c].isLoop;
    for (std::size_t loop = 0; loop < conditions.size(); ++loop) {
      const BranchCondition& around = conditions[loop];
      if (loop == c || !around.isLoop || files[loop] != files[c]) continue;
      if (conditions[c].place < around.begin || around.end < conditions[c].place) continue;
      const int known = told[c].loop;
      if (known < 0 || conditions[std::size_t(known)].begin < around.begin) told[c].loop = int(loop);
    }
  }
  return told;
}

}  // namespace

Result<TellingKernels> tellingKernelsOf(const KernelFile& file) {
  const auto text = readKernelText(file.name, file.text, {.tellsBranches = true});
  if (!text) return tl::unexpected(text.error());
  const auto own = unsigned(text->branches.all.size());
  const KernelTextOptions options{.tellsBranches = true, .firstBranch = own};
  auto included = includedFiles(file, *text, options, &KernelText::deviceTelling);
  if (!included) return tl::unexpected(included.error());
  const bool knows = text->branches.isComplete && included->knowsBranches;
  TellingKernels kernels;
  if (!knows) {
    auto plain = deviceFilesOf(file, *text);
    if (!plain) return tl::unexpected(plain.error());
    kernels.telling = {text->deviceText, *std::move(plain)};
  } else {
    kernels.telling.text = text->deviceTelling;
    for (sandbox::CompiledFile& each : included->files)
      kernels.telling.headers.push_back({std::move(each.name), std::move(each.text)});
    kernels.branches = text->branches.all;
    std::vector<BranchCondition> conditions = text->branches.all;
    std::vector<std::string> files(conditions.size());
    for (const auto& [name, condition] : included->branches) {
      kernels.branches.push_back(atInclude(*text, name, condition));
      conditions.push_back(condition);
      files.push_back(name);
    }
    kernels.telling.conditions = toldConditions(conditions, files);
  }
  // What lanes exchange by, or a header that does.
  const auto exchanges = [](const std::string& each) {
    constexpr std::array<std::string_view, 6> kWords{"__shfl_", "__ballot_", "__any_",
                                                     "__all_",  "__reduce_", "cooperative_groups"};
    return std::ranges::any_of(kWords,
                               [&](std::string_view word) { return each.find(word) != std::string::npos; });
  };
  const bool hasSomething = !kernels.branches.empty() || exchanges(kernels.telling.text) ||
                            std::ranges::any_of(kernels.telling.headers, exchanges, &SourceText::text);
  if (!hasSomething) kernels.telling = {};
  return kernels;
}

tl::unexpected<Error> notTakenBySource(const KernelFile& file, const NotRecorded& why) {
  return tl::unexpected(Error{ErrorKind::Usage,
                              "The source recorder does not take " + file.name +
                                  (why.place.empty() ? "" : ", " + why.place) + ": " + why.reason +
                                  " The access recorder does: --recorder access.",
                              {},
                              ErrorCause::KernelText});
}

namespace {

// With calls that record the text's accesses.
Result<CompiledKernels> compileRecorded(const KernelFile& file, const KernelText& text, RecordedText recorded,
                                        const NamedKernels& kernels, JobControl& job,
                                        const std::shared_ptr<sandbox::CompiledHeaders>& headers) {
  NamedKernels plain = kernels;
  for (std::size_t k = 0; k < plain.all.size(); ++k)
    if (recorded.settled.isPlain()[k]) plain.all[k].expression = "&" + plain.all[k].declaration.qualified;
  auto object = compiled(file, recorded.pass.text, &recorded, {}, plain, job, headers);
  if (!object) return tl::unexpected(object.error());
  return CompiledKernels{.object = *std::move(object), .text = text, .recorded = std::move(recorded)};
}

// As it is: then its own columns are in the errors.
Result<CompiledKernels> compilePlain(const KernelFile& file, const KernelText& text,
                                     const NamedKernels& kernels, JobControl& job,
                                     const std::shared_ptr<sandbox::CompiledHeaders>& headers) {
  auto included = includedFiles(file, text, {.tellsBranches = false});
  if (!included) return tl::unexpected(included.error());
  auto object = compiled(file, text.text, nullptr, std::move(included->files), kernels, job, headers);
  if (!object) return tl::unexpected(object.error());
  return CompiledKernels{.object = *std::move(object), .text = text};
}

// With conditions that tell which way they go. Nothing: it does not compile so.
Result<std::optional<CompiledKernels>> compileTelling(
    const KernelFile& file, const NamedKernels& kernels, JobControl& job,
    const std::shared_ptr<sandbox::CompiledHeaders>& headers) {
  const auto telling = readKernelText(file.name, file.text, {.tellsBranches = true});
  if (!telling) return tl::unexpected(telling.error());
  const KernelTextOptions options{.tellsBranches = true,
                                  .firstBranch = unsigned(telling->branches.all.size())};
  auto included = includedFiles(file, *telling, options);
  if (!included) return tl::unexpected(included.error());
  const bool knows = telling->branches.isComplete && included->knowsBranches;
  if (!knows) return std::nullopt;
  const bool hasConditions = options.firstBranch + included->branches.size() > 0;
  auto object = compiled(file, telling->text, nullptr, std::move(included->files), kernels, job, headers);
  if (!object && object.error().kind == ErrorKind::Usage && hasConditions) return std::nullopt;
  if (!object) return tl::unexpected(object.error());
  std::vector<BranchCondition> branches = telling->branches.all;
  branches.resize(branches.size() + included->branches.size());
  return CompiledKernels{
      .object = *std::move(object), .text = *telling, .branches = std::move(branches), .knowsBranches = true};
}

Result<CompiledKernels> compileWith(const KernelFile& file, KernelText text, const NamedKernels& kernels,
                                    RecorderChoice recorder, JobControl& job,
                                    const std::shared_ptr<sandbox::CompiledHeaders>& headers) {
  std::string whyNot;
  std::optional<CompiledKernels> plain;
  if (recorder != RecorderChoice::Access) {
    auto recorded = recordedTextOf(text, kernels);
    if (recorded) {
      auto calls = compileRecorded(file, text, *std::move(recorded), kernels, job, headers);
      if (calls || calls.error().kind != ErrorKind::Usage) return calls;
      // Is it the text, or its calls? A text that does not compile is compiled twice, and not three times.
      auto itself = compilePlain(file, text, kernels, job, headers);
      if (!itself) return itself;
      plain = *std::move(itself);
      recorded =
          tl::unexpected(NotRecorded{"", "Its recording calls do not compile: " + calls.error().sentence});
    }
    whyNot = recorded.error().sentence();
    if (recorder == RecorderChoice::Source) return notTakenBySource(file, recorded.error());
  }
  auto telling = compileTelling(file, kernels, job, headers);
  if (!telling) return tl::unexpected(telling.error());
  if (!*telling && plain) *telling = std::move(plain);
  if (!*telling) {
    auto itself = compilePlain(file, text, kernels, job, headers);
    if (!itself) return itself;
    *telling = *std::move(itself);
  }
  (*telling)->whyNotRecorded = std::move(whyNot);
  return **std::move(telling);
}

// The header makes `asm` an error by _Pragma. g++ counts the column of that within the pragma's own words,
// and tells 11 wherever it stands in the line; clang++ names the macros through which it came there.
void placeAssembly(const KernelFile& file, Error& error) {
  constexpr std::string_view kWhat = "Inline PTX (asm) cannot be stepped on the CPU";
  const std::size_t before = error.sentence.find(std::string(kWhat) + " (line ");
  if (before == std::string::npos || error.details.find("expanded from macro") != std::string::npos) return;
  const std::string number =
      error.sentence.substr(before + kWhat.size() + std::string_view(" (line ").size());
  const int line = std::atoi(number.c_str());
  std::istringstream lines(file.text);
  std::string text;
  for (int i = 0; i < line; ++i) std::getline(lines, text);
  std::size_t place = text.find("asm");
  const auto isOfWord = [&](std::size_t at) { return at < text.size() && isWordCharacter(text[at]); };
  while (place != std::string::npos && ((place > 0 && isOfWord(place - 1)) || isOfWord(place + 3)))
    place = text.find("asm", place + 1);
  if (place == std::string::npos) place = text.find_first_not_of(" \t");  // a macro has it
  if (place == std::string::npos) return;
  const std::string column = std::to_string(place + 1), lineText = std::to_string(line);
  const auto replace = [&](std::string& all, const std::string& head, std::string_view tail) {
    const std::size_t begin = all.find(head);
    const std::size_t end = begin == std::string::npos ? begin : all.find(tail, begin + head.size());
    if (end != std::string::npos) all.replace(begin + head.size(), end - begin - head.size(), column);
  };
  replace(error.sentence, std::string(kWhat) + " (line " + lineText + ", column ", ")");
  replace(error.details, file.name + ":" + lineText + ":", ":");
}

}  // namespace

Result<CompiledKernels> compileKernels(const KernelFile& file, KernelText text, const NamedKernels& kernels,
                                       RecorderChoice recorder, JobControl& job,
                                       const std::shared_ptr<sandbox::CompiledHeaders>& headers) {
  const auto [line, column] = text.launchInDevice;
  auto result = compileWith(file, std::move(text), kernels, recorder, job, headers);
  if (!result) placeAssembly(file, result.error());
  const bool isOfLaunch =
      !result && line > 0 && result.error().kind == ErrorKind::Usage &&
      result.error().sentence.find("(line " + std::to_string(line) + ",") != std::string::npos;
  if (!isOfLaunch) return result;
  // The compiler's own words are of brackets.
  Error error = std::move(result.error());
  const std::string what = "Launches from a kernel (<<<...>>>) cannot be stepped on the CPU";
  error.sentence = file.name + " does not compile: " + what + " (line " + std::to_string(line) + ", column " +
                   std::to_string(column) + "). Fix its text.";
  error.details = file.name + ":" + std::to_string(line) + ":" + std::to_string(column) + ": error: " + what +
                  ".\n" + error.details;
  return tl::unexpected(std::move(error));
}

}  // namespace stridescope::engine::access
