# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package against its sources: headers, settings, schema, types, documents."""
import ast
import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys

import gpucost
import pytest
from gpucost import _abi, _native

LIBRARIES = pathlib.Path(os.environ.get(_native.FOLDER_VARIABLE) or pathlib.Path(gpucost.__file__).parent / "lib")


def test_generated_files_are_current(root):
    result = subprocess.run([sys.executable, root / "utils" / "python_bindings.py", "--check", "--library", LIBRARIES],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def compiler():
    found = next(filter(None, map(shutil.which, ("cc", "gcc", "clang", "clang-22"))), None)
    if found is None:
        pytest.skip("no C compiler")
    return found


def test_layout_of_structs_is_that_of_c(root, tmp_path):
    lines = ["#include <stdio.h>", '#include "gpucost-c/gpucost-mlir.h"', "int main(void) {"]
    expected = []
    for name, struct in _abi.STRUCTS.items():
        if name == "KernelProblem":
            continue
        lines.append(f'  printf("{name} %zu\\n", sizeof(gpucost{name}));')
        expected.append(f"{name} {_native.ctypes.sizeof(struct)}")
        for field, *_ in struct._fields_:
            lines.append(f'  printf("{name}.{field} %zu %zu\\n", offsetof(gpucost{name}, {field}), '
                         f"sizeof(((gpucost{name} *)0)->{field}));")
            place = getattr(struct, field)
            expected.append(f"{name}.{field} {place.offset} {place.size}")
    source = tmp_path / "layout.c"
    source.write_text("\n".join(lines + ["  return 0;", "}"]))
    subprocess.run([compiler(), "-I", root / "include", source, "-o", tmp_path / "layout"], check=True)
    found = subprocess.run([tmp_path / "layout"], capture_output=True, text=True, check=True).stdout
    assert found.split("\n")[:-1] == expected


def test_functions_are_those_of_the_libraries():
    for name in _abi.FUNCTIONS:
        library = _native.mlir if hasattr(_native.mlir._load(), name) else _native.lib
        assert getattr(library, name[len("gpucost"):]).argtypes is not None


def test_code_of_others_has_its_licence():
    if _native.FOLDER_VARIABLE in os.environ:
        pytest.skip("the libraries belong to a build, not to the package")
    licences = {path.name: path.read_text(encoding="utf-8") for path in importlib.metadata.files("gpucost")
                if path.parent.name == "licenses"}
    assert "LLVM Exceptions" in licences.pop("LICENSE")
    assert all("opyright" in text for text in licences.values())
    assert {path.split(".")[0] for path in licences} == {"mlir", "onnx", "protobuf", "zlib", "fmt", "eigen"}


def test_the_wheel_runs_on_older_systems():
    """Its tag promises glibc 2.34 and the libstdc++ of GCC 11, and its libraries require no more."""
    if _native.FOLDER_VARIABLE in os.environ:
        pytest.skip("the libraries belong to a build, not to the package")
    if shutil.which("objdump") is None:
        pytest.skip("no objdump")
    tag = importlib.metadata.distribution("gpucost").read_text("WHEEL")
    assert re.search(r"^Tag: py3-none-manylinux_2_34_", tag, re.MULTILINE), tag
    newest = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13)}
    seen = set()
    for library in LIBRARIES.glob("lib*.so*"):
        symbols = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
        for owner, version, symbol in re.findall(r"\*UND\*.*[ (](GLIBC|GLIBCXX|CXXABI)_([0-9.]+)\)? +(\S+)$", symbols,
                                                 re.MULTILINE):
            seen.add(owner)
            assert tuple(map(int, version.split("."))) <= newest[owner], (library.name, symbol, owner, version)
    assert "GLIBC" in seen


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_get_one_message(root, tmp_path, platform):
    """pip's build stops before it needs CMake."""
    pytest.importorskip("scikit_build_core")
    script = ("import sys; from scikit_build_core import build; from scikit_build_core.build import wheel; "
              "from scikit_build_core.builder import get_requires; sys.platform = sys.argv[1]; "
              "assert build.get_requires_for_build_wheel() == []; build.build_wheel(sys.argv[2])")
    result = subprocess.run([sys.executable, "-c", script, platform, tmp_path], capture_output=True, text=True, check=False,
                            cwd=root)
    assert result.returncode != 0 and result.stderr == ""
    assert re.fullmatch(r"gpucost: only Linux is supported: .*\n", result.stdout), result.stdout


