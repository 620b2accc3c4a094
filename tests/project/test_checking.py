"""Files with their pipelines and configuration, from paths to findings."""

from pathlib import Path

import pytest

from tidegate.project.check import Checked, CheckFlags, check_files
from tidegate.project.configs import Configs
from tidegate.project.files import gather
from tidegate.project.pipeline import open_pipeline
from tidegate.project.planning import Overrides, plan_pipeline
from tidegate.project.refusal import Refusal
from tidegate.source.edit import Safety

GOOD = "CREATE MATERIALIZED VIEW {} AS SELECT * FROM x;\n"
NULLED = "CREATE MATERIALIZED VIEW {} (CONSTRAINT valid EXPECT (a = NULL)) AS SELECT a FROM x;\n"
STREAMING = "CREATE STREAMING TABLE {} AS SELECT * FROM {};\n"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path = path.with_name(f"{path.name}.{'toml' if path.name == 'tidegate' else 'sql'}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def check(folder: Path, *names: str, fixing: frozenset[Safety] = frozenset()) -> Checked:
    gathered = gather([str(folder / name) for name in names], None)
    return check_files(gathered, Configs(isolated=False), CheckFlags(), fixing)


def found(checked: Checked) -> list[tuple[str, str]]:
    return [(Path(each.path).name, each.name) for each in checked.result.diagnostics]


def test_files_stand_alone_without_a_configuration(tmp_path):
    write(tmp_path, a=GOOD.format("t"), b=GOOD.format("t"))
    assert found(check(tmp_path, "a.sql", "b.sql")) == []


def test_files_of_a_project_are_one_pipeline(tmp_path):
    write(
        tmp_path, tidegate='[pipeline]\nsources = ["."]\n', a=GOOD.format("t"), b=GOOD.format("t")
    )
    assert found(check(tmp_path, "a.sql", "b.sql")) == [("b.sql", "duplicate-dataset")]


def test_a_file_of_a_project_is_judged_with_the_others_and_reported_alone(tmp_path):
    view = "CREATE TEMPORARY VIEW v AS SELECT * FROM STREAM(raw.t);\n" + NULLED.format("n")
    write(
        tmp_path, tidegate='[pipeline]\nsources = ["*.sql"]\n', a=view, b=STREAMING.format("t", "v")
    )
    checked = check(tmp_path, "b.sql")
    assert found(checked) == []
    lint = checked.result.lint
    assert (len(lint.files), lint.statements, lint.expectations) == (1, 1, 0)


def test_a_file_beside_a_project_stands_alone(tmp_path):
    write(
        tmp_path, tidegate='[pipeline]\nsources = ["sql"]\n', sql__a=GOOD.format("t"),
        other=GOOD.format("t"),
    )  # fmt: skip
    assert found(check(tmp_path, "other.sql", "sql/a.sql")) == []


def test_findings_keep_the_order_of_the_paths(tmp_path):
    write(
        tmp_path, p__tidegate='[pipeline]\nsources = ["."]\n', p__b=NULLED.format("b"),
        a=NULLED.format("a"),
    )  # fmt: skip
    assert [name for name, _ in found(check(tmp_path, "a.sql", "p"))] == ["a.sql", "b.sql"]


def test_a_source_that_cannot_be_read_is_unhandled(tmp_path):
    write(tmp_path, tidegate='[pipeline]\nsources = ["*.sql"]\n', a=GOOD.format("t"))
    (tmp_path / "b.sql").write_bytes(b"\xff\xfe")
    assert len(check(tmp_path, "a.sql").result.unhandled) == 1


@pytest.mark.parametrize("fixing", [frozenset(), frozenset(Safety)])
def test_a_source_that_gives_no_file_is_told(tmp_path, fixing):
    config = '[pipeline]\nsources = ["nothere/*.sql", "sql"]\n'
    write(tmp_path, tidegate=config, a=GOOD.format("t"))
    (tmp_path / "sql").mkdir()
    told = check(tmp_path, "a.sql", fixing=fixing).empty_sources
    assert [each.pattern for each in told] == ["nothere/*.sql", "sql"]
    write(tmp_path, sql__b=GOOD.format("t"))
    told = check(tmp_path, "a.sql", "sql/b.sql", fixing=fixing).empty_sources
    assert [each.pattern for each in told] == ["nothere/*.sql"]


def test_every_finding_is_fixed_however_many_of_a_rule_there_are(tmp_path):
    write(tmp_path, a="".join(NULLED.format(f"t{number}") for number in range(1100)))
    checked = check(tmp_path, "a.sql", fixing=frozenset(Safety))
    assert (found(checked), list(checked.fixed.values())) == ([], [1100])


def test_every_file_is_checked_under_the_nearest_configuration(tmp_path):
    write(
        tmp_path, p__tidegate='[lint]\nignore = ["null-comparison"]\n', p__a=NULLED.format("a"),
        q__a=NULLED.format("a"),
    )  # fmt: skip
    checked = check(tmp_path, "p", "q")
    assert [Path(each.path).parent.name for each in checked.result.diagnostics] == ["q"]


def test_configured_names_and_functions_reach_the_rules(tmp_path):
    text = "CREATE MATERIALIZED VIEW t (CONSTRAINT ok EXPECT (is_mail(a))) AS SELECT a FROM x;"
    write(tmp_path, a=text)
    assert found(check(tmp_path, "a.sql")) == [("a.sql", "unknown-function")]
    write(tmp_path, tidegate='[lint]\npython_udfs = ["is_mail"]\n')
    assert found(check(tmp_path, "a.sql")) == [("a.sql", "python-udf-in-expectation")]
    write(tmp_path, tidegate='[lint]\nfunctions = ["is_mail"]\n')
    assert found(check(tmp_path, "a.sql")) == []


def test_fixes_are_applied_until_none_is_left(tmp_path):
    write(tmp_path, a=NULLED.format("a"))
    checked = check(tmp_path, "a.sql", fixing=frozenset(Safety))
    assert found(checked) == []
    ((before, after),) = checked.rewritten.values()
    assert before.text.replace("a = NULL", "a IS NULL") == after.text
    assert list(checked.fixed.values()) == [1]


def test_paths_of_a_call_are_one_pipeline(tmp_path):
    write(tmp_path, a=GOOD.format("t"), b=GOOD.format("t"))
    opened = open_pipeline([str(tmp_path / "a.sql"), str(tmp_path / "b.sql")], None, configs())
    assert [each.name for each in plan_pipeline(opened, Overrides()).faults] == [
        "duplicate-dataset"
    ]


def test_a_folder_with_a_configuration_means_its_sources(tmp_path):
    write(
        tmp_path, tidegate='[pipeline]\nsources = ["sql/a.sql"]\n', sql__a=GOOD.format("t"),
        sql__b=GOOD.format("t"),
    )  # fmt: skip
    opened = open_pipeline([str(tmp_path)], None, configs())
    assert [Path(file.path).name for file in opened.gathered.files] == ["a.sql"]
    assert opened.stem == tmp_path.name


def test_a_folder_inside_a_project_means_its_files(tmp_path):
    write(
        tmp_path, tidegate='[pipeline]\nsources = ["sql/a.sql"]\nschema = "s"\n',
        sql__a=GOOD.format("t"), sql__b=GOOD.format("u"),
    )  # fmt: skip
    opened = open_pipeline([str(tmp_path / "sql")], None, configs())
    assert [Path(file.path).name for file in opened.gathered.files] == ["a.sql", "b.sql"]
    assert opened.config.schema == "s"


def test_paths_of_two_projects_are_refused(tmp_path):
    write(tmp_path, p__tidegate="", q__tidegate="", p__a="", q__a="")
    with pytest.raises(Refusal, match="different projects"):
        open_pipeline([str(tmp_path / "p"), str(tmp_path / "q")], None, configs())


def test_isolated_ignores_every_configuration(tmp_path):
    write(tmp_path, tidegate="no toml", a=GOOD.format("t"))
    opened = open_pipeline([str(tmp_path)], None, Configs(isolated=True))
    assert len(opened.gathered.files) == 1


def test_a_project_is_found_from_any_folder(tmp_path, monkeypatch):
    write(tmp_path, tidegate='[pipeline]\nsources = ["a.sql"]\n', a=NULLED.format("t"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert found(check(Path(), "../a.sql")) == [("a.sql", "null-comparison")]


def configs() -> Configs:
    return Configs(isolated=False)


def test_a_placeholder_without_a_value_is_marked_where_it_stands(tmp_path):
    text = "CREATE MATERIALIZED VIEW t AS SELECT * FROM x WHERE a = '${day}' AND b = '${day}';\n"
    write(tmp_path, a=text)
    opened = open_pipeline([str(tmp_path / "a.sql")], None, configs())
    (told,) = plan_pipeline(opened, Overrides()).losses
    assert text[told.span.start : told.span.end] == "${day}"
    assert told.fingerprint
