//===- GpuCostEnums.td - Enumerations of the cost vocabulary *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every enumeration of the project stands here and nowhere else, but for those
// whose cases are rows of a table: optimizers (Scenario/Optimizers.def).
// utils/enumerations.py generates its C++ (GpuCostEnums.h.inc), which needs
// neither LLVM nor MLIR; attributes see the definitions through TableGen.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_TD

include "mlir/IR/EnumAttr.td"

class GpuCost_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::gpucost";
  let genSpecializedAttr = 0;
}

def NumericFormat : GpuCost_Enum<"NumericFormat",
    "number format that a unit computes in", [
  I32EnumAttrCase<"FP64", 0, "fp64">, I32EnumAttrCase<"FP32", 1, "fp32">,
  I32EnumAttrCase<"TF32", 2, "tf32">, I32EnumAttrCase<"FP16", 3, "fp16">,
  I32EnumAttrCase<"BF16", 4, "bf16">, I32EnumAttrCase<"FP8", 5, "fp8">,
  I32EnumAttrCase<"INT8", 6, "int8">]>;

def Architecture : GpuCost_Enum<"Architecture", "GPU generation", [
  I32EnumAttrCase<"Pascal", 0, "pascal">, I32EnumAttrCase<"Volta", 1, "volta">,
  I32EnumAttrCase<"Turing", 2, "turing">, I32EnumAttrCase<"Ampere", 3, "ampere">,
  I32EnumAttrCase<"Ada", 4, "ada">, I32EnumAttrCase<"Hopper", 5, "hopper">,
  I32EnumAttrCase<"Blackwell", 6, "blackwell">]>;

def KernelFamily : GpuCost_Enum<"KernelFamily",
    "kernels that share tiling and time equations", [
  I32EnumAttrCase<"Matmul", 0, "matmul">,
  I32EnumAttrCase<"Convolution", 1, "convolution">,
  I32EnumAttrCase<"Attention", 2, "attention">,
  I32EnumAttrCase<"Softmax", 3, "softmax">,
  I32EnumAttrCase<"Normalization", 4, "normalization">,
  I32EnumAttrCase<"Elementwise", 5, "elementwise">,
  I32EnumAttrCase<"Reduction", 6, "reduction">,
  I32EnumAttrCase<"DataMovement", 7, "data_movement">,
  I32EnumAttrCase<"Embedding", 8, "embedding">,
  I32EnumAttrCase<"Pooling", 9, "pooling">,
  I32EnumAttrCase<"Optimizer", 10, "optimizer">,
  I32EnumAttrCase<"Collective", 11, "collective">,
  I32EnumAttrCase<"Opaque", 12, "opaque">]>;

/// What the inner loop of a memory-bound kernel computes: selects issue slots
/// and thread instructions per element from the coefficient data.
def InstructionClass : GpuCost_Enum<"InstructionClass",
    "instruction mix of a memory-bound kernel", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Copy", 1, "copy">,
  I32EnumAttrCase<"Cast", 2, "cast">, I32EnumAttrCase<"Add", 3, "add">,
  I32EnumAttrCase<"Mul", 4, "mul">, I32EnumAttrCase<"Div", 5, "div">,
  I32EnumAttrCase<"Pow", 6, "pow">, I32EnumAttrCase<"Relu", 7, "relu">,
  I32EnumAttrCase<"Gelu", 8, "gelu">, I32EnumAttrCase<"Tanh", 9, "tanh">,
  I32EnumAttrCase<"Sigmoid", 10, "sigmoid">, I32EnumAttrCase<"Silu", 11, "silu">,
  I32EnumAttrCase<"Exp", 12, "exp">, I32EnumAttrCase<"Log", 13, "log">,
  I32EnumAttrCase<"Sqrt", 14, "sqrt">, I32EnumAttrCase<"Rsqrt", 15, "rsqrt">,
  I32EnumAttrCase<"Erf", 16, "erf">, I32EnumAttrCase<"Trig", 17, "trig">,
  I32EnumAttrCase<"Neg", 18, "neg">, I32EnumAttrCase<"Compare", 19, "compare">,
  I32EnumAttrCase<"Where", 20, "where">, I32EnumAttrCase<"BatchNorm", 21, "batch_norm">,
  I32EnumAttrCase<"Gather", 22, "gather">, I32EnumAttrCase<"Scatter", 23, "scatter">,
  I32EnumAttrCase<"Pool", 24, "pool">, I32EnumAttrCase<"Dropout", 25, "dropout">,
  I32EnumAttrCase<"Reduce", 26, "reduce">, I32EnumAttrCase<"Softmax", 27, "softmax">,
  I32EnumAttrCase<"Norm", 28, "norm">, I32EnumAttrCase<"Resize", 29, "resize">,
  I32EnumAttrCase<"DepthwiseConv", 30, "depthwise_conv">,
  I32EnumAttrCase<"Optimizer", 31, "optimizer">]>;

