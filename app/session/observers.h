// Those who want to be told when something changes. Each is told until its Subscription ends.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace stridescope::session {

// Ends what it stands for when it is destroyed, or when another one takes its place. May outlive what is
// observed.
class [[nodiscard]] Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::function<void()> end) : end_(std::move(end)) {}
  Subscription(Subscription&& other) noexcept : end_(std::exchange(other.end_, nullptr)) {}
  Subscription& operator=(Subscription&& other) noexcept {
    if (this != &other) {
      end();
      end_ = std::exchange(other.end_, nullptr);
    }
    return *this;
  }
  ~Subscription() { end(); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  void end() {
    if (auto end = std::exchange(end_, nullptr)) end();
  }

 private:
  std::function<void()> end_;
};

// `Observer` is a struct of std::function<void()>; empty ones are not called. Used by one thread.
template <class Observer>
class Observers {
 public:
  Subscription add(Observer observer) const {
    auto added = std::make_shared<const Observer>(std::move(observer));
    list_->push_back(added);
    return Subscription([list = std::weak_ptr(list_), added = std::weak_ptr(added)] {
      const auto kept = list.lock();
      if (kept) std::erase(*kept, added.lock());
    });
  }

  // Calls `what` of each, in the order in which they came. They may subscribe and unsubscribe meanwhile: who
  // has left is not called any more, who has just come is called the next time.
  void tell(std::function<void()> Observer::*what) const {
    const auto all = *list_;
    const auto list = list_;
    for (const auto& observer : all)
      if ((*observer).*what && std::ranges::count(*list, observer) != 0) ((*observer).*what)();
  }

 private:
  using List = std::vector<std::shared_ptr<const Observer>>;
  std::shared_ptr<List> list_ = std::make_shared<List>();
};

}  // namespace stridescope::session
