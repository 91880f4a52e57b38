// What stands beside a question, so that it can be answered from the kernel's text alone.
#pragma once

#include <string>
#include <vector>

#include "teaching/question.h"

namespace stridescope::teaching {

// The cells whose values a question is answered from, and others, so that what is there tells neither the
// operands nor whether the cell is written. For registers they are the warp's. Else they are, by element, the
// cell, what lies as far from it as operands lie from results in that round, and neighbours, eight or a few
// more. Empty for questions that are not about values.
std::vector<Cell> cellsGiven(const narration::RoundAt& at, const Question& question);
// "data[0] = 88": what such cells hold before the round.
std::vector<std::string> givenFor(const narration::RoundAt& at, const std::vector<Cell>& cells);
// "Before it: data[0] = 88, data[1] = 12.": a sentence of them. Empty without cells.
std::string givenInWords(const Question& question, const std::vector<std::string>& given);

}  // namespace stridescope::teaching
