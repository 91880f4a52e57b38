#include "base/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace stridescope {

bool hasThreads() { return true; }

void inParallel(std::size_t count, const std::function<void(std::size_t)>& part, unsigned threads) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        part(i);
      } catch (...) {
        next = count;
        const std::scoped_lock lock(mutex);
        if (!thrown) thrown = std::current_exception();
      }
    }
  };
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i) others.emplace_back(work);
    } catch (const std::system_error&) {  // no more threads to be had
    }
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace stridescope
