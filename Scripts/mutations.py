"""What `mutate` can do to a line of Swift.

Each change asks `mutant(§)`, where § stands for its number, so that one build holds many of them. What the
compiler refuses falls away, so nothing here has to know the types of things.
"""
import collections
import re

M = "mutant(§)"
swaps = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "==="}
swaps |= {"&&": "||", "||": "&&"}
arithmetic = {"+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "%": "/"}
members = {".first": ".last", ".last": ".first", ".lowercased()": "", ".reversed()": ""}
literals = {"Int": "1", "UInt64": "1", "Double": "1", "TimeInterval": "1", "Duration": ".seconds(1)"}
empties = {"String": '""', "[": "[]"}

unchanged = re.compile(r"\s*(?://|@|import|extension|public enum|enum|indirect)|\s*case \.?\w+(?:\(.*\))?,?$")
label = re.compile(r"\s*(?:case [^:]*(?:\([^()]*\))?[^:]*|default): ")
header = re.compile(
    r"\b(?:func|var|subscript)\b.*?(?:-> |: )([\w.\[\]: <>?]+?)(?: where .*)? \{|^\s*\).*-> ([\w.\[\]: <>?]+) \{$"
)
nesting = re.compile(r"\s*(?:\}|(?:if|for|while|guard|switch|do|case|default|else|catch|get|let|var)\b)")
condition = re.compile(
    r"((?:\} else )?(?:if|while|guard) )(.+?)( else \{.*| \{.*|,)$|(for .+? where )(.+)( \{)$"
)
block = re.compile(r"^(.*\{ )(?!let |var |case |if |switch |throw |_ in)([^{}]+)( \})$")
statement = re.compile(
    r"((?:defer \{ )?)((?:try |_ = )?(?:await )?[a-z_][\w.?!]*\(.*\)"
    r"|[a-z][\w.\[\]?]* (?:[-+*|]?|&[-+*])= .+?)((?: \})?)$"
)
needed = re.compile(
    r"(?:self\.\w+ = |(?:super|self\.init|return|throw|yield|init|func|if|guard|switch|let|var)\b)"
)
comparison = re.compile(r" (<=?|>=?|[!=]==?|&&|\|\|) ")
begun = re.compile(r"(?:^\s*|[(\[{]|, |(?<![<>=!])= |return |[{:] )$")
delimited = re.compile(r"(?:^\s*|[(\[{:?]|, |= |return |[({:?] |(?:&&|\|\||[<>=!]=|[<>]|\?\?) )$")
ended = re.compile(r"\s*$|[)\],]| (?:[{}:?<>]|&&|\|\||[<>=!]=|\?\?)")


class Mutant(collections.namedtuple("Mutant", "path line original changed what")):
    @property
    def key(self):
        """What it is known by in lists, wherever its line stands."""
        return f"{self.path} | {self.original.strip()} | {self.what}"

    def __str__(self):
        return f"{self.path}:{self.line + 1}: {self.what}: {self.original.strip()}"


def mutants(path, text):
    """Every possible change of a source."""
    lines, depth, seen = text.split("\n"), 0, collections.Counter()
    for index, line in enumerate(lines):
        # What another platform compiles cannot be tried here.
        depth += line.startswith("#if") - line.startswith("#endif")
        if depth == 0 and not unchanged.match(line):
            for what, changed in changes(lines, index):
                seen[what, line.strip()] += 1
                count = seen[what, line.strip()]
                yield Mutant(path, index, line, changed, what if count == 1 else f"{what} ({count})")


def changes(lines, index):
    """What can be done to a line, as (what, new line)."""
    line, before = lines[index], lines[index - 1].rstrip() if index else ""
    after = lines[index + 1] if index + 1 < len(lines) else ""
    front = line[:match.end()] if (match := label.match(masked(line))) else ""
    front += re.match(r"\s*", line[len(front):]).group()
    text = line[len(front):]
    kind = None if " func " in line else kind_of(lines, index)
    is_alone = before.endswith("{") and after.strip() == "}"
    continues = re.search(r"[,(\[=+?:&|]$", before) or re.match(r"\s*(?:[.+?:&|*/<>=]|- |else\b)", after)

    if match := condition.match(text):
        start, body, end = match.groups()[:3] if match.group(1) else match.groups()[3:]
        for first, last in clauses(body):
            for what, new in conditions(body[first:last]):
                yield what, f"{front}{start}{body[:first]}{new}{body[last:]}{end}"
        if is_balanced(body):
            yield "never", f"{front}{start}{body}{' &&' if start.startswith('for') else ','} !{M}{end}"
    elif (match := re.match(r"(.+?)(,| \{)?$", text)) and in_condition(lines, index):
        for what, new in conditions(match.group(1)):
            yield what, f"{front}{new}{match.group(2) or ''}"
    elif match := re.match(r"for (?!.* where ).+(?= \{$)", text):
        yield "never", f"{front}{match.group()} where !{M} {{"
    elif match := re.match(r"(&& |\|\| )(.+?)( \{)?$", text):
        if not binds(match.group(2)) and is_balanced(match.group(2)) and " || " not in text[3:]:
            yield "negated", f"{front}{match.group(1)}({M} != ({match.group(2)})){match.group(3) or ''}"
    elif match := re.match(r"(return )(.+)$|((?:let|var) \w+(?:: \w+)? = )(.+)$", text):
        start, body = match.group(1) or match.group(3), match.group(2) or match.group(4)
        for what, new in () if continues else results(kind if match.group(1) else None, body):
            yield what, f"{front}{start}{new}"
    elif match := block.match(text):
        own = header.search(line)
        for what, new in results(own.group(1) if own else None, match.group(2)):
            yield what, f"{front}{match.group(1)}{new}{match.group(3)}"
    elif (line.lstrip() != text or is_alone) and not continues:
        if not re.match(r"return|throw|break|continue|.* [-+*&|]?= ", text):
            for what, new in results(kind, text):
                yield what, f"{front}{new}"

    is_result = kind not in (None, "Void") and is_alone
    is_needed = continues or is_result or needed.match(text) or not is_balanced(line)
    if (match := statement.match(text)) and not is_needed:
        yield "left out", f"{front}{match.group(1)}if !{M} {{ {match.group(2)} }}{match.group(3)}"
    if match := re.match(r"(\S+) ([-+])= (\S+)$", text):
        left, sign, right = match.groups()
        other = f"{left} {arithmetic[sign]}= {right}"
        yield f"{sign}= is {arithmetic[sign]}=", f"{front}if {M} {{ {other} }} else {{ {text} }}"
    for part in (operators, callees, constants):
        for what, new in part(text):
            yield what, front + new


def conditions(text):
    """Changes of something that is true or false."""
    if binds(text) or not is_balanced(text):
        return
    yield "negated", f"{M} != ({text})"
    for match in comparison.finditer(masked(text)):
        old, (start, end) = match.group(1), match.span(1)
        yield f"{old} is {swaps[old]}", f"{M} ? ({text[:start]}{swaps[old]}{text[end:]}) : ({text})"


def results(kind, text):
    """Changes of something that is returned as a kind."""
    kind = (kind or "").strip()
    if kind == "Bool" or comparison.search(flat(text)) and " ? " not in flat(text):
        yield from conditions(text)
    elif binds(text) or not is_balanced(text):
        return
    elif kind.endswith("?") and text != "nil":
        yield "nil", f"{M} ? nil : ({text})"
    elif kind in literals:
        yield f"{literals[kind]} more", f"({text}) + ({M} ? {literals[kind]} : .zero)"
    elif (empty := empties.get(kind) or empties.get(kind[:1])) and text != empty:
        yield "empty", f"{M} ? {empty} : ({text})"


def operators(text):
    """Changes of operators that leave the rest of an expression as it is."""
    hidden = masked(text)
    for match in re.finditer(r" (\?\?|&[+-]|[-+*/%]|\?) ", hidden):
        old = match.group(1)
        start, end = chunk(hidden, match.start(), -1), chunk(hidden, match.end(), 1)
        while old == "?" and start > 0 and not begun.search(hidden[:start]):
            start = chunk(hidden, start - 1, -1) if hidden[start - 1] == " " else 0
        left, right = text[start:match.start()], text[match.end():end]
        if not left or not right or not delimited.search(hidden[:start]):
            continue
        if old == "??":
            yield "?? without its left", f"{text[:start]}({M} ? nil : {left}){text[match.start():]}"
        elif old == "?":
            if not binds(left) and is_balanced(left):
                yield "? : negated", f"{text[:start]}({M} != ({left})){text[match.start():]}"
        elif ended.match(hidden[end:]):
            new = left if old == "+" and '"' in left + right else f"{left} {arithmetic[old]} {right}"
            yield f"{old} is {new}", f"{text[:start]}({M} ? {new} : {left} {old} {right}){text[end:]}"
    for match in re.finditer(r"(?:(?<=[ (])|^)!(?=[\w(])", hidden):
        end = chunk(hidden, match.end(), 1)
        yield "! dropped", f"{text[:match.start()]}({M} != {text[match.start():end]}){text[end:]}"


def callees(text):
    """Changes of what is called."""
    hidden = masked(text)
    for match in re.finditer(r"(?<![\w.])(min|max)(?=\()", hidden):
        end = chunk(hidden, match.end(), 1)
        old, rest = match.group(), text[match.end():end]
        new = "max" if old == "min" else "min"
        if is_balanced(rest):
            yield f"{old} is {new}", f"{text[:match.start()]}({M} ? {new}{rest} : {old}{rest}){text[end:]}"
    for match in re.finditer(r"\.(?:first|last)\b(?![(:{]| \{)|\.(?:lowercased|reversed)\(\)", hidden):
        start, old = chunk(hidden, match.start(), -1), match.group()
        if (left := text[start:match.start()]) and delimited.search(hidden[:start]):
            both = f"({M} ? {left}{members[old]} : {left}{old})"
            yield f"{old} is {members[old] or 'nothing'}", text[:start] + both + text[match.end():]


def constants(text):
    hidden = masked(text)
    for match in re.finditer(r"(?<![\w.])(true|false)\b", hidden):
        yield f"not {match.group()}", f"{text[:match.start()]}({M} != {match.group()}){text[match.end():]}"
    for match in re.finditer(r"(?<![\w.#$\"])(?<!p-)(\d[\d_]*(?:\.\d+)?)(?![\w.])", hidden):
        old = match.group()
        new = str(float(old) + 1) if "." in old else str(int(old.replace("_", "")) + 1)
        yield f"{old} is {new}", f"{text[:match.start()]}({M} ? {new} : {old}){text[match.end():]}"
    for match in re.finditer(r'"[~]*"', hidden):
        # Sentences, and what a code is called, are for people.
        old, prose = text[match.start():match.end()], re.search(r"description: $|^\s*\+ $", text[:match.start()])
        if re.fullmatch(r'"[^\s\\"]+(?<!\.)"', old) and not prose:
            yield f"another {old}", f'{text[:match.start()]}({M} ? "{old[1:-1]}~" : {old}){text[match.end():]}'


def masked(text):
    """The text with what stands in quotes blotted out, of the same length."""
    return re.sub(r'"(?:\\.|[^"\\])*"', lambda m: '"' + "~" * (len(m.group()) - 2) + '"', text)


def flat(text):
    """The text with what stands in brackets blotted out as well."""
    depth, flattened = 0, ""
    for character in masked(text):
        depth -= character in ")]}"
        flattened += "~" if depth else character
        depth += character in "([{"
    return flattened


def is_balanced(text):
    text = masked(text)
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))


def binds(text):
    return re.search(r"\b(?:let|var|case|in|is any|unsafe)\b|#", masked(text))


def clauses(text):
    """Where the parts of a condition begin and end."""
    start = 0
    for place, character in enumerate(flat(text)):
        if character == ",":
            yield start, place
            start = place + 2
    yield start, len(text)


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


def indentation(line):
    return len(line) - len(line.lstrip())


def kind_of(lines, index):
    """The declared result of what a line stands in, if that is not a closure."""
    width = indentation(lines[index])
    for line in reversed(lines[:index]):
        if line.strip() and indentation(line) < width and not line.lstrip().startswith("#"):
            width = indentation(line)
            if match := header.search(line):
                return match.group(1) or match.group(2)
            if not nesting.match(line):
                return None
    return None


def in_condition(lines, index):
    """Whether a line is a further part of a condition."""
    while lines[index - 1].endswith(","):
        index -= 1
        if re.match(r"\s*(?:\} else )?(?:guard|if|while) ", lines[index]):
            return True
    return False
