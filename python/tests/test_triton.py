# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configurations that Triton's own autotuner keeps, without a GPU."""
import gpucost
import gpucost.triton
import pytest

triton = pytest.importorskip("triton")


class Tensor:
    """The attributes of a tensor that an autotuner reads."""

    dtype = "torch.bfloat16"


def configs(names=("BLOCK_M", "BLOCK_N", "BLOCK_K")):
    return [triton.Config(dict(zip(names, (m, n, k))), num_warps=warps, num_stages=stages)
            for m in (32, 64, 128, 256) for n in (32, 64, 128, 256) for k in (32, 64)
            for warps in (4, 8) for stages in (2, 3, 4)]


def autotuner(prune, arg_names=("a", "b", "c", "M", "N", "K"), among=None, **arguments):
    """The result of @triton.autotune for a function, with the arguments of one launch."""
    def kernel():
        """Never compiled."""

    kernel.arg_names = list(arg_names)
    tuner = triton.autotune(configs=among or configs(), key=[], prune_configs_by=prune)(kernel)
    tuner.nargs = dict(zip(arg_names, arguments.values()))
    return tuner


LAUNCH = dict(a=Tensor(), b=Tensor(), c=Tensor(), M=4096, N=4096, K=4096)


def test_keeps_the_best_that_can_run():
    tuner = autotuner(gpucost.triton.prune("h100-bf16", top_k=8), **LAUNCH)
    kept = tuner.prune_configs({})
    assert len(kept) == 8 and all(any(config is each for each in tuner.configs) for config in kept)
    model, problem = gpucost.Model("h100-bf16"), gpucost.Matmul(4096, 4096, 4096)

    def cost(config):
        words = config.kwargs
        return model.schedules(problem, [gpucost.Schedule(
            tile_m=words["BLOCK_M"], tile_n=words["BLOCK_N"], tile_k=words["BLOCK_K"], warps=config.num_warps,
            stages=config.num_stages)])[0].time_us

    times = sorted(cost(config) for config in tuner.configs)
    assert [cost(config) for config in kept] == times[:8]


def test_confidence_keeps_what_may_be_fastest():
    """At least the best, at most `top_k`: exactly gpucost.rank's cut."""
    tuner = autotuner(gpucost.triton.prune("h100-bf16", top_k=1000, confidence=0.5), **LAUNCH)
    pruner = tuner.early_config_prune
    times = pruner.costs(tuner.configs, LAUNCH)
    best = min(each.time_us for each in times)
    assert len(tuner.prune_configs({})) == sum(each.time_us == best for each in times)
    wide = autotuner(gpucost.triton.prune("h100-bf16", top_k=1000, confidence=0.8), **LAUNCH).prune_configs({})
    ranking = gpucost.rank(tuner.configs, target="h100-bf16", problem=gpucost.Matmul(4096, 4096, 4096),
                           schedule=lambda config: pruner.schedule_of(config.all_kwargs()))
    assert [str(each) for each in wide] == [str(each) for each in ranking.worth_measuring()]
    assert len(tuner.prune_configs({})) < len(wide) < len(tuner.configs)


def test_perf_model():
    """Triton calls it with the kernel's arguments and all keywords of a configuration, and keeps the least."""
    by_model = autotuner({"perf_model": gpucost.triton.perf_model("h100-bf16"), "top_k": 5}, **LAUNCH).prune_configs({})
    kept = autotuner(gpucost.triton.prune("h100-bf16", top_k=5), **LAUNCH).prune_configs({})
    assert [str(each) for each in by_model] == [str(each) for each in kept]
    with pytest.raises(TypeError, match="unexpected keyword argument 'top_k'"):
        gpucost.triton.perf_model("h100-bf16", top_k=3)


def test_decorator_of_triton():
    """@triton.autotune around a real kernel hands the arguments on."""
    import triton.language as tl

    @triton.autotune(configs=configs(), key=["M", "N", "K"], prune_configs_by=gpucost.triton.prune("h100-bf16", top_k=3))
    @triton.jit
    def kernel(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
        pass

    kernel.nargs = dict(LAUNCH)
    assert len(kernel.prune_configs({})) == 3


def test_other_names_and_formats():
    names = ("TILE_R", "TILE_C", "TILE_D")
    prune = gpucost.triton.prune("h100-bf16", top_k=2, m="rows", n="cols", k="depth", tile_m="TILE_R", tile_n="TILE_C",
                                 tile_k="TILE_D")
    tuner = autotuner(prune, ("x", "rows", "cols", "depth"), configs(names), x=Tensor(), rows=4096, cols=4096, depth=4096)
    expected = autotuner(gpucost.triton.prune("h100-bf16", top_k=2), **LAUNCH).prune_configs({})
    assert [tuple(config.kwargs.values()) for config in tuner.prune_configs({})] == \
        [tuple(config.kwargs.values()) for config in expected]
    pruner = prune["early_config_prune"]
    assert pruner.format_of({"x": Tensor()}) == "bf16" and pruner.format_of({"x": 3}) is None


def test_sizes_in_keywords():
    tuner = autotuner(gpucost.triton.prune("a100-bf16", top_k=1), ("a",), a=Tensor())
    assert len(tuner.prune_configs({"M": 512, "N": 512, "K": 512})) == 1


def test_attention_and_other_kernels():
    blocks = [triton.Config({"BLOCK_M": m, "BLOCK_N": n}, num_warps=4, num_stages=2) for m in (64, 128) for n in (32, 64)]
    prune = gpucost.triton.prune("h100-bf16", top_k=2, kind="attention")
    tuner = autotuner(prune, ("q", "Z", "H", "N_CTX", "HEAD_DIM"), blocks, q=Tensor(), Z=4, H=16, N_CTX=2048, HEAD_DIM=128)
    assert len(tuner.prune_configs({})) == 2
    rows = [triton.Config({"BLOCK": 1024}, num_warps=warps) for warps in (1, 4, 8, 16)]
    prune = gpucost.triton.prune("h100-bf16", top_k=1, problem=lambda args: gpucost.Softmax(args["rows"], args["cols"]),
                                 schedule=lambda meta: gpucost.Schedule(warps=meta["num_warps"]))
    assert len(autotuner(prune, ("rows", "cols"), rows, rows=4096, cols=1024).prune_configs({})) == 1


def test_nothing_can_run_keeps_all():
    huge = [triton.Config({"BLOCK_M": 1024, "BLOCK_N": 1024, "BLOCK_K": 256}, num_warps=4, num_stages=4)]
    tuner = autotuner(gpucost.triton.prune("h100-bf16", top_k=1), among=huge, **LAUNCH)
    with pytest.warns(gpucost.GpuCostWarning, match="none can run"):
        assert tuner.prune_configs({}) == huge


def test_mistakes():
    tuner = autotuner(gpucost.triton.prune("h100-bf16"), ("a", "rows"), a=Tensor(), rows=3)
    with pytest.raises(gpucost.InvalidArgumentError, match="no argument M or m for 'm'"):
        tuner.prune_configs({})
    for arguments, kind in [({"kind": "conv"}, ValueError), ({"top_k": 0}, ValueError), ({"tiles_m": "X"}, TypeError),
                            ({"objective": "speed"}, ValueError), ({"problem": len}, ValueError),
                            ({"confidence": 0.1}, ValueError), ({"confidence": 0.8, "objective": "energy"}, ValueError)]:
        with pytest.raises(kind):
            gpucost.triton.prune("h100-bf16", **arguments)
