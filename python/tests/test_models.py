# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Model: kernels, schedules, arrays, custom GPUs."""
import dataclasses
import pickle
import random

import gpucost
import pytest
from gpucost import _abi, _kernels


@pytest.fixture(scope="module")
def model():
    return gpucost.Model("h100-bf16")


def test_flops_and_bytes_by_hand(model):
    cost = model.matmul(256, 512, 1024)
    # 2 x 256 x 512 x 1024; (256 x 1024 + 1024 x 512 + 256 x 512) x 2 bytes.
    assert (cost.flops, cost.bytes) == (268435456, 1835008)
    assert cost.time_low_us < cost.time_us < cost.time_high_us
    assert cost.energy_j == pytest.approx(cost.power_w * cost.time_us * 1e-6)


def test_fields_are_those_of_the_header():
    for name, kind in _kernels.FAMILIES.items():
        fields = {field.name for field in dataclasses.fields(kind)}
        assert fields == set(kind.words()), name
    schedule = {name for name, _ in _abi.Schedule._fields_} - {"size", "reserved"}
    assert {field.name for field in dataclasses.fields(gpucost.Schedule)} == schedule
    # flops_per_clock of a Device holds both arrays of the struct.
    device = {name for name, _ in _abi.Device._fields_} - {"size", "more_flops_per_clock"}
    assert {field.name for field in dataclasses.fields(gpucost.Device)} == device


def test_another_format(model):
    assert model.matmul(4096, 4096, 4096, format="fp8").time_us < model.matmul(4096, 4096, 4096).time_us
    assert gpucost.Model("h100", format="fp8").format == "fp8"


def test_operating_point(model):
    slow = model.at(clock=990)
    assert slow.query.clock == 990 and model.query.clock is None
    assert slow.matmul(8192, 8192, 8192).clock_mhz == 990
    assert slow.matmul(8192, 8192, 8192).time_us > model.matmul(8192, 8192, 8192).time_us


def test_a_schedule_that_cannot_run(model):
    with pytest.raises(gpucost.InfeasibleError, match="shared memory|registers|threads"):
        model.matmul(4096, 4096, 4096, tile=(256, 256, 256), warps=4, stages=8)
    answer, = model.schedules(gpucost.Matmul(4096, 4096, 4096),
                              [gpucost.Schedule(tile_m=256, tile_n=256, tile_k=256, warps=4, stages=8)])
    assert not answer.feasible and answer.reason and answer.cost is None and answer.time_us == float("inf")


def test_top_is_sorted_and_complete(model):
    problem = gpucost.Matmul(2048, 2048, 2048)
    best = model.top(problem, 5)
    assert len(best) == 5 and all(answer.feasible for answer in best)
    assert [answer.time_us for answer in best] == sorted(answer.time_us for answer in best)
    again = model.schedules(problem, [answer.schedule for answer in best])
    assert [answer.time_us for answer in again] == [answer.time_us for answer in best]
    among = model.candidates(problem)
    assert best[0].time_us == min(answer.time_us for answer in model.schedules(problem, among))


def test_schedules_have_neutral_words(model):
    vendor = model.matmul(4096, 4096, 4096, tile=(128, 128, 64), warps=8, ctas_per_sm=1, stages=3)
    neutral = model.matmul(4096, 4096, 4096, tile=(128, 128, 64), subgroups=8, workgroups_per_unit=1, stages=3)
    assert neutral.time_us == vendor.time_us
    schedule = gpucost.Schedule.of(subgroups=4, workgroups_per_unit=2)
    assert (schedule.warps, schedule.subgroups, schedule.workgroups_per_unit) == (4, 4, 2)
    assert gpucost.Schedule(subgroups=4, workgroups_per_unit=2) == schedule == gpucost.Schedule(warps=4, ctas_per_sm=2)
    assert dataclasses.replace(schedule, warps=8) == dataclasses.replace(gpucost.Schedule(ctas_per_sm=2), subgroups=8)
    for make in (gpucost.Schedule, gpucost.Schedule.of):
        with pytest.raises(gpucost.InvalidArgumentError, match="'subgroups' and 'warps' are the same field"):
            make(subgroups=4, warps=4)