def Phase : GpuCost_Enum<"Phase", "part of an iteration", [
  I32EnumAttrCase<"Forward", 0, "forward">, I32EnumAttrCase<"Backward", 1, "backward">,
  I32EnumAttrCase<"Optimizer", 2, "optimizer">,
  I32EnumAttrCase<"Communication", 3, "communication">]>;

def Bound : GpuCost_Enum<"Bound", "resource that limits a kernel", [
  I32EnumAttrCase<"Unknown", 0, "unknown">, I32EnumAttrCase<"Tensor", 1, "tensor">,
  I32EnumAttrCase<"FP32", 2, "fp32">, I32EnumAttrCase<"Issue", 3, "issue">,
  I32EnumAttrCase<"DRAM", 4, "dram">, I32EnumAttrCase<"L2", 5, "l2">,
  I32EnumAttrCase<"Latency", 6, "latency">, I32EnumAttrCase<"Power", 7, "power">,
  I32EnumAttrCase<"Host", 8, "host">]>;

def Runtime : GpuCost_Enum<"Runtime", "how the framework launches kernels", [
  I32EnumAttrCase<"Eager", 0, "eager">, I32EnumAttrCase<"CudaGraph", 1, "cudagraph">,
  I32EnumAttrCase<"Compiled", 2, "compiled">]>;

def AttentionMode : GpuCost_Enum<"AttentionMode", "attention implementation", [
  I32EnumAttrCase<"AsIs", 0, "as-is">, I32EnumAttrCase<"Eager", 1, "eager">,
  I32EnumAttrCase<"Flash", 2, "flash">,
  // One kernel of the first generation (FlashAttention 1).
  I32EnumAttrCase<"Flash1", 3, "flash1">,
  // FlashAttention 2, also where the GPU has later ones.
  I32EnumAttrCase<"Flash2", 4, "flash2">,
  // The first generation in Triton, of 2022, which llm-foundry ships.
  I32EnumAttrCase<"Triton1", 5, "triton1">]>;

/// A name without a version is the newest release that was measured; a release
/// is a case of its own where its kernels differ from those (Model/Software.h).
def Software : GpuCost_Enum<"Software", "framework or serving engine whose kernels run", [
  I32EnumAttrCase<"PyTorch", 0, "pytorch">, I32EnumAttrCase<"Vllm", 1, "vllm">,
  I32EnumAttrCase<"Sglang", 2, "sglang">,
  I32EnumAttrCase<"TensorRtLlm", 3, "tensorrt-llm">,
  // 0.18 to 0.22.
  I32EnumAttrCase<"Vllm0_19", 4, "vllm-0.19">,
  I32EnumAttrCase<"Sglang0_5_6", 5, "sglang-0.5.6">,
  I32EnumAttrCase<"Sglang0_5_9", 6, "sglang-0.5.9">,
  I32EnumAttrCase<"Sglang0_5_10", 7, "sglang-0.5.10">,
  I32EnumAttrCase<"Sglang0_5_12", 8, "sglang-0.5.12">,
  // 1.0 to 1.2.
  I32EnumAttrCase<"TensorRtLlm1_2", 9, "tensorrt-llm-1.2">,
  // To 1.3.0rc15.
  I32EnumAttrCase<"TensorRtLlm1_3rc10", 10, "tensorrt-llm-1.3rc10">,
  // 2.0 to 2.7.
  I32EnumAttrCase<"PyTorch2_7", 11, "pytorch-2.7">,
  // Before 2.0.
  I32EnumAttrCase<"PyTorch1_13", 12, "pytorch-1.13">]>;

