#include "kernel_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "access_worker.h"
#include "base/numbers.h"
#include "base/regular_file.h"
#include "engine/sandbox/confinement.h"
#include "engine/sandbox/object_compiler.h"
#include "engine/worker/rpc_client.h"
#include "kernel_numbers.h"
#include "kernel_text.h"

namespace stridescope::engine::access {

std::string_view embeddedAccessHeader(std::string_view fileName);  // generated from kernels/access/
std::vector<std::string_view> embeddedAccessHeader();

namespace {

constexpr std::string_view kSource = "stridescope_kernel.cpp";
constexpr std::chrono::milliseconds kStart{20'000}, kReport{1'000};
constexpr std::uint64_t kMaxBuffersBytes = 1ull << 30;
constexpr std::size_t kMaxIncludedFiles = 64;
constexpr std::uint64_t kMaxIncludedBytes = 4 << 20;

// The name of the file that the launches are from, or would be.
std::string launchFileOf(const KernelFile& file) {
  return file.launchFile.empty() ? std::filesystem::path(file.name).stem().string() + ".launch.json"
                                 : file.launchFile;
}

// One of the kernels that the launches name, as C++ names it.
struct NamedKernel {
  std::string expression;  // "sumTwo<int, 128>"
  const KernelDeclaration* declaration = nullptr;
};

Result<std::vector<NamedKernel>> namedKernels(const KernelFile& file, const KernelText& text,
                                              std::vector<std::uint32_t>& ofLaunch) {
  std::vector<NamedKernel> kernels;
  for (const LaunchRequest& launch : file.launches.launches) {
    const KernelDeclaration* found = nullptr;
    if (text.kernels.empty())
      return usageError(file.name + " has no kernel: no function with __global__ and a body.");
    if (launch.kernel.empty() && text.kernels.size() > 1) {
      std::string names;
      for (const KernelDeclaration& each : text.kernels) names += (names.empty() ? "" : ", ") + each.name;
      return usageError(file.name + " has several kernels: " + names + ". Name one, as \"kernel\" in " +
                        launchFileOf(file) + " beside it (on the command line: --kernel).");
    }
    for (const KernelDeclaration& each : text.kernels)
      if (launch.kernel.empty() || each.name == launch.kernel || each.qualified == launch.kernel)
        found = &each;
    if (found == nullptr)
      return usageError(file.name + " has no kernel '" + launch.kernel + "'. It has " +
                        text.kernels.front().name + (text.kernels.size() > 1 ? " and others." : "."));
    if (found->isTemplate && launch.templateArguments.empty())
      return usageError(found->name + " is a template. Give its arguments, such as \"int, 256\", as " +
                        "\"template\" in " + launchFileOf(file) +
                        " beside it (on the command line: --template).");
    const std::string expression =
        found->qualified + (launch.templateArguments.empty() ? "" : "<" + launch.templateArguments + ">");
    const auto known = std::ranges::find(kernels, expression, &NamedKernel::expression);
    ofLaunch.push_back(std::uint32_t(known - kernels.begin()));
    if (known == kernels.end()) kernels.push_back({expression, found});
  }
  return kernels;
}

std::string sourceOf(const KernelFile& file, const std::vector<NamedKernel>& kernels) {
  std::string source = "#include \"cuda_device.h\"\n#include \"dynamic_shared.h\"\n#include \"" + file.name +
                       "\"\n#include \"calls.h\"\n";
  source += "extern \"C\" {\n__attribute__((visibility(\"default\"))) extern const accesses::KernelEntry " +
            std::string(kKernelsSymbol) + "[] = {\n";
  for (const NamedKernel& kernel : kernels) source += "  accesses::entryOf<&" + kernel.expression + ">(),\n";
  source +=
      "};\n__attribute__((visibility(\"default"
      "\"))) extern const unsigned " +
      std::string(kKernelCountSymbol) + " = " + std::to_string(kernels.size()) +
      ";\n__attribute__((visibility(\"default\"))) void* " + kAnchorSymbol +
      "() {\n  static thread_local int access_thread_storage;\n  return &access_thread_storage;\n}\n}\n";
  return source;
}

// The files beside it that the text includes, and what those include.
Result<std::vector<sandbox::CompiledFile>> includedFiles(const KernelFile& file, const KernelText& text) {
  std::vector<sandbox::CompiledFile> files;
  std::vector<std::string> waiting = text.includes;
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
    const auto included = readKernelText(name, *content);
    if (!included) return tl::unexpected(included.error());
    waiting.insert(waiting.end(), included->includes.begin(), included->includes.end());
    files.push_back({name, included->text});
  }
  return files;
}

Result<sandbox::ObjectFile> compiled(const KernelFile& file, const KernelText& text,
                                     const std::vector<NamedKernel>& kernels, JobControl& job) {
  auto files = includedFiles(file, text);
  if (!files) return tl::unexpected(files.error());
  for (const std::string_view header : embeddedAccessHeader())
    files->push_back({std::string(header), std::string(embeddedAccessHeader(header))});
  files->push_back({file.name, text.text + "\n"});
  files->push_back({std::string(kSource), sourceOf(file, kernels)});
  const auto compiler = sandbox::findCompiler(file.name);
  if (!compiler) return tl::unexpected(compiler.error());
  std::vector<std::string> options{"-O0", "-g", "-w", "-fsanitize=thread", "-I."};
  if (compiler->front().find("clang") == std::string::npos)
    options.insert(options.end(), {"--param", "tsan-distinguish-volatile=1"});
  else  // the read of x[i] += 1 is announced, too
    options.insert(options.end(), {"-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm",
                                   "-tsan-distinguish-volatile=1"});
  // The sanitizer's library is left out: what it would define is in runtime.h.
  options.emplace_back("-nodefaultlibs");
  return sandbox::compileObject({.what = file.name,
                                 .textFile = file.name,
                                 .textLines = unsigned(1 + std::ranges::count(file.text, '\n')),
                                 .files = *std::move(files),
                                 .source = std::string(kSource),
                                 .options = std::move(options),
                                 .libraries = {"-lstdc++", "-lm", "-lgcc_s", "-lgcc", "-lc"},
                                 .cause = ErrorCause::KernelText,
                                 .limits = {}},
                                job);
}

// The arrays of all launches, by name: arguments of one name share one.
struct Arrays {
  std::vector<std::string> names;
  std::vector<ParameterType> types;
  std::vector<std::vector<std::uint8_t>> bytes;
  std::vector<bool> isWritten;
};

class Planner {
 public:
  Planner(const KernelFile& file, const std::vector<NamedKernel>& kernels, const KernelText& text,
          const std::vector<KernelTypes>& types)
      : file_(file), kernels_(kernels), text_(text), types_(types) {}

