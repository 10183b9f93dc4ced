"""Which folders of a module name which others. `Scripts/check-layout --edges` prints it.

A folder is a first-level folder of a module, and under Interceptors a second-level one. It names another where its
code uses what only the other declares: a top-level type or function, a nested type by its qualified name, or a member
that an extension adds to a type of a third folder. Comments and strings do not count, code within a string's
interpolation does. A name that several folders declare is not counted, so an edge may be missed; the compiler finds
those when a folder becomes a module.
"""
import collections
import pathlib
import re
import sys

from swift_text import code

sources = pathlib.Path(__file__).resolve().parent.parent / "Sources"

# Members that are also those of the standard library: nobody can tell whose is meant.
ambiguous = {
    "nanoseconds",  # Duration.nanoseconds(_:) beside a function on a date of the cache's.
}

# Modules whose folders sort the files of one engine, and are no layers: none is ever a module.
unlayered = {
    "InterceptorKitCurl",  # A loop runs the transfers that tell it of their requests and responses.
    "InterceptorKitLoadBalancing",  # A balancer chooses among members whose health it keeps.
    "InterceptorKitConformance",  # The suite lists the requirements, which are tried with what it offers.
    "InterceptorKitTesting",  # The clock, the leak ledger and the simulation run each other.
    "InterceptorKitTransport",  # A request under way and the bodies it reads and writes name each other.
}

# What is to be a module, or the words of all, names nothing but these.
bases = {
    "Redaction": set(),
    "Chain": {"Redaction"},
    "Resilience": {"Chain", "Redaction"},
    "Retry": {"Chain", "Redaction"},
    "Digests": set(),
    "HTTP": {"Digests"},
}

token = re.compile(r"[A-Za-z_]\w*|`[A-Za-z_]\w*`|\.\.[.<]|[^\sA-Za-z_]|\n")
is_word = re.compile(r"[A-Za-z_]\w*$").match
types = {"struct", "class", "enum", "protocol", "actor", "extension"}
Scope = collections.namedtuple("Scope", "name is_extension is_hidden")


class File:
    """What a file declares, and its tokens with the types they stand in."""

    def __init__(self, path):
        self.path = path
        self.tokens, line = [], 1
        for match in token.finditer(code(path.read_text(encoding="utf-8"))):
            if match[0] == "\n":
                line += 1
            else:
                self.tokens.append((match[0].strip("`"), line))
        parts = path.relative_to(sources).parts[1:]
        # As in `Chain` or `Interceptors/Retry`; a file of the module's own folder is in `.`.
        self.folder = "/".join(parts[:-1][: 2 if parts[0] == "Interceptors" else 1]) or "."
        self.contexts = []  # The qualified names of the types around each token.
        self.declared, self.labels = set(), set()  # Every name declared at any depth, however hidden.
        self.top = set()  # Types, functions and values of the file.
        self.nested, self.added = set(), set()  # (outer, name): types, and members of extensions.
        self.read()

    def word(self, i):
        return self.tokens[i][0] if 0 <= i < len(self.tokens) else ""

    def read(self):
        scopes, pending, is_hidden, depth = [], None, False, 0
        for i, (text, _) in enumerate(self.tokens):
            self.contexts.append(tuple(scope.name for scope in scopes if scope))
            before, after, outer = self.word(i - 1), self.word(i + 1), ".".join(self.contexts[i])
            is_visible = not is_hidden and all(scope and not scope.is_hidden for scope in scopes)
            if text == "{":
                scopes.append(pending)
                pending, is_hidden = None, False
            elif text == "}":
                scopes, is_hidden = scopes[:-1], False
            elif text in "([":
                depth += 1
            elif text in ")]":
                depth -= 1
            elif text in ("private", "fileprivate") and after != "(":
                is_hidden = True
            elif text in types and before != "." and is_word(after):
                if text == "class" and after in ("func", "var", "let"):
                    continue
                name, end = after, i + 2
                while self.word(end) == "." and is_word(self.word(end + 1)):
                    name, end = f"{name}.{self.word(end + 1)}", end + 2
                if text != "extension":
                    self.declare(name, outer, is_visible)
                pending, is_hidden = Scope(f"{outer}.{name}" if outer else name, text == "extension", is_hidden), False
            elif text in ("typealias", "associatedtype"):
                self.declare(after, outer, is_visible and text == "typealias")
                is_hidden = False
            elif text in ("func", "var", "let", "case") and before != "." and is_word(after) and depth == 0:
                if text == "case" and not (scopes and scopes[-1]):
                    self.declared.add(after)
                    continue
                names = {after} if text != "case" else self.cases(i + 1)
                self.declared |= names
                if is_visible and not scopes:
                    self.top |= names
                elif is_visible and len(scopes) == 1 and scopes[0].is_extension:
                    self.added |= {(outer, name) for name in names}
                is_hidden = False
            elif text in ("let", "var"):
                self.declared.add(after)
            elif is_word(text) and after == ":":
                self.labels.add(text)
            elif text == "<" and is_word(before) and self.word(i - 2) in types | {"func"}:
                self.declared |= self.parameters(i + 1)
        if scopes or depth:
            sys.exit(f"layout: {self.path} has braces or parentheses that do not match")

    def declare(self, name, outer, is_visible):
        self.declared.add(name)
        if is_visible and outer:
            self.nested.add((outer, name))
        elif is_visible:
            self.top.add(name)

    def cases(self, i):
        names, depth, line = {self.word(i)}, 0, self.tokens[i][1]
        for i in range(i + 1, len(self.tokens)):
            text = self.word(i)
            depth += (text in "([<") - (text in ")]>")
            if depth == 0 and text == "," and is_word(self.word(i + 1)):
                names.add(self.word(i + 1))
                line = self.tokens[i + 1][1]
            elif depth == 0 and self.tokens[i][1] > line and text != ",":
                break
        return names

    def parameters(self, i):
        names, depth = set(), 1
        while i < len(self.tokens) and depth:
            text = self.word(i)
            depth += (text == "<") - (text == ">")
            if is_word(text) and self.word(i - 1) in "<,":
                names.add(text)
            i += 1
        return names


