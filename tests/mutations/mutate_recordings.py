#!/usr/bin/env python3
"""Runs every command that reads recordings on recordings that were changed: a value of each column of each table,
rows taken away, doubled and given to others, and whole files. However a file is wrong, a command ends in time with an
exit code of its own, says why, and prints JSON that is JSON and CSV without formulas.

    mutate_recordings.py PROGRAM [--mutants N] [--seed S] [--limit SECONDS] [--jobs J] [--only MUTANT] [--keep FOLDER]

The same seed makes the same mutants. The first ones change each column of each table once; --mutants 0 makes one of
each column and each way to change it. A mutant that a command does not bear is kept in the folder, with its number.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import sqlite3
except ImportError:
    print("Python's sqlite3 is missing: install it to change recordings.")
    sys.exit(77)

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXIT_CODES = range(5)
HOSTILE = "e\x1b[31mvil\x07\x7f\r\n\u202enew"


class Dice:
    """Sebastiano Vigna's splitmix64: the same numbers on every machine and in every version of Python."""

    def __init__(self, seed):
        self.state = seed & (2**64 - 1)

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return z ^ (z >> 31)

    def below(self, bound):
        return self.bits() % bound

    def one_of(self, things):
        return things[self.below(len(things))]

    def shuffle(self, things):
        for i in range(len(things) - 1, 0, -1):
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]


# ---- How a value is changed: change(dice, value, other) gives the new one; `other` is that of another row.

EDGES = [0, 1, -1, 2, 31, 32, 33, 255, 1024, 1025, 2**24, 2**24 + 1, 2**31 - 1, 2**31, 2**32, 2**53, 2**62, 2**63 - 1,
         -(2**31), -(2**63)]
TEXTS = ["", "x", "0", "-1", "nan", "inf", "7", "134 (checked by a plain loop)", "=1+1", "@SUM(A1)", "A" * 600,
         "B" * 100_000, "C" * 2_000_000, "1 " * 40_000 + "1", HOSTILE, "%s%n", "../../etc/passwd", "'; DROP TABLE traces; --",
         "\u2211" * 300, "[1,2", "int", "custom", "given", "gpu", "load"]
REALS = [0.0, -0.0, 0.5, -1.5, 1e308, -1e308, 1e-320, float("inf"), float("-inf")]


class Utf8:
    """Bytes that SQLite takes for text."""

    def __init__(self, data):
        self.data = data


def small_step(dice, value, _):
    return value + dice.one_of([-1, 1]) if isinstance(value, (int, float)) and abs(value) < 2**62 else 1


def flipped(dice, value, _):
    if isinstance(value, int):
        value ^= 1 << dice.below(63)
        return value if value < 2**63 else value - 2**64
    if isinstance(value, float):
        return -value
    data = bytearray(value.encode() if isinstance(value, str) else value or b"a")
    if data:
        data[dice.below(len(data))] ^= 1 << dice.below(8)
    return Utf8(bytes(data)) if isinstance(value, str) else bytes(data)


def cut(dice, value, _):
    if isinstance(value, (str, bytes)):
        return value[: dice.below(len(value) + 1)]
    return value // 2 if isinstance(value, int) else value


def doubled(_, value, __):
    if isinstance(value, (str, bytes)):
        return value + value
    return value * 2 if isinstance(value, (int, float)) and abs(value) < 2**61 else value


CHANGES = {
    "null": lambda dice, value, other: None,
    "edge": lambda dice, value, other: dice.one_of(EDGES),
    "step": small_step,
    "text": lambda dice, value, other: dice.one_of(TEXTS),
    "real": lambda dice, value, other: dice.one_of(REALS),
    "blob": lambda dice, value, other: bytes(dice.below(256) for _ in range(dice.one_of([0, 1, 16, 4096]))),
    "other": lambda dice, value, other: other,
    "flip": flipped,
    "cut": cut,
    "double": doubled,
    "no utf-8": lambda dice, value, other: Utf8(b"\xff\xc3" + bytes([dice.below(256)])),
}
ROW_CHANGES = ["delete one", "delete all", "double", "to another", "every row"]
FILE_CHANGES = ["format", "cut short", "a byte", "view", "more", "no table"]


# ---- Recordings that are changed.

class Base:
    """A recording, and what a command says to read one of its traces."""

    def __init__(self, path, variant, experiment=()):
        self.path, self.variant, self.experiment = path, variant, list(experiment)


def small_shipped(folder, name, variant):
    """Of a shipped recording one trace, and of each thing measured the first few of that variant."""
    path = folder / f"small-{name}"
    shutil.copyfile(SOURCE / "assets/recordings" / name, path)
    file = sqlite3.connect(path)
    keep = [row[0] for row in file.execute("SELECT id FROM traces WHERE variant = ? ORDER BY id LIMIT 1", (variant,))]
    children = {"timings": ("timing", ["timing_samples"]), "clocks": ("clock", ["clock_paths", "clock_marks"]),
                "counters": ("record", ["counter_launches", "counter_values"]),
                "timelines": ("record", ["timeline_launches"]), "costs": ("record", ["cost_launches"]),
                "machine_codes": ("record", []),
                "traces": ("trace", [row[0] for row in file.execute(
                    "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' "
                    "AND c.name = 'trace'")])}
    there = {row[0] for row in file.execute("SELECT name FROM sqlite_schema")}
    for parent, (key, tables) in children.items():
        if parent not in there:  # an older format
            continue
        named = "subject" if parent == "timings" else "variant"
        ids = keep if parent == "traces" else [row[0] for row in file.execute(
            f"SELECT id FROM {parent} WHERE {named} = ? ORDER BY id LIMIT 3", (variant,))]
        marks = ",".join("?" * len(ids))
        file.execute(f"DELETE FROM {parent} WHERE id NOT IN ({marks})", ids)
        for table in tables:
            file.execute(f"DELETE FROM {table} WHERE {key} NOT IN ({marks})", ids)
        for number, old in enumerate(ids, 1):
            file.execute(f"UPDATE {parent} SET id = ? WHERE id = ?", (number, old))
            for table in tables:
                file.execute(f"UPDATE {table} SET {key} = ? WHERE {key} = ?", (number, old))
    file.commit()
    file.execute("VACUUM")
    file.close()
    return Base(path, variant)


def recorded(program, folder, name, variant, options):
    path = folder / f"{name}.stride"
    run = subprocess.run([program, "record", variant, *options, "--engine", "host", "-o", path], capture_output=True,
                         text=True, timeout=300, check=False)
    if not path.exists():
        print(f"not recorded: {name}: {run.stderr.strip()}", file=sys.stderr)
        return None
    return Base(path, variant)


def bases(program, folder):
    older = SOURCE / "tests/archive/older"
    numbers, lists = folder / "numbers.txt", folder / "lists.json"
    numbers.write_text("".join(f"{i * 37 % 101 - 50}\n" for i in range(40)))
    lists.write_text("[[1, 4, 4], [], [2, 3]]")
    found = [
        small_shipped(folder, "h200-variants.stride", "sequential"),
        small_shipped(folder, "h200-merges.stride", "k_way_merge"),
        recorded(program, folder, "float", "warp_shuffle", ["--type", "float", "--op", "*", "--threads", "64"]),
        recorded(program, folder, "numbers", "two_per_thread", ["--threads", "32", "--input", numbers]),
        recorded(program, folder, "lists", "k_way_merge", ["--threads", "32", "--lists", lists]),
        recorded(program, folder, "own", "sequential",
                 ["--threads", "32", "--combine", "a > b ? a : b", "--identity=-2147483648"]),
        recorded(program, folder, "bug", "divergent_barrier", ["--threads", "64", "--schedule", "warps"]),
    ]
    for number in (2, 3, 4):
        path = folder / f"format{number}.stride"
        shutil.copyfile(older / path.name, path)
        file = sqlite3.connect(path)
        found.append(Base(path, file.execute("SELECT variant FROM traces ORDER BY id LIMIT 1").fetchone()[0]))
        file.close()
    return [base for base in found if base is not None]


