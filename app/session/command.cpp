#include "session/command.h"

#include <array>

namespace stridescope::session {
namespace {

template <class Alternative>
std::unique_ptr<AnyCommand> moveFrom(void* command) {
  return std::make_unique<AnyCommand>(std::in_place_type<Alternative>,
                                      std::move(*static_cast<Alternative*>(command)));
}

template <class Variant>
struct Makers;
template <class... Alternative>
struct Makers<std::variant<Alternative...>> {
  static constexpr std::array<std::unique_ptr<AnyCommand> (*)(void*), sizeof...(Alternative)> kByPlace{
      moveFrom<Alternative>...};
};

}  // namespace

Choose Choose::elements(std::optional<std::uint64_t> elements) {
  if (elements) return {&model::Experiment::elements, *elements};
  Choose choose;
  choose.elementsByDefault = true;
  return choose;
}

Choose Choose::schedule(model::Schedule schedule, std::uint64_t seed) {
  Choose both(&model::Experiment::schedule, schedule);
  both.fields.give(&model::Experiment::scheduleSeed, seed);
  return both;
}

Choose Choose::blockOrder(model::BlockOrder order, std::uint64_t seed) {
  Choose both(&model::Experiment::blockOrder, order);
  both.fields.give(&model::Experiment::blockOrderSeed, seed);
  return both;
}

Choose Choose::block(unsigned launch, std::uint64_t block) {
  Choose both(&model::Experiment::launch, launch);
  both.fields.give(&model::Experiment::block, block);
  return both;
}

Command::Command(std::size_t place, void* command) : any_(Makers<AnyCommand>::kByPlace.at(place)(command)) {}

Command::Command(const Command& other)
    : any_(other.any_ ? std::make_unique<AnyCommand>(*other.any_) : nullptr) {}
Command& Command::operator=(const Command& other) { return *this = Command(other); }
Command::Command(Command&&) noexcept = default;
Command& Command::operator=(Command&&) noexcept = default;
Command::~Command() = default;

}  // namespace stridescope::session
