// Which fields of experiments, traces and errors travel between processes (byte_archive.h). The bindings name
// all members, so that one more of them does not compile before it stands here.
#pragma once

#include "base/result.h"
#include "engine/worker/byte_archive.h"
#include "model/trace.h"

namespace stridescope::engine::worker {

template <>
inline constexpr bool kIsPlain<model::Event> = std::has_unique_object_representations_v<model::Event>;
template <>
inline constexpr bool kIsPlain<model::LaunchTrace::CopiedWord> =
    std::has_unique_object_representations_v<model::LaunchTrace::CopiedWord>;
static_assert(kIsPlain<model::Event> && kIsPlain<model::LaunchTrace::CopiedWord>,
              "the log is copied at once");

template <class Archive, Is<model::CustomOperator> Value>
void exchangeFields(Archive& archive, Value& custom) {
  auto& [combine, identity, identityBits] = custom;
  archive(combine, identity, identityBits);
}

template <class Archive, Is<model::GivenData> Value>
void exchangeFields(Archive& archive, Value& data) {
  auto& [name, values, listLengths] = data;
  archive(name, values, listLengths);
}

template <class Archive, Is<model::SharedData> Value>
void exchangeFields(Archive& archive, Value& shared) {
  model::GivenData data;
  bool any = shared.get() != nullptr;
  if (any) data = *shared.get();
  archive(any);
  if (!any) return;
  archive(data);
  if constexpr (!std::is_const_v<Value>) shared = model::SharedData(std::move(data));
}

template <class Archive, Is<model::Experiment> Value>
void exchangeFields(Archive& archive, Value& experiment) {
  auto& [variant, type, op, threads, elements, data, seed, launch, block, schedule, scheduleSeed, lists,
         custom, given] = experiment;
  archive(variant, type, op, threads, elements, data, seed, launch, block, schedule, scheduleSeed, lists,
          custom, given);
}

template <class Archive, Is<model::Executor> Value>
void exchangeFields(Archive& archive, Value& executor) {
  auto& [kind, device, computeCapability, driver, compiler, recordedOn] = executor;
  archive(kind, device, computeCapability, driver, compiler, recordedOn);
}

template <class Archive, Is<Error> Value>
void exchangeFields(Archive& archive, Value& error) {
  auto& [kind, sentence, details, cause] = error;
  archive(kind, sentence, details, cause);
}

template <class Archive, Is<model::Array> Value>
void exchangeFields(Archive& archive, Value& array) {
  auto& [name, elementBytes, bytes, type, role] = array;
  archive(name, elementBytes, bytes, type, role);
}

template <class Archive, Is<model::Problem> Value>
void exchangeFields(Archive& archive, Value& problem) {
  auto& [kind, text, site, thread] = problem;
  archive(kind, text, site, thread);
}

template <class Archive, Is<model::Site> Value>
void exchangeFields(Archive& archive, Value& site) {
  auto& [id, kind, line, column, length, statement, loops, text] = site;
  archive(id, kind, line, column, length, statement, loops, text);
}

template <class Archive, Is<model::LaunchTrace> Value>
void exchangeFields(Archive& archive, Value& launch) {
  auto& [grid, block, inspected, elements, shared, buffers, events, first, barrierCopies, copied, cut,
         problems] = launch;
  archive(grid, block, inspected, elements, shared, buffers, events, first, barrierCopies, copied, cut,
          problems);
}

template <class Archive, Is<model::TrialFinding> Value>
void exchangeFields(Archive& archive, Value& finding) {
  auto& [property, verdict, sentence, isWarning] = finding;
  archive(property, verdict, sentence, isWarning);
}

template <class Archive, Is<model::OperatorTrial> Value>
void exchangeFields(Archive& archive, Value& trial) {
  auto& [findings, whyNotTried] = trial;
  archive(findings, whyNotTried);
}

template <class Archive, Is<model::Trace> Value>
void exchangeFields(Archive& archive, Value& trace) {
  auto& [experiment, kernelText, preamble, executor, sites, launches, result, expected, ok, checkNote,
         trial] = trace;
  archive(experiment, kernelText, preamble, executor, sites, launches, result, expected, ok, checkNote,
          trial);
}

}  // namespace stridescope::engine::worker