def tables_of(path):
    file = sqlite3.connect(path)
    names = [row[0] for row in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    tables = {name: [row[1] for row in file.execute(f"PRAGMA table_info({name})")] for name in names
              if file.execute(f"SELECT count(*) FROM {name}").fetchone()[0] > 0}
    file.close()
    return tables


def plan(all_bases, dice):
    """(base, table, column or None, change): each column once, then each row change, then what is left."""
    columns, rows, files = [], [], []
    for base in range(len(all_bases)):
        for table, names in tables_of(all_bases[base].path).items():
            if table == "event_kinds":
                continue  # for people
            columns += [(base, table, name, change) for name in names for change in CHANGES]
            rows += [(base, table, None, change) for change in ROW_CHANGES]
        files += [(base, None, None, change) for change in FILE_CHANGES]
    for part in (columns, rows, files):
        dice.shuffle(part)
    once, again, seen = [], [], set()
    for mutant in columns + rows:
        key = mutant[1:3] if mutant[2] else (mutant[1], mutant[3])
        (again if key in seen else once).append(mutant)
        seen.add(key)
    rest = again + files
    dice.shuffle(once)
    dice.shuffle(rest)
    return once + rest


# ---- Changing a recording.

def literal(file, value):
    """As a parameter and the SQL that takes it."""
    return ("CAST(? AS TEXT)", value.data) if isinstance(value, Utf8) else ("?", value)


def change_rows(file, table, column, change, dice):
    keys = [row[1] for row in file.execute(f"PRAGMA table_info({table})") if row[5] > 0]
    count = file.execute(f"SELECT count(*) FROM {table}").fetchone()[0]

    def row_at(place, names):
        return file.execute(f"SELECT {','.join(names)} FROM {table} ORDER BY {','.join(keys)} LIMIT 1 OFFSET ?",
                            (place,)).fetchone()

    key = row_at(dice.below(count), keys)
    this = " AND ".join(f"{name} IS ?" for name in keys)
    if change == "delete one":
        return file.execute(f"DELETE FROM {table} WHERE {this}", key)
    if change == "delete all":
        return file.execute(f"DELETE FROM {table}")
    if change in ("double", "to another") and column is None:
        # Its last key counts on, or its first one names another owner, that may not be there.
        moved = keys[-1] if change == "double" else keys[0]
        place = file.execute(f"SELECT max({moved}) + 1 FROM {table}").fetchone()[0]
        place = place if change == "double" and isinstance(place, int) else dice.one_of([0, 2, 99, -1, place])
        names = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
        values = ",".join("?" if name == moved else name for name in names)
        if change == "double":
            return file.execute(f"INSERT OR REPLACE INTO {table} SELECT {values} FROM {table} WHERE {this}",
                                (place, *key))
        return file.execute(f"UPDATE OR REPLACE {table} SET {moved} = ? WHERE {this}", (place, *key))
    if column is None:  # "every row" of a column
        column = dice.one_of([row[1] for row in file.execute(f"PRAGMA table_info({table})")])
        sql, value = literal(file, dice.one_of(list(CHANGES.values()))(dice, row_at(0, [column])[0], 0))
        return file.execute(f"UPDATE OR REPLACE {table} SET {column} = {sql}", (value,))
    value = file.execute(f"SELECT {column} FROM {table} WHERE {this}", key).fetchone()[0]
    other = row_at(dice.below(count), [column])[0]
    sql, changed = literal(file, CHANGES[change](dice, value, other))
    return file.execute(f"UPDATE OR REPLACE {table} SET {column} = {sql} WHERE {this}", (changed, *key))


def change_file(path, change, dice):
    if change in ("cut short", "a byte"):
        data = bytearray(path.read_bytes())
        if change == "a byte":
            for _ in range(1 + dice.below(8)):
                data[dice.below(len(data))] = dice.below(256)
        path.write_bytes(data if change == "a byte" else data[: dice.below(len(data))])
        return
    file = sqlite3.connect(path)
    tables = sorted(tables_of(path))
    if change == "format":
        file.execute(f"PRAGMA user_version = {dice.one_of([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2**31 - 1])}")
    elif change == "more":
        file.execute("CREATE TABLE more(a, b)")
        file.execute("INSERT INTO more VALUES(1, zeroblob(100000))")
    else:
        table = dice.one_of(tables)
        file.execute(f"ALTER TABLE {table} RENAME TO was" if change == "view" else f"DROP TABLE {table}")
        if change == "view":
            file.execute(f"CREATE VIEW {table} AS SELECT * FROM was")
    file.commit()
    file.close()


def make_mutant(base, mutant, path, dice):
    _, table, column, change = mutant
    shutil.copyfile(base.path, path)
    if table is None:
        return change_file(path, change, dice)
    # NULL comes into a column that takes none while its table says nothing of that.
    file = sqlite3.connect(path, isolation_level=None)
    file.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    schema = file.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
    for sql in (schema.replace("NOT NULL", "").replace(" WITHOUT ROWID", " WITHOUT ROWID"), schema):
        file.execute("PRAGMA journal_mode = OFF")
        file.execute("PRAGMA synchronous = OFF")
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))
        file.close()
        file = sqlite3.connect(path, isolation_level=None)
        file.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        if sql is not schema and sql != schema:
            try:
                change_rows(file, table, column, change, dice)
            except (sqlite3.IntegrityError, OverflowError):
                pass  # a key that is NULL, or a number that is none of SQLite's: the file is as it was
    file.close()
    return None