def DecodeKernel : GpuCost_Enum<"DecodeKernel", "kernel for one query token per sequence", [
  // FlashAttention-3 and others that pack the heads of a group.
  I32EnumAttrCase<"Packed", 0, "packed">,
  I32EnumAttrCase<"FlashAttention2", 1, "flash_attention2">,
  I32EnumAttrCase<"Triton", 2, "triton">, I32EnumAttrCase<"FlashInfer", 3, "flashinfer">,
  // TensorRT-LLM: XQA or masked multi-head attention.
  I32EnumAttrCase<"Xqa", 4, "xqa">,
  // The same, whichever is faster.
  I32EnumAttrCase<"FastestXqa", 5, "fastest_xqa">]>;

def KvCacheMode : GpuCost_Enum<"KvCacheMode", "how new keys and values join the past ones", [
  // A new tensor of both, as the file says: the past is copied.
  I32EnumAttrCase<"Concat", 0, "concat">,
  // Written into a buffer that has room for them.
  I32EnumAttrCase<"InPlace", 1, "in-place">,
  // The same in blocks that a table lists.
  I32EnumAttrCase<"Paged", 2, "paged">]>;

def MoeBalance : GpuCost_Enum<"MoeBalance", "how tokens choose their experts", [
  I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Worst", 1, "worst">]>;

def PrecisionMode : GpuCost_Enum<"PrecisionMode",
    "how the target's format is applied to the file's float tensors", [
  I32EnumAttrCase<"Cast", 0, "cast">, I32EnumAttrCase<"AsIs", 1, "as-is">,
  I32EnumAttrCase<"Amp", 2, "amp">]>;

def StorageFormat : GpuCost_Enum<"StorageFormat",
    "number format that tensors are stored in", [
  I32EnumAttrCase<"AsIs", 0, "as-is">, I32EnumAttrCase<"FP16", 1, "fp16">,
  I32EnumAttrCase<"BF16", 2, "bf16">, I32EnumAttrCase<"FP8", 3, "fp8">,
  I32EnumAttrCase<"INT8", 4, "int8">, I32EnumAttrCase<"INT4", 5, "int4">]>;

/// What autocast does with an op (PyTorch's lists of ops per behaviour).
def AutocastPolicy : GpuCost_Enum<"AutocastPolicy",
    "number format of an op under automatic mixed precision", [
  // Result in the format of the first operand.
  I32EnumAttrCase<"Follow", 0, "follow">,
  // Operands cast to 16 bit, result in 16 bit.
  I32EnumAttrCase<"Lower", 1, "lower">,
  // Operands cast to fp32, result in fp32.
  I32EnumAttrCase<"Single", 2, "single">,
  // Result in fp32; the kernel itself reads 16-bit operands.
  I32EnumAttrCase<"SingleResult", 3, "single_result">,
  // Mixed operands are allowed: result in the widest format.
  I32EnumAttrCase<"Widest", 4, "widest">,
  // Operands cast to the widest format among them.
  I32EnumAttrCase<"Promote", 5, "promote">,
  // Kernels on quantised tensors: the first operand cast to 16 bit where it is
  // float, result in 16 bit; scales keep their format.
  I32EnumAttrCase<"LowerData", 6, "lower_data">]>;

def IterationMode : GpuCost_Enum<"IterationMode", "what one iteration is", [
  I32EnumAttrCase<"Inference", 0, "inference">,
  I32EnumAttrCase<"Training", 1, "training">]>;

def LossKind : GpuCost_Enum<"LossKind", "where the gradients start", [
  I32EnumAttrCase<"Auto", 0, "auto">,
  I32EnumAttrCase<"None", 1, "none">,
  I32EnumAttrCase<"CrossEntropy", 2, "cross-entropy">,
  I32EnumAttrCase<"MeanSquare", 3, "mse">]>;

def LossVariant : GpuCost_Enum<"LossVariant", "code that computes a cross entropy", [
  // torch.nn.functional.cross_entropy on the outputs of the model.
  I32EnumAttrCase<"Eager", 0, "eager">,
  // The same on logits.float(), as Hugging Face and torchtitan call it.
  I32EnumAttrCase<"Upcast", 1, "upcast">,
  // Inside the model, in the place of an fp32 copy of the logits (Megatron).
  I32EnumAttrCase<"InPlace", 2, "in-place">,
  // One kernel in each direction (xentropy of Apex and flash-attn).
  I32EnumAttrCase<"Fused", 3, "fused">]>;

/// Of main gradients and master weights.
def StateFormat : GpuCost_Enum<"StateFormat", "format of what a training step keeps", [
  I32EnumAttrCase<"AsIs", 0, "as-is">, I32EnumAttrCase<"FP32", 1, "fp32">]>;

def OptimizerStates : GpuCost_Enum<"OptimizerStates", "format of an optimizer's states", [
  I32EnumAttrCase<"AsIs", 0, "as-is">, I32EnumAttrCase<"EightBit", 1, "8bit">]>;

def OptimizerVariant : GpuCost_Enum<"OptimizerVariant",
    "how the framework launches the optimizer", [
  I32EnumAttrCase<"Foreach", 0, "foreach">,
  I32EnumAttrCase<"Fused", 1, "fused">,
  I32EnumAttrCase<"Unfused", 2, "unfused">]>;

def ZeroGradMode : GpuCost_Enum<"ZeroGradMode",
    "what happens to gradients between steps", [
  I32EnumAttrCase<"SetToNone", 0, "set-to-none">,
  I32EnumAttrCase<"Zero", 1, "zero">,
  I32EnumAttrCase<"Keep", 2, "keep">]>;

def DropoutMode : GpuCost_Enum<"DropoutMode", "dropout of a training iteration", [
  I32EnumAttrCase<"AsIs", 0, "as-is">, I32EnumAttrCase<"Off", 1, "off">]>;

def RecomputeMode : GpuCost_Enum<"RecomputeMode",
    "what the backward pass computes again instead of keeping it", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Full", 1, "full">,
  I32EnumAttrCase<"Selective", 2, "selective">,
  // Every n-th block, or all of them without most ops of one kind.
  I32EnumAttrCase<"Every", 3, "every">,
  I32EnumAttrCase<"Operators", 4, "operators">]>;

