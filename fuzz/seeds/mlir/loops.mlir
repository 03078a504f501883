func.func @counted(%x: tensor<256xf32>) -> tensor<256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<256xf32>) {
    %1 = linalg.tanh ins(%a : tensor<256xf32>) outs(%a : tensor<256xf32>) -> tensor<256xf32>
    %2 = linalg.exp ins(%1 : tensor<256xf32>) outs(%1 : tensor<256xf32>) -> tensor<256xf32>
    scf.yield %2 : tensor<256xf32>
  }
  return %0 : tensor<256xf32>
}
func.func @nested(%a: memref<64x32xf32>, %b: memref<32x16xf32>, %c: memref<64x16xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to 32 {
        %0 = affine.load %a[%i, %k] : memref<64x32xf32>
        %1 = affine.load %b[%k, %j] : memref<32x16xf32>
        %2 = affine.load %c[%i, %j] : memref<64x16xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<64x16xf32>
      }
    }
  }
  return
}
func.func @stated(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = linalg.exp {gpucost.trip_count = 12 : i64} ins(%x : tensor<1024xf32>) outs(%x : tensor<1024xf32>) -> tensor<1024xf32>
  %1 = linalg.exp {gpucost.batched_iterations = 3 : i64} ins(%0 : tensor<1024xf32>) outs(%x : tensor<1024xf32>) -> tensor<1024xf32>
  return %1 : tensor<1024xf32>
}
func.func @branches(%x: tensor<8x128xf16>, %p: i1) -> tensor<8x128xf16> {
  %0 = scf.if %p -> (tensor<8x128xf16>) {
    %1 = linalg.exp ins(%x : tensor<8x128xf16>) outs(%x : tensor<8x128xf16>) -> tensor<8x128xf16>
    scf.yield %1 : tensor<8x128xf16>
  } else {
    scf.yield %x : tensor<8x128xf16>
  }
  return %0 : tensor<8x128xf16>
}
