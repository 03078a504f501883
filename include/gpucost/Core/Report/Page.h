//===- Page.h - HTML pages from JSON ----------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A self-contained HTML file with the data of a report, the scripts and the
// chart library D3 with its licence; browsers can open it from disk without
// loading other files. The scripts are in lib/Core/Report/Page.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_PAGE_H
#define GPUCOST_CORE_REPORT_PAGE_H

#include "gpucost/Core/Support/Expected.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// Data of a page: a JSON report, the points of a sweep, a comparison, or the
/// result of `optimize`, `deploy` or `generate`.
enum class PageKind {
  Report,
  Sweep,
  Comparison,
  Optimum,
  Deployment,
  Generation
};

/// The kind called `name` ("report", ...); nullopt for unknown names.
std::optional<PageKind> pageKindOf(std::string_view name);

/// Maximum number of points that a browser plots and lists without delay.
inline constexpr int64_t mostPointsOfPage = 20'000;

/// The page that shows `json`, the text of one JSON value, with the window
/// title `title`. Fails if D3 was not found during the build.
Expected<std::string> makePage(PageKind kind, std::string_view title,
                               std::string_view json);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_PAGE_H
