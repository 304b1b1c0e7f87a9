/// A value or the failure that kept it from being made: the part of C++23's std::expected that the rooms use.
#pragma once

#include "messages/failure.hpp"

#include <cassert>
#include <utility>
#include <variant>

namespace troupe {

/// Holds a `T` or a `failure`. Construct it from either; test it before use.
template <class T>
class [[nodiscard]] expected {
public:
  expected(T value) : x_(std::in_place_index<0>, std::move(value)) {}       // NOLINT: implicit by design
  expected(failure error) : x_(std::in_place_index<1>, std::move(error)) {} // NOLINT: implicit by design

  [[nodiscard]] bool has_value() const noexcept { return x_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// @pre `has_value()`
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// @pre `!has_value()`
  [[nodiscard]] const failure& error() const& {
    assert(!has_value());
    return std::get<1>(x_);
  }
  [[nodiscard]] failure&& error() && {
    assert(!has_value());
    return std::get<1>(std::move(x_));
  }

private:
  T& value() {
    assert(has_value());
    return std::get<0>(x_);
  }
  const T& value() const {
    assert(has_value());
    return std::get<0>(x_);
  }

  std::variant<T, failure> x_;
};

/// Success without a value, or a failure.
template <>
class [[nodiscard]] expected<void> {
public:
  expected() = default;
  expected(failure error) : error_(std::move(error)), ok_(false) {} // NOLINT: implicit by design

  [[nodiscard]] bool has_value() const noexcept { return ok_; }
  explicit operator bool() const noexcept { return ok_; }
  [[nodiscard]] const failure& error() const& {
    assert(!ok_);
    return error_;
  }

private:
  failure error_;
  bool ok_ = true;
};

} // namespace troupe
