module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"cuda", [#hal.executable.target<"cuda", "cuda-nvptx-fb", {iree_codegen.target_info = #iree_gpu.target<arch = "sm_80", features = "+ptx76", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<NV_MMA_SYNC_F32_16x8x16_F16>, <NV_MMA_SYNC_F16_16x8x16_F16>, <NV_MMA_SYNC_F32_16x8x16_BF16>, <NV_WMMA_F32_16x16x16_F16>, <NV_WMMA_F16_16x16x16_F16>], subgroup_size_choices = [32], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 166912, max_workgroup_counts = [2147483647, 65535, 65535]>>}>]> : !hal.device
  util.global private @__constant_tensor_4096x1024xbf16 : !stream.resource<constant>
  util.initializer {
    %c0 = arith.constant 0 : index
    %c0_i64 = arith.constant 0 : i64
    %0 = stream.timepoint.immediate => !stream.timepoint
    %buffer_cst = util.buffer.constant <alignment = 64> : !util.buffer = #util.composite<16787456xi8, [
    dense_resource<torch_tensor_4096_1024_torch.bfloat16> : tensor<4096x1024xbf16>,
    dense_resource<torch_tensor_4096_torch.bfloat16> : tensor<4096xbf16>,
    dense_resource<torch_tensor_1024_4096_torch.bfloat16> : tensor<1024x4096xbf16>,
    dense_resource<torch_tensor_1024_torch.bfloat16> : tensor<1024xbf16>,
]>
    %c16787456 = arith.constant 16787456 : index
    %did_map, %result = stream.resource.try_map on(#hal.device.affinity<@__device_0>) %buffer_cst[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c16787456}
    cf.cond_br %did_map, ^bb2(%0, %result : !stream.timepoint, !stream.resource<constant>), ^bb1
  ^bb1:  // pred: ^bb0
    %1 = stream.resource.alloc uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<constant>{%c16787456}
    %file = stream.file.constant on(#hal.device.affinity<@__device_0>) %buffer_cst[%c0 for %c16787456] : !util.buffer{%c16787456} -> !stream.file
    %2 = stream.file.read on(#hal.device.affinity<@__device_0>) await(%0) => %file[%c0_i64], %1[%c0], %c16787456 : !stream.file -> !stream.resource<constant>{%c16787456} => !stream.timepoint
    cf.br ^bb2(%2, %1 : !stream.timepoint, !stream.resource<constant>)
  ^bb2(%3: !stream.timepoint, %4: !stream.resource<constant>):  // 2 preds: ^bb0, ^bb1
    %5 = stream.timepoint.await sync %3 => %4 : !stream.resource<constant>{%c16787456}
    util.global.store %5, @__constant_tensor_4096x1024xbf16 : !stream.resource<constant>
    util.return
  }
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @cuda_nvptx_fb target(<"cuda", "cuda-nvptx-fb", {iree_codegen.target_info = #iree_gpu.target<arch = "sm_80", features = "+ptx76", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<NV_MMA_SYNC_F32_16x8x16_F16>, <NV_MMA_SYNC_F16_16x8x16_F16>, <NV_MMA_SYNC_F32_16x8x16_BF16>, <NV_WMMA_F32_16x16x16_F16>, <NV_WMMA_F16_16x16x16_F16>], subgroup_size_choices = [32], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 166912, max_workgroup_counts = [2147483647, 65535, 65535]>>}>) {
      hal.executable.export public @main_dispatch_0_matmul_512x4096x1024_bf16xbf16xf32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @main_dispatch_0_matmul_512x4096x1024_bf16xbf16xf32() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = false>}>} {
          %cst = arith.constant 0.000000e+00 : f32
          %cst_0 = arith.constant 2.000000e+00 : bf16
          %cst_1 = arith.constant 1.000000e+00 : bf16
          %cst_2 = arith.constant 5.000000e-01 : bf16
          %c0 = arith.constant 0 : index
          %c8388608 = arith.constant 8388608 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<512x1024xbf16, #hal.descriptor_type<storage_buffer>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags(ReadOnly) : memref<4096x1024xbf16, #hal.descriptor_type<storage_buffer>>
          %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c8388608) flags(ReadOnly) : memref<4096xbf16, strided<[1], offset: ?>, #hal.descriptor_type<storage_buffer>>
          %3 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : memref<512x4096xbf16, #hal.descriptor_type<storage_buffer>>
          %4 = iree_codegen.load_from_buffer %0 : memref<512x1024xbf16, #hal.descriptor_type<storage_buffer>> -> tensor<512x1024xbf16>
          %5 = iree_codegen.load_from_buffer %1 : memref<4096x1024xbf16, #hal.descriptor_type<storage_buffer>> -> tensor<4096x1024xbf16>
          %6 = iree_codegen.load_from_buffer %2 : memref<4096xbf16, strided<[1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<4096xbf16>
          %7 = tensor.empty() : tensor<512x4096xbf16>
          %8 = tensor.empty() : tensor<512x4096xf32>
          %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<512x4096xf32>) -> tensor<512x4096xf32>
          %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %5 : tensor<512x1024xbf16>, tensor<4096x1024xbf16>) outs(%9 : tensor<512x4096xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{convert_acc_gemm, mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_BF16>, promote_operands = [0, 1], reduction = [0, 0, 8], subgroup = [2, 4, 0], workgroup = [64, 64, 0]}>} {
          ^bb0(%in: bf16, %in_3: bf16, %out: f32):
            %12 = arith.extf %in : bf16 to f32
            %13 = arith.extf %in_3 : bf16 to f32
            %14 = arith.mulf %12, %13 : f32
            %15 = arith.addf %out, %14 : f32
            linalg.yield %15 : f32
          } -> tensor<512x4096xf32>
          %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10, %6 : tensor<512x4096xf32>, tensor<4096xbf16>) outs(%7 : tensor<512x4096xbf16>) {
          ^bb0(%in: f32, %in_3: bf16, %out: bf16):
            %12 = arith.extf %in_3 : bf16 to f32
            %13 = arith.addf %in, %12 : f32
            %14 = arith.truncf %13 : f32 to bf16
            %15 = math.sqrt %cst_0 : bf16
            %16 = arith.divf %14, %15 : bf16
            %17 = math.erf %16 : bf16
            %18 = arith.addf %17, %cst_1 : bf16
            %19 = arith.mulf %18, %cst_2 : bf16
            %20 = arith.mulf %14, %19 : bf16
            linalg.yield %20 : bf16
          } -> tensor<512x4096xbf16>
          iree_codegen.store_to_buffer %11, %3 : tensor<512x4096xbf16> into memref<512x4096xbf16, #hal.descriptor_type<storage_buffer>>
          return
        }
        iree_codegen.dispatch_config @main_dispatch_0_matmul_512x4096x1024_bf16xbf16xf32 {
        ^bb0(%arg0: !hal.device):
          %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
          iree_codegen.yield %x, %y, %z : index, index, index
        }
      }
    }
  }
  hal.executable private @main_dispatch_1 {
    hal.executable.variant public @cuda_nvptx_fb target(<"cuda", "cuda-nvptx-fb", {iree_codegen.target_info = #iree_gpu.target<arch = "sm_80", features = "+ptx76", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<NV_MMA_SYNC_F32_16x8x16_F16>, <NV_MMA_SYNC_F16_16x8x16_F16>, <NV_MMA_SYNC_F32_16x8x16_BF16>, <NV_WMMA_F32_16x16x16_F16>, <NV_WMMA_F16_16x16x16_F16>], subgroup_size_choices = [32], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 166912, max_workgroup_counts = [2147483647, 65535, 65535]>>}>) {
      hal.executable.export public @main_dispatch_1_matmul_512x1024x4096_bf16xbf16xf32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @main_dispatch_1_matmul_512x1024x4096_bf16xbf16xf32() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [128, 1, 1] subgroup_size = 32, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, no_reduce_shared_memory_bank_conflicts = false, use_igemm_convolution = false>}>} {
          %cst = arith.constant 0.000000e+00 : f32
          %c0 = arith.constant 0 : index
          %c8396800 = arith.constant 8396800 : index
          %c16785408 = arith.constant 16785408 : index
          %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<512x4096xbf16, #hal.descriptor_type<storage_buffer>>
          %1 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c8396800) flags(ReadOnly) : memref<1024x4096xbf16, strided<[4096, 1], offset: ?>, #hal.descriptor_type<storage_buffer>>
          %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c16785408) flags(ReadOnly) : memref<1024xbf16, strided<[1], offset: ?>, #hal.descriptor_type<storage_buffer>>
          %3 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) : memref<512x1024xbf16, #hal.descriptor_type<storage_buffer>>
          %4 = iree_codegen.load_from_buffer %0 : memref<512x4096xbf16, #hal.descriptor_type<storage_buffer>> -> tensor<512x4096xbf16>
          %5 = iree_codegen.load_from_buffer %1 : memref<1024x4096xbf16, strided<[4096, 1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<1024x4096xbf16>
          %6 = iree_codegen.load_from_buffer %2 : memref<1024xbf16, strided<[1], offset: ?>, #hal.descriptor_type<storage_buffer>> -> tensor<1024xbf16>
          %7 = tensor.empty() : tensor<512x1024xbf16>
          %8 = tensor.empty() : tensor<512x1024xf32>
          %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
          %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %5 : tensor<512x4096xbf16>, tensor<1024x4096xbf16>) outs(%9 : tensor<512x1024xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{convert_acc_gemm, mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_BF16>, promote_operands = [0, 1], reduction = [0, 0, 8], subgroup = [2, 4, 0], workgroup = [64, 64, 0]}>} {
          ^bb0(%in: bf16, %in_0: bf16, %out: f32):
            %12 = arith.extf %in : bf16 to f32
            %13 = arith.extf %in_0 : bf16 to f32
            %14 = arith.mulf %12, %13 : f32
            %15 = arith.addf %out, %14 : f32
            linalg.yield %15 : f32
          } -> tensor<512x1024xf32>
          %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10, %6 : tensor<512x1024xf32>, tensor<1024xbf16>) outs(%7 : tensor<512x1024xbf16>) {
          ^bb0(%in: f32, %in_0: bf16, %out: bf16):
            %12 = arith.extf %in_0 : bf16 to f32
            %13 = arith.addf %in, %12 : f32
            %14 = arith.truncf %13 : f32 to bf16
            linalg.yield %14 : bf16
          } -> tensor<512x1024xbf16>
          iree_codegen.store_to_buffer %11, %3 : tensor<512x1024xbf16> into memref<512x1024xbf16, #hal.descriptor_type<storage_buffer>>
          return
        }
        iree_codegen.dispatch_config @main_dispatch_1_matmul_512x1024x4096_bf16xbf16xf32 {
        ^bb0(%arg0: !hal.device):
          %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
          iree_codegen.yield %x, %y, %z : index, index, index
        }
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<512x1024xbf16>) -> (%output0: tensor<512x1024xbf16>)"}} {
    %c16787456 = arith.constant 16787456 : index
    %c512 = arith.constant 512 : index
    %c1024 = arith.constant 1024 : index
    %c1048576 = arith.constant 1048576 : index
    %c4194304 = arith.constant 4194304 : index
    %c0 = arith.constant 0 : index
    %__constant_tensor_4096x1024xbf16 = util.global.load immutable @__constant_tensor_4096x1024xbf16 : !stream.resource<constant>
    %element_type_bf16 = hal.element_type<bf16> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c512, %c1024]) type(%element_type_bf16) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<512x1024xbf16> in !stream.resource<external>{%c1048576}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<external>{%c1048576} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<transient>{%c4194304} => !stream.timepoint
    %1 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%1) => with(%0 as %arg1: !stream.resource<external>{%c1048576}, %__constant_tensor_4096x1024xbf16 as %arg2: !stream.resource<constant>{%c16787456}, %result as %arg3: !stream.resource<external>{%c1048576}, %result_0 as %arg4: !stream.resource<transient>{%c4194304}) {
      stream.cmd.dispatch @main_dispatch_0::@cuda_nvptx_fb::@main_dispatch_0_matmul_512x4096x1024_bf16xbf16xf32 {
        ro %arg1[%c0 for %c1048576] : !stream.resource<external>{%c1048576},
        ro %arg2[%c0 for %c16787456] : !stream.resource<constant>{%c16787456},
        wo %arg4[%c0 for %c4194304] : !stream.resource<transient>{%c4194304}
      }
      stream.cmd.dispatch @main_dispatch_1::@cuda_nvptx_fb::@main_dispatch_1_matmul_512x1024x4096_bf16xbf16xf32 {
        ro %arg4[%c0 for %c4194304] : !stream.resource<transient>{%c4194304},
        ro %arg2[%c0 for %c16787456] : !stream.resource<constant>{%c16787456},
        wo %arg3[%c0 for %c1048576] : !stream.resource<external>{%c1048576}
      }
    } => !stream.timepoint
    %3 = stream.resource.dealloca on(#hal.device.affinity<@__device_0>) await(%2) => %result_0 : !stream.resource<transient>{%c4194304} => !stream.timepoint
    %4 = stream.timepoint.await %3 => %result : !stream.resource<external>{%c1048576}
    %5 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %4 : tensor<512x1024xbf16> in !stream.resource<external>{%c1048576} -> !hal.buffer_view
    util.return %5 : !hal.buffer_view
  }
}