"""What pipeline SQL is made of, and which dialects accept each part: data alone.

The pages of the language are printed from these rows.
"""

from enum import Enum

import msgspec

from tidegate.grammar.nodes import Dialect, ObjectKind

_LETTERS = {"p": Dialect.PIPELINE, "d": Dialect.STANDALONE, "s": Dialect.SPARK}


def spelled(letters: str) -> frozenset[Dialect]:
    """Return the dialects that some letters stand for: p pipeline, d stand-alone, s Spark."""
    return frozenset(_LETTERS[letter] for letter in letters)


class Named(Enum):
    """A part by the name that the pages give it."""

    # The hash of an Enum is a call, and these are looked up for every clause that is read.
    __hash__ = object.__hash__


class Part(Named):
    """What a statement may be made of."""

    OR_REFRESH = "OR REFRESH"
    OR_REPLACE = "OR REPLACE"
    IF_NOT_EXISTS = "IF NOT EXISTS"
    PRIVATE = "PRIVATE"
    LIVE = "LIVE in the head"
    COLUMN = "column with a type"
    UNTYPED_COLUMN = "column without a type"
    COLUMN_COMMENT = "COMMENT of a column"
    NOT_NULL = "NOT NULL"
    DEFAULT = "DEFAULT"
    GENERATED = "GENERATED ALWAYS AS"
    IDENTITY = "AS IDENTITY"
    MASK = "MASK"
    COLLATE = "COLLATE"
    EXPECT = "EXPECT"
    KEY = "PRIMARY KEY, FOREIGN KEY, UNIQUE"
    CHECK = "CHECK"
    USING_DELTA = "USING DELTA"
    USING_ICEBERG = "USING ICEBERG"
    USING_OTHER = "USING another format"
    PARTITIONED_BY = "PARTITIONED BY"
    CLUSTER_BY = "CLUSTER BY (...)"
    CLUSTER_BY_MODE = "CLUSTER BY AUTO, CLUSTER BY NONE"
    LOCATION = "LOCATION"
    COMMENT = "COMMENT"
    TBLPROPERTIES = "TBLPROPERTIES"
    OPTIONS = "OPTIONS"
    DEFAULT_COLLATION = "DEFAULT COLLATION"
    ROW_FILTER = "WITH ROW FILTER"
    REFRESH_POLICY = "REFRESH POLICY"
    SCHEDULE = "SCHEDULE, TRIGGER ON UPDATE"
    AS_QUERY = "AS query"
    FLOW_INSERT = "FLOW INSERT BY NAME"
    FLOW_INSERT_ONCE = "FLOW INSERT ONCE BY NAME"
    FLOW_REPLACE_WHERE = "FLOW REPLACE WHERE"
    FLOW_REPLACE_USING = "FLOW REPLACE USING"
    FLOW_AUTO_CDC = "FLOW AUTO CDC"
    NO_QUERY = "neither query nor flow"


class Row(msgspec.Struct, frozen=True):
    """Which dialects accept a part, for each object: p pipeline, d stand-alone, s Spark."""

    part: Part
    streaming_table: str = ""
    materialized_view: str = ""
    temporary_view: str = ""
    view: str = ""
    table: str = ""

    def accepts(self, kind: ObjectKind) -> frozenset[Dialect]:
        """Return the dialects that accept the part in a statement of a kind."""
        return spelled(getattr(self, kind.value))


