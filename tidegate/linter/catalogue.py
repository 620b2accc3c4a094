"""All rule classes, for what needs them all: documentation, the index, tests."""

from importlib import import_module
from pkgutil import iter_modules

from tidegate.linter import rules
from tidegate.linter.rule import FaultRule, Rule

RuleClass = type[Rule[object]] | type[FaultRule]


def rule_classes() -> tuple[RuleClass, ...]:
    """Import every rule; return the classes in the order of their codes."""
    found = [_class_of(module.name) for module in iter_modules(rules.__path__)]
    return tuple(sorted(found, key=lambda rule: rule.code))


def _class_of(module_name: str) -> RuleClass:
    module = import_module(f"{rules.__name__}.{module_name}")
    found: RuleClass = getattr(module, "".join(map(str.capitalize, module_name.split("_"))))
    return found
