"""The one Spark session that all tests share: a test pays for its queries, not for a JVM."""

from pathlib import Path

import pytest

CHEAP_JVM = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.sql.adaptive.enabled": "true",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory):
    """A session with Delta; it fails, and does not skip, where Delta is missing."""
    from tidegate.runner.session import open_session

    log: Path = tmp_path_factory.mktemp("spark") / "session.log"
    session = open_session("delta", log, CHEAP_JVM)
    yield session
    session.stop()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests unless the call asks for them by mark or by node."""
    asked = "long" in config.option.markexpr or any("::" in each for each in config.args)
    kept = [each for each in items if asked or each.get_closest_marker("long") is None]
    left_out = [each for each in items if each not in kept]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept
