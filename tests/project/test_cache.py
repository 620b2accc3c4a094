"""What is kept between two checks: the same result, found sooner."""

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tidegate.linter.result import merged
from tidegate.project import cache as cache_module
from tidegate.project import judging, memory
from tidegate.project.cache import Cache, open_cache
from tidegate.project.check import check_files
from tidegate.project.check_settings import Checked, CheckFlags
from tidegate.project.configs import Configs
from tidegate.project.files import gather, list_files
from tidegate.project.judging import judge_files
from tidegate.project.outcome import UnitResult

ROOT = Path(__file__).parents[2]
TEXTS = (
    "CREATE TEMPORARY VIEW {a} AS SELECT * FROM STREAM(raw.{b});",
    "CREATE TEMPORARY VIEW {a} AS SELECT * FROM {b};",
    "CREATE STREAMING TABLE {a} AS SELECT * FROM {b};",
    "CREATE MATERIALIZED VIEW {a} (CONSTRAINT rule_1 EXPECT (x = NULL)) AS SELECT * FROM {b};",
    "CREATE MATERIALIZED VIEW {a} (CONSTRAINT ok EXPECT (ours(x))) AS SELECT * FROM {b};",
    "CREATE FUNCTION ours(x INT) RETURNS BOOLEAN RETURN x > 0;",
    "CREATE FUNCTION ours(x INT) RETURNS BOOLEAN LANGUAGE PYTHON AS $$ return x > 0 $$;",
    "CREATE MATERIALIZED VIEW {a} (CONSTRAINT b EXPECT (x > )) AS SELECT ${{low}} FROM {b};",
    "-- tidegate: ignore-file[duplicate-dataset] on purpose\nSELECT 1;",
    "SELECT 'caf\u00e9', {{{{ {a} }}}};",
    "USE SCHEMA {a};",
)
PYTHON = (
    "import dlt\n@dlt.table(name='{a}')\n@dlt.expect('rule_1', 'ours(x) = NULL')\n"
    "def made():\n    return spark.readStream.table('{b}')\n",
    "spark.udf.register('ours', lambda x: x)\n",
    "spark.sql('CREATE TEMPORARY VIEW {a} AS SELECT * FROM STREAM(raw.{b})')\n",
    "print('{a}')\n",
)
NAMES = ("t", "u", "v", "w")
FILES = ("a.sql", "b.sql", "sub/c.sql", "sub/d.sql", "e.sql", "p.py", "sub/q.py")
CONFIGURATIONS = (
    None,
    '[pipeline]\nsources = ["."]\n',
    '[pipeline]\nsources = ["*.sql"]\n[variables]\nlow = 1\n',
    '[pipeline]\nsources = ["sub"]\nschema = "s"\n',
    '[lint]\nignore = ["N101"]\nprofile = "strict"\n',
)


@pytest.fixture(autouse=True)
def _everything_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path_factory):
    monkeypatch.setattr(memory, "_SMALL", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("home")))


