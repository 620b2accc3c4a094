"""Files of generated statements, one random mistake in each, and what recovery makes of them."""

import random
import re
from dataclasses import dataclass, field

from tidegate.grammar.nodes import ExpectClause, expectations_of
from tidegate.grammar.parser import parse
from tidegate.grammar.tokens import OPERATOR, STRING, WORD, RawToken, raw_tokens
from tidegate.source.text import SourceFile

Kept = tuple[str | None, str, str | None]

_COLUMNS = ["id", "amount", "quantity", "status", "placed_at", "customer_id", "country", "note"]
_PREDICATES = [
    "{a} IS NOT NULL",
    "{a} > 0",
    "{a} BETWEEN 0 AND 100",
    "{a} IN ('new', 'paid', 'sent')",
    "{a} = 'open' OR {b} IS NULL",
    "length({a}) = 8 AND {b} > 0",
    "{a} RLIKE '^[A-Z]{{2}}$'",
    "({a} > 0 AND ({b} < 10 OR {b} IS NULL))",
    "{a} >= '2020-01-01'",
    "coalesce({a}, 0) >= 0",
    "CASE WHEN {a} = 'x' THEN {b} > 1 ELSE TRUE END",
    "CAST({a} AS INT) % 2 = 0",
    "`{a}` <> '' -- blank\n   ",
]
_ACTIONS = [None, "DROP ROW", "FAIL UPDATE", "DROP ROW"]
_HEADS = [
    "CREATE OR REFRESH STREAMING TABLE",
    "CREATE STREAMING TABLE",
    "CREATE OR REFRESH MATERIALIZED VIEW",
    "CREATE MATERIALIZED VIEW",
    "CREATE TEMPORARY VIEW",
    "CREATE OR REFRESH STREAMING LIVE TABLE",
]
_CLAUSES = [
    "COMMENT 'the {n} of the shop'",
    "TBLPROPERTIES ('quality' = 'silver', 'owner' = '{n}')",
    "CLUSTER BY (id)",
    "PARTITIONED BY (country)",
]
_QUERIES = [
    "SELECT * FROM STREAM raw.{n}",
    "SELECT id, amount, 'x' AS kind FROM STREAM(raw.{n}) WHERE id > 0",
    "WITH a AS (SELECT id, max(amount) AS amount FROM raw.{n} GROUP BY id) SELECT * FROM a",
    "SELECT o.*, c.country FROM raw.{n} o JOIN raw.customers c ON o.customer_id = c.id",
]


@dataclass
class Constraint:
    name: str
    predicate: str
    action: str | None
    span: tuple[int, int] = (0, 0)

    @property
    def kept(self) -> Kept:
        return self.name, self.predicate.strip(), self.action


@dataclass
class Written:
    """A statement with the places of what stands in it."""

    start: int
    end: int
    constraints: list[Constraint]


@dataclass
class Mutant:
    text: str
    kind: str
    own: int
    """Which statement has the mistake."""
    where: int
    others_expected: list[Kept]
    own_expected: list[tuple[Constraint, bool]]
    """The constraints of the broken statement, and whether the mistake stands in them."""


@dataclass
class Figures:
    cases: int = 0
    detected: int = 0
    faults: int = 0
    others: int = 0
    others_kept: int = 0
    own: int = 0
    own_kept: int = 0
    kinds: dict[str, list[int]] = field(default_factory=dict)

    @property
    def others_share(self) -> float:
        return self.others_kept / max(1, self.others)

    @property
    def own_share(self) -> float:
        return self.own_kept / max(1, self.own)

    @property
    def faults_per_error(self) -> float:
        return self.faults / max(1, self.detected)

    def __str__(self) -> str:
        return (
            f"{self.cases} cases, {self.detected / self.cases:.1%} detected; "
            f"others kept {self.others_share:.2%}, own kept {self.own_share:.2%}, "
            f"{self.faults_per_error:.2f} diagnostics per error"
        )


def written_file(chance: random.Random) -> tuple[str, list[Written]]:
    """Write two to four statements with many constraints."""
    parts: list[str] = []
    statements: list[Written] = []
    size = 0
    for number in range(chance.randrange(2, 5)):
        text, constraints = _statement(chance, number)
        for one in constraints:
            one.span = (one.span[0] + size, one.span[1] + size)
        statements.append(Written(size, size + len(text), constraints))
        gap = chance.choice(["\n\n", "\n", "\n-- next\n"])
        parts += [text, gap]
        size += len(text) + len(gap)
    return "".join(parts), statements


def _statement(chance: random.Random, number: int) -> tuple[str, list[Constraint]]:
    name = chance.choice(["orders", "visits", "returns", "prices"]) + f"_{number}"
    head = chance.choice(_HEADS)
    out = f"{head} {name} ("
    lines = chance.random() < 0.8
    break_ = "\n  " if lines else " "
    first = True
    if "VIEW" not in head and chance.random() < 0.5:
        for column in chance.sample(_COLUMNS, chance.randrange(1, 4)):
            out += ("" if first else ",") + f"{break_}{column} {chance.choice(['STRING', 'INT'])}"
            first = False
    constraints: list[Constraint] = []
    for ordinal in range(chance.randrange(3, 11)):
        out += ("" if first else ",") + break_
        first = False
        start = len(out)
        a, b = chance.sample(_COLUMNS, 2)
        predicate = chance.choice(_PREDICATES).format(a=a, b=b)
        action = chance.choice(_ACTIONS)
        label = f"{a}_rule_{number}_{ordinal}"
        out += f"CONSTRAINT {label} EXPECT ({predicate})"
        out += f" ON VIOLATION {action}" if action else ""
        constraints.append(Constraint(label, predicate, action, (start, len(out))))
    out += "\n)" if lines else ")"
    for clause in chance.sample(_CLAUSES, chance.randrange(0, 3)):
        if "VIEW" in head and "BY" in clause:
            continue
        if "CLUSTER" in clause and "PARTITIONED" in out:
            continue
        if "PARTITIONED" in clause and "CLUSTER" in out:
            continue
        out += ("\n" if lines else " ") + clause.format(n=name)
    out += ("\n" if lines else " ") + "AS " + chance.choice(_QUERIES).format(n=name) + ";"
    return out, constraints