def test_long_reasons_are_complete():
    device = dataclasses.replace(gpucost.Model("h100-bf16").device, name="h" * 300)
    model = gpucost.Model(device, coefficients="h100-sxm-80gb", format="bf16")
    (large,) = model.schedules(gpucost.Matmul(4096, 4096, 4096),
                               [gpucost.Schedule(tile_m=256, tile_n=256, tile_k=64, warps=8, stages=16)])
    assert not large.feasible and f"'{'h' * 300}' has " in large.reason


def test_every_neutral_word_is_a_property():
    fields = {field.name for field in dataclasses.fields(gpucost.Schedule)}
    assert len(_abi.NEUTRAL_FIELDS) == 2
    for word, field in _abi.NEUTRAL_FIELDS.items():
        assert field in fields and getattr(gpucost.Schedule(**{field: 3}), word) == 3


def test_schedules_of_convolutions():
    sizes = dict(n=32, c=256, h=14, w=14, oc=256, kh=3, kw=3, pad=1)
    # The limit lowers the clock of kernels with different power by different amounts.
    model = gpucost.Model("h100-bf16", power_limit=10000)
    library = model.conv2d(**sizes)
    (best,) = model.top(gpucost.Conv2d(**sizes), 1)
    assert best.time_us == pytest.approx(library.time_us, rel=0.05) and not best.order_validated
    fields = dataclasses.asdict(best.schedule)
    again = model.conv2d(**sizes, **{name: value for name, value in fields.items() if value})
    assert again.time_us == best.time_us
    # 32 * 14 * 14 pixels in 49 tiles, 256 channels in 2.
    assert model.conv2d(**sizes, tile=(128, 128, 64), split_k=1).ctas == 98


def test_schedules_of_one_query_token(model):
    cache = gpucost.Attention(heads=32, q_len=1, kv_len=16384, head_dim=128, kv_heads=8)
    (best,) = model.top(cache, 1)
    assert best.time_us == pytest.approx(model.estimate(cache).time_us)
    whole, split = model.schedules(cache, [gpucost.Schedule(split_k=1), gpucost.Schedule(split_k=16)])
    # 8 heads of the cache on 132 SMs.
    assert (whole.cost.ctas, split.cost.ctas) == (8, 128) and whole.time_us > 2 * split.time_us
    (bad,) = model.schedules(cache, [gpucost.Schedule(tile_n=64, split_k=257)])
    assert not bad.feasible and bad.reason == "16384 keys in blocks of 64 split into 257 parts"


def test_reason_names_the_choice_of_the_library():
    model = gpucost.Model("a100-bf16")
    (best,) = model.top(gpucost.Matmul(4096, 1024, 4096), 1)
    assert model.matmul(4096, 1024, 4096).time_us > 1.05 * best.time_us
    assert best.feasible and "by a heuristic on the shape ((G12), (G17)" in best.reason
    (same,) = model.top(gpucost.Matmul(4096, 4096, 4096), 1)
    assert same.reason == ""


def test_top_of_a_space(model):
    problem = gpucost.Matmul(2048, 2048, 2048)
    space = [gpucost.Schedule(tile_m=m, tile_n=n, tile_k=64, warps=8, stages=3) for m in (64, 128) for n in (64, 128)]
    costs = model.schedules(problem, space)
    assert model.top(problem, 1, space=space)[0].time_us == min(cost.time_us for cost in costs)
    energy = model.top(problem, 4, space=space, objective="energy")
    assert [cost.energy_j for cost in energy] == sorted(cost.energy_j for cost in costs)
    assert model.top(problem, 3, space=[]) == []


def test_models_pickle(model):
    for each in (model, model.at(clock=1200), gpucost.Model(gpucost.device("a100"), format="fp16", coefficients="a100")):
        again = pickle.loads(pickle.dumps(each))
        assert again.matmul(1000, 1000, 1000) == each.matmul(1000, 1000, 1000)
        assert again.query == each.query


