//===- Quantity.h - Typed physical quantities -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One strong type per physical quantity, always stored in SI base units, so
// that public functions do not use a bare `double`. A quantity is a literal
// type the size of a double; arithmetic is limited to operations that preserve
// the dimension and the few mixed products that the cost model uses (J = W * s,
// B / (B/s) = s, ...). QuantityText.h defines parsing and printing ("2039
// GBps").
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_QUANTITY_H
#define GPUCOST_CORE_SUPPORT_QUANTITY_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpucost {

/// A value of one physical dimension in its SI base unit. `Tag` names the
/// dimension; only quantities with the same tag can be combined.
template <typename Tag> class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double si) : si(si) {}

  /// The value in the SI base unit of the dimension (s, B, FLOP, W, J, Hz,
  /// ...).
  constexpr double value() const { return si; }

  constexpr Quantity operator+(Quantity o) const { return Quantity(si + o.si); }
  constexpr Quantity operator-(Quantity o) const { return Quantity(si - o.si); }
  constexpr Quantity operator*(double x) const { return Quantity(si * x); }
  constexpr Quantity operator/(double x) const { return Quantity(si / x); }
  /// The ratio of two quantities with the same dimension is a pure number.
  constexpr double operator/(Quantity o) const { return si / o.si; }
  Quantity &operator+=(Quantity o) {
    si += o.si;
    return *this;
  }
  Quantity &operator*=(double x) {
    si *= x;
    return *this;
  }
  constexpr bool operator==(Quantity o) const { return si == o.si; }
  constexpr bool operator!=(Quantity o) const { return si != o.si; }
  constexpr bool operator<(Quantity o) const { return si < o.si; }
  constexpr bool operator<=(Quantity o) const { return si <= o.si; }
  constexpr bool operator>(Quantity o) const { return si > o.si; }
  constexpr bool operator>=(Quantity o) const { return si >= o.si; }

private:
  double si = 0.0;
};

template <typename Tag>
constexpr Quantity<Tag> operator*(double x, Quantity<Tag> q) {
  return q * x;
}

/// Hash of the bit pattern, so that quantities can be attribute parameters.
template <typename Tag> size_t hash_value(Quantity<Tag> q) {
  double v = q.value();
  uint64_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return bits;
}

using Seconds = Quantity<struct SecondsTag>;
using Hertz = Quantity<struct HertzTag>;
using Bytes = Quantity<struct BytesTag>;
using Flops = Quantity<struct FlopsTag>;
using Watts = Quantity<struct WattsTag>;
using Joules = Quantity<struct JoulesTag>;
using Volts = Quantity<struct VoltsTag>;
/// Memory or link bandwidth, B/s.
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;
/// Arithmetic throughput, FLOP/s (1 FMA = 2 FLOP).
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;
/// Energy of one event (a FLOP, a thread instruction, a byte, an SM cycle), J.
using JoulesPerEvent = Quantity<struct JoulesPerEventTag>;
/// A dimensionless model coefficient (efficiency, exponent, cycles per event).
using Scalar = Quantity<struct ScalarTag>;

constexpr Joules operator*(Watts p, Seconds t) {
  return Joules(p.value() * t.value());
}
constexpr Watts operator/(Joules e, Seconds t) {
  return Watts(e.value() / t.value());
}
constexpr Seconds operator/(Bytes b, BytesPerSecond r) {
  return Seconds(b.value() / r.value());
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_QUANTITY_H