class World:
    """A folder whose files change by chance, each change with a time of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.clock = itertools.count(1_000_000_000)
        self.flags = CheckFlags()
        self.paths: list[str] = [str(folder)]
        for name in FILES:
            self.write(name, self.text(name))

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        now = next(self.clock)
        os.utime(path, ns=(now, now))

    def text(self, name: str) -> str:
        texts = PYTHON if name.endswith(".py") else TEXTS
        lines = self.chance.choices(texts, k=self.chance.randint(0, 3))
        draw = self.chance.choice
        return "\n".join(line.format(a=draw(NAMES), b=draw(NAMES)) for line in lines)

    def change(self) -> str:
        """Change something; return what."""
        existing = [name for name in FILES if (self.folder / name).exists()]
        name, draw = self.chance.choice(FILES), self.chance.choice
        match draw(
            ("edit", "edit", "edit", "edit", "remove", "rename", "config", "flags", "paths")
        ):
            case "edit":
                self.write(name, self.text(name))
            case "remove" if existing:
                (self.folder / draw(existing)).unlink()
            case "rename" if existing:
                alike = [each for each in existing if each[-3:] == name[-3:]]
                if alike:
                    (self.folder / name).parent.mkdir(exist_ok=True)
                    (self.folder / draw(alike)).rename(self.folder / name)
            case "config":
                text = draw(CONFIGURATIONS)
                (self.folder / "tidegate.toml").unlink(missing_ok=True)
                if text is not None:
                    self.write("tidegate.toml", text)
            case "flags":
                given = (("low", "1"),) if draw((True, False)) else ()
                self.flags = CheckFlags(select=draw((None, ("N", "G"), ("all",))), variables=given)
            case "paths":
                some = [str(self.folder / each) for each in self.chance.sample(FILES, 2)]
                self.paths = draw((some, [str(self.folder)], [str(self.folder / "sub")]))
            case _:
                return "nothing"
        return name

    def judged(self, *, is_kept: bool, processes: int = 1) -> Checked:
        def opened() -> Cache:
            return open_cache(str(self.folder), self.flags)

        return judge_files(
            list_files(self.paths, None),
            Configs(isolated=False),
            self.flags,
            opened if is_kept else None,
            processes,
        )

    def checked(self) -> Checked:
        gathered = gather(self.paths, None)
        return check_files(gathered, Configs(isolated=False), self.flags, frozenset())


def shown(checked: Checked) -> object:
    """Everything that a check puts out, in an order of its own where there is none."""
    lint = msgspec.to_builtins(checked.result.lint)
    lint["not_analysed"] = sorted(lint["not_analysed"], key=repr)
    unhandled = sorted({msgspec.json.encode(each) for each in checked.result.unhandled})
    return lint, unhandled, checked.fails_from_warning


@pytest.mark.parametrize("seed", range(12))
def test_what_is_kept_never_changes_a_result(tmp_path, monkeypatch, seed):
    # All files count as settled, so that what their marks say is believed.
    monkeypatch.setattr(cache_module, "_SETTLED_NS", -(10**18))
    world = World(tmp_path, seed)
    for turn in range(25):
        what = world.change()
        wanted = shown(world.judged(is_kept=False))
        assert shown(world.checked()) == wanted, (turn, what)
        assert shown(world.judged(is_kept=True)) == wanted, (turn, what)
        assert shown(world.judged(is_kept=True)) == wanted, (turn, what)


@pytest.mark.parametrize("seed", range(3))
def test_several_processes_find_the_same(tmp_path, monkeypatch, seed):
    monkeypatch.setattr(judging, "_FORK_BYTES", 0)
    monkeypatch.setattr(judging, "_SPAWN_BYTES", 0)
    world = World(tmp_path, seed)
    for _ in range(4):
        world.change()
        assert shown(world.judged(is_kept=True, processes=2)) == shown(
            world.judged(is_kept=False, processes=1)
        )


def test_standard_input_is_read_once_whoever_looks_into_it(tmp_path):
    text = f"-- {'x' * 1_200_000}\n{TEXTS[3].format(a='t', b='x')}\n"
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tidegate", "check", "-", "a.sql", "--no-cache", "-q"]
    done = subprocess.run(
        [*command, "--jobs", "2", "--output-format", "concise", "--stdin-filename", "b.sql"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, input=text.encode(),
        capture_output=True, check=False,
    )  # fmt: skip
    lines = done.stdout.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["b.sql", "b.sql", "a.sql", "a.sql"]


def sources_with_findings(checked: Checked) -> set[str]:
    return {each.path for each in checked.result.diagnostics}


def test_a_kept_result_comes_with_the_files_it_speaks_of(tmp_path):
    world = World(tmp_path, 0)
    world.write("a.sql", TEXTS[3].format(a="t", b="u"))
    for _ in range(2):
        checked = world.judged(is_kept=True)
        assert sources_with_findings(checked) <= {each.path for each in checked.result.sources}


class Reads:
    """Counts the files that are read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: list[str] = []
        real = memory.read_bytes

        def read(path: str, shown: str) -> object:
            self.paths.append(Path(path).name)
            return real(path, shown)

        monkeypatch.setattr(memory, "read_bytes", read)


def quiet_world(folder: Path) -> World:
    world = World(folder, 1)
    for name in FILES:
        if name.endswith(".py"):
            (folder / name).unlink()
        else:
            world.write(name, TEXTS[0].format(a=Path(name).stem, b="x"))
    return world


def test_a_file_that_did_not_change_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_module, "_SETTLED_NS", -(10**18))
    world = quiet_world(tmp_path)
    world.judged(is_kept=True)
    reads = Reads(monkeypatch)
    world.judged(is_kept=True)
    assert reads.paths == []
    world.write("b.sql", "SELECT 1")
    world.judged(is_kept=True)
    assert reads.paths == ["b.sql"]


