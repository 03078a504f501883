//===- OnnxClassicalOps.td - ai.onnx.ml: on the CPU, deliberately opaque *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_BinarizerOp : Onnx_OpaqueOp<"Binarizer", "inferSameAsFirst">;
def Onnx_ScalerOp : Onnx_OpaqueOp<"Scaler", "inferFloatLikeFirst">;
def Onnx_NormalizerOp : Onnx_OpaqueOp<"Normalizer", "inferFloatLikeFirst">;
def Onnx_ImputerOp : Onnx_OpaqueOp<"Imputer", "inferSameAsFirst">;
def Onnx_LabelEncoderOp : Onnx_OpaqueOp<"LabelEncoder", "inferLabelEncoder">;
def Onnx_CategoryMapperOp : Onnx_OpaqueOp<"CategoryMapper", "inferLabelEncoder">;
def Onnx_ArrayFeatureExtractorOp
    : Onnx_OpaqueOp<"ArrayFeatureExtractor", "inferArrayFeatureExtractor">;
def Onnx_FeatureVectorizerOp : Onnx_OpaqueOp<"FeatureVectorizer", "inferFeatureVectorizer">;
def Onnx_OneHotEncoderOp : Onnx_OpaqueOp<"OneHotEncoder", "inferOneHotEncoder">;
def Onnx_LinearClassifierOp : Onnx_OpaqueOp<"LinearClassifier", "inferClassifier">;
def Onnx_LinearRegressorOp : Onnx_OpaqueOp<"LinearRegressor", "inferRegressor">;
def Onnx_SVMClassifierOp : Onnx_OpaqueOp<"SVMClassifier", "inferClassifier">;
def Onnx_SVMRegressorOp : Onnx_OpaqueOp<"SVMRegressor", "inferRegressor">;
def Onnx_TreeEnsembleOp : Onnx_OpaqueOp<"TreeEnsemble", "inferRegressor">;
def Onnx_TreeEnsembleClassifierOp : Onnx_OpaqueOp<"TreeEnsembleClassifier", "inferClassifier">;
def Onnx_TreeEnsembleRegressorOp : Onnx_OpaqueOp<"TreeEnsembleRegressor", "inferRegressor">;
def Onnx_DictVectorizerOp : Onnx_OpaqueOp<"DictVectorizer", "inferNothing">;
def Onnx_CastMapOp : Onnx_OpaqueOp<"CastMap", "inferNothing">;
def Onnx_ZipMapOp : Onnx_OpaqueOp<"ZipMap", "inferSequenceResult">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD
