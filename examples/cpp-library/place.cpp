//===- place.cpp - A prepared model on every GPU --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C++ libraries that the C interface wraps: no LLVM, no exceptions, errors
// as values.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <fstream>
#include <gpucost/Core/Archive/PreparedFile.h>
#include <gpucost/Core/Iteration/PlacedModel.h>
#include <gpucost/Core/Targets/EmbeddedFile.h>
#include <gpucost/Core/Targets/TargetChoice.h>
#include <iterator>

using namespace gpucost;

static int refuse(const Error &error) {
  std::fprintf(stderr, "error: %s\n", error.message.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return refuse({"usage: place MODEL.gco"});
  std::ifstream file(argv[1], std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Expected<PreparedFile> prepared = decodePrepared(bytes);
  if (!prepared)
    return refuse(prepared.error());
  auto kernels = std::make_shared<const PreparedModel>(prepared->model);
  for (const EmbeddedFile &file : embeddedTargets()) {
    Expected<TargetChoice> choice = chooseTarget(file.name);
    if (!choice)
      return refuse(choice.error());
    const Gpu &gpu = choice->target.gpu;
    if (!gpu.find(kernels->format))
      continue;
    Expected<CostModel> model = CostModel::create(gpu, choice->coefficients);
    if (!model)
      return refuse(model.error());
    Expected<PlacedModel> placed = PlacedModel::create(kernels, *model);
    if (!placed)
      return refuse(placed.error());
    IterationTotals totals = placed->solve({});
    std::printf("%-18s %8.2f ms %8.2f J %s\n", gpu.name.c_str(),
                totals.time.value() * 1e3, totals.energy.value(),
                placed->memoryPlan().fits ? "" : "does not fit");
  }
  return 0;
}
