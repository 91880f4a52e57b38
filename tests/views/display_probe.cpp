// What the tests of the real window ask of a virtual X display, for no packaged tool does it without more to
// install:
//   display_probe hash X Y WIDTH HEIGHT   a number that changes when a pixel of that part of the screen does
//   display_probe picture FILE            the screen as a PPM
//   display_probe dpi NUMBER              sets Xft.dpi, as a desktop's settings do
//   display_probe minimize WINDOW         says of it what a window manager says of one that it has minimised
//   display_probe restore WINDOW          and that it is shown again
//   display_probe settle PROCESS          waits until it rests: what was sent to it is done, and shown
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

namespace {

using ImagePointer = std::unique_ptr<XImage, void (*)(XImage*)>;

ImagePointer partOf(Display* display, int x, int y, unsigned width, unsigned height) {
  XImage* image = XGetImage(display, DefaultRootWindow(display), x, y, width, height, AllPlanes, ZPixmap);
  return {image, [](XImage* each) {
            if (each != nullptr) XDestroyImage(each);
          }};
}

int tellHash(Display* display, char** place) {
  const auto image = partOf(display, std::atoi(place[0]), std::atoi(place[1]), unsigned(std::atoi(place[2])),
                            unsigned(std::atoi(place[3])));
  if (!image) return EXIT_FAILURE;
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (int y = 0; y < image->height; ++y)
    for (int x = 0; x < image->width; ++x)
      hash = (hash ^ (XGetPixel(image.get(), x, y) & 0xffffff)) * 1099511628211u;
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
  return EXIT_SUCCESS;
}

int writePicture(Display* display, const char* file) {
  const int screen = DefaultScreen(display);
  const auto image = partOf(display, 0, 0, unsigned(DisplayWidth(display, screen)),
                            unsigned(DisplayHeight(display, screen)));
  if (!image) return EXIT_FAILURE;
  std::ofstream out(file, std::ios::binary);
  out << "P6\n" << image->width << ' ' << image->height << "\n255\n";
  for (int y = 0; y < image->height; ++y)
    for (int x = 0; x < image->width; ++x) {
      const unsigned long pixel = XGetPixel(image.get(), x, y);
      for (const int shift : {16, 8, 0}) out.put(char(pixel >> shift & 0xff));
    }
  return out.good() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int setDpi(Display* display, const std::string& dpi) {
  const std::string resources = "Xft.dpi:\t" + dpi + "\n";
  XChangeProperty(display, DefaultRootWindow(display), XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(resources.data()), int(resources.size()));
  XSync(display, False);
  return EXIT_SUCCESS;
}

// ICCCM 4.1.3.1: without a window manager nobody else sets it.
int setState(Display* display, const char* window, long state) {
  const Atom property = XInternAtom(display, "WM_STATE", False);
  const long values[] = {state, 0};
  XChangeProperty(display, Window(std::strtoul(window, nullptr, 0)), property, property, 32, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(values), 2);
  XSync(display, False);
  return EXIT_SUCCESS;
}

// What all threads of a process do together.
struct Work {
  bool isOn = false;         // one runs, or wants to
  std::uint64_t doneNs = 0;  // for how long they have run so far
};

Work workOf(const std::string& process) {
  Work work;
  std::error_code ended;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator thread("/proc/" + process + "/task", ended);
       !ended && thread != end; thread.increment(ended)) {
    // A thread may end while its files are read: getline() and >> then fail, and do not throw.
    std::string stat;
    std::ifstream stats(thread->path() / "stat");
    std::getline(stats, stat);
    const auto name = stat.rfind(") ");  // the state follows it
    if (name != std::string::npos) work.isOn |= stat[name + 2] == 'R' || stat[name + 2] == 'D';
    std::uint64_t ns = 0;  // stays 0 where the kernel does not count it
    std::ifstream(thread->path() / "schedstat") >> ns;
    work.doneNs += ns;
  }
  return work;
}

// The process rests if at so many looks in a row no thread of it ran or wanted to, and all of them ran for
// less than a frame takes. What the X server was asked for before has reached the process by then, since it
// answers us. A process that does not come to rest is waited for for ten seconds. A pause of a fixed length
// would be too short on a laden machine.
int settle(Display* display, const std::string& process) {
  using namespace std::chrono_literals;
  constexpr int kLooks = 12;
  constexpr std::uint64_t kFrameNs = 1'000'000;
  const auto end = std::chrono::steady_clock::now() + 10s;
  XSync(display, False);
  Work before = workOf(process);
  for (int rested = 0; rested < kLooks && std::chrono::steady_clock::now() < end; ++rested) {
    std::this_thread::sleep_for(10ms);
    XSync(display, False);
    const Work work = workOf(process);
    if (!work.isOn && work.doneNs - before.doneNs < kFrameNs) continue;
    before = work;
    rested = 0;
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  Display* const display = XOpenDisplay(nullptr);
  if (display == nullptr) {
    std::fputs("display_probe: there is no display\n", stderr);
    return EXIT_FAILURE;
  }
  int status = EXIT_FAILURE;
  if (what == "hash" && count == 6) status = tellHash(display, words + 2);
  if (what == "picture" && count == 3) status = writePicture(display, words[2]);
  if (what == "dpi" && count == 3) status = setDpi(display, words[2]);
  if (what == "minimize" && count == 3) status = setState(display, words[2], IconicState);
  if (what == "restore" && count == 3) status = setState(display, words[2], NormalState);
  if (what == "settle" && count == 3) status = settle(display, words[2]);
  XCloseDisplay(display);
  return status;
}