CREATE_ROWS = (
    Row(Part.OR_REFRESH, "pd", "pd", "p", "p", ""),
    Row(Part.OR_REPLACE, "", "pd", "pds", "pds", "ds"),
    Row(Part.IF_NOT_EXISTS, "ds", "ds", "ds", "ds", "ds"),
    Row(Part.PRIVATE, "p", "p", "", "", "d"),
    Row(Part.LIVE, "p", "p", "p", "", ""),
    Row(Part.COLUMN, "pds", "pds", "", "", "pds"),
    Row(Part.UNTYPED_COLUMN, "pd", "pd", "pds", "ds", ""),
    Row(Part.COLUMN_COMMENT, "pds", "pds", "pds", "ds", "pds"),
    Row(Part.NOT_NULL, "pds", "pds", "", "", "pds"),
    Row(Part.DEFAULT, "pds", "s", "", "", "pds"),
    Row(Part.GENERATED, "pds", "s", "", "", "pds"),
    Row(Part.IDENTITY, "pds", "s", "", "", "pds"),
    Row(Part.MASK, "pd", "pd", "", "", "pd"),
    Row(Part.COLLATE, "pds", "pds", "", "", "pds"),
    Row(Part.EXPECT, "pd", "pd", "p", "", "p"),
    Row(Part.KEY, "pd", "pd", "", "", "pds"),
    Row(Part.CHECK, "", "", "", "", "pds"),
    Row(Part.USING_DELTA, "ps", "ps", "", "", "ds"),
    Row(Part.USING_ICEBERG, "s", "ps", "", "", "ds"),
    Row(Part.USING_OTHER, "s", "s", "", "", "ds"),
    Row(Part.PARTITIONED_BY, "pds", "pds", "", "", "pds"),
    Row(Part.CLUSTER_BY, "pds", "pds", "", "", "pds"),
    Row(Part.CLUSTER_BY_MODE, "pd", "pd", "", "", "pd"),
    Row(Part.LOCATION, "p", "p", "", "", "pds"),
    Row(Part.COMMENT, "pds", "pds", "pds", "pds", "pds"),
    Row(Part.TBLPROPERTIES, "pds", "pds", "p", "pds", "pds"),
    Row(Part.OPTIONS, "", "", "", "", "ds"),
    Row(Part.DEFAULT_COLLATION, "ds", "ds", "ds", "ds", "ds"),
    Row(Part.ROW_FILTER, "pd", "pd", "", "", "pd"),
    Row(Part.REFRESH_POLICY, "", "pd", "", "", ""),
    Row(Part.SCHEDULE, "d", "d", "", "", ""),
    Row(Part.AS_QUERY, "pds", "pds", "pds", "pds", "ds"),
    Row(Part.FLOW_INSERT, "pd", "", "", "", "p"),
    Row(Part.FLOW_INSERT_ONCE, "p", "", "", "", "p"),
    Row(Part.FLOW_REPLACE_WHERE, "pd", "", "", "", ""),
    Row(Part.FLOW_REPLACE_USING, "pd", "", "", "", ""),
    Row(Part.FLOW_AUTO_CDC, "pds", "", "", "", ""),
    Row(Part.NO_QUERY, "pds", "", "", "", "pds"),
)
"""What a CREATE of each object may hold."""


class FlowPart(Named):
    """What a flow or a change feed may be made of."""

    CREATE_FLOW = "CREATE FLOW"
    ALONE = "AUTO CDC INTO as a statement"
    APPLY_CHANGES = "APPLY CHANGES INTO"
    COMMENT = "COMMENT of a flow"
    INSERT_BY_NAME = "INSERT INTO ... BY NAME"
    INSERT_BY_POSITION = "INSERT INTO without BY NAME"
    INSERT_COLUMNS = "INSERT INTO target (columns)"
    INSERT_OVERWRITE = "INSERT OVERWRITE"
    ONCE = "ONCE"
    REPLACE_WHERE = "REPLACE WHERE"
    REPLACE_USING = "REPLACE USING"
    READ_OPTIONS = "WITH (options) of a stream"
    WATERMARK = "WATERMARK"
    KEYS = "KEYS"
    KEYS_BARE = "KEYS without parentheses"
    WHERE = "WHERE"
    IGNORE_NULL_UPDATES = "IGNORE NULL UPDATES"
    APPLY_AS_DELETE = "APPLY AS DELETE WHEN"
    APPLY_AS_TRUNCATE = "APPLY AS TRUNCATE WHEN"
    SEQUENCE_BY = "SEQUENCE BY"
    SYSTEM_SEQUENCE_BY = "SYSTEM SEQUENCE BY"
    COLUMNS = "COLUMNS (...), COLUMNS * EXCEPT (...)"
    SCD_TYPE = "STORED AS SCD TYPE 1, STORED AS SCD TYPE 2"
    OTHER_SCD_TYPE = "STORED AS SCD TYPE of another value"
    BITEMPORAL = "STORED AS BITEMPORAL"
    TRACK_HISTORY = "TRACK HISTORY ON (...), TRACK HISTORY ON * EXCEPT (...)"
    TRACK_HISTORY_ALL = "TRACK HISTORY ON *"
    COLUMNS_TO_UPDATE = "COLUMNS TO UPDATE"
    BARE_LIST = "a list of columns without parentheses"


