// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-split-stages='parallel=pp2 select-stage=0' | FileCheck %s --check-prefix=FIRST
// RUN: gpu-cost-opt %s --gpucost-split-stages='parallel=pp2 select-stage=1' | FileCheck %s --check-prefix=LAST
// RUN: gpu-cost-opt %s --gpucost-split-stages='parallel=pp2 stages=3,1 select-stage=1' | FileCheck %s --check-prefix=STATED
// RUN: gpu-cost-opt %s --gpucost-split-stages='mode=training parallel=pp2 select-stage=1' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=BACK
// RUN: gpu-cost-opt %s --gpucost-split-stages='mode=training parallel=pp2 select-stage=0' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=FRONT
// RUN: gpu-cost-opt %s --gpucost-split-stages='parallel=pp2 stage-slots=work select-stage=1' | FileCheck %s --check-prefix=WORK
// RUN: gpu-cost-opt %s --gpucost-split-stages='as-stated' | FileCheck %s --check-prefix=WHOLE

// Four blocks of a matmul and a masked sum after a scale, before a head of 10 columns. The mask needs no parameter: each
// stage that reads it computes it.
// WHOLE-COUNT-5: onnx.MatMul

// The activation has 4 * 64 fp32 numbers.
// FIRST: module attributes {{.*}}gpucost.stage_layers = 2 : i64, gpucost.stage_notes = ["pipeline: 4 repeated blocks in stages of 2, 2"]
// FIRST: func.func @chain(%arg0: tensor<4x64xf32>, %arg1: tensor<4x64xf32>) -> tensor<4x64xf32> attributes {gpucost.stage_outputs = array<i64: 0>}
// FIRST: onnx.Mul
// FIRST: onnx.Neg
// FIRST: onnx.MatMul
// FIRST: onnx.MatMul
// FIRST-NEXT: %[[OUT:.*]] = onnx.Add
// FIRST-NOT: onnx.MatMul
// FIRST: gpucost.collective send_recv(%[[OUT]]) {bytes = 1024 : i64, gpucost.origin = "send to next stage", world_size = 2 : i64} : (tensor<4x64xf32>) -> ()
// FIRST: return %[[OUT]]

// LAST: func.func @chain(%arg0: tensor<4x64xf32>, %arg1: tensor<4x64xf32>) -> tensor<4x10xf32> attributes {gpucost.receive_nodes = 1 : i64, gpucost.stage_inputs = array<i64: 1>}
// LAST-NOT: onnx.Mul
// LAST: onnx.Neg
// LAST-COUNT-3: onnx.MatMul
// LAST-NOT: gpucost.collective

// STATED: gpucost.stage_layers = 1 : i64
// STATED-COUNT-2: onnx.MatMul
// STATED-NOT: onnx.MatMul

// The head has 10/64 of the work of a block: half of 4.16 blocks, which the third one exceeds.
// WORK: gpucost.stage_notes = ["pipeline: 4 repeated blocks in stages of 3, 1"]

// The last stage sends the gradient of its input.
// BACK: onnx.MatMul
// BACK: %[[IN:.*]] = onnx.MatMul{{.*}} {gpucost.origin = "gradient of MatMul", gpucost.phase = #gpucost<phase backward>
// BACK: gpucost.collective send_recv(%{{.*}}) {bytes = 1024 : i64, gpucost.origin = "send to previous stage", gpucost.phase = #gpucost<phase backward>, world_size = 2 : i64} : (tensor<4x64xf32>) -> ()
// The first stage receives the gradient of its output and sends none.
// FRONT: func.func @chain({{.*}}, %[[GRADIENT:.*]]: tensor<4x64xf32>)
// FRONT: "send to next stage"
// FRONT-NOT: "send to previous stage"
func.func @chain(%x: tensor<4x64xf32>, %m: tensor<4x64xf32>) -> tensor<4x10xf32> {
  %scale = onnx.Parameter {name = "scale"} : () -> tensor<64xf32>
  %w0 = onnx.Parameter {name = "w0"} : () -> tensor<64x64xf32>
  %w1 = onnx.Parameter {name = "w1"} : () -> tensor<64x64xf32>
  %w2 = onnx.Parameter {name = "w2"} : () -> tensor<64x64xf32>
  %w3 = onnx.Parameter {name = "w3"} : () -> tensor<64x64xf32>
  %head = onnx.Parameter {name = "head"} : () -> tensor<64x10xf32>
  %e = onnx.Mul %x, %scale : (tensor<4x64xf32>, tensor<64xf32>) -> tensor<4x64xf32>
  %mask = onnx.Neg %m : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %0 = onnx.MatMul %e, %w0 : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %1 = onnx.Add %0, %mask : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = onnx.MatMul %1, %w1 : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %3 = onnx.Add %2, %mask : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %4 = onnx.MatMul %3, %w2 : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %5 = onnx.Add %4, %mask : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %6 = onnx.MatMul %5, %w3 : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
  %7 = onnx.Add %6, %mask : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %8 = onnx.MatMul %7, %head : (tensor<4x64xf32>, tensor<64x10xf32>) -> tensor<4x10xf32>
  return %8 : tensor<4x10xf32>
}
