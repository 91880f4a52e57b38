// The labels of what was read from elsewhere: names, sentences and values that are shown and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "archive/recording_file.h"
#include "base/describe.h"

namespace stridescope::archive {

// Makes every label one printable line (base/plain_text.h); what is printable already is not touched. A
// recording that is saved again has the labels as they were shown. The kernel's text with what
// sites quote of it, the preamble, combine and the identity are no labels: they are compared, hashed and
// compiled.
void makeLabelsPrintable(model::Trace& trace);
void makeLabelsPrintable(RecordingEntry& entry);
void makeLabelsPrintable(std::string& label);
void makeLabelsPrintable(model::Experiment& experiment);
inline void makeLabelsPrintable(model::CustomOperator&) {}

// Whether there is a text in it.
template <class Value>
constexpr bool hasLabels() {
  bool has = std::is_same_v<Value, std::string>;
  if constexpr (HasDescription<Value>)
    forEachFieldOf<Value>(
        [&]<class Field>(std::string_view, const Field&) { has = has || hasLabels<Field>(); });
  else if constexpr (requires { typename Value::value_type; } && !std::is_same_v<Value, std::string>)
    has = hasLabels<typename Value::value_type>();
  return has;
}

// All labels of a described record, such as an executor, an operator's trial, or what was measured.
template <class Record>
requires(HasDescription<Record>&& hasLabels<Record>()) void makeLabelsPrintable(Record& record) {
  forEachField(record, []<class Field>(std::string_view, Field& field) {
    if constexpr (hasLabels<Field>() && requires { field.begin(); } && !std::is_same_v<Field, std::string>)
      for (auto& each : field) makeLabelsPrintable(each);
    else if constexpr (hasLabels<Field>())
      makeLabelsPrintable(field);
  });
}

}  // namespace stridescope::archive
