"""What a rule may read besides the node it visits."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tidegate.grammar.nodes import (
    AlterTable,
    BrokenStatement,
    CheckConstraint,
    CreateDataset,
    ExpectClause,
    Lambda,
    Node,
    Statement,
    UseStatement,
)
from tidegate.linter.settings import LintSettings
from tidegate.linter.walk import descendants
from tidegate.model.pipeline import Dataset, Pipeline
from tidegate.source.text import SourceFile

if TYPE_CHECKING:
    from tidegate.linter.declared import CreatedFunction, DeclaredFunctions
    from tidegate.linter.naming import Names


class Scope:
    """What all contexts of one run share; costly facts are found when first asked for."""

    __slots__ = (
        "_declared",
        "_names",
        "_parameters",
        "_schema_users",
        "pipeline",
        "settings",
        "surroundings",
    )

    def __init__(
        self,
        pipeline: Pipeline,
        settings: LintSettings,
        surroundings: "Iterable[CreatedFunction] | None" = None,
    ) -> None:
        self.pipeline = pipeline
        """What is linted; of a larger pipeline one file, if there are ``surroundings``."""
        self.settings = settings
        self.surroundings = surroundings
        """The functions that the whole pipeline creates, where ``pipeline`` is not the whole."""
        self._declared: DeclaredFunctions | None = None
        self._names: dict[int, Names] = {}
        self._parameters: dict[int, frozenset[str]] = {}
        self._schema_users: frozenset[int] | None = None

    @property
    def declared(self) -> "DeclaredFunctions":
        """The functions that the project or its configuration declares."""
        if self._declared is None:
            from tidegate.linter.declared import (  # noqa: PLC0415
                created_functions,
                declared_functions,
            )

            created = self.surroundings
            if created is None:
                created = [one for file in self.pipeline.files for one in created_functions(file)]
            self._declared = declared_functions(created, self.settings)
        return self._declared

    def uses_schema(self, file: SourceFile) -> bool:
        """Say whether a file changes the schema that its names are looked up in."""
        if self._schema_users is None:
            self._schema_users = frozenset(
                id(each.source)
                for each in self.pipeline.files
                if any(isinstance(statement, UseStatement) for statement in each.statements)
            )
        return id(file) in self._schema_users

    def lambda_parameters(self, gate: ExpectClause | CheckConstraint | None) -> frozenset[str]:
        """Return the parameters of all lambdas in a predicate, in small letters."""
        if gate is None or gate.predicate is None:
            return frozenset()
        found = self._parameters.get(id(gate))
        if found is None:
            lambdas = (each for each in descendants(gate.predicate) if isinstance(each, Lambda))
            found = frozenset(name.text.lower() for each in lambdas for name in each.parameters)
            self._parameters[id(gate)] = found
        return found

    def names(self, statement: Statement | None) -> "Names":
        """Return the constraint names of a statement, given and possible ones."""
        if id(statement) not in self._names:
            from tidegate.linter.naming import Names  # noqa: PLC0415

            self._names[id(statement)] = Names(statement)
        return self._names[id(statement)]


class Context:
    """Where a visited node stands."""

    __slots__ = ("dataset", "file", "gate", "scope", "statement")

    def __init__(
        self,
        scope: Scope,
        file: SourceFile,
        statement: Statement | None = None,
        dataset: Dataset | None = None,
        gate: ExpectClause | CheckConstraint | None = None,
    ) -> None:
        self.scope = scope
        self.file = file
        self.statement = statement
        self.dataset = dataset
        """The bound dataset; ``None`` where the statement makes none or is broken."""
        self.gate = gate
        """The expectation or check whose predicate holds the node."""

    @property
    def settings(self) -> LintSettings:
        """What the configuration says."""
        return self.scope.settings

    @property
    def declared(self) -> "DeclaredFunctions":
        """The functions that the project declares itself."""
        return self.scope.declared

    @property
    def names(self) -> "Names":
        """The constraint names of the statement, given and possible ones."""
        return self.scope.names(self.statement)

    @property
    def pipeline(self) -> Pipeline:
        """All files of the pipeline, seen together; for rules that say ``reads_pipeline``."""
        if self.scope.surroundings is not None:
            raise RuntimeError("a rule that looks at other files has to say `reads_pipeline`")
        return self.scope.pipeline

    @property
    def lambda_parameters(self) -> frozenset[str]:
        """The parameters of all lambdas around or beside the node, in small letters."""
        return self.scope.lambda_parameters(self.gate)

    @property
    def dataset_name(self) -> str | None:
        """The full name of the dataset; as written where it is not bound."""
        if self.dataset is not None:
            return self.dataset.name.full
        match self.statement:
            case CreateDataset() | AlterTable() | BrokenStatement():
                return self.statement.name.text if self.statement.name else None
            case _:
                return None

    @property
    def constraint_name(self) -> str | None:
        """The name of the expectation or check that the node stands in."""
        return self.gate.name.text if self.gate and self.gate.name else None

    def inside(self, gate: ExpectClause | CheckConstraint) -> "Context":
        """Return the context of what a gate holds."""
        return Context(self.scope, self.file, self.statement, self.dataset, gate)

    def text(self, node: Node) -> str:
        """Return a node as written."""
        return self.file.text[node.span.start : node.span.end]
