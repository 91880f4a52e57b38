// The text maps of the window: the same picture in characters, for the terminal, for the round as
// text, and for tests. Lines end with a newline and keep within kTextColumns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "analysis/requests.h"
#include "narration/round_at.h"

namespace stridescope::narration {

inline constexpr unsigned kTextColumns = 100;

// Shared memory after the round. Only elements that are still needed afterwards or that the round wrote are
// listed; where these lie at one distance, a row names its first index only. Words never written are '-'. An
// array of several dimensions is listed in its rows, and one of structs by member.
std::string valuesMap(const RoundAt& at);

// One row per warp, one character per lane: '#' active, '+' active with a result that nobody uses, '=' active
// with identities only, '/' inactive, '-' in an idle warp, 'x' finished.
// Equal rows that follow each other are folded; a legend with the numbers stands below.
std::string laneMap(const RoundAt& at);

// Rows of a digit for each bank: the most distinct words that the bank must serve for one group of lanes of
// any warp ('.' none, then 1-9 and a-w for 10 to 32). A row for each shared load and store of the round.
std::string bankRows(const RoundAt& at);

// The same for device memory: a row for each load, store and atomic of the round, with the first 32-byte
// sectors that the warp which needs most of them touches. '#' stands for 4 bytes that are asked for, '.' for
// 4 that are moved in vain, a bar between sectors.
std::string sectorRows(const RoundAt& at);

// The punch card of one request of one warp: a row per active lane, ordered by wavefront, a column per bank;
// '#' the word is asked for, '=' several lanes ask for the same word (broadcast). `operation` indexes
// Round::operations and must be a load or store in shared memory. Which lane goes in which wavefront is
// modelled.
std::string bankMap(const RoundAt& at, std::size_t operation);

// Punch cards of every shared load and store of the round, each of the warp that paid most, two side by side.
std::string bankMaps(const RoundAt& at);

// Banks x rounds for the whole launch: a row per round with the most distinct words in a bank in any request
// of any warp; the highest way at the right.
std::string banksByRound(const RoundAt& at);

// "8, 4 needed".
std::string sectorCost(const analysis::SectorUse& use);

// Rounds x warps for the whole launch: the most 32-byte sectors of device memory that one request of the warp
// touches ('.' none, then 1-9 and a-w for 10 to 32); at the right the sectors of the warp that touches the
// most, and how many it could do with.
std::string sectorsByRound(const RoundAt& at);

// Warps x rounds for the whole launch: active lanes, where some only take part the used ones of them. A star
// marks a partial warp, a dot an idle one.
std::string divergenceMap(const RoundAt& at);

// The kernel's text with its line numbers; lines that execute in the round are marked, and below them the
// sites: 'r' under what is read, 'w' under what is written.
std::string sourceMap(const RoundAt& at);
// The same with the whole of each line, for what scrolls: it does not keep within kTextColumns.
std::string wholeSourceMap(const RoundAt& at);

// Where `step` prints a map.
enum class InStep : std::uint8_t {
  EachRound,    // with every round that it lists
  ChosenRound,  // only of rounds that are asked for with --round, below the round's tables
  Launch,       // once below all rounds
};

// A map in its place: below the window's panel that draws the same, and in what `step` prints.
struct TextMap {
  std::string_view panel{};  // its id (views/shared/panel.h)
  std::string_view title{};  // above the map in the text of a round; empty: the panel's
  std::string (*text)(const RoundAt& at) = nullptr;  // empty: there is nothing to show
  InStep inStep{};
  std::string (*brief)(const RoundAt& at) = nullptr;  // EachRound: in its place where all rounds are listed
  std::string_view heading{};  // Launch: above the map, for there is no panel's title there
};

// The register of text maps, in the order of the text of a round.
std::span<const TextMap> textMaps();

}  // namespace stridescope::narration