def AllocatorMode : GpuCost_Enum<"AllocatorMode",
    "how the framework's caching allocator takes memory of the GPU", [
  I32EnumAttrCase<"Segments", 0, "segments">,
  I32EnumAttrCase<"Expandable", 1, "expandable">]>;

def CollectiveKind : GpuCost_Enum<"CollectiveKind", "communication of all GPUs", [
  I32EnumAttrCase<"AllReduce", 0, "all_reduce">,
  I32EnumAttrCase<"AllGather", 1, "all_gather">,
  I32EnumAttrCase<"ReduceScatter", 2, "reduce_scatter">,
  I32EnumAttrCase<"AllToAll", 3, "all_to_all">,
  I32EnumAttrCase<"Broadcast", 4, "broadcast">,
  I32EnumAttrCase<"SendRecv", 5, "send_recv">]>;

/// Kernels whose predictions err alike.
def ErrorClass : GpuCost_Enum<"ErrorClass", "kernels whose predictions err alike", [
  I32EnumAttrCase<"TensorMatmul", 0, "tensor_matmul">,
  I32EnumAttrCase<"Fp32Matmul", 1, "fp32_matmul">,
  I32EnumAttrCase<"TensorConvolution", 2, "tensor_convolution">,
  I32EnumAttrCase<"Fp32Convolution", 3, "fp32_convolution">,
  I32EnumAttrCase<"Attention", 4, "attention">,
  I32EnumAttrCase<"Decode", 5, "decode">,
  I32EnumAttrCase<"RowWise", 6, "row_wise">,
  I32EnumAttrCase<"Streaming", 7, "streaming">,
  I32EnumAttrCase<"Collective", 8, "collective">]>;

