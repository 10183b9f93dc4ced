"""The public symbols of a library, as the compiler lists them."""
import json
import pathlib
import shutil
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent


def run(*command):
    return subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def is_behind_trait(library):
    return (root / "Sources" / library / "TraitOff.swift").exists()


def libraries(behind_traits):
    """Those that have nothing to show without a trait, or the others."""
    return [name for name in run("Scripts/libraries").split() if is_behind_trait(name) == behind_traits]


def tool(name):
    """Beside the compiler on Linux, wherever Xcode keeps it on macOS."""
    return run("xcrun", "--find", name) if shutil.which("xcrun") else str(pathlib.Path(shutil.which("swift")).parent / name)


def build(names, behind_traits):
    """Builds libraries and returns the folder of what was built."""
    command = ["swift", "build", "--quiet"]
    if behind_traits:
        command += run("Scripts/check-traits", "--package").split()
    for name in names:
        run(*command, "--target", name)
    return pathlib.Path(run(*command, "--show-bin-path"))


def graphs(library, products, folder, *options):
    """Each graph of a library: the name of its file, and what it says."""
    # What modules import of C.
    maps = [*products.glob("*.build/module.modulemap")]
    if is_behind_trait(library):
        maps += (root / ".build-traits/checkouts").glob("*/Sources/*/include/module.modulemap")
    imports = [option for path in maps for option in ("-Xcc", f"-fmodule-map-file={path}")]
    sdk = ["-sdk", run("xcrun", "--show-sdk-path")] if shutil.which("xcrun") else []
    target = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    folder.mkdir(parents=True, exist_ok=True)
    run(
        tool("swift-symbolgraph-extract"), "-module-name", library, "-target", target, *sdk,
        "-I", str(products / "Modules"), "-minimum-access-level", "public", "-skip-synthesized-members",
        "-module-cache-path", str(folder.parent / "cache"), *imports, *options, "-output-dir", str(folder),
    )  # fmt: skip
    return [(path.name, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.symbols.json"))]
