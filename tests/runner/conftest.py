import pytest

from runner.pipelines import Bench


@pytest.fixture
def bench(spark, tmp_path):
    return Bench(spark, tmp_path)
