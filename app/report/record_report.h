// Records of a measured quantity (model/quantity.h) as JSON and as a table, both made of the record's
// description.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/describe.h"
#include "base/formats.h"
#include "model/experiment.h"
#include "model/quantity.h"
#include "report/table.h"

namespace stridescope::report {

template <class Field>
inline constexpr bool kIsList = false;
template <class Element>
inline constexpr bool kIsList<std::vector<Element>> = true;

// Numbers as they are, enumerators by their names, structures as objects of the fields that they are
// described with. Of an experiment, the operator of which stands in it as fields of its own, those that are
// stored.
template <class Value>
JsonValue jsonOf(const Value& value, const model::Quantity& quantity);

template <class Struct>
void addMembers(JsonObject& members, const Struct& value, const model::Quantity& quantity,
                std::span<const std::string_view> only = {}) {
  forEachField(value, [&]<class Field>(std::string_view name, const Field& field) {
    if constexpr (std::is_same_v<Field, model::CustomOperator>)
      addMembers(members, field, quantity, only);
    else if constexpr (PlainField<Field> || HasDescription<Field> || kIsList<Field>)
      if (only.empty() || std::ranges::find(only, name) != only.end())
        members.emplace_back(name, jsonOf(field, quantity));
  });
}

template <class Value>
JsonValue jsonOf(const Value& value, const model::Quantity& quantity) {
  if constexpr (kIsList<Value>) {
    JsonList list;
    for (const auto& each : value) list.push_back(jsonOf(each, quantity));
    return {list};
  } else if constexpr (HasDescription<Value>) {
    JsonObject members;
    if constexpr (std::is_same_v<Value, model::Experiment>)
      addMembers(members, value, quantity, quantity.experiment);
    else
      addMembers(members, value, quantity);
    return {members};
  } else if constexpr (kIsOptionalEnum<Value>) {
    return value ? jsonOf(*value, quantity) : JsonValue{nullptr};
  } else if constexpr (std::is_enum_v<Value>) {
    return {std::string(nameOf(value))};
  } else if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::string>) {
    return {value};
  } else if constexpr (std::is_floating_point_v<Value>) {
    return {double(value)};
  } else if constexpr (std::is_signed_v<Value>) {
    return {std::int64_t{value}};
  } else {
    return {std::uint64_t{value}};
  }
}

inline constexpr int kRecordJsonFormat = 1;

// An object with the list of all records under the quantity's name.
template <class Record>
std::string recordsJson(std::span<const Record> records) {
  constexpr const model::Quantity& quantity = model::kQuantity<Record>;
  JsonList list;
  for (const Record& record : records) list.push_back(jsonOf(record, quantity));
  return printJson({JsonObject{{"format", {std::uint64_t{kRecordJsonFormat}}},
                               {std::string(quantity.table), {std::move(list)}}}});
}

// The rows of records: one for each element of the innermost list, beside its numbers in the lists that it is
// in and the fields of all that it belongs to. The columns have the names of the description.
template <class Record>
class RecordTable {
 public:
  static Table of(std::span<const Record> records) {
    RecordTable made;
    made.addColumns<Record>();
    for (const Record& record : records) made.addRows(record, {});
    return std::move(made.table_);
  }

 private:
  static constexpr const model::Quantity& kFacts = model::kQuantity<Record>;
  using Row = std::vector<std::string>;

  static bool isStored(std::string_view field) {
    return std::ranges::find(kFacts.experiment, field) != kFacts.experiment.end();
  }

  // Calls visit(name, field) for all that stands in a row, and then list(name, elements).
  template <class Struct, class Visit, class List>
  static void walk(Struct& value, const Visit& visit, const List& list) {
    constexpr bool inExperiment = std::is_same_v<std::remove_const_t<Struct>, model::Experiment>;
    forEachField(value, [&]<class Field>(std::string_view name, Field& field) {
      using Plain = std::remove_const_t<Field>;
      if constexpr (PlainField<Plain>) {
        if (!inExperiment || isStored(name)) visit(name, field);
      } else if constexpr (HasDescription<Plain>) {
        walk(field, visit, list);
      }
    });
    forEachField(value, [&]<class Field>(std::string_view name, Field& field) {
      if constexpr (kIsList<std::remove_const_t<Field>>) list(name, field);
    });
  }

  template <class Struct>
  void addColumns() {
    Struct any{};
    walk(
        any,
        [&]<class Field>(std::string_view name, Field&) {
          constexpr bool isText = !std::is_arithmetic_v<std::remove_const_t<Field>>;
          table_.columns.push_back(
              {.name = std::string(name), .heading = std::string(name), .isText = isText});
        },
        [&]<class Element>(std::string_view name, const std::vector<Element>&) {
          const auto found = std::ranges::find(kFacts.lists, name, &model::StoredList::field);
          const std::string key(found == std::end(kFacts.lists) ? name : found->key);
          table_.columns.push_back({.name = key, .heading = key});
          addColumns<Element>();
        });
  }

  template <class Field>
  static std::string cell(const Field& field) {
    if constexpr (std::is_same_v<Field, std::string>) {
      return field;
    } else if constexpr (std::is_enum_v<Field>) {
      return std::string(nameOf(field));
    } else if constexpr (kIsOptionalEnum<Field>) {
      return field ? cell(*field) : std::string();
    } else if constexpr (std::is_same_v<Field, bool>) {
      return field ? "1" : "0";
    } else {
      char text[32];
      return {text, std::to_chars(text, std::end(text), field).ptr};
    }
  }

  template <class Struct>
  void addRows(const Struct& value, Row row) {
    bool hasList = false;
    walk(
        value, [&](std::string_view, const auto& field) { row.push_back(cell(field)); },
        [&](std::string_view, const auto& elements) {
          hasList = true;
          for (std::size_t i = 0; i < elements.size(); ++i) {
            Row longer = row;
            longer.push_back(std::to_string(i));
            addRows(elements[i], std::move(longer));
          }
        });
    if (!hasList) table_.rows.push_back(std::move(row));
  }

  Table table_;
};

// Records of which each structure has at most one list, of structures.
template <class Record>
std::string recordsCsv(std::span<const Record> records) {
  return csvOf(RecordTable<Record>::of(records));
}

}  // namespace stridescope::report
