// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two layers of Llama 3 8B with logits and a KV cache, GroupQueryAttention as ONNX Runtime exports it.
module attributes {onnx.opsets = {ai.onnx = 21 : i64, com.microsoft = 1 : i64}, onnx.unused_parameters = 0 : i64} {
  func.func @main(%arg0: tensor<?x?xi64> {onnx.dims = ["batch_size", "sequence_length"], onnx.name = "input_ids"}, %arg1: tensor<?x?xi64> {onnx.dims = ["batch_size", "total_sequence_length"], onnx.name = "attention_mask"}, %arg2: tensor<?x8x?x128xf16> {onnx.dims = ["batch_size", "", "past_sequence_length", ""], onnx.name = "past_key_values.0.key"}, %arg3: tensor<?x8x?x128xf16> {onnx.dims = ["batch_size", "", "past_sequence_length", ""], onnx.name = "past_key_values.0.value"}, %arg4: tensor<?x8x?x128xf16> {onnx.dims = ["batch_size", "", "past_sequence_length", ""], onnx.name = "past_key_values.1.key"}, %arg5: tensor<?x8x?x128xf16> {onnx.dims = ["batch_size", "", "past_sequence_length", ""], onnx.name = "past_key_values.1.value"}) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) attributes {onnx.output_names = ["logits", "present.0.key", "present.0.value", "present.1.key", "present.1.value"]} {
    %0 = onnx.Parameter  {name = "emb"} : () -> tensor<128256x4096xf16>
    %1 = onnx.Constant  {onnx.values = ["one"], value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
    %2 = onnx.Parameter  {name = "l0.n1"} : () -> tensor<4096xf16>
    %3 = onnx.Parameter  {name = "l0.q.w"} : () -> tensor<4096x4096xf16>
    %4 = onnx.Parameter  {name = "l0.k.w"} : () -> tensor<4096x1024xf16>
    %5 = onnx.Parameter  {name = "l0.v.w"} : () -> tensor<4096x1024xf16>
    %6 = onnx.Parameter  {name = "cos"} : () -> tensor<8192x64xf16>
    %7 = onnx.Parameter  {name = "sin"} : () -> tensor<8192x64xf16>
    %8 = onnx.Parameter  {name = "l0.o.w"} : () -> tensor<4096x4096xf16>
    %9 = onnx.Parameter  {name = "l0.n2"} : () -> tensor<4096xf16>
    %10 = onnx.Parameter  {name = "l0.g.w"} : () -> tensor<4096x14336xf16>
    %11 = onnx.Parameter  {name = "l0.u.w"} : () -> tensor<4096x14336xf16>
    %12 = onnx.Parameter  {name = "l0.dn.w"} : () -> tensor<14336x4096xf16>
    %13 = onnx.Parameter  {name = "l1.n1"} : () -> tensor<4096xf16>
    %14 = onnx.Parameter  {name = "l1.q.w"} : () -> tensor<4096x4096xf16>
    %15 = onnx.Parameter  {name = "l1.k.w"} : () -> tensor<4096x1024xf16>
    %16 = onnx.Parameter  {name = "l1.v.w"} : () -> tensor<4096x1024xf16>
    %17 = onnx.Parameter  {name = "l1.o.w"} : () -> tensor<4096x4096xf16>
    %18 = onnx.Parameter  {name = "l1.n2"} : () -> tensor<4096xf16>
    %19 = onnx.Parameter  {name = "l1.g.w"} : () -> tensor<4096x14336xf16>
    %20 = onnx.Parameter  {name = "l1.u.w"} : () -> tensor<4096x14336xf16>
    %21 = onnx.Parameter  {name = "l1.dn.w"} : () -> tensor<14336x4096xf16>
    %22 = onnx.Parameter  {name = "nf"} : () -> tensor<4096xf16>
    %23 = onnx.Parameter  {name = "logits.w"} : () -> tensor<4096x128256xf16>
    %24 = onnx.Gather %0, %arg0 {onnx.values = ["h0"]} : (tensor<128256x4096xf16>, tensor<?x?xi64>) -> !onnx.unknown
    %25 = onnx.ReduceSum %arg1, %1 {keepdims = 0 : i64, onnx.values = ["rs"]} : (tensor<?x?xi64>, tensor<1xi64>) -> !onnx.unknown
    %26 = onnx.Sub %25, %1 {onnx.values = ["sl64"]} : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %27 = onnx.Cast %26 {onnx.values = ["seqlens_k"], to = 6 : i64} : (!onnx.unknown) -> !onnx.unknown
    %28 = onnx.Shape %arg1 {onnx.values = ["ms"]} : (tensor<?x?xi64>) -> !onnx.unknown
    %29 = onnx.Gather %28, %1 {onnx.values = ["tl64"]} : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %30 = onnx.Cast %29 {onnx.values = ["total_len"], to = 6 : i64} : (!onnx.unknown) -> !onnx.unknown
    %31 = onnx.SimplifiedLayerNormalization %24, %2 {axis = -1 : i64, epsilon = 9.99999974E-6 : f32, onnx.values = ["l0.ln1"]} : (!onnx.unknown, tensor<4096xf16>) -> !onnx.unknown
    %32 = onnx.MatMul %31, %3 {onnx.values = ["l0.q"]} : (!onnx.unknown, tensor<4096x4096xf16>) -> !onnx.unknown
    %33 = onnx.MatMul %31, %4 {onnx.values = ["l0.k"]} : (!onnx.unknown, tensor<4096x1024xf16>) -> !onnx.unknown
    %34 = onnx.MatMul %31, %5 {onnx.values = ["l0.v"]} : (!onnx.unknown, tensor<4096x1024xf16>) -> !onnx.unknown
    %35:3 = onnx.GroupQueryAttention %32, %33, %34, %arg2, %arg3, %27, %30, %6, %7 {do_rotary = 1 : i64, kv_num_heads = 8 : i64, num_heads = 32 : i64, onnx.declared = [!onnx.unknown, tensor<?x8x?x128xf16>, tensor<?x8x?x128xf16>], onnx.declared_dims = [[], ["batch_size", "", "total_sequence_length", ""], ["batch_size", "", "total_sequence_length", ""]], onnx.values = ["l0.att", "present.0.key", "present.0.value"], scale = 0.0883883461 : f32} : (!onnx.unknown, !onnx.unknown, !onnx.unknown, tensor<?x8x?x128xf16>, tensor<?x8x?x128xf16>, !onnx.unknown, !onnx.unknown, tensor<8192x64xf16>, tensor<8192x64xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %36 = onnx.MatMul %35#0, %8 {onnx.values = ["l0.o"]} : (!onnx.unknown, tensor<4096x4096xf16>) -> !onnx.unknown
    %37 = onnx.Add %24, %36 {onnx.values = ["l0.r1"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %38 = onnx.SimplifiedLayerNormalization %37, %9 {axis = -1 : i64, epsilon = 9.99999974E-6 : f32, onnx.values = ["l0.ln2"]} : (!onnx.unknown, tensor<4096xf16>) -> !onnx.unknown
    %39 = onnx.MatMul %38, %10 {onnx.values = ["l0.g"]} : (!onnx.unknown, tensor<4096x14336xf16>) -> !onnx.unknown
    %40 = onnx.MatMul %38, %11 {onnx.values = ["l0.u"]} : (!onnx.unknown, tensor<4096x14336xf16>) -> !onnx.unknown
    %41 = onnx.Sigmoid %39 {onnx.values = ["l0.sg"]} : (!onnx.unknown) -> !onnx.unknown
    %42 = onnx.Mul %39, %41 {onnx.values = ["l0.sw"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %43 = onnx.Mul %42, %40 {onnx.values = ["l0.gu"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %44 = onnx.MatMul %43, %12 {onnx.values = ["l0.dn"]} : (!onnx.unknown, tensor<14336x4096xf16>) -> !onnx.unknown
    %45 = onnx.Add %37, %44 {onnx.values = ["l0.r2"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %46 = onnx.SimplifiedLayerNormalization %45, %13 {axis = -1 : i64, epsilon = 9.99999974E-6 : f32, onnx.values = ["l1.ln1"]} : (!onnx.unknown, tensor<4096xf16>) -> !onnx.unknown
    %47 = onnx.MatMul %46, %14 {onnx.values = ["l1.q"]} : (!onnx.unknown, tensor<4096x4096xf16>) -> !onnx.unknown
    %48 = onnx.MatMul %46, %15 {onnx.values = ["l1.k"]} : (!onnx.unknown, tensor<4096x1024xf16>) -> !onnx.unknown
    %49 = onnx.MatMul %46, %16 {onnx.values = ["l1.v"]} : (!onnx.unknown, tensor<4096x1024xf16>) -> !onnx.unknown
    %50:3 = onnx.GroupQueryAttention %47, %48, %49, %arg4, %arg5, %27, %30, %6, %7 {do_rotary = 1 : i64, kv_num_heads = 8 : i64, num_heads = 32 : i64, onnx.declared = [!onnx.unknown, tensor<?x8x?x128xf16>, tensor<?x8x?x128xf16>], onnx.declared_dims = [[], ["batch_size", "", "total_sequence_length", ""], ["batch_size", "", "total_sequence_length", ""]], onnx.values = ["l1.att", "present.1.key", "present.1.value"], scale = 0.0883883461 : f32} : (!onnx.unknown, !onnx.unknown, !onnx.unknown, tensor<?x8x?x128xf16>, tensor<?x8x?x128xf16>, !onnx.unknown, !onnx.unknown, tensor<8192x64xf16>, tensor<8192x64xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %51 = onnx.MatMul %50#0, %17 {onnx.values = ["l1.o"]} : (!onnx.unknown, tensor<4096x4096xf16>) -> !onnx.unknown
    %52 = onnx.Add %45, %51 {onnx.values = ["l1.r1"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %53 = onnx.SimplifiedLayerNormalization %52, %18 {axis = -1 : i64, epsilon = 9.99999974E-6 : f32, onnx.values = ["l1.ln2"]} : (!onnx.unknown, tensor<4096xf16>) -> !onnx.unknown
    %54 = onnx.MatMul %53, %19 {onnx.values = ["l1.g"]} : (!onnx.unknown, tensor<4096x14336xf16>) -> !onnx.unknown
    %55 = onnx.MatMul %53, %20 {onnx.values = ["l1.u"]} : (!onnx.unknown, tensor<4096x14336xf16>) -> !onnx.unknown
    %56 = onnx.Sigmoid %54 {onnx.values = ["l1.sg"]} : (!onnx.unknown) -> !onnx.unknown
    %57 = onnx.Mul %54, %56 {onnx.values = ["l1.sw"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %58 = onnx.Mul %57, %55 {onnx.values = ["l1.gu"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %59 = onnx.MatMul %58, %21 {onnx.values = ["l1.dn"]} : (!onnx.unknown, tensor<14336x4096xf16>) -> !onnx.unknown
    %60 = onnx.Add %52, %59 {onnx.values = ["l1.r2"]} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %61 = onnx.SimplifiedLayerNormalization %60, %22 {axis = -1 : i64, epsilon = 9.99999974E-6 : f32, onnx.values = ["lnf"]} : (!onnx.unknown, tensor<4096xf16>) -> !onnx.unknown
    %62 = onnx.MatMul %61, %23 {onnx.declared = [tensor<?x?x128256xf16>], onnx.declared_dims = [["batch_size", "sequence_length", ""]], onnx.values = ["logits"]} : (!onnx.unknown, tensor<4096x128256xf16>) -> !onnx.unknown
    return %62, %35#1, %35#2, %50#1, %50#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

