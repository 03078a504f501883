//===- TargetCostInterface.td - Cost models of devices -----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_OPWORK_TARGETCOSTINTERFACE_TD
#define GPUCOST_COMPILER_OPWORK_TARGETCOSTINTERFACE_TD

include "mlir/IR/OpBase.td"

def TargetCostAttrInterface : AttrInterface<"TargetCostAttrInterface"> {
  let cppNamespace = "::opwork";
  let description = [{
    A device of `dlti.target_system_spec` with a cost model.
  }];
  let methods = [
    InterfaceMethod<[{
      A cost model for ops in `root`; null if the attribute does not contain the
      numbers that it needs.
    }], "std::unique_ptr<::opwork::TargetCostModel>", "createCostModel",
        (ins "::mlir::Operation *":$root)>
  ];
}

#endif // GPUCOST_COMPILER_OPWORK_TARGETCOSTINTERFACE_TD
