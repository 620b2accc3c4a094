"""A seed comes in; pipeline files as people write them, all of them valid, go out.

    python benchmarks/corpus.py FOLDER [--files N] [--seed N]
    python benchmarks/corpus.py FILE --bytes N [--seed N]

By default 1,000 files: about 9 MB, 2,000 statements and 24,000 constraints with 10,000 distinct
expressions. The same seed gives the same text.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

SEED = 20_260
FILES = 1_000
DISTINCT = 10_000


def _words(text: str) -> list[str]:
    return text.split()


_NUMBERS = _words(
    "amount quantity unit_price discount tax_rate total_cents weight_kg latitude longitude score "
    "retries duration_ms balance credit_limit age page_views items_count temperature"
)
_TEXTS = _words(
    "customer_id email country_code currency status channel phone zip_code city segment sku "
    "device_type browser campaign order_number iban language tier"
)
_TIMES = _words(
    "event_ts created_at updated_at shipped_at birth_date valid_from valid_to ingested_at "
    "paid_at closed_at"
)
_LISTS = _words("tags line_items addresses attributes scores flags")
_WORDS = _words(
    "gold silver bronze open closed pending shipped returned web store mobile partner retail "
    "wholesale north south east west new active dormant blocked trial annual monthly"
)
_NOUNS = _words(
    "orders customers payments shipments invoices sessions clicks products stores suppliers "
    "returns refunds devices readings tickets contracts employees visits carts reviews"
)
_CHECKS = _words(
    "is_present in_range well_formed known plausible consistent not_negative not_future complete "
    "trimmed"
)
_ACTIONS = ("", "", " ON VIOLATION DROP ROW", " ON VIOLATION DROP ROW", " ON VIOLATION FAIL UPDATE")
_REMARKS = (
    "the supplier's export; one row per line",
    "don't touch: finance reads this; see the wiki",
    "it's late data; keep it (until the 15th)",
    "agreed with Ana's team",
    "TODO(data): drop this once 'legacy' is gone",
)


class Corpus:
    """Writes statements with one stream of chance."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._expressions = self._make_expressions()
        self._unused = list(self._expressions)
        self._made = 0

    def file(self) -> str:
        """Return the text of one file: a remark and one to four statements."""
        count = self._dice.choices((1, 2, 3, 4), (36, 36, 22, 6))[0]
        head = f"-- {self._dice.choice(_REMARKS)}\n\n"
        return head + "\n".join(self.statement() for _ in range(count))

    def statement(self) -> str:
        """Return one statement with its constraints and its query."""
        dice = self._dice
        streams = dice.random() < 0.6
        what = "STREAMING TABLE" if streams else "MATERIALIZED VIEW"
        self._made += 1
        name = f"{dice.choice(('bronze', 'silver', 'gold'))}_{dice.choice(_NOUNS)}_{self._made:05}"
        lines = [f"CREATE OR REFRESH {what} {name} (", ",\n".join(self._items()), ")"]
        lines += self._clauses()
        lines.append("AS")
        lines += self._query(streams=streams)
        lines[-1] += ";"
        return "\n".join(lines) + "\n"

    # ------------------------------------------------------------ the list

    def _items(self) -> Iterator[str]:
        dice = self._dice
        if dice.random() < 0.35:
            yield from self._columns()
        taken: set[str] = set()
        for _ in range(min(28, max(2, round(dice.lognormvariate(2.395, 0.48))))):
            name = f"{dice.choice(_NUMBERS + _TEXTS + _TIMES)}_{dice.choice(_CHECKS)}"
            if name in taken:
                continue
            taken.add(name)
            remark = f"  -- {dice.choice(_REMARKS)}\n" if dice.random() < 0.08 else ""
            constraint = f"CONSTRAINT {name} EXPECT ({self._expression()})"
            yield f"{remark}  {constraint}{dice.choice(_ACTIONS)}"

    def _columns(self) -> Iterator[str]:
        dice = self._dice
        for name in dice.sample(_NUMBERS, 4):
            comment = f" COMMENT 'the {name}; as sent'" if dice.random() < 0.4 else ""
            yield f"  {name} {dice.choice(('BIGINT', 'DOUBLE', 'DECIMAL(18, 2)', 'INT'))}{comment}"
        for name in dice.sample(_TEXTS, 4):
            yield f"  {name} STRING{dice.choice(('', '', ' NOT NULL'))}"
        yield "  line_items ARRAY<STRUCT<sku: STRING, quantity: INT, price: DECIMAL(10, 2)>>"
        yield "  attributes MAP<STRING, STRING>"

    def _clauses(self) -> Iterator[str]:
        dice = self._dice
        if dice.random() < 0.7:
            yield f"COMMENT '{dice.choice(_NOUNS)} checked on arrival; {dice.choice(_WORDS)} only'"
        chosen = dice.random()
        if chosen < 0.2:
            yield f"PARTITIONED BY ({dice.choice(_TEXTS)})"
        elif chosen < 0.5:
            yield f"CLUSTER BY ({', '.join(dice.sample(_TEXTS, 2))})"
        if dice.random() < 0.5:
            level = dice.choice(("bronze", "silver", "gold"))
            yield f"TBLPROPERTIES ('quality' = '{level}', 'pipelines.reset.allowed' = 'false')"

    # ------------------------------------------------------------ expressions

    def _expression(self) -> str:
        """Return an expression, each of them once before any of them twice."""
        if self._unused:
            return self._unused.pop()
        return self._dice.choice(self._expressions)

    def _make_expressions(self) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < DISTINCT:
            found[self._shape()] = None
        return list(found)

    def _shape(self) -> str:
        dice = self._dice
        number, other = dice.sample(_NUMBERS, 2)
        text, second = dice.sample(_TEXTS, 2)
        early, late = dice.sample(_TIMES, 2)
        low, high = dice.randint(0, 99), dice.randint(100, 99_999)
        words = dice.sample(_WORDS, 3)
        listed = dice.choice(_LISTS)
        shapes = (
            f"{text} IS NOT NULL",
            f"{text} IS NOT NULL AND {second} <> ''",
            f"{number} BETWEEN {low} AND {high}",
            f"{number} > {low} AND {other} <= {high}",
            f"{text} RLIKE '^[A-Z]{{{low % 4 + 1}}}\\\\d{{{high % 9 + 2}}}$'",
            f"CASE WHEN {text} = '{words[0]}' THEN {number} > {low} ELSE {other} < {high} END",
            f"{text} IN ('{words[0]}', '{words[1]}', '{words[2]}')",
            f"size({listed}) > 0 AND exists({listed}, x -> x IS NOT NULL AND x <> '{words[0]}')",
            f"coalesce(length(trim(lower({text}))), 0) BETWEEN {low % 8} AND {high % 250 + 9}",
            f"{text} <> '{words[0]}; {words[1]}' OR {number} >= {low}",
            f"{text} NOT LIKE '%{words[0]}''s {words[1]}%'",
            f"{early} <= {late} AND {early} >= DATE '20{low % 25:02}-0{high % 9 + 1}-01'",
            f"cast({number} AS DECIMAL(18, 2)) + {other} * {low}.{high % 90 + 10} >= -{high}",
            f"({text} IS NULL OR {second} = '{words[0]}') AND NOT ({number} < {low})",
            f"quality.is_{text}_valid({text}) AND NOT isnan({number})",
            f"abs({number} - {other}) / nullif({other}, 0) < 0.{high} OR {text} IS NULL",
        )
        return dice.choice(shapes)

    # ------------------------------------------------------------ queries

    def _query(self, *, streams: bool) -> list[str]:
        dice = self._dice
        lines: list[str] = []
        source = self._source(streams=streams)
        for number in range(dice.choice((0, 1, 1, 2, 2, 3))):
            opening = "WITH" if number == 0 else ","
            lines.append(f"{opening} step_{number} AS (")
            lines += (f"  {line}" for line in self._select(source, joins=False))
            lines.append(")")
            source = f"step_{number}"
        return [*lines, *self._select(source, joins=True)]

    def _source(self, *, streams: bool) -> str:
        dice = self._dice
        table = f"{dice.choice(('raw', 'landing', 'LIVE'))}.{dice.choice(_NOUNS)}"
        if not streams:
            return table
        return dice.choice((f"STREAM({table})", f"STREAM {table}"))

    def _select(self, source: str, *, joins: bool) -> Iterator[str]:
        dice = self._dice
        yield "SELECT"
        columns = list(self._select_items(dice.randint(8, 26)))
        yield from (f"  {column}," for column in columns[:-1])
        yield f"  {columns[-1]}"
        yield f"FROM {source} AS s"
        if joins:
            for number in range(dice.choice((0, 1, 1, 2))):
                key = dice.choice(_TEXTS)
                yield f"LEFT JOIN reference.{dice.choice(_NOUNS)} AS r{number}"
                yield f"  ON s.{key} = r{number}.{key} AND r{number}.valid_to IS NULL"
        if dice.random() < 0.25:
            yield f"/* {dice.choice(_REMARKS)} */"
        yield f"WHERE s.{dice.choice(_TEXTS)} IS NOT NULL"
        for _ in range(dice.randint(0, 3)):
            yield f"  AND s.{dice.choice(_NUMBERS)} >= {dice.randint(0, 500)}"
        if joins and dice.random() < 0.2:
            key = dice.choice(_TEXTS)
            yield f"QUALIFY row_number() OVER (PARTITION BY s.{key} ORDER BY s.updated_at DESC) = 1"

    def _select_items(self, count: int) -> Iterator[str]:
        dice = self._dice
        for number in range(count):
            name, text = dice.choice(_NUMBERS), dice.choice(_TEXTS)
            word, time = dice.choice(_WORDS), dice.choice(_TIMES)
            forms = (
                f"s.{text}",
                f"s.{name} AS {name}_{number}",
                f"upper(trim(s.{text})) AS {text}_{number}",
                f"cast(s.{name} AS DECIMAL(18, 2)) AS {name}_amount_{number}",
                f"coalesce(s.{text}, '{word}; none') AS {text}_or_{word}_{number}",
                f"CASE WHEN s.{name} > {number} THEN '{word}' ELSE 'it''s' END AS kind_{number}",
                f"date_trunc('day', s.{time}) AS {time}_day_{number}",
                f"sum(s.{name}) OVER (PARTITION BY s.{text} ORDER BY s.{time}) AS running_{number}",
                f"transform(s.tags, t -> concat(t, '-{word}')) AS tags_{number}",
                f"s.attributes['{word}'] AS {word}_{number}",
            )
            remark = f"-- {dice.choice(_REMARKS)}\n  " if dice.random() < 0.03 else ""
            yield remark + dice.choice(forms)


def files(count: int = FILES, seed: int = SEED) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file."""
    corpus = Corpus(seed)
    for number in range(count):
        yield f"pipeline_{number:04}.sql", corpus.file()


def single(size: int, seed: int = SEED) -> str:
    """Return one file of about that many characters, whole statements only."""
    corpus, parts, made = Corpus(seed), [], 0
    while made < size:
        parts.append(corpus.statement())
        made += len(parts[-1]) + 1
    return "\n".join(parts)


def write_files(folder: Path, count: int = FILES, seed: int = SEED) -> int:
    """Write the files below a folder and return how many bytes they have."""
    folder.mkdir(parents=True, exist_ok=True)
    return sum(
        (folder / name).write_text(text, encoding="utf-8") for name, text in files(count, seed)
    )


def main() -> None:
    """Write what is asked for, and say how much that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--bytes", type=int)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    if arguments.bytes:
        size = arguments.target.write_text(single(arguments.bytes, arguments.seed), "utf-8")
        print(f"{arguments.target}: {size:,} characters")
    else:
        size = write_files(arguments.target, arguments.files, arguments.seed)
        print(f"{arguments.target}: {arguments.files:,} files, {size:,} characters")


if __name__ == "__main__":
    main()
