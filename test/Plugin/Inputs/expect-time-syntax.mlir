// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {transform.with_named_sequence} {
  transform.named_sequence @right(%a: !transform.any_op {transform.readonly}) {
    transform.gpucost.expect_time %a within [30 us, 40.5 us] : !transform.any_op
    transform.gpucost.expect_time %a as_kernel within 5 percent of 33.4 us : !transform.any_op
    transform.gpucost.expect_time %a relative to %a by [-30, -10.5] percent : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @order(%a: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{expected a low and a high end, in this order}}
    transform.gpucost.expect_time %a within [40 us, 30 us] : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @percent(%a: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{expected a range of times of at least 0}}
    transform.gpucost.expect_time %a relative to %a by [-130, 0] percent : !transform.any_op, !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @unit(%a: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{unknown unit 'mW', expected one of ns, us, ms, s}}
    transform.gpucost.expect_time %a within [30 mW, 40 us] : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @form(%a: !transform.any_op {transform.readonly}) {
    // expected-error @+1 {{expected 'within [30 us, 40 us]', 'within 5 percent of 33 us' or 'relative to %base by [-30, -10] percent'}}
    transform.gpucost.expect_time %a below 40 : !transform.any_op
    transform.yield
  }
}