  Result<AccessLaunch> plan(const LaunchRequest& launch, std::uint32_t kernel, const model::Dim3& inspected) {
    const KernelDeclaration& declaration = *kernels_[kernel].declaration;
    AccessLaunch planned{.kernel = kernel,
                         .function = declaration.name,
                         .grid = launch.grid,
                         .block = launch.block,
                         .sharedBytes = launch.sharedBytes,
                         .dynamicName = text_.dynamicName.empty() ? "dynamic" : text_.dynamicName};
    for (const KernelDeclaration& other : text_.kernels)
      if (other.name != declaration.name) planned.otherKernels.push_back(other.name);
    if (launch.block.count() == 0 || launch.block.count() > 1024)
      return usageError("A block of " + model::text(launch.block) +
                        " threads cannot be launched: a block has 1 to 1024 threads.");
    if (inspected.x >= launch.grid.x || inspected.y >= launch.grid.y || inspected.z >= launch.grid.z)
      return usageError("There is no block " + std::to_string(inspected.x) + "," +
                        std::to_string(inspected.y) + "," + std::to_string(inspected.z) + " in a grid of " +
                        model::text(launch.grid) + " blocks.");
    planned.inspected =
        inspected.x + launch.grid.x * (inspected.y + launch.grid.y * std::uint64_t(inspected.z));
    const auto& parameters = types_[kernel].parameters;
    for (const ArgumentRequest& argument : launch.arguments)
      if (std::ranges::count(declaration.parameters, argument.name) == 0)
        return usageError(declaration.name + " has no parameter '" + argument.name + "'. It has " +
                          listed(declaration.parameters) + ".");
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const std::string name = p < declaration.parameters.size() ? declaration.parameters[p] : std::string();
      const auto given = std::ranges::find(launch.arguments, name, &ArgumentRequest::name);
      if (given == launch.arguments.end())
        return usageError(
            "The parameter '" + name + "' of " + declaration.name + " is given nothing. Give it " +
            (parameters[p].isPointer ? "a count of elements" : "a value") + " among the \"args\" of " +
            launchFileOf(file_) + " beside the kernel (on the " + "command line: --arg " + name +
            (parameters[p].isPointer ? "=PATTERN:COUNT or zero:COUNT" : "=NUMBER") + ").");
      auto bytes = parameters[p].isPointer ? array(*given, parameters[p], p) : value(*given, parameters[p]);
      if (!bytes) return tl::unexpected(bytes.error());
      planned.arguments.push_back(*std::move(bytes));
    }
    return planned;
  }