def test_arrays_are_the_single_kernels(model):
    numpy = pytest.importorskip("numpy")
    draw = random.Random(1)
    sizes = [[draw.randint(1, 5000) for _ in range(3)] for _ in range(200)]
    sizes += sizes[:50]
    m, n, k = numpy.array(sizes).T
    costs = model.estimate_many("matmul", m=m, n=n, k=k)
    for index, (each_m, each_n, each_k) in enumerate(sizes):
        assert costs[index] == model.matmul(each_m, each_n, each_k)
    assert costs.time_us.tolist() == [cost.time_us for cost in costs]
    assert costs.bound.tolist() == [cost.bound for cost in costs]
    assert costs[costs.bound == "tensor"].time_us.size == (costs.bound == "tensor").sum()
    assert pickle.loads(pickle.dumps(costs)).time_us.tolist() == costs.time_us.tolist()


def test_arrays_broadcast_and_take_texts(model):
    numpy = pytest.importorskip("numpy")
    grid = model.estimate_many("matmul", m=numpy.array([[64], [128]]), n=numpy.array([256, 512, 1024]), k=4096)
    assert grid.time_us.shape == (2, 3) and grid[1, 2] == model.matmul(128, 1024, 4096)
    ops = model.estimate_many("elementwise", op=["add", "gelu"], elements=1 << 20)
    assert ops[1] == model.elementwise("gelu", 1 << 20)
    heads = model.estimate_many("attention", heads=32, kv_heads=8, q_len=1, kv_len=[512, 1024], head_dim=128,
                                causal=False)
    assert heads[0] == model.attention(heads=32, kv_heads=8, q_len=1, kv_len=512, head_dim=128)
    linear = model.estimate_many("matmul", m=64, n=64, k=64, linear=[None, True, False])
    assert linear[2] == model.matmul(64, 64, 64, linear=False)


def test_documents_of_packed_sequences(model):
    sizes = dict(heads=16, head_dim=128, causal=True)
    packed = model.attention(q_len=4096, kv_len=4096, document=512, **sizes)
    # Eight documents have the work of a batch of eight.
    assert packed.time_us == pytest.approx(model.attention(q_len=512, kv_len=512, batch=8, **sizes).time_us, rel=0.05)
    assert packed.time_us < 0.5 * model.attention(q_len=4096, kv_len=4096, **sizes).time_us
    assert model.estimate_many("attention", q_len=4096, kv_len=4096, document=[0, 512], **sizes)[1] == packed
    with pytest.raises(gpucost.InvalidArgumentError, match="'document' of a kernel expects 0 if q_len and kv_len differ"):
        model.attention(q_len=1, kv_len=4096, document=512, **sizes)


