

func.func @conv_1d_ncw(%x: memref<2x?x16xf64>, %w: memref<8x?x3xf64>, %y: memref<2x8x14xf64>) {
  linalg.conv_1d_ncw_fcw ins(%x, %w : memref<2x?x16xf64>, memref<8x?x3xf64>) outs(%y : memref<2x8x14xf64>)
  return
}

func.func @conv_3d_ndhwc(%x: memref<1x6x6x6x?xf64>, %w: memref<3x3x3x?x8xf64>, %y: memref<1x?x?x?x8xf64>) {
  linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : memref<1x6x6x6x?xf64>, memref<3x3x3x?x8xf64>) outs(%y : memref<1x?x?x?x8xf64>)
  return
}

func.func @conv_grouped(%x: memref<1x2x?x8x8xf64>, %w: memref<2x8x?x3x3xf64>, %y: memref<1x2x8x6x6xf64>) {
  linalg.conv_2d_ngchw_gfchw ins(%x, %w : memref<1x2x?x8x8xf64>, memref<2x8x?x3x3xf64>) outs(%y : memref<1x2x8x6x6xf64>)
  return
}

func.func @depthwise(%x: memref<1x8x8x?xf64>, %w: memref<3x3x?x2xf64>, %y: memref<1x6x6x?x2xf64>) {
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : memref<1x8x8x?xf64>, memref<3x3x?x2xf64>) outs(%y : memref<1x6x6x?x2xf64>)
  return
}

func.func @quantized_matmul(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %za: i32, %zb: i32, %c: memref<16x8xi32>) {
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<16x32xi8>, memref<32x8xi8>, i32, i32) outs(%c : memref<16x8xi32>)
  return
}

func.func @mmt4d(%a: memref<?x3x8x?xf64>, %b: memref<2x3x8x?xf64>, %c: memref<?x2x8x8xf64>) {
  linalg.mmt4d ins(%a, %b : memref<?x3x8x?xf64>, memref<2x3x8x?xf64>) outs(%c : memref<?x2x8x8xf64>)
  return
}

func.func @transposed(%a: tensor<8xcomplex<f64>>, %b: memref<8x32xf64>, %c: memref<16x8xf64>) {
  linalg.batch_matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                 affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<8xcomplex<f64>>, memref<8x32xf64>) outs(%c : memref<16x8xf64>)
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                   affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<8xcomplex<f64>>, memref<8x32xf64>) outs(%c : memref<16x8xf64>)
  return
}

func.func @vectors(%v: memref<32xf64>, %m: memref<32x8xf64>, %t: memref<8x32xf64>, %y: memref<8xf64>,
  linalg.vecmat ins(%v, %m : memref<32xf64>, memref<32x8xf64>) outs(%y : memref<8xf64>)
  linalg.matmul ins(%t, %v : memref<8x32xf64>, memref<32xf64>) outs(%y : memref<8xf64>)
  linalg.batch_vecmat ins(%bv, %bm : memref<?x32xf64>, memref<?x32x8xf64>) outs(%by : memref<?x8xf64>)
  return
}

func.func @batch_reduce(%a: memref<?x16x32xf64>, %b: memref<?x32x8xf64>, %c: memref<16x8xf64>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<?x16x32xf64>, memref<?x32x8xf64>) outs(%c : memref<16x8xf64>)
  linalg.batch_reduce_matmul ins(%a, %b : memref<?x16x32xf64>, memref<?x32x8xf64>) outs(%c : memref<16x8xf64>)
  return
}

func.func @pooling(%x: memref<1x?x6x6xf64>, %w: memref<2x2xf64>, %y: memref<1x?x3x3xf64>,
                   %xl: memref<1x6x6x?xf64>, %yl: memref<1x3x3x?xf64>) {
  linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : memref<1x?x6x6xf64>, memref<2x2xf64>) outs(%y : memref<1x?x3x3xf64>)
  linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%xl, %w : memref<1x6x6x?xf64>, memref<2x2xf64>) outs(%yl : memref<1x3x3x?xf64>)
  return
}

func.func @complex(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %e = tensor.empty() : tensor<8xcomplex<f64>>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<8xcomplex<f64>>) outs(%e : tensor<8xcomplex<f64>>) {
    ^bb0(%a: complex<f64>, %o: complex<f64>):
      %p = complex.mul %a, %a : complex<f64>
      linalg.yield %p : complex<f64>
  } -> tensor<8xcomplex<f64>>
  return %0 : tensor<8xcomplex<f64>>
}
