"""Swift as far as the checks read it: without its comments and the words of its strings."""
import re

mark = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)("""(?=\s*\n)|")|[()]', re.DOTALL)


def blank(text):
    """As many characters, and the same lines."""
    return re.sub(r"[^\n]", " ", text)


def code(text):
    """The text with comments and strings blanked, position for position. Code within a string's interpolation stays."""
    out, strings = [], []  # Of strings whose interpolation is open: (hashes, quote), and its parentheses.

    def after_words(start, hashes, quote):
        """The end of a string, or the beginning of what it interpolates."""
        close, escape = quote + hashes, "\\" + hashes
        ends = "|".join([re.escape(close), re.escape(escape) + "."])
        for match in re.compile(ends, re.DOTALL).finditer(text, start):
            if match[0] == close:
                out.append(blank(text[start : match.end()]))
                return match.end()
            if match[0] == escape + "(":
                out.append(blank(text[start : match.end() - 1]) + "(")
                strings.append([hashes, quote, 1])
                return match.end()
        out.append(blank(text[start:]))
        return len(text)

    at = 0
    while match := mark.search(text, at):
        out.append(text[at : match.start()])
        at = match.end()
        if match[2]:
            out.append('"' + " " * (len(match[0]) - 1))
            at = after_words(at, match[1], match[2])
        elif match[0] not in ("(", ")"):
            out.append(blank(match[0]))
        else:
            out.append(match[0])
            if strings:
                strings[-1][2] += 1 if match[0] == "(" else -1
                if strings[-1][2] == 0:
                    at = after_words(at, *strings.pop()[:2])
    return "".join(out) + text[at:]
