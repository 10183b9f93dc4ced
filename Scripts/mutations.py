"""What `mutate` can do to a line of Swift.

Each change asks `mutant(§)`, where § stands for its number, so that one build holds many of them. What the compiler
refuses falls away, so nothing here has to know the types of things.
"""
import collections
import re

M = "mutant(§)"
swaps = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||", "||": "&&"}
arithmetic = {"+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "%": "/"}
literals = {"Int": "1", "UInt64": "1", "Double": "1", "TimeInterval": "1", "Duration": ".seconds(1)"}

unchanged = re.compile(r"\s*(?://|@|import|extension|public enum|enum|indirect)|\s*case \.?\w+(?:\(.*\))?,?$")
label = re.compile(r"\s*(?:(?:case [^:]*(?:\([^()]*\))?[^:]*|default): )?\s*")
header = re.compile(r"\b(?:func|var|subscript)\b.*?(?:-> |: )([\w.\[\]: <>?]+?)(?: where .*)? \{")
nesting = re.compile(r"\s*(?:\}|(?:if|for|while|guard|switch|do|case|default|else|catch|get|let|var)\b)")
condition = re.compile(r"((?:\} else )?(?:if|while|guard) )(.+?)( else \{.*| \{.*|,)$|(for .+? where )(.+)( \{)$")
block = re.compile(r"^(.*\{ )(?!let |var |case |if |switch |throw |_ in)([^{}]+)( \})$")
statement = re.compile(
    r"((?:defer \{ )?)((?:try |_ = )?(?:await )?[a-z_][\w.?!]*\(.*\)|[a-z][\w.\[\]?]* (?:[-+*|]?|&[-+*])= .+?)((?: \})?)$"
)
needed = re.compile(r"(?:self\.\w+ = |(?:super|self\.init|return|throw|yield|init|func|if|guard|switch|let|var)\b)")
comparison = re.compile(r" (<=?|>=?|[!=]==?|&&|\|\|) ")
delimited = re.compile(r"(?:^\s*|[(\[{:?]|, |= |return |[({:?] |(?:&&|\|\||[<>=!]=|[<>]|\?\?) )$")
ended = re.compile(r"\s*$|[)\],]| (?:[{}:?<>]|&&|\|\||[<>=!]=|\?\?)")


class Mutant(collections.namedtuple("Mutant", "path line original changed what")):
    @property
    def key(self):
        """What it is known by in lists, wherever its line stands."""
        return f"{self.path.name} | {self.original.strip()} | {self.what}"

    def __str__(self):
        return f"{self.path}:{self.line + 1}: {self.what}: {self.original.strip()}"


def mutants(path, text):
    """Every possible change of a source."""
    lines, depth, seen = text.split("\n"), 0, collections.Counter()
    for index, line in enumerate(lines):
        # What another platform compiles cannot be tried here.
        depth += line.startswith("#if") - line.startswith("#endif")
        for what, changed in changes(lines, index) if depth == 0 and not unchanged.match(line) else ():
            seen[what, line.strip()] += 1
            count = seen[what, line.strip()]
            yield Mutant(path, index, line, changed, what if count == 1 else f"{what} ({count})")


def changes(lines, index):
    """What can be done to a line, as (what, new line)."""
    line, before = lines[index], lines[index - 1].rstrip() if index else ""
    after = lines[index + 1] if index + 1 < len(lines) else ""
    front = line[: label.match(masked(line)).end()]
    text = line[len(front) :]
    kind = None if " func " in line else kind_of(lines, index)
    is_alone = before.endswith("{") and after.strip() == "}"
    continues = re.search(r"[,(\[=+?:&|]$", before) or re.match(r"\s*(?:[.+?:&|*/<>=]|- |else\b)", after)
    if match := condition.match(text):
        start, body, end = match.groups()[:3] if match[1] else match.groups()[3:]
        if "," not in flat(body):
            for what, new in conditions(body):
                yield what, f"{front}{start}{new}{end}"
        if is_balanced(body):
            yield "never", f"{front}{start}{body}{' &&' if start.startswith('for') else ','} !{M}{end}"
    elif match := re.match(r"(return |(?:let|var) \w+(?:: \w+)? = )(.+)$", text):
        for what, new in () if continues else results(kind if match[1] == "return " else None, match[2]):
            yield what, f"{front}{match[1]}{new}"
    elif match := block.match(text):
        own = header.search(line)
        for what, new in results(own[1] if own else None, match[2]):
            yield what, f"{front}{match[1]}{new}{match[3]}"
    elif is_alone and not continues and not re.match(r"return|throw|break|continue|.* [-+*&|]?= ", text):
        for what, new in results(kind, text):
            yield what, f"{front}{new}"

    is_needed = continues or kind not in (None, "Void") and is_alone or needed.match(text) or not is_balanced(line)
    if (match := statement.match(text)) and not is_needed:
        yield "left out", f"{front}{match[1]}if !{M} {{ {match[2]} }}{match[3]}"
    for what, new in (*operators(text), *constants(text)):
        yield what, front + new


def conditions(text):
    """Changes of something that is true or false."""
    if not binds(text) and is_balanced(text):
        yield "negated", f"{M} != ({text})"
        for match in comparison.finditer(masked(text)):
            swapped = text[: match.start(1)] + swaps[match[1]] + text[match.end(1) :]
            yield f"{match[1]} is {swaps[match[1]]}", f"{M} ? ({swapped}) : ({text})"


def results(kind, text):
    """Changes of something that is returned as a kind."""
    if kind == "Bool" or comparison.search(flat(text)) and " ? " not in flat(text):
        yield from conditions(text)
    elif not binds(text) and is_balanced(text):
        if kind and kind.endswith("?") and text != "nil":
            yield "nil", f"{M} ? nil : ({text})"
        elif kind in literals:
            yield f"{literals[kind]} more", f"({text}) + ({M} ? {literals[kind]} : .zero)"


def operators(text):
    """Changes of operators, minima and negations that leave the rest of an expression as it is."""
    hidden = masked(text)
    for match in re.finditer(r" (\?\?|&[+-]|[-+*/%]) ", hidden):
        old, start, end = match[1], chunk(hidden, match.start(), -1), chunk(hidden, match.end(), 1)
        left, right = text[start : match.start()], text[match.end() : end]
        if not left or not right or not delimited.search(hidden[:start]):
            continue
        if old == "??":
            yield "?? without its left", f"{text[:start]}({M} ? nil : {left}){text[match.start() :]}"
        elif ended.match(hidden[end:]):
            new = left if old == "+" and '"' in left + right else f"{left} {arithmetic[old]} {right}"
            yield f"{old} is {new}", f"{text[:start]}({M} ? {new} : {left} {old} {right}){text[end:]}"
    for match in re.finditer(r"(?:(?<=[ (])|^)!(?=[\w(])", hidden):
        end = chunk(hidden, match.end(), 1)
        yield "! dropped", f"{text[: match.start()]}({M} != {text[match.start() : end]}){text[end:]}"
    for match in re.finditer(r"(?<![\w.])(min|max)(?=\()", hidden):
        end = chunk(hidden, match.end(), 1)
        new, rest = "max" if match[1] == "min" else "min", text[match.end() : end]
        yield f"{match[1]} is {new}", f"{text[: match.start()]}({M} ? {new}{rest} : {match[1]}{rest}){text[end:]}"


def constants(text):
    hidden = masked(text)
    for match in re.finditer(r"(?<![\w.])(true|false)\b", hidden):
        yield f"not {match[0]}", f"{text[: match.start()]}({M} != {match[0]}){text[match.end() :]}"
    for match in re.finditer(r"(?<![\w.#$\"])(?<!p-)(\d[\d_]*(?:\.\d+)?)(?![\w.])", hidden):
        new = str(float(match[0]) + 1) if "." in match[0] else str(int(match[0].replace("_", "")) + 1)
        yield f"{match[0]} is {new}", f"{text[: match.start()]}({M} ? {new} : {match[0]}){text[match.end() :]}"


def masked(text):
    """The text with what stands in quotes blotted out, of the same length."""
    return re.sub(r'"(?:\\.|[^"\\])*"', lambda match: '"' + "~" * (len(match[0]) - 2) + '"', text)


def flat(text):
    """The text with what stands in brackets blotted out as well."""
    depth, flattened = 0, ""
    for character in masked(text):
        depth -= character in ")]}"
        flattened += "~" if depth else character
        depth += character in "([{"
    return flattened


def is_balanced(text):
    return all(masked(text).count(a) == masked(text).count(b) for a, b in ("()", "[]", "{}"))


def binds(text):
    return re.search(r"\b(?:let|var|case|in|is any|unsafe)\b|#", masked(text))


def chunk(hidden, place, step):
    """The end of what stands, without a space, before or after a place."""
    depth, opening, closing = 0, *(("([{", ")]}") if step > 0 else (")]}", "([{"))
    while 0 <= (at := place if step > 0 else place - 1) < len(hidden):
        depth += hidden[at] in opening
        if depth == 0 and (hidden[at] in " ," or hidden[at] in closing):
            break
        depth -= hidden[at] in closing
        place += step
    return place


def kind_of(lines, index):
    """The declared result of what a line stands in, if that is not a closure."""
    width = len(lines[index]) - len(lines[index].lstrip())
    for line in reversed(lines[:index]):
        indentation = len(line) - len(line.lstrip())
        if line.strip() and indentation < width and not line.lstrip().startswith("#"):
            width = indentation
            if match := header.search(line):
                return match[1]
            if not nesting.match(line):
                return None
    return None


# Changes that are not tried, because no caller could tell, and why.
equivalent = {
    row.split("  # ")[0]
    for row in r"""DeadlineTimer.swift | var count = 0 | 0 is 1  # its numbers are only compared with each other
PerAuthority.swift | private var latest = 0 | 0 is 1  # a guess, which is checked before it is used
PerAuthority.swift | private var uses: UInt64 = 0 | 0 is 1  # its numbers are only compared with each other
PerAuthority.swift | uses += 1 | 1 is 2 (2)  # its numbers are only compared with each other
PerAuthority.swift | uses += 1 | 1 is 2  # its numbers are only compared with each other
PrivateFile.swift | if count > 0 { | 0 is 1  # only a write that takes a single byte could tell, and no content leaves one
PendingFile.swift | for _ in 0..<8 { | 8 is 9 (2)  # only a process that takes the folder away eight times in turn could tell
EntryFile.swift | var buffer = [UInt8](repeating: 0, count: EntryHeader.blockSize) | 0 is 1  # it is written before it is read
Circuit.swift | func watch() -> Permission? { phase == .closed ? Permission(epoch: epoch, probe: 0) : nil } | 0 is 1  # a pass of a closed circuit ends with its epoch, before probes are compared
AWSRules.swift | var scope = CanonicalWriter(capacity: 64) | 64 is 65  # only how much room is made at first
VerifiedChunks.swift | isDone = true | left out  # the body that hands the pieces on asks no more after its end
PinnedBytes.swift | unsafe bytes = .allocate(byteCount: max(1, data.count), alignment: 1) | 1 is 2 (2)  # only how much room is made for no bytes
""".splitlines()
}