  const Arrays& arrays() const { return arrays_; }

 private:
  static std::string listed(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all.empty() ? "none" : all;
  }

  Result<AccessArgument> value(const ArgumentRequest& given, const ParameterType& type) const {
    auto bytes = elementBytes(given.name, type, given.values);
    if (!bytes) return tl::unexpected(bytes.error());
    if (bytes->size() != type.bytes)
      return usageError("The parameter '" + given.name + "' takes " + figure(type.members.size()) +
                        (type.members.size() == 1 ? " number" : " numbers") + "; " +
                        figure(given.values.size()) + " are given.");
    return AccessArgument{.value = *std::move(bytes), .name = given.name};
  }

  Result<AccessArgument> array(const ArgumentRequest& given, const ParameterType& type, std::size_t place) {
    const auto known = std::ranges::find(arrays_.names, given.name);
    const auto index = std::uint32_t(known - arrays_.names.begin());
    if (known == arrays_.names.end()) {
      auto bytes = contents(given, type, place);
      if (!bytes) return tl::unexpected(bytes.error());
      total_ += bytes->size();
      if (total_ > kMaxBuffersBytes)
        return limitMet("The arrays of " + file_.name + " take more than " + figure(kMaxBuffersBytes) +
                        " bytes. Take smaller ones.");
      arrays_.names.push_back(given.name);
      arrays_.types.push_back(type);
      arrays_.bytes.push_back(*std::move(bytes));
      arrays_.isWritten.push_back(!type.isConst);
    } else {
      arrays_.isWritten[index] = arrays_.isWritten[index] || !type.isConst;
    }
    return AccessArgument{.isBuffer = true, .buffer = index, .name = given.name};
  }

  Result<std::vector<std::uint8_t>> contents(const ArgumentRequest& given, const ParameterType& type,
                                             std::size_t place) const {
    if (!type.isWhole || type.members.empty())
      return usageError("The elements of '" + given.name +
                        "' are of a type whose members are not known here. Give it a struct of numbers.");
    std::vector<std::string> values = given.values;
    if (!given.file.empty()) {
      auto read = numbersOfFile(file_.folder, given.file, type);
      if (!read) return tl::unexpected(read.error());
      if (!read->bytes.empty()) return read->bytes;
      values = std::move(read->numbers);
    }
    if (!given.pattern.empty() || given.fill) {
      if (!given.count) return usageError("'" + given.name + "' has no count of elements.");
      if (*given.count > kMaxBuffersBytes / std::max(1u, type.bytes))
        return limitMet("'" + given.name + "' is too large: at most " + figure(kMaxBuffersBytes) + " bytes.");
      return filled(given, type, 1 + place);
    }
    return elementBytes(given.name, type, values);
  }

  const KernelFile& file_;
  const std::vector<NamedKernel>& kernels_;
  const KernelText& text_;
  const std::vector<KernelTypes>& types_;
  Arrays arrays_;
  std::uint64_t total_ = 0;
};

// What is expected of no array that a kernel may write, or is no number of it.
std::optional<std::string> faultOfExpected(const LaunchRequest& launch, const Arrays& arrays) {
  for (const auto& [name, wanted] : launch.expected) {
    const auto known = std::ranges::find(arrays.names, name);
    const auto index = std::size_t(known - arrays.names.begin());
    if (known == arrays.names.end() || !arrays.isWritten[index])
      return "\"expect\" names '" + name +
             "', which is no array that the kernel is given to write. Fix the launch "
             "file.";
    const auto& members = arrays.types[index].members;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!wanted[i].empty() && !isNumberOf(members[i % members.size()], wanted[i]))
        return "'" + wanted[i] + "', number " + figure(i) + " of what is expected of '" + name +
               "', is no number of its type. Fix the launch file.";
  }
  return std::nullopt;
}