# ---------------------------------------------------------------- mistakes


def mutant(chance: random.Random) -> Mutant:
    """Write a file and make one mistake in it."""
    text, statements = written_file(chance)
    own = chance.randrange(len(statements))
    kind, start, stop, put = _mistake(chance, text, statements[own])
    broken = text[:start] + put + (text[stop:] if kind != "truncation" else "")
    is_cut = kind == "truncation"
    others = [
        one.kept
        for place, statement in enumerate(statements)
        for one in statement.constraints
        if place != own and not (is_cut and statement.end > start)
    ]
    mine = [
        (one, one.span[0] <= start <= one.span[1])
        for one in statements[own].constraints
        if not (is_cut and one.span[1] > start)
    ]
    return Mutant(broken, kind, own, start, others, mine)


# One branch for each kind of mistake.
def _mistake(  # noqa: C901
    chance: random.Random, text: str, statement: Written
) -> tuple[str, int, int, str]:
    """Return a kind of mistake, and what it replaces by what."""
    tokens = list(raw_tokens(text, statement.start, statement.end))
    kinds = [
        "token", "paren", "quote", "semicolon", "comma", "misspelt", "garbage", "doubled comma",
        "half constraint", "truncation",
    ]  # fmt: skip
    kind = chance.choice(kinds)
    while True:
        token = chance.choice(tokens)
        match kind:
            case "token":
                return kind, token.start, token.end, ""
            case "paren" if token.text in "()":
                return kind, token.start, token.end, ""
            case "quote" if token.kind == STRING:
                at = chance.choice([token.start, token.end - 1])
                return kind, at, at + 1, ""
            case "quote" if not any(one.kind == STRING for one in tokens):
                return "token", token.start, token.end, ""
            case "semicolon":
                return kind, tokens[-1].start, tokens[-1].end, ""
            case "comma" if token.text == ",":
                return kind, token.start, token.end, ""
            case "misspelt" if _is_keyword(token):
                return kind, token.start, token.end, _misspelt(chance, token.text)
            case "garbage":
                put = chance.choice([" @@ ", " foo ", " 12 ", " # ", " ] ", " ??? ", " = "])
                return kind, token.start, token.start, put
            case "doubled comma" if token.text == ",":
                return kind, token.start, token.start, ","
            case "half constraint":
                one = chance.choice(statement.constraints)
                put = chance.choice(
                    [
                        "CONSTRAINT",
                        "CONSTRAINT fresh",
                        "CONSTRAINT fresh EXPECT",
                        "CONSTRAINT fresh EXPECT (",
                        "CONSTRAINT fresh EXPECT (id >",
                        "CONSTRAINT fresh EXPECT (id > 0) ON",
                        "CONSTRAINT fresh EXPECT (id > 0) ON VIOLATION",
                    ]
                )
                return kind, one.span[0], one.span[0], put + chance.choice([",\n  ", "\n  "])
            case "truncation" if token.kind != OPERATOR:
                return kind, chance.randrange(token.start, token.end), token.end, ""


def _is_keyword(token: RawToken) -> bool:
    return token.kind == WORD and token.text.isupper() and len(token.text) > 3


def _misspelt(chance: random.Random, word: str) -> str:
    at = chance.randrange(1, len(word) - 1)
    if chance.random() < 0.5 or word[at] == word[at + 1]:
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


# ---------------------------------------------------------------- figures


def measure(mutants: list[Mutant]) -> Figures:
    """Parse the mutants and count what was kept and said."""
    figures = Figures()
    for one in mutants:
        judge(one, figures)
    return figures


def judge(one: Mutant, figures: Figures) -> tuple[int, int, int]:
    """Count one mutant; return what is lost of others, of its own, and how much was said."""
    parsed = parse(SourceFile(path="x.sql", text=one.text))
    clauses = [clause for each in parsed.statements for clause in expectations_of(each)]
    found = {_kept(one.text, clause) for clause in clauses}
    names = {name for name, _, _ in found}
    predicates = {predicate for _, predicate, _ in found}
    faults = len(parsed.faults) + sum(len(each.faults) for each in parsed.statements)
    others = sum(each in found for each in one.others_expected)
    own = 0
    for constraint, is_touched in one.own_expected:
        near = constraint.name in names or constraint.predicate.strip() in predicates
        own += near if is_touched else constraint.kept in found
    figures.cases += 1
    figures.detected += faults > 0
    figures.faults += faults
    figures.others += len(one.others_expected)
    figures.others_kept += others
    figures.own += len(one.own_expected)
    figures.own_kept += own
    tally = figures.kinds.setdefault(one.kind, [0, 0, 0, 0])
    lost = len(one.others_expected) - others, len(one.own_expected) - own
    for place, count in enumerate((1, *lost, faults)):
        tally[place] += count
    return *lost, faults


def _kept(text: str, clause: ExpectClause) -> Kept:
    span = clause.predicate_span
    action = re.sub(r"\s+", " ", clause.action.text) if clause.action else None
    return clause.name.text if clause.name else None, text[span.start : span.end].strip(), action
