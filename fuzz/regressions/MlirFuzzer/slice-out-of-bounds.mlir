
func.func @nested(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c2 iter_args(%a = %x) -> (tensor<1024xf32>) {
    %1 = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (tensor<1024xf32>) {
      %2 = linalg.exp ins(%b : tensor<1024xf32>) outs(%b : tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %2 : tensor<1024xf32>
    }
    %3 = linalg.exp ins(%1 : tensor<1024xf32>) outs(%1 : tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %3 : tensor<1024xf32>
  }
  return %0 : tensor<1024xf32>
}

func.func @tiles(%x: tensor<8x64xf32>, %out: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = scf.forall (%i) = (0) to (8) step (32) shared_outs(%o = %out) -> (tensor<8x64xf32>) {
    %n = affine.min affine_map<(d0) -> (32, 8 - d0)>(%i)
    %a = tensor.extract_slice %x[%i, 0] [%n, 64] [1, 1] : tensor<8x64xf32> to tensor<?x64xf32>
    %b = tensor.extract_slice %o[%i, 0] [%n, 64] [1, 1] : tensor<8x64xf32> to tensor<?x64xf32>
    %c = linalg.exp ins(%a : tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [%n, 64] [1, 1]
          : tensor<?x64xf32> into tensor<8x64xf32>
    }
  }
  return %0 : tensor<8x64xf32>
}

func.func @out_of_bounds(%x: tensor<3x64xf32>, %out: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %0 = scf.forall (%i) = (0) to (8) step (32) shared_outs(%o = %out) -> (tensor<3x64xf32>) {
    %n = affine.min affine_map<(d0) -> (32, 8 - d0)>(%i)
    %a = tensor.extract_slice %x[%i, 0] [%n, 64] [1, 1] : tensor<3x64xf32> to tensor<?x64xf32>
    %b = tensor.extract_slice %o[%i, 0] [%n, 64] [1, 1] : tensor<3x64xf32> to tensor<?x64xf32>
    %c = linalg.exp ins(%a : tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %c into %o[%i, 0] [%n, 64] [1, 1]
          : tensor<?x64xf32> into tensor<3x64xf32>
    }
  }
  return %0 : tensor<3x64xf32>
}

func.func @unknown(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %1 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

func.func @buffers(%x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = 0 to 10 {
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  affine.for %i = 3 to 3 {
    linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}

func.func @scalars(%x: memref<8xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  affine.for %i = 0 to 8 {
    %0 = affine.load %x[%i] : memref<8xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %x[%i] : memref<8xf32>
  }
  %2 = math.exp %t : tensor<8xf32>
  return %2 : tensor<8xf32>
}
