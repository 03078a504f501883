//===- Sweeps.cpp - Sweeps through the C interface ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "gpucost-c/gpucost-mlir.h"
#include "gpucost/Applications/Driver/Driver.h"
#include "gpucost/Applications/Sweep/ResultFile.h"
#include "gpucost/Applications/Sweep/Sweep.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/InputFile.h"
#include "gpucost/Core/Support/Version.h"
#include "llvm/Support/JSON.h"

using namespace gpucost;
using namespace gpucost::capi;
using namespace gpucost::sweep;

template <typename T> static T valueOf(llvm::Expected<T> result) {
  if (!result)
    invalid(llvm::toString(result.takeError()));
  return std::move(*result);
}

static std::string describe(const Space &space, const PointText &text,
                            const ResultFile::Identity &identity,
                            const PointRange &range) {
  std::string json;
  llvm::raw_string_ostream os(json);
  llvm::json::OStream j(os);
  j.object([&] {
    j.attribute("sweep", identity.sweep);
    j.attribute("version", identity.version);
    j.attribute("points", identity.points);
    j.attribute("first", range.first);
    j.attribute("end", range.end);
    j.attributeArray("settings", [&] {
      for (const std::string &key : text.settingKeys())
        j.value(key);
    });
    j.attributeArray("axes", [&] {
      for (const Axis &axis : space.axes())
        j.object([&] {
          visitSetting(axis.flag, [&](const auto &row) {
            j.attribute("setting", row.key());
          });
          j.attributeArray("values", [&] {
            for (const std::string &value : axis.texts)
              j.value(value);
          });
        });
    });
  });
  return json + '\n';
}

static SweepOptions readOptions(const gpucostSweepInput &input) {
  SweepOptions options;
  options.jobs = std::max<uint32_t>(input.jobs, 1);
  if (input.jobs > 1024)
    invalid("'jobs' of gpucostSweepInput is ", input.jobs,
            ", expected at most 1024");
  if (input.shards == 0 && input.shard == 0)
    return options;
  if (input.shard < 1 || input.shard > input.shards ||
      input.shards > mostShards)
    invalid("shard ", input.shard, " of ", input.shards,
            ", expected shards from 1 to ", mostShards);
  options.shard = input.shard;
  options.shards = input.shards;
  return options;
}

gpucostStatus gpucostSweep(const gpucostSweepInput *given,
                           gpucostSweepSink sink, void *context) {
  return guard([&] {
    auto input = readStruct(given, "gpucostSweepInput");
    require(input.space, "'space' of gpucostSweepInput is NULL");
    require(sink, "the function for the lines is NULL");
    require(input.file || !input.restart, "there is no file to restart");
    SweepOptions options = readOptions(input);
    PipeMemory pipes;
    SpaceText stated = ::valueOf(readSpaceFile(input.space));
    require(!stated.models.empty(), "the space has no models");
    Space space = ::valueOf(Space::create(stated.models, stated.settings));
    auto evaluator = ::valueOf(Evaluator::create(space, options.jobs));
    ResultFile::Identity identity{::valueOf(nameSweep(space)), versionName(),
                                  space.size()};
    PointText text(space, PointFormat::JsonLines, identity.sweep,
                   identity.version);
    std::unique_ptr<ResultFile> file;
    if (input.file)
      file = ::valueOf(
          ResultFile::open(input.file, text, identity, input.restart));
    std::string head =
        describe(space, text, identity, rangeOfShard(space.size(), options));
    if (sink(context, head.c_str(), head.size()))
      return;
    if (llvm::Error error = runSweep(*evaluator, options, text, file.get(),
                                     [&](const PointBatch &batch) {
                                       return sink(context, batch.text.c_str(),
                                                   batch.text.size()) == 0;
                                     }))
      refuse(GPUCOST_IO, llvm::toString(std::move(error)));
  });
}