def test_files_are_written_whole(tmp_path, monkeypatch):
    from gpucost._files import write_file

    good = tmp_path / "good"
    good.write_bytes(b"earlier")
    good.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(good)
    write_file(link, b"later")
    assert link.is_symlink() and good.read_bytes() == b"later" and good.stat().st_mode & 0o777 == 0o600
    write_file(tmp_path / "new", b"new")
    write_file(os.devnull, b"nothing")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
        with pytest.raises(OSError, match="full"):
            write_file(good, b"lost")
    assert good.read_bytes() == b"later"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good", "link", "new"]


def test_the_package_needs_no_other(root):
    """The wheel contains all libraries except glibc and the compiler's libraries."""
    if _native.FOLDER_VARIABLE in os.environ:
        pytest.skip("the libraries belong to a build, not to the package")
    if shutil.which("ldd") is None:
        pytest.skip("no ldd")
    plain = {"libc", "libm", "libstdc++", "libgcc_s", "libdl", "libpthread", "ld-linux-x86-64", "linux-vdso"}
    # The libraries that Python loads: their paths also apply to their dependencies.
    for library in LIBRARIES.glob("libgpucost*.so"):
        shown = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
        for line in shown.splitlines():
            name, _, place = line.strip().partition(" => ")
            if pathlib.Path(name.split(" ")[0]).name.split(".so")[0] not in plain:
                assert pathlib.Path(place.split(" ")[0]).parent.samefile(LIBRARIES), line


def test_versions():
    versions = gpucost.versions()
    assert versions["gpucost"] == versions["gpucost-mlir"] == gpucost.__version__
    assert versions["abi"] >= _abi.ABI_VERSION and len(versions["data"]) == 16


def loaded_by(code):
    """Modules that a fresh Python has after `code` and not before."""
    script = f"import sys; before = set(sys.modules); {code}; print(*sorted(set(sys.modules) - before))"
    found = subprocess.run([sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONPATH": str(pathlib.Path(gpucost.__file__).parents[1])})
    return set(found.stdout.split())


def test_import_loads_nothing_else():
    """The import may take 0.1 s; without third-party modules it takes some milliseconds."""
    assert loaded_by("import gpucost") <= {"gpucost", "__future__"}
    kernels = loaded_by("import gpucost; gpucost.Model")
    assert "gpucost._kernels" in kernels
    assert not kernels & {"numpy", "pandas", "onnx", "torch", "gpucost._schema", "gpucost._analysis", "gpucost._sweep"}
    assert not loaded_by("import gpucost; gpucost.analyze") & {"numpy", "pandas", "onnx", "torch"}


def test_names_that_do_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'analyse'; did you mean 'analyze'"):
        gpucost.analyse
    code = ("import sys; sys.modules['pandas'] = None; import gpucost; "
            "from gpucost._points import Sweep; Sweep([]).to_pandas()")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "to_pandas() needs pandas: pip install pandas" in result.stderr


def test_lazy_names_are_those_of_type_checkers():
    """The table of names by module equals the imports that type checkers and editors read."""
    tree = ast.parse(pathlib.Path(gpucost.__file__).read_text(encoding="utf-8"))
    checked = next(node for node in tree.body if isinstance(node, ast.If))
    static = {(each.module, name.name) for each in checked.body if isinstance(each, ast.ImportFrom)
              for name in each.names if each.module != "gpucost"}
    assert static == {(f"gpucost.{home}", name) for name, home in gpucost._HOME_OF.items()}
    assert set(gpucost.__all__) == {name for _, name in static}
    assert {*gpucost.__all__, "enums", "errors", "inductor", "triton", "__version__"} <= set(dir(gpucost))
    space = {}
    exec("from gpucost import *", space)  # pylint: disable=exec-used
    assert set(gpucost.__all__) <= set(space)
    assert all(getattr(gpucost, name) is space[name] for name in gpucost.__all__)
    with pytest.raises(AttributeError, match="no attribute 'analyse'"):
        gpucost.analyse  # pylint: disable=pointless-statement


def errors_of(checker, folder, *files):
    """Lines of the errors that a type checker finds: in these files, or with the settings of pyproject.toml."""
    pytest.importorskip(checker)
    package = pathlib.Path(gpucost.__file__).parents[1]
    installed = package.name in ("site-packages", "dist-packages")  # Type checkers find these themselves.
    variable = {"mypy": "MYPYPATH", "pyright": "PYTHONPATH"}[checker]
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", **({} if installed else {variable: str(package)})}
    flags = {"mypy": ["--strict", "--cache-dir", folder / "cache", "--config-file="] if files else [],
             "pyright": ["--pythonpath", sys.executable]}[checker]
    result = subprocess.run([sys.executable, "-m", checker, *flags, *files], capture_output=True, text=True, check=False,
                            cwd=folder, env=environment)
    assert result.returncode in (0, 1) and not result.stderr, result.stdout + result.stderr
    found = re.findall(r"^ *(.*?):([0-9]+):.*\berror: ", result.stdout, re.MULTILINE)
    assert bool(found) == bool(result.returncode), result.stdout
    places = [(pathlib.Path(name).name, int(line)) for name, line in found]
    return [line for name, line in places if not files or name in {file.name for file in files}]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types(tmp_path, checker):
    good = tmp_path / "good.py"
    good.write_text("import gpucost\n"
                    "from gpucost.enums import Mode\n"
                    'report = gpucost.analyze("m.onnx", target="a100-bf16", batch=8, mode="training", recompute="full")\n'
                    "ms: float = report.time_ms or 0.0\n"
                    'gpucost.prepare("m.onnx", mode=Mode.TRAINING).place("h100").evaluate(clock=900).kernels[0].time_us\n'
                    'us: float = gpucost.Model("h100-bf16").matmul(1, 2, 3).time_us\n')
    bad = tmp_path / "bad.py"
    bad.write_text("import gpucost\n"
                   'gpucost.analyze("m.onnx", optimiser="sgd")\n'
                   'gpucost.analyze("m.onnx", mode="trainin")\n'
                   'gpucost.analyze("m.onnx").time_s\n'
                   'gpucost.Model("h100").matmul(m=1, n=2)\n')
    assert errors_of(checker, tmp_path, good) == []
    assert errors_of(checker, tmp_path, bad) == [2, 3, 4, 5]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_package_is_typed(root, checker):
    assert errors_of(checker, root) == []


def test_public_types_are_complete(tmp_path):
    """Every public name has a type that all type checkers read equally."""
    pytest.importorskip("pyright")
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
                   "PYTHONPATH": str(pathlib.Path(gpucost.__file__).parents[1])}
    result = subprocess.run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--verifytypes", "gpucost",
                             "--ignoreexternal"], capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert result.returncode == 0 and "Type completeness score: 100%" in result.stdout, result.stdout + result.stderr


def test_document(root):
    for package in ("torch", "onnxscript", "pandas", "numpy"):
        pytest.importorskip(package)
    import document

    wrong, count = document.check(root / "docs" / "Python.md", update=False)
    assert not wrong, "\n".join(wrong)
    assert count > 40
    # The page of a package index, where links to other documents do not work.
    page = root / "python" / "README.md"
    wrong, count = document.check(page, update=False)
    assert not wrong, "\n".join(wrong)
    assert count > 8 and not re.search(r"\]\((?!https://)", page.read_text(encoding="utf-8"))


def test_notebook(root, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    notebook = nbformat.read(root / "examples" / "Python.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": str(root / "examples")}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    html = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert any("bert-large" in text and "<table>" in text for text in html)


def test_completion():
    """The completions of the Tab key in IPython and notebooks."""
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    from IPython.core.completer import provisionalcompleter

    shell = interactive.InteractiveShell.instance()
    shell.run_cell("import gpucost")
    for text, expected in [("gpucost.analyze('m', optimi", "optimizer="), ("gpucost.Model('h100').matm", "matmul"),
                           ("gpucost.trit", "triton"), ("gpucost.enums.Mode.TR", "TRAINING")]:
        with provisionalcompleter():
            found = [each.text for each in shell.Completer.completions(text, len(text))]
        assert any(name.endswith(expected) for name in found), (text, found)