def test_arrays_of_more_than_a_chunk(model):
    numpy = pytest.importorskip("numpy")
    m = numpy.arange(40000) % 97 + 1
    times = model.estimate_many("matmul", m=m, n=64, k=64).time_us
    assert times.tolist() == times[:97].tolist() * (40000 // 97) + times[:40000 % 97].tolist()


def test_many_new_kernels_are_not_kept():
    """Arrays with more distinct kernels than the cache holds bypass it, with the same results."""
    numpy = pytest.importorskip("numpy")
    from gpucost import _arrays, _model

    model = gpucost.Model("a100-bf16")
    count = _model.CACHED_KERNELS + 1000
    rows = numpy.arange(count) + 1
    assert _arrays.mostly_distinct([rows], count) and not _arrays.mostly_distinct([rows % 1000], count)
    costs = model.estimate_many("softmax", rows=rows, cols=64)
    assert not hasattr(model._local, "cache")
    for index in (0, 20000, count - 1):
        assert costs[index] == model.softmax(index + 1, 64)
    again = model.estimate_many("softmax", rows=rows % 1000 + 1, cols=64)
    assert again.time_us[:999].tolist() == costs.time_us[1:1000].tolist()
    assert _model.lib.CacheSize(model._cache().pointer) == 1000


def test_errors_in_arrays(model):
    pytest.importorskip("numpy")
    with pytest.raises(gpucost.InvalidArgumentError, match="kernel 1"):
        model.estimate_many("matmul", m=[1, 0, 1], n=1, k=1)
    costs = model.estimate_many("matmul", m=[1, 0, 1], n=1, k=1, errors="keep")
    assert costs.failed.tolist() == [False, True, False] and costs.time_us[1] != costs.time_us[1]
    with pytest.raises(TypeError, match="no column 'mm'"):
        model.estimate_many("matmul", mm=1)
    with pytest.raises(TypeError, match="needs n, k"):
        model.estimate_many("matmul", m=1)
    with pytest.raises(gpucost.InvalidArgumentError, match="unknown family 'gemm'"):
        model.estimate_many("gemm", m=1)
    with pytest.raises(gpucost.InvalidArgumentError, match="different lengths"):
        model.estimate_many("matmul", m=[1, 2], n=[1, 2, 3], k=1)
    with pytest.raises(gpucost.InvalidArgumentError, match="expected whole numbers"):
        model.estimate_many("matmul", m=[1.5], n=1, k=1)


@pytest.mark.parametrize("call, kind, words", [
    (lambda model: model.matmul(0, 1, 1), gpucost.InvalidArgumentError, "m"),
    (lambda model: model.matmul(1.5, 1, 1), gpucost.InvalidArgumentError, "whole number"),
    (lambda model: model.matmul("4", 1, 1), gpucost.InvalidArgumentError, "whole number"),
    (lambda model: model.matmul(1 << 70, 1, 1), gpucost.InvalidArgumentError, "m"),
    (lambda model: model.matmul(64, 64, 64, tile=(64,)), gpucost.InvalidArgumentError, "tile"),
    (lambda model: model.matmul(64, 64, 64, tiles=(64, 64)), TypeError, "tiles"),
    (lambda model: model.elementwise("relux", 64), gpucost.NotFoundError, "relux"),
    (lambda model: model.matmul(64, 64, 64, format="fp4"), gpucost.NotFoundError, "fp4"),
    (lambda model: model.estimate((64, 64, 64)), TypeError, "problem"),
    (lambda model: model.at(clock=-1), gpucost.InvalidArgumentError, "clock"),
    (lambda model: model.at(clocks=1), TypeError, "clocks"),
    (lambda model: model.top(gpucost.Matmul(64, 64, 64), 0), gpucost.InvalidArgumentError, "k"),
    (lambda model: model.top(gpucost.Conv2d(1, 32, 8, 8, 32, 3, 3, groups=32), 1), gpucost.UnsupportedError, "schedule"),
    (lambda model: gpucost.Model("h1000"), gpucost.NotFoundError, "h1000"),
    (lambda model: gpucost.Model("missing.mlir"), OSError, "missing.mlir"),
    (lambda model: gpucost.Model(gpucost.device("h100")), gpucost.GpuCostError, "coefficients"),
])
def test_mistakes(model, call, kind, words):
    with pytest.raises(kind, match=words):
        call(model)


def test_targets():
    targets = {target.name: target for target in gpucost.list_targets()}
    assert "a100" in targets["a100-sxm-80gb"].aliases and "bf16" in targets["a100-sxm-80gb"].formats
    assert gpucost.find_target("a100-bf16") == targets["a100-sxm-80gb"]
    assert gpucost.find_target("NVIDIA A100-SXM4-80GB") == targets["a100-sxm-80gb"]
    assert "NVIDIA H100 80GB HBM3" in targets["h100-sxm-80gb"].aliases
    assert gpucost.Model("NVIDIA H100 80GB HBM3").matmul(64, 64, 64) == gpucost.Model("h100-bf16").matmul(64, 64, 64)
    assert gpucost.Model("Tesla T4", format="fp16").matmul(64, 64, 64) == gpucost.Model("t4-fp16").matmul(64, 64, 64)
    assert all(target.sources for target in targets.values())
    groups = gpucost.coefficient_groups("a100")
    assert {"tensor_gemm", "power"} <= {group.name for group in groups} and all(group.provenance for group in groups)


def test_a_gpu_by_its_fields():
    facts = gpucost.device("h100")
    assert (facts.sm_count, facts.architecture, facts.max_clock) == (132, "hopper", 1.98e9)
    same = gpucost.Model(facts, format="bf16", coefficients="h100")
    assert same.matmul(4096, 4096, 4096) == gpucost.Model("h100-bf16").matmul(4096, 4096, 4096)
    half = gpucost.Model(facts.replace(name="half", sm_count=66), format="bf16", coefficients="h100")
    # Less than twice: the whole GPU reaches its power limit.
    assert half.matmul(8192, 8192, 8192).time_us > 1.4 * same.matmul(8192, 8192, 8192).time_us
    with pytest.raises(TypeError, match="sms"):
        facts.replace(sms=1)
    with pytest.raises(gpucost.InvalidArgumentError, match="hertz"):
        gpucost.Model(facts.replace(max_clock=1980), format="bf16", coefficients="h100")


@pytest.mark.parametrize("name", [
    name for name, value in gpucost.device("h100").__dict__.items()
    if isinstance(value, (int, float)) and name not in ("l2_partitioned", "texture_loads")])
def test_a_wrong_fact_is_named_as_its_field(name):
    wrong = gpucost.device("h100").replace(**{name: -1})
    with pytest.raises(gpucost.InvalidArgumentError, match=f"'{name}'"):
        gpucost.Model(wrong, format="bf16", coefficients="h100")


def test_wrong_rates_of_formats():
    facts = gpucost.device("h100")
    for rate, words in ((0.5, "'flops_per_clock' of bf16 expects a whole number"), ("fast", "'flops_per_clock' of bf16 is 'fast'")):
        with pytest.raises(gpucost.InvalidArgumentError, match=words):
            gpucost.Model(facts.replace(flops_per_clock={"bf16": rate}), format="bf16", coefficients="h100")


def test_a_target_file(root, bert):
    path = root / "targets" / "a100-sxm-80gb.mlir"
    mine = gpucost.Model(path, format="bf16")
    assert mine.matmul(512, 512, 512) == gpucost.Model("a100-bf16").matmul(512, 512, 512)
    assert pickle.loads(pickle.dumps(mine)).matmul(512, 512, 512) == mine.matmul(512, 512, 512)
    case = dict(batch=4, seq=128)
    assert gpucost.analyze(bert, target=mine, **case).iteration == \
        gpucost.analyze(bert, target="a100-bf16", **case).iteration


def test_analyze_on_a_model_of_your_own(root, bert):
    facts = gpucost.device("a100").replace(name="half", sm_count=54)
    half = gpucost.Model(facts, format="bf16", coefficients="a100")
    case = dict(batch=4, seq=128)
    report = gpucost.analyze(bert, target=half, **case)
    assert report.target == "half" and report.time_ms > gpucost.analyze(bert, target="a100-bf16", **case).time_ms
    assert gpucost.analyze(bert, target=half.at(clock=900), **case).iteration.clock_mhz == 900
    with pytest.raises(gpucost.InvalidArgumentError, match="coefficients"):
        gpucost.analyze(bert, target=facts, **case)
    for target in ("p100-fp32", "a10-fp32", "t4-fp16", "h100-fp8"):
        assert gpucost.analyze(root / "models" / "gpt2-sdpa23.onnx", target=gpucost.Model(target), **case).iteration == \
            gpucost.analyze(root / "models" / "gpt2-sdpa23.onnx", target=target, **case).iteration
    full = gpucost.Model("a100-bf16")
    for settings in ({"runtime": "compiled"}, {"clock": 1005, "host_launch_us": 3}, {"mode": "training"}):
        assert gpucost.analyze(bert, target=full.at(clock=900), **case, **settings).iteration == \
            gpucost.analyze(bert, target="a100-bf16", **{"clock": 900, **case, **settings}).iteration


def test_wrong_operating_points(bert):
    placed = gpucost.prepare(bert, target="a100-bf16", batch=2, seq=64).place("a100")
    for clock in ("fast", float("nan"), -1, True):
        with pytest.raises(gpucost.InvalidArgumentError, match="'clock' is .*: expected a number above 0"):
            placed.evaluate(clock=clock)
    numpy = pytest.importorskip("numpy")
    for clock in ([1410, float("nan")], [0, 900], -5):
        with pytest.raises(gpucost.InvalidArgumentError, match="'clock' is .*: expected numbers above 0"):
            placed.evaluate_many(clock=clock)
    grid = placed.evaluate_many(clock=numpy.array([[1410.0], [900.0]]), power_limit=[400, 150, 100])
    assert grid.shape == (2, 3)
    for row, clock in enumerate((1410, 900)):
        for column, limit in enumerate((400, 150, 100)):
            iteration = placed.evaluate(clock=clock, power_limit=limit).iteration
            assert grid["time"][row, column] == pytest.approx(iteration.time_ms * 1e-3, rel=1e-6)
            assert grid["energy"][row, column] == pytest.approx(iteration.energy_j, rel=1e-6)


def test_a_function_as_text():
    text = "func.func @add(%a: tensor<64x64xf32>) -> tensor<64x64xf32> { %0 = tosa.exp %a : (tensor<64x64xf32>) -> " \
           "tensor<64x64xf32> return %0 : tensor<64x64xf32> }"
    assert gpucost.analyze(text, target="a100-bf16").kernels[0].count == 1
    with pytest.raises(gpucost.InvalidArgumentError, match=r"unknown family \[1, 2\]"):
        gpucost.Model("a100-bf16").estimate_many([1, 2], m=1)


@pytest.mark.parametrize("facts, words", [
    ({"sm_count": "many"}, "'sm_count' is 'many': expected a number"),
    ({"sm_count": 66.5}, "'sm_count' is 66.5: expected a whole number"),
    ({"name": 3}, "'name' is 3: expected text"),
    ({"max_clock": None}, "'max_clock' is None: expected a number"),
    ({"flops_per_clock": 4096}, "'flops_per_clock' is 4096: expected a mapping"),
])
def test_facts_of_another_kind(facts, words):
    with pytest.raises(gpucost.InvalidArgumentError, match=words):
        gpucost.Model(gpucost.device("h100").replace(**facts), format="bf16", coefficients="h100")


def test_arguments_of_another_kind(model):
    with pytest.raises(TypeError, match="a target is the name of a GPU.*not NoneType"):
        gpucost.Model(None)
    for tile in (128, "128x128"):
        with pytest.raises(gpucost.InvalidArgumentError, match="'tile' is"):
            model.matmul(4096, 4096, 4096, tile=tile)


def test_arrays_with_elements_that_no_kernel_has(model, recwarn):
    numpy = pytest.importorskip("numpy")
    for m, words in [([1.0, float("nan")], "the element nan"), ([1.5], "the element 1.5"), ([1e300], "the element 1e"),
                     (numpy.array([2**64 - 1], dtype="uint64"), "the element 18446744073709551615"),
                     (numpy.ma.array([64, 65], mask=[0, 1]), "masked"), ([1j], "complex128")]:
        with pytest.raises(gpucost.InvalidArgumentError, match=words):
            model.estimate_many("matmul", m=m, n=64, k=64)
    with pytest.raises(gpucost.InvalidArgumentError, match="^kernel 20000: 'm' of a kernel"):
        model.estimate_many("matmul", m=[64] * 20000 + [-1], n=64, k=64)
    assert not recwarn.list


def test_layouts_of_arrays(model):
    """The same numbers with other types, strides and byte orders have the same results."""
    numpy = pytest.importorskip("numpy")
    m = numpy.arange(64, 164)
    times = model.estimate_many("matmul", m=m, n=64, k=64).time_us

    def of(values):
        return model.estimate_many("matmul", m=values, n=64, k=64).time_us

    for kind in ("uint8", "int16", ">i4", "uint64", "float16", "float64", "object"):
        assert (of(m.astype(kind)) == times).all(), kind
    assert (of(numpy.repeat(m, 2)[::2]) == times).all()
    assert (of(m[::-1]) == times[::-1]).all()
    assert (of(m.reshape(10, 10).T) == times.reshape(10, 10).T).all()
    assert (of(numpy.asfortranarray(m.reshape(10, 10))) == times.reshape(10, 10)).all()