# ---- The commands.

def commands(base, recording, folder):
    engine = ["--engine", recording]
    one = [base.variant, *base.experiment, *engine]
    return [
        ["step", *one, "--json"],
        ["verify", *engine, "--json"],
        ["step", *one],
        ["step", *one, "--round", "0-1"],
        ["step", *one, "--cycles", "--json"],
        ["compare", base.variant, base.variant, *engine, "--json"],
        ["compare", base.variant, base.variant, *engine, "--by", "stride"],
        ["why", base.variant, *engine, "--json"],
        ["counters", base.variant, *engine, "--json"],
        ["timeline", base.variant, *engine, "--json"],
        ["time", base.variant, "--no-cpu", "--size", "2^10", "--samples", "3", "--json"],
        ["time", base.variant, "--no-cpu", "--size", "2^10", "--samples", "3", "--csv"],
        ["quiz", *one, "--seed", "5"],
        ["quiz", *one, "--export", folder / "quiz.html", "--force"],
        ["export", *one, "--values", "--force", "-o", folder / "a.csv"],
        ["export", *one, "--values", "--force", "-o", folder / "a.md"],
        ["export", *one, "--question", "--rounds", "0..2", "--force", "-o", folder / "a.html"],
        ["shot", folder / "a.png", "--variant", base.variant, "--size", "1000x700", *engine],
        ["shot", folder / "b.png", "--variant", base.variant, "--panel", "timeline", "--size", "600x400", *engine],
        ["record", base.variant, *engine, "--force", "-o", folder / "again.stride"],
        ["list", "--json"],
    ]


ALWAYS = 2  # so many first commands run on every mutant, and some of the others in turn


def fault_of(command, run, folder):
    """What is wrong with how a command ended, or None."""
    if run.returncode not in EXIT_CODES:
        return f"exit code {run.returncode}"
    if run.returncode >= 2 and not run.stderr.strip() and not run.stdout.strip():
        return f"exit code {run.returncode} without a word"
    for name, text in (("output", run.stdout), ("error", run.stderr)):
        try:
            written = text.decode()
        except UnicodeDecodeError:
            return f"its {name} is no UTF-8"
        if any((c < " " and c not in "\n\t\r") or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in written):
            return f"its {name} has a control character"
    output = run.stdout.decode()
    if "--json" in command and (output or run.returncode < 2):
        try:
            json.loads(output)
        except ValueError as wrong:
            return f"no JSON: {wrong}"
    if "--csv" in command:
        return fault_of_csv(output)
    if folder / "a.csv" in command and run.returncode < 2:
        return fault_of_csv((folder / "a.csv").read_text())
    return None