def test_a_file_just_written_is_read_again(tmp_path, monkeypatch):
    world = quiet_world(tmp_path)
    world.judged(is_kept=True)
    reads = Reads(monkeypatch)
    world.judged(is_kept=True)
    assert len(reads.paths) == sum(name.endswith(".sql") for name in FILES)


def kept_files(folder: Path) -> Iterator[Path]:
    return (folder / cache_module.FOLDER).glob("check-*.bin")


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xc1" * 50, b"[1, 2]", os.urandom(200)])
def test_a_broken_file_is_no_cache(tmp_path, data):
    world = quiet_world(tmp_path)
    wanted = shown(world.judged(is_kept=True))
    for path in kept_files(tmp_path):
        path.write_bytes(data)
    assert shown(world.judged(is_kept=True)) == wanted


def test_a_kept_result_that_is_none_is_found_again(tmp_path):
    world = quiet_world(tmp_path)
    wanted = shown(world.judged(is_kept=True))
    rewrite(tmp_path, b"\xc0", own_key())
    assert shown(world.judged(is_kept=True)) == wanted


def rewrite(folder: Path, result: bytes, key: bytes) -> None:
    """Put another result in the place of all that are kept."""
    for path in kept_files(folder):
        document = msgspec.msgpack.decode(path.read_bytes()[16:])
        for entry in document[2].values():
            entry[5] = result
        data = msgspec.msgpack.encode(document)
        path.write_bytes(cache_module.seal(data, key) + data)


def own_key() -> bytes:
    return (Path(os.environ["XDG_CACHE_HOME"]) / "tidegate" / cache_module.KEY).read_bytes()


def test_what_somebody_else_wrote_is_not_believed(tmp_path):
    world = World(tmp_path, 0)
    world.write("a.sql", TEXTS[3].format(a="t", b="u"))
    wanted = shown(world.judged(is_kept=True))
    silent = msgspec.msgpack.encode(UnitResult(lint=merged([])))
    rewrite(tmp_path, silent, own_key())
    assert shown(world.judged(is_kept=True)) != wanted
    rewrite(tmp_path, silent, b"x" * 32)
    assert shown(world.judged(is_kept=True)) == wanted


def test_a_link_to_an_endless_file_is_no_cache(tmp_path):
    world = quiet_world(tmp_path)
    wanted = shown(world.judged(is_kept=True))
    for path in kept_files(tmp_path):
        path.unlink()
        path.symlink_to("/dev/zero")
    assert shown(world.judged(is_kept=True)) == wanted


def test_without_a_key_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    world = quiet_world(tmp_path)
    assert shown(world.judged(is_kept=True)) == shown(world.judged(is_kept=False))
    assert list(kept_files(tmp_path)) == []


def test_another_program_shares_nothing(tmp_path, monkeypatch):
    world = quiet_world(tmp_path)
    world.judged(is_kept=True)
    monkeypatch.setattr(cache_module, "_stamp", lambda: "another")
    reads = Reads(monkeypatch)
    world.judged(is_kept=True)
    assert reads.paths == []  # nothing is known, so nothing is compared
    assert len(list(kept_files(tmp_path))) == 2


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(cache_module.PLACE, str(tmp_path / "file" / "inside"))
    world = quiet_world(tmp_path)
    assert shown(world.judged(is_kept=True)) == shown(world.judged(is_kept=False))


def test_the_folder_is_ignored_by_git(tmp_path):
    quiet_world(tmp_path).judged(is_kept=True)
    assert "*" in (tmp_path / cache_module.FOLDER / ".gitignore").read_text().split()


def test_old_files_make_room(tmp_path):
    world = quiet_world(tmp_path)
    for number in range(cache_module._MOST_FILES + 5):
        world.flags = CheckFlags(variables=(("n", str(number)),))
        world.judged(is_kept=True)
    assert len(list(kept_files(tmp_path))) == cache_module._MOST_FILES


@pytest.mark.parametrize("flag", ["--no-cache", "--isolated"])
def test_a_call_may_keep_nothing(tmp_path, flag):
    (tmp_path / "a.sql").write_text("SELECT 1; -- x\n" * 20_000)
    command = [sys.executable, "-m", "tidegate", "check", "a.sql"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([*command, flag], cwd=tmp_path, env=environment, check=True)
    assert not (tmp_path / cache_module.FOLDER).exists()
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / cache_module.FOLDER).exists()


def test_a_small_call_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.undo()
    quiet_world(tmp_path).judged(is_kept=True)
    assert not (tmp_path / cache_module.FOLDER).exists()