// What the expected members are compared with.
void check(const LaunchRequest& launch, KernelRun& run, const Arrays& arrays) {
  for (const auto& [name, wanted] : launch.expected) {
    const auto found = std::ranges::find(run.outputs, name, &KernelOutput::name);
    if (found == run.outputs.end()) continue;
    const auto& type =
        arrays.types[std::size_t(std::ranges::find(arrays.names, name) - arrays.names.begin())];
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].empty()) continue;
      if (run.check == KernelCheck::NotChecked) run.check = KernelCheck::Right;
      const bool isThere = i < found->members.size();
      const MemberType& member = type.members[i % type.members.size()];
      if (isThere && agrees(member, found->members[i], wanted[i], launch.tolerance)) continue;
      run.check = KernelCheck::Wrong;
      if (!run.mismatch) run.mismatch = {name, i, isThere ? found->members[i] : "nothing", wanted[i]};
      break;
    }
  }
}

std::optional<model::ElementType> elementTypeOf(const ParameterType& type) {
  if (type.members.size() != 1) return std::nullopt;
  const MemberType& member = type.members.front();
  using enum model::ElementType;
  if (member.kind == NumberKind::Floating) return member.bytes == 4 ? Float : Double;
  if (member.kind == NumberKind::Signed && member.bytes >= 4) return member.bytes == 4 ? Int : Int64;
  if (member.kind == NumberKind::Unsigned && member.bytes == 4) return Unsigned;
  return std::nullopt;
}

model::Trace traceOf(const KernelFile& file, const NamedKernel& kernel, AccessRecord record,
                     const Arrays& arrays) {
  model::Trace trace;
  const LaunchRequest& first = file.launches.launches.front();
  model::Kernel own{
      .id = file.name, .title = file.name, .text = file.text, .function = kernel.declaration->name};
  own.launch.fixed = model::FixedLaunch{first.grid, first.block, first.sharedBytes};
  trace.experiment.variant = file.name;
  trace.experiment.threads = unsigned(first.block.count());
  trace.experiment.kernel = Shared<model::Kernel>(std::move(own));
  trace.kernelText = file.text;
  trace.executor = {.kind = model::EngineKind::Host, .device = "CPU executor", .compiler = "C++"};
  trace.sites = std::move(record.sites);
  for (model::Site& site : trace.sites) {
    const TextPiece piece = pieceAt(file.text, site.line, site.column);
    site.column = piece.column;
    site.length = piece.length;
    site.text = piece.text;
  }
  trace.launches = std::move(record.launches);
  for (model::LaunchTrace& launch : trace.launches)
    for (model::Array& buffer : launch.buffers) {
      const auto known = std::ranges::find(arrays.names, buffer.name);
      if (known == arrays.names.end()) continue;
      const ParameterType& type = arrays.types[std::size_t(known - arrays.names.begin())];
      buffer.elementBytes = type.bytes;
      buffer.type = elementTypeOf(type);
    }
  return trace;
}

}  // namespace

Result<KernelFile> readKernelFile(const std::string& path, const std::optional<std::string>& launchFile) {
  constexpr std::uint64_t kMaxTextBytes = 4 << 20, kMaxLaunchBytes = 64 << 20;
  const std::filesystem::path place(path);
  auto text = readRegularFile(place, "CUDA C++", kMaxTextBytes);
  if (!text) return tl::unexpected(text.error());
  KernelFile file{
      .name = place.filename(), .folder = place.parent_path(), .text = *std::move(text), .launches = {}};
  std::filesystem::path launches = place;
  if (launchFile)
    launches = *launchFile;
  else
    launches.replace_extension(".launch.json");
  std::error_code absent;
  if (!launchFile && !std::filesystem::exists(launches, absent)) {
    file.launches.launches.emplace_back();
    return file;
  }
  const auto content = readRegularFile(launches, "a launch file", kMaxLaunchBytes);
  if (!content) return tl::unexpected(content.error());
  file.launchFile = launches.filename();
  auto parsed = parseLaunchFile(file.launchFile, *content);
  if (!parsed) return tl::unexpected(parsed.error());
  file.launches = *std::move(parsed);
  return file;
}

