"""Settings files of the platform: what they say about pipelines, and how it is found."""

from pathlib import Path

import pytest

from tidegate.project.check import Checked, CheckFlags, check_files
from tidegate.project.config import Config, bind_settings
from tidegate.project.configs import Configs
from tidegate.project.files import gather
from tidegate.project.pipeline import open_pipeline
from tidegate.project.refusal import Refusal

BUNDLE = """\
bundle:
  name: shop
include:
  - resources/*.yml
variables:
  catalog: {default: main}
  floor:
    description: the least amount
    default: 10
targets:
  prod:
    variables:
      catalog: prod
  dev:
    default: true
    variables:
      catalog: dev_${bundle.name}
"""
PIPELINE = """\
resources:
  pipelines:
    sales:
      name: sales_${bundle.target}
      catalog: ${var.catalog}
      schema: silver
      libraries:
        - glob:
            include: ../src/sales/**
        - file: {path: ../src/common.sql}
        - notebook: {path: /Workspace/elsewhere}
      configuration:
        floor: ${var.floor}
        owner: ${workspace.current_user.userName}
        strict: true
"""
VIEW = "CREATE MATERIALIZED VIEW {} AS SELECT * FROM raw.t WHERE a > ${{floor}};\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def bundle(folder: Path) -> None:
    write(
        folder,
        {
            "databricks.yml": BUNDLE,
            "resources/sales.yml": PIPELINE,
            "src/sales/deep/a.sql": VIEW.format("a"),
            "src/common.sql": VIEW.format("b"),
            "src/other.sql": VIEW.format("c"),
            "src/sales/README.md": "no source",
        },
    )


def config_of(path: Path) -> Config:
    return Configs(isolated=False).of(str(path))


def sources(config: Config) -> list[str]:
    return [Path(each).name for each in config.sources]


def check(*paths: Path) -> Checked:
    gathered = gather([str(path) for path in paths], None)
    return check_files(gathered, Configs(isolated=False), CheckFlags(), frozenset())


def refusal(path: Path) -> Refusal:
    with pytest.raises(Refusal) as raised:
        config_of(path)
    return raised.value


def test_a_bundle_defines_a_pipeline_with_the_values_of_its_default_target(tmp_path):
    bundle(tmp_path)
    config = config_of(tmp_path / "src/sales/deep/a.sql")
    assert sources(config) == ["a.sql", "common.sql"]
    assert (config.catalog, config.schema) == ("dev_shop", "silver")
    assert config.variables == {"floor": "10", "strict": "true"}


def test_a_value_that_only_the_platform_knows_is_listed_without_a_value(tmp_path):
    bundle(tmp_path)
    assert config_of(tmp_path / "src/common.sql").parameters == {"floor", "owner", "strict"}


def test_a_file_outside_the_libraries_stands_alone(tmp_path):
    bundle(tmp_path)
    assert config_of(tmp_path / "src/other.sql") == Config()


def test_a_target_without_a_default_mark_counts_if_it_is_the_only_one(tmp_path):
    bundle(tmp_path)
    text = BUNDLE.partition("  dev:")[0]
    write(tmp_path, {"databricks.yml": text})
    assert config_of(tmp_path / "src/common.sql").catalog == "prod"


def test_a_target_may_change_a_pipeline(tmp_path):
    bundle(tmp_path)
    override = "    resources: {pipelines: {sales: {schema: gold, configuration: {floor: 5}}}}\n"
    write(tmp_path, {"databricks.yml": BUNDLE + override})
    config = config_of(tmp_path / "src/common.sql")
    assert (config.schema, config.variables["floor"]) == ("gold", "5")


def test_what_the_own_configuration_says_stands(tmp_path):
    bundle(tmp_path)
    own = '[pipeline]\ncatalog = "mine"\n[variables]\nfloor = 1\n[lint]\nignore = ["N101"]\n'
    write(tmp_path, {"tidegate.toml": own})
    config = config_of(tmp_path / "src/common.sql")
    assert (config.catalog, config.schema, config.ignore) == ("mine", "silver", ("N101",))
    assert config.variables["floor"] == "1"
    assert sources(config) == ["a.sql", "common.sql"]


def test_sources_of_the_own_configuration_go_before_the_libraries(tmp_path):
    bundle(tmp_path)
    write(tmp_path, {"tidegate.toml": '[pipeline]\nsources = ["src/other.sql"]\n'})
    config = config_of(tmp_path / "src/other.sql")
    assert (sources(config), config.variables["floor"]) == (["other.sql"], "10")


def test_the_configuration_may_name_a_settings_file(tmp_path):
    settings = '{"name": "p", "libraries": [{"file": {"path": "../a.sql"}}], "target": "gold"}'
    write(
        tmp_path,
        {
            "conf/prod.json": settings,
            "a.sql": VIEW.format("a"),
            "tidegate.toml": '[pipeline]\nsettings = "conf/prod.json"\n',
        },
    )
    config = config_of(tmp_path / "a.sql")
    assert (sources(config), config.schema, config.pipeline) == (["a.sql"], "gold", "p")


@pytest.mark.parametrize("name", ["spark-pipeline.yml", "spark-pipeline.yaml"])
def test_a_pipeline_of_open_source_spark_is_read(tmp_path, name):
    text = (
        "name: shop\nlibraries:\n  - glob:\n      include: transformations/**\n"
        'catalog: c\ndatabase: d\nconfiguration:\n  floor: "007"\n'
    )
    write(tmp_path, {name: text, "transformations/a.sql": VIEW.format("a")})
    config = config_of(tmp_path / "transformations/a.sql")
    assert (sources(config), config.catalog, config.schema) == (["a.sql"], "c", "d")
    assert config.variables == {"floor": "007"}


