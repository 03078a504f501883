//===- OnnxOperators.td - Operators of the ONNX standard *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operator of the standard's domains up to opset 28 with the versions that
// defined or changed it (facts of the operator schemas of ONNX 1.23). No code is
// made of it: docs/SupportedOps.md and the check that no operator is forgotten are.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPERATORS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPERATORS_TD

class Onnx_Operator<string operatorDomain, string operatorName, list<int> changes> {
  string domain = operatorDomain;
  string name = operatorName;
  list<int> versions = changes;
}

// ai.onnx
def : Onnx_Operator<"ai.onnx", "Abs", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "Acos", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Acosh", [9, 22]>;
def : Onnx_Operator<"ai.onnx", "Add", [1, 6, 7, 13, 14]>;
def : Onnx_Operator<"ai.onnx", "AffineGrid", [20]>;
def : Onnx_Operator<"ai.onnx", "And", [1, 7]>;
def : Onnx_Operator<"ai.onnx", "ArgMax", [1, 11, 12, 13]>;
def : Onnx_Operator<"ai.onnx", "ArgMin", [1, 11, 12, 13]>;
def : Onnx_Operator<"ai.onnx", "Asin", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Asinh", [9, 22]>;
def : Onnx_Operator<"ai.onnx", "Atan", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Atanh", [9, 22]>;
def : Onnx_Operator<"ai.onnx", "Attention", [23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "AveragePool", [1, 7, 10, 11, 19, 22]>;
def : Onnx_Operator<"ai.onnx", "BatchNormalization", [1, 6, 7, 9, 14, 15]>;
def : Onnx_Operator<"ai.onnx", "Bernoulli", [15, 22]>;
def : Onnx_Operator<"ai.onnx", "BitCast", [26]>;
def : Onnx_Operator<"ai.onnx", "BitShift", [11, 28]>;
def : Onnx_Operator<"ai.onnx", "BitwiseAnd", [18]>;
def : Onnx_Operator<"ai.onnx", "BitwiseNot", [18]>;
def : Onnx_Operator<"ai.onnx", "BitwiseOr", [18]>;
def : Onnx_Operator<"ai.onnx", "BitwiseXor", [18]>;
def : Onnx_Operator<"ai.onnx", "BlackmanWindow", [17]>;
def : Onnx_Operator<"ai.onnx", "Cast", [1, 6, 9, 13, 19, 21, 23, 24, 25, 28]>;
def : Onnx_Operator<"ai.onnx", "CastLike", [15, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "CausalConvWithState", [27]>;
def : Onnx_Operator<"ai.onnx", "Ceil", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "Celu", [12, 28]>;
def : Onnx_Operator<"ai.onnx", "CenterCropPad", [18]>;
def : Onnx_Operator<"ai.onnx", "Clip", [1, 6, 11, 12, 13]>;
def : Onnx_Operator<"ai.onnx", "Col2Im", [18]>;
def : Onnx_Operator<"ai.onnx", "Compress", [9, 11, 28]>;
def : Onnx_Operator<"ai.onnx", "Concat", [1, 4, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "ConcatFromSequence", [11]>;
def : Onnx_Operator<"ai.onnx", "Constant", [1, 9, 11, 12, 13, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "ConstantOfShape", [9, 20, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Conv", [1, 11, 22]>;
def : Onnx_Operator<"ai.onnx", "ConvInteger", [10]>;
def : Onnx_Operator<"ai.onnx", "ConvTranspose", [1, 11, 22]>;
def : Onnx_Operator<"ai.onnx", "Cos", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Cosh", [9, 22]>;
def : Onnx_Operator<"ai.onnx", "CumProd", [26]>;
def : Onnx_Operator<"ai.onnx", "CumSum", [11, 14]>;
def : Onnx_Operator<"ai.onnx", "DFT", [17, 20]>;
def : Onnx_Operator<"ai.onnx", "DeformConv", [19, 22]>;
def : Onnx_Operator<"ai.onnx", "DepthToSpace", [1, 11, 13, 28]>;
def : Onnx_Operator<"ai.onnx", "DequantizeLinear", [10, 13, 19, 21, 23, 24, 25, 28]>;
def : Onnx_Operator<"ai.onnx", "Det", [11, 22]>;
def : Onnx_Operator<"ai.onnx", "Div", [1, 6, 7, 13, 14]>;
def : Onnx_Operator<"ai.onnx", "Dropout", [1, 6, 7, 10, 12, 13, 22]>;
def : Onnx_Operator<"ai.onnx", "DynamicQuantizeLinear", [11]>;
def : Onnx_Operator<"ai.onnx", "Einsum", [12, 28]>;
def : Onnx_Operator<"ai.onnx", "Elu", [1, 6, 22]>;
def : Onnx_Operator<"ai.onnx", "Equal", [1, 7, 11, 13, 19]>;
def : Onnx_Operator<"ai.onnx", "Erf", [9, 13]>;
def : Onnx_Operator<"ai.onnx", "Exp", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "Expand", [8, 13]>;
def : Onnx_Operator<"ai.onnx", "EyeLike", [9, 22]>;
def : Onnx_Operator<"ai.onnx", "Flatten", [1, 9, 11, 13, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Floor", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "GRU", [1, 3, 7, 14, 22]>;
def : Onnx_Operator<"ai.onnx", "Gather", [1, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "GatherElements", [11, 13]>;
def : Onnx_Operator<"ai.onnx", "GatherND", [11, 12, 13]>;
def : Onnx_Operator<"ai.onnx", "Gelu", [20]>;
def : Onnx_Operator<"ai.onnx", "Gemm", [1, 6, 7, 9, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "GlobalAveragePool", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "GlobalLpPool", [1, 2, 22]>;
def : Onnx_Operator<"ai.onnx", "GlobalMaxPool", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "Greater", [1, 7, 9, 13]>;
def : Onnx_Operator<"ai.onnx", "GreaterOrEqual", [12, 16]>;
def : Onnx_Operator<"ai.onnx", "GridSample", [16, 20, 22]>;
def : Onnx_Operator<"ai.onnx", "GroupNormalization", [18, 21]>;
def : Onnx_Operator<"ai.onnx", "HammingWindow", [17]>;
def : Onnx_Operator<"ai.onnx", "HannWindow", [17]>;
def : Onnx_Operator<"ai.onnx", "HardSigmoid", [1, 6, 22]>;
def : Onnx_Operator<"ai.onnx", "HardSwish", [14, 22]>;
def : Onnx_Operator<"ai.onnx", "Hardmax", [1, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "Identity", [1, 13, 14, 16, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "If", [1, 11, 13, 16, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "ImageDecoder", [20]>;
def : Onnx_Operator<"ai.onnx", "InstanceNormalization", [1, 6, 22]>;
def : Onnx_Operator<"ai.onnx", "IsInf", [10, 20]>;
def : Onnx_Operator<"ai.onnx", "IsNaN", [9, 13, 20]>;
def : Onnx_Operator<"ai.onnx", "LRN", [1, 13]>;
def : Onnx_Operator<"ai.onnx", "LSTM", [1, 7, 14, 22]>;
def : Onnx_Operator<"ai.onnx", "LayerNormalization", [17]>;
def : Onnx_Operator<"ai.onnx", "LeakyRelu", [1, 6, 16]>;
def : Onnx_Operator<"ai.onnx", "Less", [1, 7, 9, 13]>;
def : Onnx_Operator<"ai.onnx", "LessOrEqual", [12, 16]>;
def : Onnx_Operator<"ai.onnx", "LinearAttention", [27]>;
def : Onnx_Operator<"ai.onnx", "Log", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "LogSoftmax", [1, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "Loop", [1, 11, 13, 16, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "LpNormalization", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "LpPool", [1, 2, 11, 18, 22]>;
def : Onnx_Operator<"ai.onnx", "MatMul", [1, 9, 13]>;
def : Onnx_Operator<"ai.onnx", "MatMulInteger", [10]>;
def : Onnx_Operator<"ai.onnx", "Max", [1, 6, 8, 12, 13]>;
def : Onnx_Operator<"ai.onnx", "MaxPool", [1, 8, 10, 11, 12, 22]>;
def : Onnx_Operator<"ai.onnx", "MaxRoiPool", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "MaxUnpool", [9, 11, 22]>;
def : Onnx_Operator<"ai.onnx", "Mean", [1, 6, 8, 13]>;
def : Onnx_Operator<"ai.onnx", "MeanVarianceNormalization", [9, 13]>;
def : Onnx_Operator<"ai.onnx", "MelWeightMatrix", [17]>;
def : Onnx_Operator<"ai.onnx", "Min", [1, 6, 8, 12, 13]>;
def : Onnx_Operator<"ai.onnx", "Mish", [18, 22]>;
def : Onnx_Operator<"ai.onnx", "Mod", [10, 13, 28]>;
def : Onnx_Operator<"ai.onnx", "Mul", [1, 6, 7, 13, 14]>;
def : Onnx_Operator<"ai.onnx", "Multinomial", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Neg", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "NegativeLogLikelihoodLoss", [12, 13, 22]>;
def : Onnx_Operator<"ai.onnx", "NonMaxSuppression", [10, 11]>;
def : Onnx_Operator<"ai.onnx", "NonZero", [9, 13]>;
def : Onnx_Operator<"ai.onnx", "Not", [1]>;
def : Onnx_Operator<"ai.onnx", "OneHot", [9, 11, 28]>;
def : Onnx_Operator<"ai.onnx", "Optional", [15, 28]>;
def : Onnx_Operator<"ai.onnx", "OptionalGetElement", [15, 18, 28]>;
def : Onnx_Operator<"ai.onnx", "OptionalHasElement", [15, 18, 28]>;
def : Onnx_Operator<"ai.onnx", "Or", [1, 7]>;
def : Onnx_Operator<"ai.onnx", "PRelu", [1, 6, 7, 9, 16]>;
def : Onnx_Operator<"ai.onnx", "Pad", [1, 2, 11, 13, 18, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Pow", [1, 7, 12, 13, 15]>;
def : Onnx_Operator<"ai.onnx", "QLinearConv", [10]>;
def : Onnx_Operator<"ai.onnx", "QLinearMatMul", [10, 21]>;
def : Onnx_Operator<"ai.onnx", "QuantizeLinear", [10, 13, 19, 21, 23, 24, 25, 28]>;
def : Onnx_Operator<"ai.onnx", "RMSNormalization", [23]>;
def : Onnx_Operator<"ai.onnx", "RNN", [1, 7, 14, 22]>;
def : Onnx_Operator<"ai.onnx", "RandomNormal", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "RandomNormalLike", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "RandomUniform", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "RandomUniformLike", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "Range", [11, 27]>;
def : Onnx_Operator<"ai.onnx", "Reciprocal", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "ReduceL1", [1, 11, 13, 18]>;
def : Onnx_Operator<"ai.onnx", "ReduceL2", [1, 11, 13, 18]>;
def : Onnx_Operator<"ai.onnx", "ReduceLogSum", [1, 11, 13, 18, 28]>;
def : Onnx_Operator<"ai.onnx", "ReduceLogSumExp", [1, 11, 13, 18, 28]>;
def : Onnx_Operator<"ai.onnx", "ReduceMax", [1, 11, 12, 13, 18, 20]>;
def : Onnx_Operator<"ai.onnx", "ReduceMean", [1, 11, 13, 18]>;
def : Onnx_Operator<"ai.onnx", "ReduceMin", [1, 11, 12, 13, 18, 20]>;
def : Onnx_Operator<"ai.onnx", "ReduceProd", [1, 11, 13, 18]>;
def : Onnx_Operator<"ai.onnx", "ReduceSum", [1, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "ReduceSumSquare", [1, 11, 13, 18]>;
def : Onnx_Operator<"ai.onnx", "RegexFullMatch", [20]>;
def : Onnx_Operator<"ai.onnx", "Relu", [1, 6, 13, 14]>;
def : Onnx_Operator<"ai.onnx", "Reshape", [1, 5, 13, 14, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Resize", [10, 11, 13, 18, 19]>;
def : Onnx_Operator<"ai.onnx", "ReverseSequence", [10, 28]>;
def : Onnx_Operator<"ai.onnx", "RoiAlign", [10, 16, 22]>;
def : Onnx_Operator<"ai.onnx", "RotaryEmbedding", [23]>;
def : Onnx_Operator<"ai.onnx", "Round", [11, 22]>;
def : Onnx_Operator<"ai.onnx", "STFT", [17]>;
def : Onnx_Operator<"ai.onnx", "Scan", [8, 9, 11, 16, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Scatter", [9, 11]>;
def : Onnx_Operator<"ai.onnx", "ScatterElements", [11, 13, 16, 18]>;
def : Onnx_Operator<"ai.onnx", "ScatterND", [11, 13, 16, 18]>;
def : Onnx_Operator<"ai.onnx", "Selu", [1, 6, 22]>;
def : Onnx_Operator<"ai.onnx", "SequenceAt", [11]>;
def : Onnx_Operator<"ai.onnx", "SequenceConstruct", [11]>;
def : Onnx_Operator<"ai.onnx", "SequenceEmpty", [11]>;
def : Onnx_Operator<"ai.onnx", "SequenceErase", [11]>;
def : Onnx_Operator<"ai.onnx", "SequenceInsert", [11]>;
def : Onnx_Operator<"ai.onnx", "SequenceLength", [11]>;
def : Onnx_Operator<"ai.onnx", "SequenceMap", [17]>;
def : Onnx_Operator<"ai.onnx", "Shape", [1, 13, 15, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Shrink", [9]>;
def : Onnx_Operator<"ai.onnx", "Sigmoid", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "Sign", [9, 13]>;
def : Onnx_Operator<"ai.onnx", "Sin", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Sinh", [9, 22]>;
def : Onnx_Operator<"ai.onnx", "Size", [1, 13, 19, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Slice", [1, 10, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "Softmax", [1, 11, 13]>;
def : Onnx_Operator<"ai.onnx", "SoftmaxCrossEntropyLoss", [12, 13]>;
def : Onnx_Operator<"ai.onnx", "Softplus", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "Softsign", [1, 22]>;
def : Onnx_Operator<"ai.onnx", "SpaceToDepth", [1, 13, 28]>;
def : Onnx_Operator<"ai.onnx", "Split", [1, 2, 11, 13, 18]>;
def : Onnx_Operator<"ai.onnx", "SplitToSequence", [11, 24]>;
def : Onnx_Operator<"ai.onnx", "Sqrt", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "Squeeze", [1, 11, 13, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "StringConcat", [20]>;
def : Onnx_Operator<"ai.onnx", "StringNormalizer", [10]>;
def : Onnx_Operator<"ai.onnx", "StringSplit", [20]>;
def : Onnx_Operator<"ai.onnx", "Sub", [1, 6, 7, 13, 14]>;
def : Onnx_Operator<"ai.onnx", "Sum", [1, 6, 8, 13]>;
def : Onnx_Operator<"ai.onnx", "SwiGLU", [28]>;
def : Onnx_Operator<"ai.onnx", "Swish", [24]>;
def : Onnx_Operator<"ai.onnx", "Tan", [7, 22]>;
def : Onnx_Operator<"ai.onnx", "Tanh", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "TensorScatter", [24]>;
def : Onnx_Operator<"ai.onnx", "TfIdfVectorizer", [9]>;
def : Onnx_Operator<"ai.onnx", "ThresholdedRelu", [10, 22]>;
def : Onnx_Operator<"ai.onnx", "Tile", [1, 6, 13]>;
def : Onnx_Operator<"ai.onnx", "TopK", [1, 10, 11, 24]>;
def : Onnx_Operator<"ai.onnx", "Transpose", [1, 13, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Trilu", [14]>;
def : Onnx_Operator<"ai.onnx", "Unique", [11, 28]>;
def : Onnx_Operator<"ai.onnx", "Unsqueeze", [1, 11, 13, 21, 23, 24, 25]>;
def : Onnx_Operator<"ai.onnx", "Upsample", [1, 7, 9, 10]>;
def : Onnx_Operator<"ai.onnx", "Where", [9, 16]>;
def : Onnx_Operator<"ai.onnx", "Xor", [1, 7]>;
// ai.onnx.ml
def : Onnx_Operator<"ai.onnx.ml", "ArrayFeatureExtractor", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "Binarizer", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "CastMap", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "CategoryMapper", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "DictVectorizer", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "FeatureVectorizer", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "Imputer", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "LabelEncoder", [1, 2, 4]>;
def : Onnx_Operator<"ai.onnx.ml", "LinearClassifier", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "LinearRegressor", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "Normalizer", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "OneHotEncoder", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "SVMClassifier", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "SVMRegressor", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "Scaler", [1]>;
def : Onnx_Operator<"ai.onnx.ml", "TreeEnsemble", [5]>;
def : Onnx_Operator<"ai.onnx.ml", "TreeEnsembleClassifier", [1, 3, 5]>;
def : Onnx_Operator<"ai.onnx.ml", "TreeEnsembleRegressor", [1, 3, 5]>;
def : Onnx_Operator<"ai.onnx.ml", "ZipMap", [1]>;
// ai.onnx.preview
def : Onnx_Operator<"ai.onnx.preview", "FlexAttention", [1]>;
// ai.onnx.preview.training
def : Onnx_Operator<"ai.onnx.preview.training", "Adagrad", [1]>;
def : Onnx_Operator<"ai.onnx.preview.training", "Adam", [1]>;
def : Onnx_Operator<"ai.onnx.preview.training", "Gradient", [1]>;
def : Onnx_Operator<"ai.onnx.preview.training", "Momentum", [1]>;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPERATORS_TD
