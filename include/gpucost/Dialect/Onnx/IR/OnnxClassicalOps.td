//===- OnnxClassicalOps.td - ai.onnx.ml: on the CPU, deliberately opaque *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_BinarizerOp : Onnx_OpaqueOp<"Binarizer", "inferSameAsFirst"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ScalerOp : Onnx_OpaqueOp<"Scaler", "inferFloatLikeFirst"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_NormalizerOp : Onnx_OpaqueOp<"Normalizer", "inferFloatLikeFirst"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ImputerOp : Onnx_OpaqueOp<"Imputer", "inferSameAsFirst"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_LabelEncoderOp : Onnx_OpaqueOp<"LabelEncoder", "inferLabelEncoder"> {
  let domain = "ai.onnx.ml";
  let opsets = [1, 2, 4];
}
def Onnx_CategoryMapperOp : Onnx_OpaqueOp<"CategoryMapper", "inferLabelEncoder"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ArrayFeatureExtractorOp
    : Onnx_OpaqueOp<"ArrayFeatureExtractor", "inferArrayFeatureExtractor"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_FeatureVectorizerOp : Onnx_OpaqueOp<"FeatureVectorizer", "inferFeatureVectorizer"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_OneHotEncoderOp : Onnx_OpaqueOp<"OneHotEncoder", "inferOneHotEncoder"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_LinearClassifierOp : Onnx_OpaqueOp<"LinearClassifier", "inferClassifier"> {
  let maxResults = 2;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_LinearRegressorOp : Onnx_OpaqueOp<"LinearRegressor", "inferRegressor"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_SVMClassifierOp : Onnx_OpaqueOp<"SVMClassifier", "inferClassifier"> {
  let maxResults = 2;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_SVMRegressorOp : Onnx_OpaqueOp<"SVMRegressor", "inferRegressor"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_TreeEnsembleOp : Onnx_OpaqueOp<"TreeEnsemble", "inferRegressor"> {
  let domain = "ai.onnx.ml";
  let opsets = [5];
}
def Onnx_TreeEnsembleClassifierOp : Onnx_OpaqueOp<"TreeEnsembleClassifier", "inferClassifier"> {
  let maxResults = 2;
  let domain = "ai.onnx.ml";
  let opsets = [1, 3, 5];
}
def Onnx_TreeEnsembleRegressorOp : Onnx_OpaqueOp<"TreeEnsembleRegressor", "inferRegressor"> {
  let domain = "ai.onnx.ml";
  let opsets = [1, 3, 5];
}
def Onnx_DictVectorizerOp : Onnx_OpaqueOp<"DictVectorizer", "inferNothing"> {
  let maxResults = -1;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_CastMapOp : Onnx_OpaqueOp<"CastMap", "inferNothing"> {
  let maxResults = -1;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ZipMapOp : Onnx_OpaqueOp<"ZipMap", "inferSequenceResult"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD
