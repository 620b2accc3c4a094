"""What the platform leaves open about verdicts: flags come in, choices go out."""

import argparse

from tidegate.cli.arguments import add_null_policy, add_variables, variables_of
from tidegate.model.verdict import NullPolicy
from tidegate.project.planning import Overrides


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add_null_policy(parser)
    parser.add_argument(
        "--fail-sees-dropped",
        choices=("yes", "no"),
        help="whether warn and FAIL rules judge rows that a DROP rule removes "
        "(default: as configured, else yes)",
    )
    add_variables(parser)


def overrides_of(arguments: argparse.Namespace) -> Overrides:
    """Return the choices that the call makes."""
    policy, sees = arguments.null_policy, arguments.fail_sees_dropped
    return Overrides(
        null_policy=NullPolicy(policy) if policy else None,
        fail_sees_dropped=None if sees is None else sees == "yes",
        variables=variables_of(arguments),
    )
