func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4611686018427387904 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<64xf32>) {
    %1 = linalg.exp ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
    %2 = linalg.tanh ins(%1 : tensor<64xf32>) outs(%1 : tensor<64xf32>) -> tensor<64xf32>
    %3 = linalg.log ins(%2 : tensor<64xf32>) outs(%2 : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %3 : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}
