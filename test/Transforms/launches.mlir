// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches and kernels of other modules.
// RUN: split-file %s %t
// DEFINE: %{check} = FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: gpu-cost-opt %t/launch.mlir --runtime=as-written --target=a100-fp32 --report=csv 2>&1 | %{check} --check-prefix=ADD
// RUN: gpu-cost-opt %t/function.mlir --runtime=as-written --target=a100-fp32 --report=csv 2>&1 | %{check} --check-prefix=ADD
// RUN: gpu-cost-opt %t/unknown.mlir --runtime=as-written --target=a100-fp32 --report=csv 2>&1 | %{check} --check-prefix=UNKNOWN
// RUN: gpu-cost-opt %t/inner.mlir --runtime=as-written --target=a100-fp32 --report=csv 2>&1 | %{check} --check-prefix=INNER
// RUN: not gpu-cost-opt %t/two.mlir --runtime=as-written --target=a100-fp32 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: gpu-cost-opt %t/loop.mlir --runtime=as-written --target=a100-bf16 --precision-mode=as-is --report=csv 2>&1 | %{check} --check-prefix=LOOP

// 4096 * 256 sums; 3 * 4 * 2^20 bytes.
// ADD: linalg.generic,store,{{.*}},forward,modelled,fp32,n=1048576,1,1048576,0,12582912,

// Its memory accesses are unknown.
// UNKNOWN: gpu.launch_func,launch_func,opaque,forward,fallback,{{.*}},1,0,0,0,

// INNER: linalg.exp,exp,elementwise,
// TWO: error: the functions are in 2 nested modules ('a', 'b'); analyze one of them

// A kernel in a loop is launched once per iteration.
// LOOP: ,mine,{{.*}},n=1024,6,

//--- launch.mlir
func.func @main(%a: memref<1048576xf32>, %b: memref<1048576xf32>, %c: memref<1048576xf32>) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c4096 = arith.constant 4096 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4096, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %o = arith.muli %bx, %c256 : index
    %i = arith.addi %o, %tx : index
    %x = memref.load %a[%i] : memref<1048576xf32>
    %y = memref.load %b[%i] : memref<1048576xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %c[%i] : memref<1048576xf32>
    gpu.terminator
  }
  return
}
//--- function.mlir
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @add(%a: memref<1048576xf32>, %b: memref<1048576xf32>, %c: memref<1048576xf32>) kernel {
      %bid = gpu.block_id x
      %tid = gpu.thread_id x
      %size = gpu.block_dim x
      %o = arith.muli %bid, %size : index
      %i = arith.addi %o, %tid : index
      %x = memref.load %a[%i] : memref<1048576xf32>
      %y = memref.load %b[%i] : memref<1048576xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %c[%i] : memref<1048576xf32>
      gpu.return
    }
  }
  func.func @main(%a: memref<1048576xf32>, %b: memref<1048576xf32>, %c: memref<1048576xf32>) {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c4096 = arith.constant 4096 : index
    gpu.launch_func @k::@add blocks in (%c4096, %c1, %c1) threads in (%c256, %c1, %c1) args(%a : memref<1048576xf32>, %b : memref<1048576xf32>, %c : memref<1048576xf32>)
    return
  }
}
//--- unknown.mlir
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @jumps(%a: memref<1024xf32>, %p: i1) kernel {
      cf.cond_br %p, ^yes, ^no
    ^yes:
      gpu.return
    ^no:
      gpu.return
    }
  }
  func.func @main(%a: memref<1024xf32>, %p: i1) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@jumps blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<1024xf32>, %p : i1)
    return
  }
}
//--- inner.mlir
module {
  module @inner {
    func.func @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
      %e = tensor.empty() : tensor<512x512xf32>
      %r = linalg.exp ins(%a : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
      return %r : tensor<512x512xf32>
    }
  }
}
//--- two.mlir
module {
  module @a {
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
  }
  module @b {
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
  }
}
//--- loop.mlir
func.func @main(%a: tensor<1024xbf16>) -> tensor<1024xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%x = %a) -> (tensor<1024xbf16>) {
    %k = gpucost.kernel "mine" {
      %e = linalg.exp ins(%x : tensor<1024xbf16>) outs(%x : tensor<1024xbf16>) -> tensor<1024xbf16>
      gpucost.yield %e : tensor<1024xbf16>
    } : tensor<1024xbf16>
    scf.yield %k : tensor<1024xbf16>
  }
  return %r : tensor<1024xbf16>
}
