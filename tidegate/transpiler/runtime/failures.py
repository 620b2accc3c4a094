"""What stops a run or a dataset, and the engine's errors as one sentence each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from py4j.java_gateway import JavaObject
from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException

from tidegate.transpiler.runtime.gates import (
    MARK_END,
    NOT_NULL_MARK,
    VIOLATION_MARK,
    Figures,
)

ENGINE_ERRORS = (PySparkException, Py4JError, OSError)
"""What Spark and the machine raise; anything else is a fault of the run time itself."""


_ADVICE = {
    "UNRESOLVED_COLUMN": "correct the name, or let the query give such a column",
    "STREAMING_OUTPUT_MODE": "make it a materialized view, or give the stream a WATERMARK",
    "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES": "give the columns names without blanks and signs",
    "CSV header does not conform": "give all files of the folder the same columns",
    "OutOfMemoryError": "set spark.driver.memory to more",
    "No space left on device": "free some space and run again; nothing is lost",
}


class Refusal(Exception):
    """Something about the call or the world that a person must change first."""

    def __init__(self, message: str, advice: str | None = None, *, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.rule = rule


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A fail rule that rows broke."""

    name: str
    predicate: str
    failed: int
    null: int
    rows: tuple[str, ...]


class ExpectationsBroken(Exception):
    """Rows broke fail rules, so the transaction was not committed."""

    def __init__(self, dataset: str, rows_seen: Figures, broken: tuple[BrokenRule, ...]) -> None:
        names = ", ".join(f"`{rule.name}`" for rule in broken)
        super().__init__(f"rows of `{dataset}` break {names}")
        self.dataset = dataset
        self.rows_seen = rows_seen
        self.broken = broken


def lost_java(error: BaseException) -> Refusal | None:
    """Say so if the error means that there is no Spark any more."""
    told_by_java = isinstance(error, Py4JJavaError)
    if told_by_java or not isinstance(error, Py4JError | ConnectionError):
        return None
    return Refusal(
        "the Java process of Spark has ended in the middle of the run",
        "run again, nothing is lost; if memory was short, set spark.driver.memory",
    )


def advice_on(error: BaseException) -> str | None:
    """Give the way out of an error of the engine, where there is one to name."""
    texts = " ".join(_texts(error))
    return next((advice for text, advice in _ADVICE.items() if text in texts), None)


def is_violation(error: BaseException, dataset: str) -> bool:
    """Tell whether the gate of the dataset raised this error."""
    return any(f"{VIOLATION_MARK}{dataset}:" in text for text in _texts(error))


def is_not_null(error: BaseException) -> bool:
    """Tell whether a row without a value for a NOT NULL column raised this error."""
    return any(NOT_NULL_MARK in text for text in _texts(error))


def raised_row(error: BaseException, dataset: str) -> str | None:
    """Give the serialised row that the gate of the dataset raised, as far as it can be read."""
    start = re.escape(f"{VIOLATION_MARK}{dataset}:")
    for text in _texts(error):
        if found := re.search(rf"{start}(.*?){re.escape(MARK_END)}", text, re.DOTALL):
            return found.group(1)
    return None


def sentence(error: BaseException) -> str:
    """Say in one sentence what went wrong, without a stack."""
    if isinstance(error, Refusal):
        return error.message
    texts = list(_texts(error))
    for text in texts:
        if found := re.search(rf"{re.escape(NOT_NULL_MARK)}(.*?){re.escape(MARK_END)}", text):
            return f"column `{found.group(1)}` is NOT NULL but a row has no value for it"
    # The innermost error says what happened, those around it only where.
    return _tidied(texts[-1])


# What follows the sentence: a state, a position, a plan or a stack.
_REST = re.compile(r"\s*SQLSTATE: |\n\n|\n\s*at |\n==|[;:]\s*\n|;? line \d+,? pos")


def _tidied(text: str) -> str:
    text = text.strip()
    found = re.match(r"\[([A-Z_.0-9]+)\]\s*", text)
    body = _REST.split(text[found.end() :] if found else text, maxsplit=1)[0]
    body = re.sub(r"^(?:[\w$]+\.)+[\w$]*(?:Exception|Error): ", "", body)
    body = " ".join(body.split()).rstrip(" .;:") or type(text).__name__
    return f"{body} ({found.group(1)})" if found else body


def _texts(error: BaseException) -> Iterator[str]:
    """Give the messages of an error and of all its causes, outermost first."""
    seen: BaseException | None = error
    for _ in range(20):
        if seen is None:
            return
        java: JavaObject | None = None
        if isinstance(seen, Py4JJavaError):
            java = seen.java_exception
        elif isinstance(seen, PySparkException):
            yield str(seen)
            java = getattr(seen, "_origin", None)
        else:
            yield str(seen) or type(seen).__name__
        yield from _java_texts(java)
        seen = seen.__cause__


def _java_texts(java: JavaObject | None) -> Iterator[str]:
    for _ in range(20):
        if java is None:
            return
        message = java.getMessage()
        yield str(message) if message else str(java.getClass().getName())
        java = java.getCause()
