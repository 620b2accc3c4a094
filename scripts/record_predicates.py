"""Ask Spark's own parser which predicates it takes, and write the answers down.

The tests replay ``fixtures/grammar/predicates.jsonl`` without a JVM. A predicate counts as taken if
Spark parses it both bare and in parentheses: bare alone, it reads a dangling word as an alias.
Run it with the ``spark`` extra installed: ``python scripts/record_predicates.py``.
"""

import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from predicate_grammar import random_predicates

SEED = 20_400
MUTANTS_FOR_EACH = 6
RANDOM = 3_000
FOLDER = Path(__file__).parent.parent / "fixtures" / "grammar"
WRITTEN = FOLDER / "predicates.txt"
RECORDED = FOLDER / "predicates.jsonl"
_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\w+|<=>|[<>!=]=|<>|<<|>>>?|->|=>|\|\||::|\S")
_EXTRA = (
    "AND",
    "OR",
    "NOT",
    "IS",
    "NULL",
    "(",
    ")",
    ",",
    "=",
    "<",
    "+",
    "IN",
    "BETWEEN",
    "a",
    "1",
    "'x'",
)


def written() -> list[str]:
    """Return the predicates of ``predicates.txt``: a line each, ``#`` before a heading."""
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines if line and not line.startswith("# ")]


def mutants(texts: list[str], for_each: int) -> Iterator[str]:
    """Delete, double, swap, replace and insert tokens, from a seed."""
    chance = random.Random(SEED)
    for text in texts:
        tokens = _TOKEN.findall(text)
        for _ in range(for_each):
            changed = list(tokens)
            place = chance.randrange(len(changed))
            match chance.randrange(5):
                case 0:
                    del changed[place]
                case 1:
                    changed.insert(place, changed[place])
                case 2:
                    other = chance.randrange(len(changed))
                    changed[place], changed[other] = changed[other], changed[place]
                case 3:
                    changed[place] = chance.choice(_EXTRA)
                case _:
                    changed.insert(place, chance.choice(_EXTRA))
            if changed:
                yield " ".join(changed)


def main() -> None:
    """Record every predicate once."""
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    )
    parser = spark._jsparkSession.sessionState().sqlParser()

    def parses(text: str) -> bool:
        try:
            parser.parseExpression(text)
        except PySparkException:
            return False
        return True

    texts = written()
    generated = list(islice(random_predicates(SEED), RANDOM))
    changed = [*mutants(texts, MUTANTS_FOR_EACH), *mutants(generated, 1)]
    known = dict.fromkeys([*texts, *generated, *changed])
    with RECORDED.open("w", encoding="utf-8") as out:
        for text in known:
            accepted = parses(text) and parses(f"({text}\n)")
            out.write(json.dumps({"text": text, "accepted": accepted}, ensure_ascii=False) + "\n")
    spark.stop()


if __name__ == "__main__":
    main()
