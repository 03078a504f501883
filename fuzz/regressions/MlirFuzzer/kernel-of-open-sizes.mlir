
module {
  func.func @formats(%x: tensor<?x?xf32>, %i: tensor<?x?xf32>, %h: tensor<?x?xf64>, %q: tensor<?x?xi8>) {
    %w = onnx.Parameter : () -> tensor<?x?xf32>
    %0 = gpucost.kernel "MatMul" {
      %r = onnx.Transpose %x, %w : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      gpucost.yield %r : tensor<?x?xf32>
    } : tensor<?x?xf32>
    %f = onnx.Log : () -> tensor<2x2x0x0xf32>
    %1 = gpucost.kernel "Conv" {
      %r = onnx.Conv %i, %f : (tensor<?x?xf32>, tensor<2x2x0x0xf32>) -> tensor<?x?xf32>
      gpucost.yield %r : tensor<?x?xf32>
    } : tensor<?x?xf32>
    %wh = onnx.Concat : () -> tensor<?x?xf64>
    %2 = gpucost.kernel "Half" {
      %r = onnx.MatMul %h, %wh : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
      gpucost.yield %wh : tensor<?x?xf64>
    } : tensor<?x?xf64>
    %3 = gpucost.kernel "Softmax" {
      %r = onnx.Softmax %h {onnx.ArgMin = 0 : i64} : (tensor<?x?xf64>) -> tensor<?x?xf64>
      gpucost.yield %r : tensor<?x?xf64>
    } : tensor<?x?xf64>
    %wq = onnx.None : () -> tensor<?x?xi8>
    %4 = gpucost.kernel "Integer" {
      %r = onnx.MatMulInteger %q, %wq : (tensor<?x?xi8>, tensor<?x?xi8>) -> tensor<?x?xi32>
      gpucost.yield %r : tensor<?x?xi32>
    } : tensor<?x?xi32>
    return
  }
}
