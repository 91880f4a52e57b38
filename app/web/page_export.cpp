#include "page_export.h"

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/worker/byte_archive.h"
#include "export_question.h"

// The functions of page.js that this calls. The number of the export is given; `withRecordings`: what the
// recordings that come with the page have measured is shown, too.
EM_JS(int, exportAsk, (const void* question, unsigned bytes, const char* path, int withRecordings), {
  return Module.page.exportAsk(HEAPU8.slice(question, question + bytes), UTF8ToString(path),
                               Boolean(withRecordings));
});
// The answer's bytes; -1: it is not there yet; less: there will be none.
EM_JS(int, exportAnswerBytes, (int number), { return Module.exporters.answerBytes(number); });
// With the answer the files go to the downloads.
EM_JS(void, exportTakeAnswer, (int number, void* to),
      { HEAPU8.set(Module.page.exportTakeAnswer(number), to); });
EM_JS(double, exportFraction, (int number), { return Module.exporters.progress(number).fraction; });
// The caller frees it.
EM_JS(char*, exportDoing, (int number), { return stringToNewUTF8(Module.exporters.progress(number).doing); });
EM_JS(void, exportEnd, (int number), { Module.exporters.end(number); });

namespace stridescope::web {
namespace {

constexpr int kNotYet = -1;

// The one that is under way: there is one at a time. A job that is cancelled is done once more, and ends it.
struct UnderWay {
  const engine::JobControl* job = nullptr;
  int number = 0;
};

UnderWay& underWay() {
  static UnderWay only;
  return only;
}

void end() {
  if (underWay().job != nullptr) exportEnd(underWay().number);
  underWay() = {};
}

bool showsWindow(const session::ExportFile& file) {
  return (file.as == session::ExportAs::Gif || file.as == session::ExportAs::Pictures) && file.panel.empty();
}

int ask(const session::ExportOrder& order, const session::ExportedTraces& traces) {
  engine::worker::ByteWriter question;
  exchangeFile(question, order.file);
  question(order.theme, order.speed);
  exchangeTraces(question, traces);
  const std::span<const std::byte> bytes = question.bytes();
  return exportAsk(bytes.data(), unsigned(bytes.size()), order.file.path.c_str(),
                   showsWindow(order.file) ? 1 : 0);
}

void tellProgress(int number, engine::JobControl& job) {
  const double fraction = exportFraction(number);
  if (!job.progress || fraction < 0) return;
  const std::unique_ptr<char, decltype(&std::free)> doing(exportDoing(number), &std::free);
  job.progress(float(fraction), doing.get());
}

}  // namespace

Result<void> exportInWorker(const session::ExportOrder& order,
                            const decltype(session::SessionServices::makeEngine)& makeEngine,
                            engine::JobControl& job) {
  if (job.cancel) {
    end();
    return cancelled();
  }
  if (underWay().job != &job) {
    const auto traces = session::tracesOf(order, makeEngine, job);
    if (!traces) return tl::unexpected(traces.error());
    end();
    underWay() = {&job, ask(order, *traces)};
  }
  const int number = underWay().number;
  const int bytes = exportAnswerBytes(number);
  if (bytes == kNotYet) {
    job.awaits = true;
    tellProgress(number, job);
    return cancelled();
  }
  if (bytes < 0) {
    end();
    return limitMet(
        "Nothing was written: the worker that draws has ended, most likely for want of memory. Choose fewer "
        "rounds, or a smaller size.");
  }
  std::vector<std::byte> answer(std::size_t(bytes), std::byte{});
  exportTakeAnswer(number, answer.data());
  end();
  engine::worker::ByteReader reader(answer);
  std::optional<Error> error;
  reader(error);
  if (!reader.isComplete())
    return unavailable("What the worker answered makes no sense. Load the page again.");
  if (error) return tl::unexpected(*error);
  return {};
}

}  // namespace stridescope::web
