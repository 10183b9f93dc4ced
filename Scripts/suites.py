"""What notices a change that `mutate` makes: which suites are run for it, and in which order.

At first each property has one seed: the suites named after the changed file's type, then those of its folder and
the quick ones of all other folders. At last those of the folder have many seeds, as many times as there are
counts. The suites of an engine are all beside each other, and its sockets may fail by themselves: what they
say counts if they say it twice.
"""
import json
import os
import pathlib
import re
import subprocess
import threading

engines = ["InterceptorKitCurl", "InterceptorKitTransport"]


def divided():
    """The folders of tests that are targets of their own, as the calls of `parts` in the manifest say."""
    manifest = (pathlib.Path(__file__).resolve().parent.parent / "Package.swift").read_text(encoding="utf-8")
    return {
        f"{module}Tests/{source}": name
        for module, rows in re.findall(r'\bparts\(\s*of: "(\w+)".*?\[\n(.*?)\n +\]\n +\)', manifest, re.DOTALL)
        for name, sources in re.findall(r'"(\w+)": \[([^\]]*)\]', rows)
        for source in re.findall(r'"([^"]+)"', sources)
    }


parts = divided()

# The end of a manifest that keeps the targets of its `var reached`, and what they depend on.
only_targets = (pathlib.Path(__file__).resolve().parent / "only-targets.swift").read_text(encoding="utf-8")


def within_tests(path):
    """The path below the folder of all tests."""
    return path.parts[path.parts.index("Tests") + 1 :]


def target_of(path):
    """The target that a file of the tests belongs to."""
    below = within_tests(path)
    for length in range(len(below), 1, -1):
        if name := parts.get("/".join(below[:length])):
            return name
    return below[0]


def folder_of(target):
    """The folder of tests that a target is a part of, or has for itself."""
    return next((folder.split("/")[0] for folder, name in parts.items() if name == target), target)


def suites(place):
    """The suites in a file or below a folder, as their names in the output by their types, each after its target."""
    names = {}
    traits = r"(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*"
    declaration = (
        r'(?:@Suite\(\s*(?:"((?:\\.|[^"\\])*)")?' + traits + r"\)\s+)?"
        r"(?:struct|class|enum|extension) (\w+Tests)\b"
    )
    for path in [place] if place.is_file() else place.rglob("*.swift"):
        for name, type in re.findall(declaration, path.read_text(encoding="utf-8")):
            key, folder = f"{target_of(path)}.{type}", within_tests(path)[0]
            names[key] = f"{folder}.{name}" if name else names.get(key) or f"{folder}.{type}"
    return names


def end(run):
    """Ends a run and what it has started: a server that is left would keep the output open."""
    subprocess.run(["pkill", "-KILL", "-s", str(run.pid)])