def edges_of(files):
    """(from, to) -> [(path, line, name)], of one module's files."""
    declaring, top, nested, added = (collections.defaultdict(set) for _ in range(4))  # name -> folders
    homes = {}
    for file in files:
        for name in file.declared:
            declaring[name].add(file.folder)
        for name in file.top:
            top[name].add(file.folder)
            homes[name] = file.folder
        for outer, name in file.nested:
            nested[outer.split(".")[-1], name].add(file.folder)
            homes[f"{outer}.{name}"] = file.folder
    for file in files:
        for outer, name in file.added:
            if homes.get(outer) != file.folder:
                added[name].add((file.folder, outer))

    edges = collections.defaultdict(list)
    for file in files:
        for i, (name, line) in enumerate(file.tokens):
            if not is_word(name) or name in file.labels and name[0].islower():
                continue
            before, after, context = file.word(i - 1), file.word(i + 1), file.contexts[i]
            found = None
            if before == ".":
                found = nested.get((file.word(i - 2), name))
                if not found and len(declaring[name]) == 1 and name not in ambiguous:
                    found = {folder for folder, _ in added.get(name, ())}
            elif name in top and file.folder not in declaring[name]:
                is_call = after == "(" and declaring[name] == top[name]
                found = top[name] if name[0].isupper() or is_call else None
            else:
                for outer in context:
                    found = nested.get((outer.split(".")[-1], name)) or found
                if not found and after == "(" and before != "func" and len(declaring[name]) == 1:
                    found = {folder for folder, outer in added.get(name, ()) if outer in context}
            if found and len(found) == 1 and found != {file.folder}:
                edges[file.folder, *found].append((str(file.path.relative_to(sources.parent)), line, name))
    return edges


def cycles_of(edges):
    """Sets of folders of which each reaches each other."""
    reached = collections.defaultdict(set)
    for source, target in edges:
        reached[source].add(target)
    for middle in list(reached):
        for source in list(reached):
            if middle in reached[source]:
                reached[source] |= reached[middle]
    return {frozenset(b for b in reached[a] if a in reached[b]) for a in list(reached) if a in reached[a]}


def strays_of(edges):
    """The uses of one concern's names by another, and of names that stand above what uses them."""
    for (source, target), uses in sorted(edges.items()):
        # Concerns do not name each other, but for the two halves of one.
        are_concerns = all(folder.startswith("Interceptors/") for folder in (source, target))
        if target not in bases.get(source, {target}) or are_concerns and source != target + "+HTTP":
            yield from (f"{path}:{line}: {name} of {target}" for path, line, name in uses)


def graph(shows_edges):
    """The numbers of modules and of folders, and what is wrong with them, as lines."""
    modules = folders = 0
    failures = []
    for module in sorted(path for path in sources.iterdir() if path.is_dir()):
        files = [File(path) for path in sorted(module.rglob("*.swift"))]
        edges = edges_of(files)
        for (source, target), uses in sorted(edges.items()) if shows_edges else ():
            path, line, name = uses[0]
            print(f"{module.name}: {source} -> {target}  {len(uses)} ({name}, {path}:{line})")
        if not files or module.name in unlayered:
            continue
        modules += 1
        folders += len({file.folder for file in files})
        failures += [f"a folder names what is not below it: {stray}" for stray in strays_of(edges)]
        for members in cycles_of(edges):
            failures.append(f"{module.name} has a cycle among {', '.join(sorted(members))}")
            inside = [(pair, uses) for pair, uses in edges.items() if members.issuperset(pair)]
            for (source, target), uses in sorted(inside, key=lambda edge: len(edge[1])):
                failures.append(f"  {source} -> {target}: {len(uses)}")
                failures += [f"    {path}:{line}: {name}" for path, line, name in uses[:8]]
    return modules, folders, failures
