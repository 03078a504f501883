# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a release consists of: the source archive, the conda recipe, and the script that makes it."""
import re
import shutil
import subprocess
import sys
import tarfile

import gpucost
import pytest


def test_source_archive(root, tmp_path):
    """It has the files of the checkout, no others, and metadata that an index accepts."""
    pytest.importorskip("build")
    pytest.importorskip("twine")
    pytest.importorskip("scikit_build_core")
    subprocess.run([sys.executable, "-m", "build", "--sdist", "--no-isolation", "-o", tmp_path, root], check=True,
                   capture_output=True)
    archive = tmp_path / f"gpucost-{gpucost.__version__}.tar.gz"
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert names >= {"PKG-INFO", "LICENSE", "CMakeLists.txt", "pyproject.toml", "python/gpucost/py.typed", "utils/make-wheel"}
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=False,
                           capture_output=True, text=True)
    if files.returncode == 0:
        assert names - {"PKG-INFO"} == {name for name in files.stdout.split("\0") if (root / name).is_file()}
    assert archive.stat().st_size < 10 << 20
    checked = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", archive], capture_output=True, text=True,
                             check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_conda_recipe(root):
    rattler_build = pytest.importorskip("rattler_build")
    folder = root / "packaging" / "conda"
    variants = rattler_build.VariantConfig.from_file(str(folder / "variants.yaml"))
    rendered, = rattler_build.Stage0Recipe.from_file(str(folder / "recipe.yaml")).render(variants)
    recipe = rendered.recipe.to_dict()
    assert recipe["package"] == {"name": "gpu-cost-opt", "version": gpucost.__version__}
    needs = {need.split(" ")[0] for need in recipe["requirements"]["host"]}
    assert needs >= {"mlir", "llvmdev", "libprotobuf"}
    # The targets and options that the script names exist.
    text = "".join(path.read_text(encoding="utf-8") for path in
                   [root / "CMakeLists.txt", *root.glob("cmake/modules/*.cmake"), *root.glob("tools/**/CMakeLists.txt")])
    for name in re.findall(r"GPUCOST_\w+|GpuCost\w+|(?<=--component )\w+", " ".join(recipe["build"]["script"])):
        assert name in text, name


@pytest.fixture(name="release")
def make_release(root, tmp_path):
    """Runs utils/release in a repository that has what the script reads."""
    for name in ("CMakeLists.txt", "packaging/conda/recipe.yaml", "utils/release"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## Unreleased\n\n## {gpucost.__version__} (2026-01-01)\n\n- First.\n")

    def git(*arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=tmp_path, check=True,
                       capture_output=True)

    def run(*arguments):
        return subprocess.run(["utils/release", "--dry-run", *arguments], cwd=tmp_path, check=False, capture_output=True,
                              text=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "All")
    run.git, run.folder = git, tmp_path
    return run


def test_release_steps(release):
    found = release(gpucost.__version__)
    assert found.returncode == 0 and not found.stderr
    steps = found.stdout.splitlines()
    assert all(step.startswith("+ ") for step in steps)
    assert [step for step in steps if "sdist" in step or "make-wheel" in step or "cpack" in step] == steps[1:3] + steps[4:5]
    assert steps[-1] == f"+ git tag -a v{gpucost.__version__} -m gpu-cost-opt {gpucost.__version__}"
    assert not (release.folder / "dist").exists()


def test_release_is_refused(release):
    def message(*arguments):
        found = release(*(arguments or [gpucost.__version__]))
        assert found.returncode == 1 and not found.stdout
        return found.stderr

    assert "expected a version such as 1.2.3, but got '01.2'" in message("01.2")
    assert "CMakeLists.txt states version" in message("98.7.6")
    (release.folder / "new").touch()
    assert "changes that are not committed" in message()
    (release.folder / "new").unlink()
    release.git("tag", f"v{gpucost.__version__}")
    assert f"tag v{gpucost.__version__} exists" in message()
    changes = release.folder / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace("- First.", ""))
    assert f"no section '## {gpucost.__version__}' with entries" in message()
    recipe = release.folder / "packaging" / "conda" / "recipe.yaml"
    recipe.write_text(recipe.read_text().replace(f'"{gpucost.__version__}"', '"98.7.6"'))
    assert "recipe.yaml states version '98.7.6'" in message()