def fault_of_csv(text):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    for row in rows:
        if len(row) != len(rows[0]):
            return f"a line of CSV has {len(row)} cells of {len(rows[0])}"
        for cell in row:
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
                try:
                    float(cell)
                except ValueError:
                    return f"a cell of CSV is a formula: {cell[:40]!r}"
    return None


class Runner:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        # The program takes what was measured from the recordings beside it: there it finds the mutant.
        self.places = []
        for job in range(arguments.jobs):
            place = folder / f"job{job}"
            (place / "bin").mkdir(parents=True)
            (place / "share/stridescope/assets/recordings").mkdir(parents=True)
            try:
                os.link(arguments.program, place / "bin/stridescope")
            except OSError:
                shutil.copy2(arguments.program, place / "bin/stridescope")
            self.places.append(place)
        self.environment = dict(os.environ, HOME=str(folder / "home"), XDG_CONFIG_HOME=str(folder / "home"),
                                XDG_DATA_HOME=str(folder / "home"), XDG_CACHE_HOME=str(folder / "home"))
        (folder / "home").mkdir()

    def check(self, number, base, mutant):
        """The faults of all commands that ran on this mutant, and how many those were."""
        place = self.places.pop()
        try:
            recording = place / "share/stridescope/assets/recordings/mutant.stride"
            make_mutant(base, mutant, recording, Dice(self.arguments.seed * 1_000_003 + number))
            every = commands(base, recording, place)
            some = self.arguments.commands
            chosen = every if some == 0 else every[:ALWAYS] + [
                every[ALWAYS + (number * some + i) % (len(every) - ALWAYS)] for i in range(some)]
            faults = []
            for command in chosen:
                if fault := self.run(place, command):
                    faults.append(f"{' '.join(map(str, command))}: {fault}")
            if faults and self.arguments.keep:
                pathlib.Path(self.arguments.keep).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(recording, pathlib.Path(self.arguments.keep) / f"mutant{number}.stride")
            return faults, len(chosen)
        finally:
            self.places.append(place)

    def run(self, place, command):
        try:
            run = subprocess.run([place / "bin/stridescope", *command], capture_output=True, check=False,
                                 stdin=subprocess.DEVNULL, timeout=self.arguments.limit, env=self.environment)
        except subprocess.TimeoutExpired:
            return f"did not end within {self.arguments.limit} s"
        return fault_of(command, run, place)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--mutants", type=int, default=400, help="0: all that there are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commands", type=int, default=4, help="beside step and verify, on each mutant; 0: all")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a command may take")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int, help="this mutant alone")
    parser.add_argument("--keep", help="the folder for what is found")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        all_bases = bases(arguments.program, folder)
        mutants = list(enumerate(plan(all_bases, Dice(arguments.seed))))
        if arguments.only is not None:
            mutants = [mutants[arguments.only]]
        elif arguments.mutants > 0:
            mutants = mutants[: arguments.mutants]
        runner = Runner(arguments, folder)
        ran = wrong = 0
        for base in all_bases:  # unchanged, every command ends well
            run = subprocess.run([arguments.program, "step", base.variant, "--engine", base.path, "--json"],
                                 capture_output=True, check=False, timeout=arguments.limit)
            if run.returncode > 1:
                print(f"{base.path.name} itself is refused: {run.stderr.decode()}")
                wrong += 1
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = {pool.submit(runner.check, number, all_bases[mutant[0]], mutant): (number, mutant)
                    for number, mutant in mutants}
            for job in concurrent.futures.as_completed(jobs):
                number, (base, table, column, change) = jobs[job]
                faults, count = job.result()
                ran += count
                for fault in faults:
                    wrong += 1
                    print(f"mutant {number} ({all_bases[base].path.name}, {table}.{column}, {change}): {fault}",
                          flush=True)
        print(f"{len(mutants)} mutants of {len(all_bases)} recordings, {ran} commands, {wrong} faults")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