def InterconnectKind : GpuCost_Enum<"InterconnectKind", "link between GPUs", [
  I32EnumAttrCase<"PCIe", 0, "pcie">, I32EnumAttrCase<"NVLink", 1, "nvlink">]>;

/// How the operands of a product reach the tensor cores: registers of a warp,
/// shared memory of four warps (Hopper), tensor memory (Blackwell of data
/// centres).
def MatrixPath : GpuCost_Enum<"MatrixPath", "instructions of the tensor cores", [
  I32EnumAttrCase<"Mma", 0, "mma">, I32EnumAttrCase<"Wgmma", 1, "wgmma">,
  I32EnumAttrCase<"Tcgen05", 2, "tcgen05">]>;

/// Where a CUDA-core product reads an operand from.
def OperandPath : GpuCost_Enum<"OperandPath", "path of an operand", [
  I32EnumAttrCase<"Auto", 0, "auto">, I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Cache", 2, "cache">]>;

/// What the best schedule has least of.
def Objective : GpuCost_Enum<"Objective", "what a choice minimizes", [
  I32EnumAttrCase<"Time", 0, "time">, I32EnumAttrCase<"Energy", 1, "energy">,
  I32EnumAttrCase<"EnergyDelay", 2, "energy_delay">]>;

/// Which GEMM of a convolution a kernel computes.
def ConvolutionPass : GpuCost_Enum<"ConvolutionPass", "direction of a convolution", [
  I32EnumAttrCase<"Forward", 0, "forward">,
  I32EnumAttrCase<"InputGradient", 1, "input_gradient">,
  I32EnumAttrCase<"WeightGradient", 2, "weight_gradient">]>;

/// What a tensor is for, where its type does not tell.
def TensorRole : GpuCost_Enum<"TensorRole", "use of persistent memory", [
  I32EnumAttrCase<"Parameter", 0, "parameter">,
  I32EnumAttrCase<"Gradient", 1, "gradient">,
  I32EnumAttrCase<"OptimizerState", 2, "optimizer_state">]>;

def Tf32Mode : GpuCost_Enum<"Tf32Mode",
    "which fp32 kernels may use TF32 tensor cores", [
  I32EnumAttrCase<"Off", 0, "off">, I32EnumAttrCase<"Conv", 1, "conv">,
  I32EnumAttrCase<"On", 2, "on">]>;

def Coverage : GpuCost_Enum<"Coverage", "how well a kernel's work is known", [
  I32EnumAttrCase<"Modelled", 0, "modelled">,
  I32EnumAttrCase<"Fallback", 1, "fallback">,
  I32EnumAttrCase<"Unmodelled", 2, "unmodelled">]>;

/// How the cost of an op follows from its shapes; see WorkOpInterface.
def CostClass : GpuCost_Enum<"CostClass", "rule that derives an op's work", [
  I32EnumAttrCase<"Metadata", 0, "metadata">,
  I32EnumAttrCase<"View", 1, "view">,
  I32EnumAttrCase<"Elementwise", 2, "elementwise">,
  I32EnumAttrCase<"Reduction", 3, "reduction">,
  I32EnumAttrCase<"RowNormalization", 4, "row_normalization">,
  I32EnumAttrCase<"Contraction", 5, "contraction">,
  I32EnumAttrCase<"Convolution", 6, "convolution">,
  I32EnumAttrCase<"Pooling", 7, "pooling">,
  I32EnumAttrCase<"DataMovement", 8, "data_movement">,
  I32EnumAttrCase<"Gather", 9, "gather">,
  I32EnumAttrCase<"Attention", 10, "attention">,
  I32EnumAttrCase<"Opaque", 11, "opaque">,
  // A kernel of its own kind, counted by the op's own rule.
  I32EnumAttrCase<"Library", 12, "library">]>;

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_TD
