//===- ScenarioEnums.td - Sections of the settings --------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How help and documents group the settings; their values are enumerations of
// GpuCostEnums.td.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SCENARIO_SCENARIOENUMS_TD
#define GPUCOST_SCENARIO_SCENARIOENUMS_TD

include "mlir/IR/EnumAttr.td"

def SettingGroup : I32EnumAttr<"SettingGroup", "what a setting is about", [
    I32EnumAttrCase<"Input", 0, "Input">, I32EnumAttrCase<"Device", 1, "GPU">,
    I32EnumAttrCase<"Execution", 2, "Execution">,
    I32EnumAttrCase<"Training", 3, "Training">,
    I32EnumAttrCase<"Parallelism", 4, "Parallelism">,
    I32EnumAttrCase<"Run", 5, "Run">]> {
  let cppNamespace = "::gpucost";
  let genSpecializedAttr = 0;
}

#endif // GPUCOST_SCENARIO_SCENARIOENUMS_TD
