// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// add -> exp -> {mul, sub}: exp(a + b) is cheap to compute twice, but its kernel
// then also reads both operands twice.
#id = affine_map<(i, j) -> (i, j)>
module attributes {dlti.target_system_spec = #dlti.target_system_spec<
    "GPU" = #dlti.target_device_spec<"gpucost.target" = "a100-bf16">>} {
  func.func @main(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>)
      -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
    %out = tensor.empty() : tensor<4096x4096xf32>
    %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%out : tensor<4096x4096xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %r = arith.addf %x, %y : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sum : tensor<4096x4096xf32>) outs(%out : tensor<4096x4096xf32>) {
      ^bb0(%x: f32, %o: f32):
        %r = math.exp %x : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    %mul = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%exp, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%out : tensor<4096x4096xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %r = arith.mulf %x, %y : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    %sub = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%exp, %a : tensor<4096x4096xf32>, tensor<4096x4096xf32>) outs(%out : tensor<4096x4096xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %r = arith.subf %x, %y : f32
        linalg.yield %r : f32
    } -> tensor<4096x4096xf32>
    return %mul, %sub : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  }
}
