//===- GpuCostScenarioAttr.td - Settings on the module -----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its parameters are the rows of Scenario/Settings.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTSCENARIOATTR_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTSCENARIOATTR_TD

include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostBase.td"

def ScenarioAttr : AttrDef<GpuCost_Dialect, "Scenario"> {
  let mnemonic = "scenario";
  let summary = "the settings that were stated";
  let description = [{
    The module attribute `gpucost.scenario`, which passes read. Settings that
    are not stated are absent and have their default values. Example:
    `#gpucost.scenario<batch = 16, target = "a100-bf16", clock = 900 MHz,
    mode = training, optimizer = "sgd-momentum">`.
  }];
  let parameters = (ins AttrParameter<"::gpucost::Scenario",
      "the stated settings", "const ::gpucost::Scenario &">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTSCENARIOATTR_TD
