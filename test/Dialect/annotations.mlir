// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every `gpucost.*` attribute is declared: name, value and holder are checked.
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @right(%x: tensor<4xf32>) attributes {gpucost.loops} {
  "test.op"(%x) {gpucost.trip_count = 3 : i64, gpucost.role = #gpucost<role parameter>} : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{unknown attribute 'gpucost.trip_cout'; did you mean 'gpucost.trip_count'}}
func.func @typo() attributes {gpucost.trip_cout = 3 : i64} {
  return
}

// -----

// expected-error @+1 {{unknown attribute 'gpucost.anything_else'}}
func.func @unknown() attributes {gpucost.anything_else} {
  return
}

// -----

// expected-error @+1 {{attribute 'gpucost.trip_count' expects a 64-bit integer of at least 0, but got -1 : i64}}
func.func @negative() attributes {gpucost.trip_count = -1 : i64} {
  return
}

// -----

// expected-error @+1 {{attribute 'gpucost.bindings' belongs to a module}}
func.func @holder() attributes {gpucost.bindings = {batch = 1 : i64}} {
  return
}

// -----

// expected-error @+1 {{attribute 'gpucost.bindings' expects 64-bit integers by name, but got {batch = "one"}}}
module attributes {gpucost.bindings = {batch = "one"}} {}

// -----

// expected-error @+1 {{attribute 'gpucost.assumptions' expects a list of pairs of strings, but got [["a"]]}}
module attributes {gpucost.assumptions = [["a"]]} {}

// -----

// expected-error @+1 {{attribute 'gpucost.target' expects a #gpucost.target, but got "a100"}}
module attributes {gpucost.target = "a100"} {}

// -----

// expected-error @+1 {{attribute 'gpucost.role' does not belong to an argument}}
func.func @argument(%x: tensor<4xf32> {gpucost.role = #gpucost<role parameter>}) {
  return
}

// -----

// expected-error @+1 {{attribute 'gpucost.role' expects a #gpucost.role, but got "parameter"}}
func.func @role_text() attributes {gpucost.role = "parameter"} {
  return
}

// -----

// expected-error @+2 {{failed to parse TensorRoleAttr parameter 'value'}}
// expected-error @+1 {{expected one of [parameter, gradient, optimizer_state] for use of persistent memory, got: weight}}
func.func @role() attributes {gpucost.role = #gpucost<role weight>} {
  return
}

// -----

// expected-error @+1 {{attribute 'gpucost.recomputed' expects a unit attribute, but got "recompute"}}
func.func @recomputed() attributes {gpucost.recomputed = "recompute"} {
  return
}

// -----

func.func @cost(%x: tensor<4xf32>) {
  "test.op"(%x) {gpucost.cost = #gpucost.cost<runtime = "as-written", coverage = fallback, time = 1.5 us, low = 1.25 us, high = open, energy = 2 mJ,
      power = 300 W, bound = dram, launches = 2, reason = "no cost rule">} : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{attribute 'gpucost.cost' expects a #gpucost.cost, but got 1.500000e+00 : f64}}
func.func @number() attributes {gpucost.cost = 1.5} {
  return
}

// -----

// A set of coefficients by its name.
module attributes {gpucost.coefficients = "a100-sxm-80gb"} {
}

// -----

// expected-error @+1 {{attribute 'gpucost.coefficients' expects a #gpucost.coefficients, but got 1 : i64}}
module attributes {gpucost.coefficients = 1} {
}
