// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The op of input.mlir on tiles of 64 rows, one for each workgroup.
func.func @main(%x: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %out = tensor.empty() : tensor<4096x4096xbf16>
  %y = scf.forall (%i) = (0) to (4096) step (64) shared_outs(%o = %out) -> tensor<4096x4096xbf16> {
    %rows = tensor.extract_slice %x[%i, 0] [64, 4096] [1, 1]
        : tensor<4096x4096xbf16> to tensor<64x4096xbf16>
    %into = tensor.extract_slice %o[%i, 0] [64, 4096] [1, 1]
        : tensor<4096x4096xbf16> to tensor<64x4096xbf16>
    %tile = "vendor.rms_norm"(%rows, %into) : (tensor<64x4096xbf16>, tensor<64x4096xbf16>)
        -> tensor<64x4096xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %tile into %o[%i, 0] [64, 4096] [1, 1]
          : tensor<64x4096xbf16> into tensor<4096x4096xbf16>
    }
  } {mapping = [#gpu.block<x>]}
  return %y : tensor<4096x4096xbf16>
}
