//===- Abi.h - What all functions of the C interface share ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `guard` turns what a function throws or returns into a status and the text of
// gpucostLastError. `readStruct` and `writeStruct` are the only places that
// touch structs of the caller.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_BINDINGS_C_ABI_H
#define GPUCOST_LIB_BINDINGS_C_ABI_H

#include "gpucost-c/gpucost.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

namespace gpucost::capi {

/// How a function ends: a status and, unless it is GPUCOST_OK, a text.
struct [[nodiscard]] Result {
  gpucostStatus status = GPUCOST_OK;
  std::string message;
  bool failed() const { return status != GPUCOST_OK; }
};

inline Result ok() { return {}; }
template <typename... Parts>
Result error(gpucostStatus status, const Parts &...parts) {
  return {status, concat(parts...)};
}
template <typename... Parts> Result invalid(const Parts &...parts) {
  return error(GPUCOST_INVALID_ARGUMENT, parts...);
}

/// Sets the text of gpucostLastError; never throws.
void setLastError(const std::string &message) noexcept;
void setLastError(const char *message) noexcept;
/// That text.
const char *lastErrorText() noexcept;

/// Runs `body`, which returns a Result.
template <typename Body> gpucostStatus guard(Body body) noexcept {
  try {
    Result result = body();
    if (result.failed())
      setLastError(result.message);
    return result.status;
  } catch (const std::bad_alloc &) {
    setLastError("out of memory");
    return GPUCOST_OUT_OF_MEMORY;
  } catch (const std::length_error &) {
    setLastError("out of memory");
    return GPUCOST_OUT_OF_MEMORY;
  } catch (const std::exception &defect) {
    setLastError(defect.what());
    return GPUCOST_INTERNAL;
  } catch (...) {
    setLastError("unknown exception");
    return GPUCOST_INTERNAL;
  }
}

/// The same for a function that returns a pointer or a number, `fallback` where
/// it throws.
template <typename T, typename Body>
T guardValue(T fallback, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return fallback;
  }
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// No struct is larger: what `size` says beyond is no size.
constexpr uint32_t largestStruct = 1 << 16;

/// The `size` that the caller has set.
template <typename T> Result checkSize(const T *given, const char *name) {
  if (!given)
    return invalid(name, " is NULL");
  if (reinterpret_cast<uintptr_t>(given) % alignof(T))
    return invalid(name, " is not aligned");
  if (given->size < 2 * sizeof(uint32_t) || given->size > largestStruct)
    return invalid("the member 'size' of ", name, " is ", given->size,
                   ", expected sizeof(", name, ")");
  return ok();
}

/// Copies a struct of the caller: what it lacks is 0, what this library does
/// not know must be 0.
template <typename T>
Result readStruct(const T *given, T &copy, const char *name) {
  if (Result result = checkSize(given, name); result.failed())
    return result;
  copy = {};
  uint32_t size = given->size;
  std::memcpy(&copy, given, std::min<size_t>(size, sizeof(T)));
  const char *bytes = reinterpret_cast<const char *>(given);
  for (size_t i = sizeof(T); i < size; ++i)
    if (bytes[i])
      return error(GPUCOST_UNSUPPORTED, name,
                   " has a field that this version of the library does not "
                   "know");
  copy.size = sizeof(T);
  return ok();
}

/// The same, where NULL stands for the defaults.
template <typename T>
Result readOptional(const T *given, T &copy, const char *name) {
  copy = {};
  copy.size = sizeof(T);
  return given ? readStruct(given, copy, name) : ok();
}

/// Copies `value` to a struct of the caller, whose `size` stays.
template <typename T> void writeStruct(T *out, const T &value) {
  uint32_t size = out->size;
  std::memcpy(out, &value, std::min<size_t>(size, sizeof(T)));
  if (size > sizeof(T))
    std::memset(reinterpret_cast<char *>(out) + sizeof(T), 0, size - sizeof(T));
  out->size = size;
}

/// An array of structs of the caller, each with the `size` of the first one.
template <typename T> class StructArray {
public:
  /// Fails for a stride that is too small or not aligned; 0 stands for `size`.
  static Result create(T *first, size_t stride, size_t count, const char *name,
                       StructArray &array) {
    array = {};
    if (count == 0)
      return ok();
    if (Result result = checkSize(first, name); result.failed())
      return result;
    array.first = first;
    array.size = first->size;
    array.stride = stride ? stride : array.size;
    if (array.stride < array.size || array.stride % alignof(T))
      return invalid("a stride of ", array.stride, " bytes for ", name, " of ",
                     array.size);
    if (count > std::numeric_limits<size_t>::max() / 2 / array.stride)
      return invalid("too many elements of ", name);
    return ok();
  }
  T *at(size_t index) const {
    using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
    return reinterpret_cast<T *>(reinterpret_cast<Byte *>(first) +
                                 index * stride);
  }
  /// Sets the `size` of an element to be written.
  T *prepare(size_t index) const {
    T *element = at(index);
    element->size = size;
    return element;
  }

private:
  T *first = nullptr;
  size_t stride = 0;
  uint32_t size = 0;
};

/// A text that gpucostFree frees.
Result copyText(const std::string &text, char **copy, size_t *size);

} // namespace gpucost::capi

#endif // GPUCOST_LIB_BINDINGS_C_ABI_H
