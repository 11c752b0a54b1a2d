"""The part `growth` of scripts/bench: time and memory from 1,000 to 1,000,000 events, and their picture."""

import json
import math
import os
import subprocess
import tempfile

COUNTS = [10 ** 3, 10 ** 4, 10 ** 5, 10 ** 6]
# The loop of curl and jq reads no more than this: it would take minutes for each further point.
RIVAL_LIMIT = 10 ** 5
PAGE = 500
RIVAL = "curl loop | jq -c"
# A program begins with the peak of the one that started it: a small Python starts it.
MEASURE = """
import os, sys, time
start = time.monotonic()
child = os.fork() or os.execvp("sh", ["sh", "-c", sys.argv[1]])
_, status, usage = os.wait4(child, 0)
print(time.monotonic() - start, usage.ru_maxrss * 1024 / 1e6)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def measured(line):
    """The seconds of a shell line, and the peak of resident memory of its largest process in MB."""
    found = subprocess.check_output(["python3", "-SIc", MEASURE, f"{line} > /dev/null"], stdin=subprocess.DEVNULL)
    return [float(number) for number in found.split()]


def median(command):
    """The medians of three measurements; of a long one the first."""
    found = [measured(f"exec {command}")]
    if found[0][0] <= 10:
        found += [measured(f"exec {command}") for _ in range(2)]
    return [sorted(values)[len(values) // 2] for values in zip(*found)]


def growth(table):
    """Prints a row for each command: its name, the number of events, seconds and MB."""
    folder, count = os.environ["BENCH_FOLDER"], int(os.environ["BENCH_EVENTS"])
    sync = (f"sh -c 'rm -rf {folder}/kept; argus archive init --quiet {folder}/kept; "
            f"exec argus archive sync --no-pictures --quiet --archive {folder}/kept'")
    commands = {
        "events list --all": "argus events list --all --format ndjson",
        "events export": "argus events export --format csv",
        "events watch, a backlog": f"argus events watch --since 15d --limit {count} --format ndjson --quiet",
        "archive sync": sync,
    }
    if count <= RIVAL_LIMIT:
        header = f"{folder}/header"
        with open(header, "w") as file:
            file.write("Authorization: Bearer " + subprocess.check_output(["argus", "token"], text=True))
        server = json.loads(subprocess.check_output(["argus", "whoami", "--json"]))["url"]
        commands[RIVAL] = (
            f"sh -c 'for o in $(seq 0 {PAGE} {count - 1}); do curl -sS -H @{header} "
            f"\"{server}/api/v1/events?limit={PAGE}&offset=$o\"; done | jq -c .events[]'")
    for name, command in commands.items():
        table.rows.append((name, count, *median(command)))


INNER = {"growth": growth}


def measure(demo):
    """Measures on embedded servers with more and more events."""
    rows = []
    for count in COUNTS:
        os.environ["BENCH_EVENTS"] = str(count)
        with tempfile.TemporaryDirectory() as folder:
            found = demo(["--events", str(count)], "growth", folder=folder)
        rows += found
        for name, _, seconds, memory in found:
            print(f"{name:28} {count:9,} events {seconds:8.2f} s {memory:6.1f} MB", flush=True)
    return rows


# Colours that can be read on white and on black.
GRAY = "#7d8590"
COLORS = ["#3b82f6", "#2da44e", "#c98a06", "#a371f7", GRAY]
WIDTH, HEIGHT, LEFT, TOP, GAP = 300, 200, 52, 36, 84


def draw(rows, path):
    """Writes the picture: seconds on the left, both axes in powers of ten, MB on the right."""
    names = list(dict.fromkeys(row[0] for row in rows))
    right = LEFT + WIDTH + GAP
    most = 20 * math.ceil(max(memory for name, _, _, memory in rows if name != RIVAL) / 20)
    low = math.floor(math.log10(min(row[2] for row in rows)))
    high = math.ceil(math.log10(max(row[2] for row in rows)))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + WIDTH + 40} {TOP + HEIGHT + 100}" '
        'role="img" font-family="system-ui, sans-serif" font-size="12">',
        "<title>Seconds and memory of argus, from a thousand to a million events</title>",
        text(LEFT, 18, "seconds"), text(right, 18, "peak memory, MB"),
    ]

    def x(left, count):
        return left + WIDTH * (math.log10(count) - 3) / 3

    def by_power(seconds):
        return TOP + HEIGHT * (high - math.log10(seconds)) / (high - low)

    def by_size(memory):
        return TOP + HEIGHT * (1 - memory / most)

    for power in range(low, high + 1):
        out += level(LEFT, by_power(10 ** power), f"{10 ** power:g}")
    for memory in range(0, most + 1, 20):
        out += level(right, by_size(memory), str(memory))
    for left in (LEFT, right):
        for count in COUNTS:
            out.append(text(f"{x(left, count):.4g}", TOP + HEIGHT + 18, f"{count:,}", ' text-anchor="middle"'))
        out.append(text(left + WIDTH / 2, TOP + HEIGHT + 36, "events", ' text-anchor="middle"'))
    for number, name in enumerate(names):
        color, dashes = COLORS[number], ' stroke-dasharray="4 3"' if name == RIVAL else ""
        series = [row for row in rows if row[0] == name]
        lines = [[(x(LEFT, count), by_power(seconds)) for _, count, seconds, _ in series]]
        # The memory of a pipe of programs says little.
        if name != RIVAL:
            lines.append([(x(right, count), by_size(memory)) for _, count, _, memory in series])
        for points in lines:
            path_data = "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
            out.append(f'<path d="M{path_data}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>')
            out += [f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3" fill="{color}"/>' for across, down in points]
        across, down = LEFT + number % 3 * 240, TOP + HEIGHT + 68 + number // 3 * 22
        out.append(f'<path d="M{across} {down - 4}h22" stroke="{color}" stroke-width="2"{dashes}/>')
        out.append(text(across + 30, down, name))
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def text(left, top, words, more=""):
    return f'<text x="{left}" y="{top}" fill="{GRAY}"{more}>{words}</text>'


def level(left, top, words):
    return [f'<path d="M{left} {top:.1f}h{WIDTH}" stroke="{GRAY}" stroke-opacity=".3"/>',
            text(left - 6, f"{top + 4:.1f}", words, ' text-anchor="end"')]