def test_files_of_a_settings_file_are_one_pipeline(tmp_path):
    bundle(tmp_path)
    write(tmp_path, {"src/common.sql": VIEW.format("a")})
    found = check(tmp_path / "src/common.sql").result.diagnostics
    assert [each.name for each in found] == ["duplicate-dataset"]


def test_the_folder_of_a_bundle_is_its_pipeline(tmp_path):
    bundle(tmp_path)
    opened = open_pipeline([str(tmp_path)], None, Configs(isolated=False))
    assert [Path(each.path).name for each in opened.gathered.files] == ["a.sql", "common.sql"]
    assert bind_settings(opened.config).namespace.catalog == "dev_shop"


def test_a_folder_with_several_pipelines_is_refused(tmp_path):
    bundle(tmp_path)
    more = PIPELINE.replace("sales:", "stock:").replace("../src/sales/**", "../src/other.sql")
    write(tmp_path, {"resources/stock.yml": more})
    with pytest.raises(Refusal) as raised:
        open_pipeline([str(tmp_path)], None, Configs(isolated=False))
    assert raised.value.message.endswith("`sales` and `stock`")


def test_isolated_reads_no_settings_file(tmp_path):
    write(tmp_path, {"databricks.yml": "a: ["})
    assert Configs(isolated=True).of(str(tmp_path / "a.sql")) == Config()


def test_a_foreign_file_of_that_name_is_passed_over(tmp_path):
    write(tmp_path, {"pipeline.yml": "steps: [", "pipeline.json": "{}"})
    assert config_of(tmp_path / "a.sql") == Config()


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("databricks.yml", "bundle:\n  name: x\n bad: [\n", "databricks.yml:3: cannot read these"),
        ("databricks.yml", "- a\n", "databricks.yml:1: cannot read these settings: a mapping"),
        ("databricks.yml", "a: 1\nresources: [x]\n", "databricks.yml:2: `resources` must be a map"),
        ("databricks.yml", "a: *b\n", "databricks.yml:1: cannot read these settings: found undef"),
        ("databricks.yml", "a: !!python/object:os.system x\n", "databricks.yml:1: cannot read"),
        ("pipeline.json", '{"libraries": [],\n x}', "pipeline.json:2: cannot read these settings"),
        ("spark-pipeline.yml", "libraries: x\n", "spark-pipeline.yml:1: `libraries` must be a l"),
        ("databricks.yml", "a: " + "[" * 5000, "databricks.yml: cannot read these settings: it"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(tmp_path, name, text, place):
    write(tmp_path, {name: text})
    found = refusal(tmp_path / "a.sql")
    assert place in found.message
    assert found.way_out


def test_a_library_that_is_not_there_is_unhandled(tmp_path):
    text = "libraries:\n  - file: {path: a.sql}\n  - file: {path: gone.sql}\n"
    write(tmp_path, {"pipeline.yml": text, "a.sql": VIEW.format("a")})
    (missing,) = check(tmp_path / "a.sql").result.unhandled
    assert missing.path.endswith("gone.sql")


def test_a_reference_in_a_circle_has_no_value(tmp_path):
    text = (
        "variables: {a: {default: '${var.b}'}, b: {default: '${var.a}'}}\n"
        "resources: {pipelines: {p: {configuration: {x: '${var.a}'}}}}\n"
    )
    write(tmp_path, {"databricks.yml": text})
    config = config_of(tmp_path / "a.sql")
    assert (dict(config.variables), config.parameters) == ({}, {"x"})


def test_references_that_multiply_have_no_value(tmp_path):
    values = "".join(f"v{at}: '{f'${{var.v{at + 1}}}' * 20}', " for at in range(12))
    text = (
        f"variables: {{{values.replace(': ', ': {default: ').replace(', ', '}, ')}}}\n"
        "resources: {pipelines: {p: {configuration: {x: '${var.v0}'}}}}\n"
    )
    write(tmp_path, {"databricks.yml": text})
    config = config_of(tmp_path / "a.sql")
    assert (dict(config.variables), config.parameters) == ({}, {"x"})


def test_a_mapping_that_holds_itself_is_refused(tmp_path):
    text = "resources: &a {x: *a}\ntargets: {dev: {resources: &b {x: *b}}}\n"
    write(tmp_path, {"databricks.yml": text})
    assert "nested too deeply" in refusal(tmp_path / "a.sql").message


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("pipeline.json", "9" * 5000),
        ("pipeline.json", "1.50"),
        ("pipeline.yml", "1.50"),
        ("pipeline.yml", "!!int x"),
        ("pipeline.yml", "!!timestamp x"),
        ("pipeline.yml", "!!float 1.50"),
    ],
)
def test_a_value_is_what_is_written(tmp_path, name, written):
    text = f'{{"libraries": [], "configuration": {{"low": {written}}}}}'
    write(tmp_path, {name: text})
    variables = config_of(tmp_path / "a.sql").variables
    assert variables == {"low": written.rpartition(" ")[2]}


def test_a_settings_file_that_is_not_there_is_named_with_what_names_it(tmp_path):
    write(tmp_path, {"tidegate.toml": '[pipeline]\nsettings = "conf/none.json"\n', "a.sql": ""})
    with pytest.raises(Refusal) as refused:
        Configs(isolated=False).of(str(tmp_path / "a.sql"))
    assert "none.json`, which `" in refused.value.message
    assert "correct `settings`" in (refused.value.way_out or "")