std::string_view nameOf(KernelCheck check) {
  return check == KernelCheck::Right ? "right" : check == KernelCheck::Wrong ? "wrong" : "not checked";
}

Result<KernelRun> runKernelFile(const KernelFile& file, JobControl& job, const KernelRunOptions& options) {
  const sandbox::SandboxSupport support = sandbox::sandboxSupport();
  if (!support.isComplete()) return unavailable(support.sentence());
  const auto text = readKernelText(file.name, file.text);
  if (!text) return tl::unexpected(text.error());
  std::vector<std::uint32_t> ofLaunch;
  const auto kernels = namedKernels(file, *text, ofLaunch);
  if (!kernels) return tl::unexpected(kernels.error());
  const auto object = compiled(file, *text, *kernels, job);
  if (!object) return tl::unexpected(object.error());

  worker::RpcClient client(accessWorkerCommand(options.program, object->path()), kAccessService,
                           {.cancelling = std::chrono::milliseconds(0), .report = kReport});
  if (auto started = client.start(); !started) return tl::unexpected(started.error());
  const auto types = client.ready<std::vector<KernelTypes>>(kStart, job);
  if (!types) return tl::unexpected(types.error());
  if (types->size() != kernels->size()) return client.nonsense("It has other kernels.");

  Planner planner(file, *kernels, *text, *types);
  AccessOrder order{.textFile = file.name};
  for (std::size_t k = 0; k < ofLaunch.size(); ++k) {
    auto launch = planner.plan(file.launches.launches[k], ofLaunch[k], options.inspected);
    if (!launch) return tl::unexpected(launch.error());
    order.launches.push_back(*std::move(launch));
  }
  const Arrays& arrays = planner.arrays();
  for (const LaunchRequest& launch : file.launches.launches)
    if (auto fault = faultOfExpected(launch, arrays)) return usageError(*fault);
  order.buffers = arrays.bytes;
  auto record = client.call(kRecordAccesses, order, {.silence = options.limit, .whole = options.limit}, job);
  if (!record) return tl::unexpected(record.error());
  if (record->buffers.size() != arrays.bytes.size() || record->launches.empty())
    return client.nonsense("An array is missing.");

  KernelRun run;
  run.hasEnded = record->finished;
  run.printed = record->printed;
  for (std::size_t b = 0; b < arrays.names.size(); ++b)
    if (arrays.isWritten[b])
      run.outputs.push_back({arrays.names[b], printedMembers(arrays.types[b], record->buffers[b])});
  for (const std::string& name : text->leftOut)
    run.notes.push_back(name + "() is the host's and was left out.");
  if (!text->dynamicName.empty() && !run.hasEnded && file.launches.launches.front().sharedBytes == 0)
    run.notes.push_back("The text has dynamic shared memory, " + text->dynamicName +
                        ", and the launch gives it 0 bytes: \"shared\" in " + launchFileOf(file) +
                        " beside it says how many (on the command line: --shared).");
  if (record->hasMoreSites)
    run.notes.push_back("The text has more places that access memory than are told apart.");
  run.trace = traceOf(file, (*kernels)[ofLaunch.front()], *std::move(record), arrays);
  run.templateArguments = file.launches.launches.front().templateArguments;
  run.sharedBytes = file.launches.launches.front().sharedBytes;
  if (!run.hasEnded) return run;
  for (const LaunchRequest& launch : file.launches.launches) check(launch, run, arrays);
  run.trace.ok = run.check != KernelCheck::Wrong;
  const std::string expects = file.launchFile.empty() ? "expected" : file.launchFile + " expects";
  if (run.mismatch)
    run.trace.checkNote = run.mismatch->output + "[" + figure(run.mismatch->element) + "] is " +
                          run.mismatch->got + ", which is WRONG: " + run.mismatch->expected + " is expected.";
  else if (run.check == KernelCheck::Right)
    run.trace.checkNote = "The arrays are as " + expects + ".";
  else
    run.trace.checkNote = "Nothing is expected of the arrays, so they are not checked.";
  return run;
}

}  // namespace stridescope::engine::access
