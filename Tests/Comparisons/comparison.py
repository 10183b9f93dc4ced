"""What the comparisons with programs of others share: they draw cases, ask the other program, and have the tests judge."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]


def count_and_seed(count):
    """Of the command line, where they are numbers."""
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    return [*numbers, *[count, 1][len(numbers) :]]


def installed(*packages):
    """Makes packages of PyPI importable, and returns the folder that they are in."""
    folder = tempfile.mkdtemp()
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, *packages], check=True)
    sys.path.insert(0, folder)
    return pathlib.Path(folder)


def tested(suite, environment, *options):
    command = ["swift", "test", *options, "--filter", suite]
    if os.environ.get("INTERCEPTORKIT_SKIP_BUILD"):
        command.append("--skip-build")
    return subprocess.run(command, cwd=root, env={**os.environ, **environment}, capture_output=True, text=True)


def agrees(rows, suite, variable, line, *options):
    """Hands the rows to a suite, by the file that the variable names; whether it agrees with each, and says so in a line."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
        file.flush()
        result = tested(suite, {variable: file.name}, *options)
    summary = [text for text in result.stdout.splitlines() if text.startswith(line)]
    print("\n".join(summary) or result.stdout[-3000:] + result.stderr[-3000:])
    differing = [text for text in result.stdout.splitlines() if text.startswith("differs")] if result.returncode else []
    print("\n".join(differing)[:5000], end="")
    return bool(summary) and result.returncode == 0


def tell(what, counts):
    print(f"{what}: " + ", ".join(f"{number} {name}" for name, number in counts.items() if number))
