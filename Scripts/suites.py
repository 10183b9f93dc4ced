"""Which suites of tests stand where, and packages that build some of them alone."""
import json
import os
import pathlib
import re

root = pathlib.Path(__file__).resolve().parent.parent
tests = root / "Tests"
manifest = (root / "Package.swift").read_text(encoding="utf-8")

# The folders of tests that are targets of their own, as the calls of `parts` in the manifest say.
parts = {
    f"{module}Tests/{source}": name
    for module, rows in re.findall(r'\bparts\(\s*of: "(\w+)".*?\[\n(.*?)\n +\]\n +\)', manifest, re.DOTALL)
    for name, sources in re.findall(r'"(\w+)": \[([^\]]*)\]', rows)
    for source in re.findall(r'"([^"]+)"', sources)
}


def only(targets):
    """The end of a manifest that keeps these targets, and what they depend on."""
    only_targets = (root / "Scripts/only-targets.swift").read_text(encoding="utf-8")
    return f"\nvar reached: [String] = {json.dumps(sorted(targets))}\n{only_targets}"


def write(path, text):
    """Leaves alone what is the same, so that nothing is built anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def linked(folder, end):
    """Makes a package that links to our files, with more at the end of its manifest, and returns its folder."""
    write(folder / "Package.swift", manifest + end)
    for name in ("Sources", "Tests", "Examples"):
        if not (folder / name).is_symlink():
            (folder / name).symlink_to(root / name)
    # The tests look for the vectors beside the checkout, which that package is not.
    if (vectors := root.parent / "shared/vectors").is_dir():
        os.environ.setdefault("INTERCEPTORKIT_VECTORS", str(vectors))
    return folder


def target_of(path):
    """The target that a file of the tests belongs to."""
    below = path.parts[path.parts.index("Tests") + 1 :]
    folders = ("/".join(below[:length]) for length in range(len(below), 1, -1))
    return next((parts[folder] for folder in folders if folder in parts), below[0])


def suites(place):
    """The suites in a file or below a folder, as `Target.Type`."""
    declaration = re.compile(r"\b(?:struct|class|enum|extension) (\w+Tests)\b")
    return {
        f"{target_of(path)}.{type}"
        for path in ([place] if place.is_file() else place.rglob("*.swift"))
        for type in declaration.findall(path.read_text(encoding="utf-8"))
    }


def pattern(types):
    """What `swift test --filter` takes for suites."""
    return "^(" + "|".join(re.escape(type) for type in sorted(types)) + ")/"
