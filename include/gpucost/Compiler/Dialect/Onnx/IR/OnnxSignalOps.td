//===- OnnxSignalOps.td - Fourier transforms and windows ---*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSIGNALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSIGNALOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_DFTOp
    : Onnx_LibraryOp<
          "DFT", "inferDFT", "dftWork",
          "5 n log2(n) per transform of n complex points, half for real ones"> {
  let attributes = ["axis: int = 1 @1-19", "inverse: int = 0", "onesided: int = 0"];
  let grad = "gradFourier";
  let opsets = [17, 20];
}
def Onnx_STFTOp : Onnx_LibraryOp<"STFT", "inferSTFT", "stftWork",
    "5 n log2(n) per frame of n complex points, half for real ones"> {
  let attributes = ["onesided: int = 1"];
  let opsets = [17];
}
// com.microsoft
def Onnx_RfftOp : Onnx_LibraryOp<"Rfft", "inferRfft", "rfftWork",
    "2.5 n log2(n) per transform of n real points"> {
  let attributes = ["normalized: int = 0", "onesided: int = 1", "signal_ndim: int = 1"];
}
def Onnx_IrfftOp : Onnx_LibraryOp<"Irfft", "inferIrfft", "irfftWork",
    "2.5 n log2(n) per transform of n real points"> {
  let attributes = ["normalized: int = 0", "onesided: int = 1", "signal_ndim: int !"];
}
// a - b cos(2 pi i / n).
def Onnx_HannWindowOp
    : Onnx_ElementwiseOp<"HannWindow", "Trig", 3, 1, "nullptr", "inferWindow"> {
  let attributes = ["output_datatype: int = 1", "periodic: int = 1"];
  let opsets = [17];
}
def Onnx_HammingWindowOp
    : Onnx_ElementwiseOp<"HammingWindow", "Trig", 3, 1, "nullptr", "inferWindow"> {
  let attributes = ["output_datatype: int = 1", "periodic: int = 1"];
  let opsets = [17];
}
// Another cosine term.
def Onnx_BlackmanWindowOp
    : Onnx_ElementwiseOp<"BlackmanWindow", "Trig", 6, 2, "nullptr", "inferWindow"> {
  let attributes = ["output_datatype: int = 1", "periodic: int = 1"];
  let opsets = [17];
}
// Two slopes, their minimum, a clamp.
def Onnx_MelWeightMatrixOp
    : Onnx_ElementwiseOp<"MelWeightMatrix", "Compare", 6, 0, "nullptr", "inferMelWeightMatrix"> {
  let attributes = ["output_datatype: int = 1"];
  let opsets = [17];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSIGNALOPS_TD
