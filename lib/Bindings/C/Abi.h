//===- Abi.h - Common parts of the C interface ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `guard` converts exceptions of a function to a status and the text of
// gpucostLastError. Only `readStruct` and `writeStruct` access structs of the
// caller.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_BINDINGS_C_ABI_H
#define GPUCOST_LIB_BINDINGS_C_ABI_H

#include "gpucost-c/gpucost.h"
#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Support/Expected.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpucost::capi {

/// Thrown to end a function of the interface; `guard` turns it into the status
/// and the text of gpucostLastError.
struct Failure {
  gpucostStatus status;
  std::string message;
};

template <typename... Parts>
[[noreturn]] void refuse(gpucostStatus status, const Parts &...parts) {
  throw Failure{status, concat(parts...)};
}
template <typename... Parts> [[noreturn]] void invalid(const Parts &...parts) {
  refuse(GPUCOST_INVALID_ARGUMENT, parts...);
}
inline void require(bool condition, const char *otherwise) {
  if (!condition)
    invalid(otherwise);
}

/// The grouping `name` of a report; NULL: none.
GroupBy readGroup(const char *name);

/// The value of `result`; a failure with `status` if it has none.
template <typename T>
T valueOf(Expected<T> result, gpucostStatus status = GPUCOST_UNSUPPORTED) {
  if (!result)
    refuse(status, result.error().message);
  return *std::move(result);
}

/// `read(i)` of every element; failures name the element: "run 3: ...".
template <typename Read>
auto readEach(size_t count, const char *kind, Read read) {
  std::vector<decltype(read(count))> values;
  values.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    try {
      values.push_back(read(i));
    } catch (const Failure &failure) {
      refuse(failure.status, kind, " ", i, ": ", failure.message);
    }
  }
  return values;
}

/// Sets the text of gpucostLastError; never throws.
void setLastError(const std::string &message) noexcept;
void setLastError(const char *message) noexcept;
/// That text.
const char *lastErrorText() noexcept;

/// Runs `body`.
template <typename Body> gpucostStatus guard(Body body) noexcept {
  try {
    body();
    return GPUCOST_OK;
  } catch (const Failure &failure) {
    setLastError(failure.message);
    return failure.status;
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

/// No struct is larger: a larger `size` is invalid.
constexpr uint32_t largestStruct = 1 << 16;

/// Checks the `size` that the caller has set.
template <typename T> void checkSize(const T *given, const char *name) {
  if (!given)
    invalid(name, " is NULL");
  if (reinterpret_cast<uintptr_t>(given) % alignof(T))
    invalid(name, " is not aligned");
  if (given->size < 2 * sizeof(uint32_t) || given->size > largestStruct)
    invalid("the member 'size' of ", name, " is ", given->size,
            ", expected sizeof(", name, ")");
}

/// Copies a struct of the caller: missing members are 0, and members that this
/// library lacks must be 0.
template <typename T> T readStruct(const T *given, const char *name) {
  checkSize(given, name);
  T copy{};
  uint32_t size = given->size;
  std::memcpy(&copy, given, std::min<size_t>(size, sizeof(T)));
  const char *bytes = reinterpret_cast<const char *>(given);
  for (size_t i = sizeof(T); i < size; ++i)
    if (bytes[i])
      refuse(GPUCOST_UNSUPPORTED, name,
             " has a field that this version of the library does not support");
  copy.size = sizeof(T);
  return copy;
}

/// The same; NULL selects the defaults.
template <typename T> T readOptional(const T *given, const char *name) {
  if (given)
    return readStruct(given, name);
  T copy{};
  copy.size = sizeof(T);
  return copy;
}

/// Copies `value` to a struct of the caller, whose `size` stays.
template <typename T> void writeStruct(T *out, const T &value) {
  uint32_t size = out->size;
  std::memcpy(out, &value, std::min<size_t>(size, sizeof(T)));
  if (size > sizeof(T))
    std::memset(reinterpret_cast<char *>(out) + sizeof(T), 0, size - sizeof(T));
  out->size = size;
}

/// An array of caller structs, each with the `size` of the first one.
template <typename T> class StructArray {
public:
  /// Fails if the stride is too small or not aligned; a stride of 0 is `size`.
  StructArray(T *first, size_t givenStride, size_t count, const char *name) {
    if (count == 0)
      return;
    checkSize(first, name);
    this->first = first;
    size = first->size;
    stride = givenStride ? givenStride : size;
    if (stride < size || stride % alignof(T))
      invalid("a stride of ", stride, " bytes for ", name, " of ", size);
    if (count > std::numeric_limits<size_t>::max() / 2 / stride)
      invalid("too many elements of ", name);
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

/// A copy of `text` for gpucostFree; `size` may be NULL.
template <typename Byte>
void copyText(const std::string &text, Byte **copy, size_t *size) {
  require(copy, "the place for the text is NULL");
  auto *memory = static_cast<char *>(std::malloc(text.size() + 1));
  if (!memory)
    throw std::bad_alloc();
  std::memcpy(memory, text.c_str(), text.size() + 1);
  *copy = memory;
  if (size)
    *size = text.size();
}

} // namespace gpucost::capi

#endif // GPUCOST_LIB_BINDINGS_C_ABI_H
