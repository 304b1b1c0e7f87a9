/// Objects that come home when their last holder lets go, from whatever thread, to be used again.
///
/// The one place outside the buffer tokens and the trace ring with an atomic: holders of a snapshot are on other
/// threads than its maker, and a message per freed block would need the maker's mailbox to outlive them all.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace troupe {

/// Lends objects of type `T` and takes them back. `take` belongs to one thread, the owner's; an object that was lent
/// may be let go of by any thread, also after the recycler is gone. Holds as many objects as were ever lent at a time.
template <class T>
class recycler {
public:
  /// `make` builds a new object when none is at home.
  explicit recycler(std::function<T()> make) : make_(std::move(make)), home_(std::make_shared<returned>()) {}

  recycler(recycler&&) noexcept = default;
  recycler& operator=(recycler&&) noexcept = default;

  /// An object that was used before, as its last holder left it, or a new one.
  [[nodiscard]] std::shared_ptr<T> take() {
    if (!idle_)
      idle_ = home_->collect();
    auto taken = std::move(idle_);
    if (taken)
      idle_ = std::move(taken->next);
    else
      taken = std::make_unique<node>(make_());
    auto* const value = &taken->value;
    std::shared_ptr<node> owner(taken.release(), [home = home_](node* back) { home->give_back(back); });
    return {std::move(owner), value};
  }

private:
  struct node {
    explicit node(T x) : value(std::move(x)) {}
    ~node() {
      // One after another: a long list must not unwind by recursion.
      while (next)
        next = std::move(next->next);
    }
    T value;
    std::unique_ptr<node> next;
  };

  /// A stack that anybody pushes to and only the owner empties, as a whole: so no element can come back in between
  /// (ABA).
  class returned {
  public:
    returned() = default;
    returned(const returned&) = delete;
    returned& operator=(const returned&) = delete;
    ~returned() { collect(); }

    void give_back(node* back) noexcept {
      auto* top = top_.load(std::memory_order_relaxed);
      do {
        static_cast<void>(back->next.release());
        back->next.reset(top);
      } while (!top_.compare_exchange_weak(top, back, std::memory_order_release, std::memory_order_relaxed));
    }

    std::unique_ptr<node> collect() noexcept {
      return std::unique_ptr<node>(top_.exchange(nullptr, std::memory_order_acquire));
    }

  private:
    std::atomic<node*> top_{nullptr};
  };

  std::function<T()> make_;
  std::shared_ptr<returned> home_;
  std::unique_ptr<node> idle_;
};

} // namespace troupe
