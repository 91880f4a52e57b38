// What several GPUs do with each other's memory in a round, in words. Of launches on several devices alone;
// for others everything here is empty.
#pragma once

#include <string>
#include <vector>

#include "analysis/device_traffic.h"
#include "narration/round_at.h"

namespace stridescope::narration {

// What went between the devices in the round. nullptr: nothing is known of it.
const analysis::DeviceRound* devicesIn(const RoundAt& at);

// Whether each device has an array, and every element is combined from the devices' alone: a launch is a
// step.
bool combinesArrays(const model::LaunchTrace& launch);

// "step 3 of 6" where each launch is a step of several; else empty.
std::string stepName(const RoundAt& at);

// The first sentences of a round of arrays, or of a pass of it, without their title: what the shown block's
// GPU does, and, of a whole round, what goes over the links. "GPU 0 loads elements 512 to 1,023 of in from
// GPU 1, ...", "2 links carry 2,048 bytes each".
std::vector<std::string> arrayClauses(const RoundAt& at);

// Whether the round, or the pass, looks for what other GPUs have sent.
bool waitsForDevices(const RoundAt& at);

// What is sent, or waited for, between GPUs in the round: "GPU 1 sends a word into the memory of GPU 0".
// Empty: nothing is.
std::string messageClause(const RoundAt& at);

// "2 links carry 2,048 bytes each", "1 link carries 8 bytes"; empty: none carries any.
std::string linksClause(const analysis::DeviceLinks& links);

// "GPU 0 -> GPU 1  in[512..1023], 2,048 bytes, which GPU 1 loads"
std::string transferLine(const model::LaunchTrace& launch, const analysis::DeviceTransfer& transfer);

// What a part of an array holds: "of GPU 0", "of GPUs 0 and 1", "of all GPUs"; "nothing yet".
std::string partText(std::uint32_t of, unsigned devices);

// A row for each GPU with what its result holds after the round, and a row for each transfer and wait of it.
std::string devicesMap(const RoundAt& at);
// Once below the rounds of the last launch: the bytes over each link in all launches.
std::string linksMap(const RoundAt& at);

// A sentence for each race between GPUs of the launch.
std::vector<std::string> deviceRaceSentences(const RoundAt& at);

}  // namespace stridescope::narration
