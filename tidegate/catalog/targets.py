"""The platforms that a pipeline is checked for, by the names that the configuration uses."""

LINT_TARGETS = (
    "lakeflow",
    "databricks-sql",
    "spark-4.0",
    "spark-4.1",
    "spark-4.2",
    "spark-4.3",
    "delta",
    "delta-rs",
)

DEFAULT_TARGETS = ("lakeflow",)


def is_open_source(target: str) -> bool:
    """Tell the open-source platforms from the vendor's."""
    return target.startswith(("spark-", "delta"))
