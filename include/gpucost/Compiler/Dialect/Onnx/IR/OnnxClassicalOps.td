//===- OnnxClassicalOps.td - Classical ML on the CPU -------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_BinarizerOp : Onnx_OpaqueOp<"Binarizer", "inferSameAsFirst"> {
  let attributes = ["threshold: float = 0"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ScalerOp : Onnx_OpaqueOp<"Scaler", "inferFloatLikeFirst"> {
  let attributes = ["offset: floats", "scale: floats"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_NormalizerOp : Onnx_OpaqueOp<"Normalizer", "inferFloatLikeFirst"> {
  let attributes = ["norm: string = MAX"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ImputerOp : Onnx_OpaqueOp<"Imputer", "inferSameAsFirst"> {
  let attributes = [
    "imputed_value_floats: floats", "imputed_value_int64s: ints",
    "replaced_value_float: float = 0", "replaced_value_int64: int = 0"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_LabelEncoderOp : Onnx_OpaqueOp<"LabelEncoder", "inferLabelEncoder"> {
  let attributes = [
    "classes_strings: strings @1", "default_float: float = -0 @2-", "default_int64: int = -1",
    "default_string: string = _Unused", "default_tensor: tensor @4-", "keys_floats: floats @2-",
    "keys_int64s: ints @2-", "keys_strings: strings @2-", "keys_tensor: tensor @4-",
    "values_floats: floats @2-", "values_int64s: ints @2-", "values_strings: strings @2-",
    "values_tensor: tensor @4-"];
  let domain = "ai.onnx.ml";
  let opsets = [1, 2, 4];
}
def Onnx_CategoryMapperOp : Onnx_OpaqueOp<"CategoryMapper", "inferLabelEncoder"> {
  let attributes = [
    "cats_int64s: ints", "cats_strings: strings", "default_int64: int = -1",
    "default_string: string = _Unused"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ArrayFeatureExtractorOp
    : Onnx_OpaqueOp<"ArrayFeatureExtractor", "inferArrayFeatureExtractor"> {
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_FeatureVectorizerOp : Onnx_OpaqueOp<"FeatureVectorizer", "inferFeatureVectorizer"> {
  let attributes = ["inputdimensions: ints"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_OneHotEncoderOp : Onnx_OpaqueOp<"OneHotEncoder", "inferOneHotEncoder"> {
  let attributes = ["cats_int64s: ints", "cats_strings: strings", "zeros: int = 1"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_LinearClassifierOp : Onnx_OpaqueOp<"LinearClassifier", "inferClassifier"> {
  let attributes = [
    "classlabels_ints: ints", "classlabels_strings: strings", "coefficients: floats !",
    "intercepts: floats", "multi_class: int = 0", "post_transform: string = NONE"];
  let maxResults = 2;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_LinearRegressorOp : Onnx_OpaqueOp<"LinearRegressor", "inferRegressor"> {
  let attributes = [
    "coefficients: floats", "intercepts: floats", "post_transform: string = NONE",
    "targets: int = 1"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_SVMClassifierOp : Onnx_OpaqueOp<"SVMClassifier", "inferClassifier"> {
  let attributes = [
    "classlabels_ints: ints", "classlabels_strings: strings", "coefficients: floats",
    "kernel_params: floats", "kernel_type: string = LINEAR", "post_transform: string = NONE",
    "prob_a: floats", "prob_b: floats", "rho: floats", "support_vectors: floats",
    "vectors_per_class: ints"];
  let maxResults = 2;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_SVMRegressorOp : Onnx_OpaqueOp<"SVMRegressor", "inferRegressor"> {
  let attributes = [
    "coefficients: floats", "kernel_params: floats", "kernel_type: string = LINEAR",
    "n_supports: int = 0", "one_class: int = 0", "post_transform: string = NONE", "rho: floats",
    "support_vectors: floats"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_TreeEnsembleOp : Onnx_OpaqueOp<"TreeEnsemble", "inferRegressor"> {
  let attributes = [
    "aggregate_function: int = 1", "leaf_targetids: ints !", "leaf_weights: tensor !",
    "membership_values: tensor", "n_targets: int", "nodes_falseleafs: ints !",
    "nodes_falsenodeids: ints !", "nodes_featureids: ints !", "nodes_hitrates: tensor",
    "nodes_missing_value_tracks_true: ints", "nodes_modes: tensor !", "nodes_splits: tensor !",
    "nodes_trueleafs: ints !", "nodes_truenodeids: ints !", "post_transform: int = 0",
    "tree_roots: ints !"];
  let domain = "ai.onnx.ml";
  let opsets = [5];
}
def Onnx_TreeEnsembleClassifierOp : Onnx_OpaqueOp<"TreeEnsembleClassifier", "inferClassifier"> {
  let attributes = [
    "base_values: floats", "base_values_as_tensor: tensor @3-", "class_ids: ints",
    "class_nodeids: ints", "class_treeids: ints", "class_weights: floats",
    "class_weights_as_tensor: tensor @3-", "classlabels_int64s: ints",
    "classlabels_strings: strings", "nodes_falsenodeids: ints", "nodes_featureids: ints",
    "nodes_hitrates: floats", "nodes_hitrates_as_tensor: tensor @3-",
    "nodes_missing_value_tracks_true: ints", "nodes_modes: strings", "nodes_nodeids: ints",
    "nodes_treeids: ints", "nodes_truenodeids: ints", "nodes_values: floats",
    "nodes_values_as_tensor: tensor @3-", "post_transform: string = NONE"];
  let maxResults = 2;
  let domain = "ai.onnx.ml";
  let opsets = [1, 3, 5];
}
def Onnx_TreeEnsembleRegressorOp : Onnx_OpaqueOp<"TreeEnsembleRegressor", "inferRegressor"> {
  let attributes = [
    "aggregate_function: string = SUM", "base_values: floats", "base_values_as_tensor: tensor @3-",
    "n_targets: int", "nodes_falsenodeids: ints", "nodes_featureids: ints",
    "nodes_hitrates: floats", "nodes_hitrates_as_tensor: tensor @3-",
    "nodes_missing_value_tracks_true: ints", "nodes_modes: strings", "nodes_nodeids: ints",
    "nodes_treeids: ints", "nodes_truenodeids: ints", "nodes_values: floats",
    "nodes_values_as_tensor: tensor @3-", "post_transform: string = NONE", "target_ids: ints",
    "target_nodeids: ints", "target_treeids: ints", "target_weights: floats",
    "target_weights_as_tensor: tensor @3-"];
  let domain = "ai.onnx.ml";
  let opsets = [1, 3, 5];
}
def Onnx_DictVectorizerOp : Onnx_OpaqueOp<"DictVectorizer", "inferNothing"> {
  let attributes = ["int64_vocabulary: ints", "string_vocabulary: strings"];
  let maxResults = -1;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_CastMapOp : Onnx_OpaqueOp<"CastMap", "inferNothing"> {
  let attributes = ["cast_to: string = TO_FLOAT", "map_form: string = DENSE", "max_map: int = 1"];
  let maxResults = -1;
  let domain = "ai.onnx.ml";
  let opsets = [1];
}
def Onnx_ZipMapOp : Onnx_OpaqueOp<"ZipMap", "inferSequenceResult"> {
  let attributes = ["classlabels_int64s: ints", "classlabels_strings: strings"];
  let domain = "ai.onnx.ml";
  let opsets = [1];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCLASSICALOPS_TD