class Tests:
    """The built tests, and how long each suite takes."""

    binary = ".build/debug/InterceptorKitPackageTests.xctest"

    def __init__(self, root, folder, modules, counts_of_seeds):
        self.root = root / "Tests"
        self.folder = folder
        self.counts_of_seeds = [1, *sorted(set(counts_of_seeds) - {1})]
        self.all = {target: suites(self.root / target) for target in (f"{module}Tests" for module in modules)}
        self.names = {type: name for names in self.all.values() for type, name in names.items()}
        self.seconds = {}
        # Which suites fail without a change, by the number of seeds.
        self.failing = {}
        self.running = set()

    def run(self, number, types, seeds=1, limit=900):
        """Runs suites of one target until one fails; returns which it is, or None."""
        if not types:
            return None
        target = folder_of(min(types).split(".")[0])
        variables = {"MUTANT": str(number), "INTERCEPTORKIT_SEED": "1", "INTERCEPTORKIT_SEEDS": str(seeds)}
        environment = os.environ | variables
        if seeds > 1:
            del environment["INTERCEPTORKIT_SEED"]
        pattern = "^(" + "|".join(re.escape(type) for type in sorted(types)) + ")/"
        run = subprocess.Popen(
            [self.binary, "--testing-library", "swift-testing", "--no-parallel", "--filter", pattern],
            cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True,
        )
        timer = threading.Timer(limit, end, [run])
        timer.start()
        self.running.add(run)
        last = "the beginning"
        try:
            for line in run.stdout:
                if match := re.search(r'Test "?(.+?)"? started', line):
                    last = match.group(1)
                if number > 0 and (match := re.search(r'Test "?(.+?)"? recorded an issue', line)):
                    return match.group(1)
                if number == 0 and (match := re.search(r'Suite "?(.+?)"? (passed|failed) after ([\d.]+) s', line)):
                    name = f"{target}.{match.group(1)}"
                    if seeds == 1:
                        self.seconds[name] = float(match.group(3))
                    if match.group(2) == "failed":
                        self.failing[seeds].update(type for type in types if self.names[type] == name)
            if run.wait() == 0:
                return None
            return f"{'a crash' if timer.is_alive() else 'the end of its time'} after {last}"
        finally:
            timer.cancel()
            end(run)
            run.wait()
            self.running.discard(run)

    def stop(self):
        for run in list(self.running):
            end(run)

    def measure(self):
        """Runs the tests without a change, unless that was done since they were built."""
        log = self.folder / "durations"
        if log.exists() and log.stat().st_mtime > (self.folder / self.binary).stat().st_mtime:
            self.seconds, failing = json.loads(log.read_text(encoding="utf-8"))
            self.failing = {int(seeds): set(types) for seeds, types in failing.items()}
        # Some tests are content with no single seed, because they want to have seen every outcome.
        tried = set(self.names)
        for seeds in self.counts_of_seeds:
            if seeds not in self.failing:
                self.failing[seeds] = set()
                for target in self.all:
                    types = {type for type in tried if type in self.all[target]}
                    if self.run(0, types, seeds, limit=3600) and not self.failing[seeds] & types:
                        raise SystemExit(f"mutate: {target} fails by itself")
            tried = self.failing[seeds]
        for type in sorted(tried):
            print(f"mutate: {type} is left out, because it fails by itself", flush=True)
        failing = {seeds: sorted(types) for seeds, types in self.failing.items()}
        log.write_text(json.dumps([self.seconds, failing]), encoding="utf-8")

    def length(self, types):
        return sum(self.seconds.get(self.names[type], 0) for type in types)

    def stages(self, path):
        """What to run for a change in a source, in which order: (name, suites, number of seeds)."""
        module, stem = path.parts[1], path.stem.split("+")[0]
        target = f"{module}Tests"
        everywhere = set(self.all[target])
        folder = pathlib.Path() if module in engines else pathlib.Path(*path.parts[2:-1])
        while not (near := set(suites(self.root / target / folder))):
            folder = folder.parent
        named = {type: type.split(".")[1] for type in everywhere}
        own = {type for type in everywhere if named[type] == f"{stem}Tests" or type in near and named[type].startswith(stem)}
        rest = everywhere - own
        quick = {type for type in rest if self.length([type]) < 1}
        parts = [("beside", near & quick), ("slow beside", near & rest - quick), ("elsewhere", quick - near)]
        for stage, types in [("its suite", own)] + sorted(parts, key=lambda part: self.length(part[1])):
            yield stage, types - self.failing[1], 1
        # The few properties of an engine have as many seeds each time.
        for seeds in self.counts_of_seeds[1:2 if module in engines else None]:
            yield "its folder", (near | own) - self.failing[seeds], seeds

    def judge(self, number, path):
        """With how many seeds which stage noticed a change, and by which test, or "survived"."""
        for stage, types, seeds in self.stages(path):
            limit = 60 + 5 * self.length(types) if seeds == 1 else 1800
            test = self.run(number, types, seeds, limit)
            # What fails far away, or on real sockets, may have failed by itself.
            is_certain = stage != "elsewhere" and path.parts[1] not in engines
            if test and (is_certain or test.startswith("the end of") or self.run(number, types, seeds, limit)):
                return f"noticed with {seeds} ({stage}): {test}"
        return "survived"
