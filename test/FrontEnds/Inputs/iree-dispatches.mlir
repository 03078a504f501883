"builtin.module"() ({
  "util.global"() <{initial_value = #hal.device.target<"cuda", [#hal.executable.target<"cuda", "cuda-nvptx-fb", {iree_codegen.target_info = #iree_gpu.target<arch = "sm_80", features = "+ptx76", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<NV_MMA_SYNC_F32_16x8x16_F16>, <NV_MMA_SYNC_F16_16x8x16_F16>, <NV_MMA_SYNC_F32_16x8x16_BF16>, <NV_WMMA_F32_16x16x16_F16>, <NV_WMMA_F16_16x16x16_F16>], subgroup_size_choices = [32], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 166912, max_workgroup_counts = [2147483647, 65535, 65535]>>}>]> : !hal.device, sym_name = "__device_0", sym_visibility = "private", type = !hal.device}> : () -> ()
  "util.func"() <{function_type = (!hal.buffer_view) -> !hal.buffer_view, sym_name = "main"}> ({
  ^bb0(%arg0: !hal.buffer_view):
    %0 = "arith.constant"() <{value = dense_resource<torch_tensor_4096_1024_torch.bfloat16> : tensor<4096x1024xbf16>}> : () -> tensor<4096x1024xbf16>
    %1 = "arith.constant"() <{value = dense_resource<torch_tensor_4096_torch.bfloat16> : tensor<4096xbf16>}> : () -> tensor<4096xbf16>
    %2 = "arith.constant"() <{value = dense_resource<torch_tensor_1024_4096_torch.bfloat16> : tensor<1024x4096xbf16>}> : () -> tensor<1024x4096xbf16>
    %3 = "arith.constant"() <{value = dense_resource<torch_tensor_1024_torch.bfloat16> : tensor<1024xbf16>}> : () -> tensor<1024xbf16>
    %4 = "hal.tensor.import"(%arg0) <{name = "input0", operandSegmentSizes = array<i32: 1, 0, 0, 0>, target_encoding = tensor<512x1024xbf16>}> : (!hal.buffer_view) -> tensor<512x1024xbf16>
    %5 = "flow.dispatch.workgroups"(%4, %0, %1) <{operandSegmentSizes = array<i32: 0, 3, 0, 0>, tied_operands = [-1 : index]}> ({
    ^bb0(%arg13: !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x1024xbf16>>, %arg14: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096x1024xbf16>>, %arg15: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xbf16>>, %arg16: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<512x4096xbf16>>):
      %26 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %27 = "arith.constant"() <{value = 2.000000e+00 : bf16}> : () -> bf16
      %28 = "arith.constant"() <{value = 1.000000e+00 : bf16}> : () -> bf16
      %29 = "arith.constant"() <{value = 5.000000e-01 : bf16}> : () -> bf16
      %30 = "iree_tensor_ext.dispatch.tensor.load"(%arg13) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 512, 1024>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<512x1024xbf16>>) -> tensor<512x1024xbf16>
      %31 = "iree_tensor_ext.dispatch.tensor.load"(%arg14) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4096, 1024>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<4096x1024xbf16>>) -> tensor<4096x1024xbf16>
      %32 = "iree_tensor_ext.dispatch.tensor.load"(%arg15) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4096>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xbf16>>) -> tensor<4096xbf16>
      %33 = "tensor.empty"() : () -> tensor<512x4096xbf16>
      %34 = "tensor.empty"() : () -> tensor<512x4096xf32>
      %35 = "linalg.fill"(%26, %34) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg23: f32, %arg24: f32):
        "linalg.yield"(%arg23) : (f32) -> ()
      }) : (f32, tensor<512x4096xf32>) -> tensor<512x4096xf32>
      %36 = "linalg.matmul"(%30, %31, %35) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg20: bf16, %arg21: bf16, %arg22: f32):
        %47 = "arith.extf"(%arg20) : (bf16) -> f32
        %48 = "arith.extf"(%arg21) : (bf16) -> f32
        %49 = "arith.mulf"(%47, %48) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %50 = "arith.addf"(%arg22, %49) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "linalg.yield"(%50) : (f32) -> ()
      }) : (tensor<512x1024xbf16>, tensor<4096x1024xbf16>, tensor<512x4096xf32>) -> tensor<512x4096xf32>
      %37 = "linalg.generic"(%36, %32, %33) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg17: f32, %arg18: bf16, %arg19: bf16):
        %38 = "arith.extf"(%arg18) : (bf16) -> f32
        %39 = "arith.addf"(%arg17, %38) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %40 = "arith.truncf"(%39) : (f32) -> bf16
        %41 = "math.sqrt"(%27) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
        %42 = "arith.divf"(%40, %41) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
        %43 = "math.erf"(%42) <{fastmath = #arith.fastmath<none>}> : (bf16) -> bf16
        %44 = "arith.addf"(%43, %28) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
        %45 = "arith.mulf"(%44, %29) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
        %46 = "arith.mulf"(%40, %45) <{fastmath = #arith.fastmath<none>}> : (bf16, bf16) -> bf16
        "linalg.yield"(%46) : (bf16) -> ()
      }) : (tensor<512x4096xf32>, tensor<4096xbf16>, tensor<512x4096xbf16>) -> tensor<512x4096xbf16>
      "iree_tensor_ext.dispatch.tensor.store"(%37, %arg16) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 512, 4096>, static_strides = array<i64: 1, 1>}> : (tensor<512x4096xbf16>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<512x4096xbf16>>) -> ()
      "flow.return"() : () -> ()
    }, {
      %25:3 = "iree_tensor_ext.dispatch.workgroup_count_from_slice"() : () -> (index, index, index)
      "flow.return"(%25#0, %25#1, %25#2) : (index, index, index) -> ()
    }) : (tensor<512x1024xbf16>, tensor<4096x1024xbf16>, tensor<4096xbf16>) -> tensor<512x4096xbf16>
    %6 = "flow.dispatch.workgroups"(%5, %2, %3) <{operandSegmentSizes = array<i32: 0, 3, 0, 0>, tied_operands = [-1 : index]}> ({
    ^bb0(%arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<512x4096xbf16>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x4096xbf16>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xbf16>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<512x1024xbf16>>):
      %9 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %10 = "iree_tensor_ext.dispatch.tensor.load"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 512, 4096>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<512x4096xbf16>>) -> tensor<512x4096xbf16>
      %11 = "iree_tensor_ext.dispatch.tensor.load"(%arg2) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1024, 4096>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<1024x4096xbf16>>) -> tensor<1024x4096xbf16>
      %12 = "iree_tensor_ext.dispatch.tensor.load"(%arg3) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1024>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xbf16>>) -> tensor<1024xbf16>
      %13 = "tensor.empty"() : () -> tensor<512x1024xbf16>
      %14 = "tensor.empty"() : () -> tensor<512x1024xf32>
      %15 = "linalg.fill"(%9, %14) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg11: f32, %arg12: f32):
        "linalg.yield"(%arg11) : (f32) -> ()
      }) : (f32, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %16 = "linalg.matmul"(%10, %11, %15) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg8: bf16, %arg9: bf16, %arg10: f32):
        %21 = "arith.extf"(%arg8) : (bf16) -> f32
        %22 = "arith.extf"(%arg9) : (bf16) -> f32
        %23 = "arith.mulf"(%21, %22) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %24 = "arith.addf"(%arg10, %23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "linalg.yield"(%24) : (f32) -> ()
      }) : (tensor<512x4096xbf16>, tensor<1024x4096xbf16>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
      %17 = "linalg.generic"(%16, %12, %13) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg5: f32, %arg6: bf16, %arg7: bf16):
        %18 = "arith.extf"(%arg6) : (bf16) -> f32
        %19 = "arith.addf"(%arg5, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %20 = "arith.truncf"(%19) : (f32) -> bf16
        "linalg.yield"(%20) : (bf16) -> ()
      }) : (tensor<512x1024xf32>, tensor<1024xbf16>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
      "iree_tensor_ext.dispatch.tensor.store"(%17, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 512, 1024>, static_strides = array<i64: 1, 1>}> : (tensor<512x1024xbf16>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<512x1024xbf16>>) -> ()
      "flow.return"() : () -> ()
    }, {
      %8:3 = "iree_tensor_ext.dispatch.workgroup_count_from_slice"() : () -> (index, index, index)
      "flow.return"(%8#0, %8#1, %8#2) : (index, index, index) -> ()
    }) : (tensor<512x4096xbf16>, tensor<1024x4096xbf16>, tensor<1024xbf16>) -> tensor<512x1024xbf16>
    %7 = "hal.tensor.export"(%6) <{name = "output0", source_encoding = tensor<512x1024xbf16>}> : (tensor<512x1024xbf16>) -> !hal.buffer_view
    "util.return"(%7) : (!hal.buffer_view) -> ()
  }) {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<512x1024xbf16>) -> (%output0: tensor<512x1024xbf16>)"}} : () -> ()
}) {stream.affinity.default = #hal.device.affinity<@__device_0>} : () -> ()