FLOW_ROWS = {
    FlowPart.CREATE_FLOW: "ps",
    FlowPart.ALONE: "p",
    FlowPart.APPLY_CHANGES: "p",
    FlowPart.COMMENT: "ps",
    FlowPart.INSERT_BY_NAME: "pds",
    FlowPart.INSERT_BY_POSITION: "s",
    FlowPart.INSERT_COLUMNS: "s",
    FlowPart.INSERT_OVERWRITE: "s",
    FlowPart.ONCE: "p",
    FlowPart.REPLACE_WHERE: "pd",
    FlowPart.REPLACE_USING: "pd",
    FlowPart.READ_OPTIONS: "pds",
    FlowPart.WATERMARK: "pds",
    FlowPart.KEYS: "pds",
    FlowPart.KEYS_BARE: "",
    FlowPart.WHERE: "p",
    FlowPart.IGNORE_NULL_UPDATES: "pd",
    FlowPart.APPLY_AS_DELETE: "pds",
    FlowPart.APPLY_AS_TRUNCATE: "pd",
    FlowPart.SEQUENCE_BY: "pds",
    FlowPart.SYSTEM_SEQUENCE_BY: "pd",
    FlowPart.COLUMNS: "pds",
    FlowPart.SCD_TYPE: "pds",
    FlowPart.OTHER_SCD_TYPE: "",
    FlowPart.BITEMPORAL: "pd",
    FlowPart.TRACK_HISTORY: "pds",
    FlowPart.TRACK_HISTORY_ALL: "pd",
    FlowPart.COLUMNS_TO_UPDATE: "pd",
    FlowPart.BARE_LIST: "pd",
}
"""What flows may hold, whether inside a CREATE, in CREATE FLOW, or alone."""


class Alone(Named):
    """The statements that make no dataset and fill none."""

    ALTER_TABLE = "ALTER TABLE"
    ALTER_STREAMING_TABLE = "ALTER STREAMING TABLE"
    ALTER_MATERIALIZED_VIEW = "ALTER MATERIALIZED VIEW"
    ALTER_VIEW = "ALTER VIEW"
    REFRESH = "REFRESH STREAMING TABLE, REFRESH MATERIALIZED VIEW"
    REFRESH_TABLE = "REFRESH name, REFRESH TABLE"
    DROP = "DROP STREAMING TABLE, DROP MATERIALIZED VIEW"
    DROP_PLAIN = "DROP TABLE, DROP VIEW, DROP FUNCTION"
    EXPLAIN = "EXPLAIN CREATE"
    FUNCTION = "CREATE FUNCTION"
    SET = "SET"
    USE = "USE"
    USE_CATALOG = "USE CATALOG"


ALONE_ROWS = {
    Alone.ALTER_TABLE: "ds",
    Alone.ALTER_STREAMING_TABLE: "d",
    Alone.ALTER_MATERIALIZED_VIEW: "d",
    Alone.ALTER_VIEW: "ds",
    Alone.REFRESH: "d",
    Alone.REFRESH_TABLE: "ds",
    Alone.DROP: "d",
    Alone.DROP_PLAIN: "ds",
    Alone.EXPLAIN: "d",
    Alone.FUNCTION: "pds",
    Alone.SET: "pds",
    Alone.USE: "pds",
    Alone.USE_CATALOG: "pd",
}
