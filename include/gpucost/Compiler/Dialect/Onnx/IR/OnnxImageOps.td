//===- OnnxImageOps.td - Sampling and rearranging of images -*- tablegen -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXIMAGEOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXIMAGEOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Multiplies a [2, 3] or [3, 4] matrix by each position.
def Onnx_AffineGridOp : Onnx_ElementwiseOp<"AffineGrid", "Mul", 6, 0, "nullptr",
                                           "inferAffineGrid"> {
  let attributes = ["align_corners: int = 0"];
  let grad = "gradAffineGrid";
  let opsets = [20];
}
// Each result sums the columns that overlap there.
def Onnx_Col2ImOp : Onnx_LibraryOp<"Col2Im", "inferCol2Im", "overlapWork",
    "1 per element of the columns", "Scatter", 1> {
  let attributes = ["dilations: ints", "pads: ints", "strides: ints"];
  let grad = "gradResize";
  let opsets = [18];
}
def Onnx_MaxUnpoolOp
    : Onnx_GatherOp<"MaxUnpool", "inferMaxUnpool", "nullptr", "Scatter"> {
  let grad = "gradUnpool";
  let operands = ["X", "Indices", "OutputShape?"];
  let attributes = ["kernel_shape: ints !", "pads: ints", "strides: ints"];
  let opsets = [9, 11, 22];
}
def Onnx_MaxRoiPoolOp
    : Onnx_GatherOp<"MaxRoiPool", "inferMaxRoiPool", "nullptr", "Pool"> {
  let grad = "gradGather";
  let operands = ["X", "Rois"];
  let attributes = ["pooled_shape: ints !", "spatial_scale: float = 1"];
  let opsets = [1, 22];
}
def Onnx_RoiAlignOp
    : Onnx_LibraryOp<"RoiAlign", "inferRoiAlign", "roiAlignWork",
                     "8 per sample (4 products), samples = results x "
                     "sampling_ratio^2 (2^2 when 0)",
                     "Resize", 8> {
  let grad = "gradGather";
  let operands = ["X", "Rois", "BatchIndices?"];
  let attributes = [
    "coordinate_transformation_mode: string = half_pixel @16-", "mode: string = avg *",
    "output_height: int = 1", "output_width: int = 1", "sampling_ratio: int = 0",
    "spatial_scale: float = 1"];
  let opsets = [10, 16, 22];
}
def Onnx_GridSampleOp : Onnx_LibraryOp<"GridSample", "inferGridSample", "gridSampleWork",
    "2 x taps per result; taps = 1 (nearest), 2^d (linear), 4^d (cubic)", "Resize", 2> {
  let grad = "gradGridSample";
  let autocast = "Promote";
  let operands = ["X", "Grid"];
  let attributes = [
    "align_corners: int = 0", "mode: string = linear", "padding_mode: string = zeros"];
  let opsets = [16, 20, 22];
}
// com.microsoft
def Onnx_CropAndResizeOp : Onnx_LibraryOp<"CropAndResize", "inferCropAndResize",
    "gridSampleWork", "2 x 4 taps per result", "Resize", 2> {
  let attributes = ["extrapolation_value: float = 0", "mode: string = bilinear"];
}
def Onnx_CropOp : Onnx_MovementOp<"Crop", "inferCrop"> {
  let attributes = ["border: ints !", "scale: ints"];
}
def Onnx_UnfoldTensorOp : Onnx_MovementOp<"UnfoldTensor", "inferUnfold"> {
  let attributes = ["dim: int = -1", "size: int !", "step: int = 1"];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXIMAGEOPS_TD
