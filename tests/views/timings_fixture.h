// Timings of a GPU and a CPU that do not exist. A formula makes them, so that what the panel must show is
// known.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "measure/timing_board.h"
#include "model/several_gpus.h"
#include "session/session.h"

namespace stridescope::views::test {

inline constexpr const char* kHandMadeGpu = "Hand-made GPU";
inline constexpr const char* kHandMadeCpu = "Hand-made CPU";
inline constexpr double kHandMadeCeiling = 3000;  // GB/s

// Microseconds: a launch's share, and the bytes over a rate of its own. The least of all at large sizes is
// single_pass; the CPU's are the least up to some 2^13.
double handMadeTime(const model::TimingSubject& subject, std::uint64_t elements, unsigned threads = 0);

// As a recording keeps them: the ladder and the baselines, int and +, from 2^10 to 2^28, and at 2^24 from 32
// to 1024 threads.
std::vector<model::TimingRecord> handMadeRecords();

// Over two hand-made GPUs, from 2^10 to 2^28: one GPU alone takes 20 + n / 10^6 us, a message 30 + n / (2 *
// 10^6), so that both are equal at n = 2 * 10^7; what the CPU adds and NCCL take 5 and 15 us more than the
// message.
std::vector<model::GroupTimingRecord> handMadeGroups();
std::vector<model::LinkRecord> handMadeLinks();

// A board on devices that answer at once by the formula, a tenth slower in every tenth sample, and stand
// still after `repetitions` samples of each until they are stopped. Its clock moves by what they take.
struct HandMadeInput {
  bool gpu = true;
  int repetitions = 400;
  std::string failure = {};  // what making any device answers
};
class HandMadeBoard : public measure::TimingBoard {
 public:
  HandMadeBoard(measure::TimingMakers makers, std::shared_ptr<const std::atomic<bool>> standsStill)
      : measure::TimingBoard(std::move(makers)), standsStill_(std::move(standsStill)) {}
  bool standsStill() const { return *standsStill_; }

 private:
  std::shared_ptr<const std::atomic<bool>> standsStill_;
};
std::shared_ptr<HandMadeBoard> handMadeBoard(const HandMadeInput& request = {});

// The CPU executor, timings on that board, and as requested a GPU among the engines.
session::SessionServices timedServices(std::shared_ptr<measure::TimingBoard> board, bool gpu);

// Until the devices of the board's first plan stand still, or nothing runs on it.
void waitUntilStill(const HandMadeBoard& board);

}  // namespace stridescope::views::test
