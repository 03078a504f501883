//===- Span.h - A view of consecutive elements ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_SPAN_H
#define GPUCOST_CORE_SUPPORT_SPAN_H

#include <cstddef>
#include <vector>

namespace gpucost {

/// A non-owning view of constant elements.
template <typename T> class Span {
public:
  constexpr Span() = default;
  template <size_t N>
  constexpr Span(const T (&array)[N]) : first(array), count(N) {}
  constexpr Span(const T *first, size_t count) : first(first), count(count) {}
  Span(const std::vector<T> &list) : first(list.data()), count(list.size()) {}
  /// A view of one element.
  constexpr Span(const T &element) : first(&element), count(1) {}

  constexpr const T *begin() const { return first; }
  constexpr const T *end() const { return first + count; }
  constexpr const T *data() const { return first; }
  constexpr size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }

private:
  const T *first = nullptr;
  size_t count = 0;
};

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_SPAN_H
