"""Findings about a view of a file come in; as the file itself says it, they go out."""

import msgspec

from tidegate.source.diagnostic import Diagnostic, Related
from tidegate.source.edit import Fix
from tidegate.source.text import SourceFile


def as_shown(found: Diagnostic, source: SourceFile) -> Diagnostic:
    """Return a finding with expressions spelled out, and with a fix only if it can be applied.

    Its spans stay those of the view.
    """
    view = source.view
    if view is None:
        return found
    fix = source.kept(found.fix)
    spelled = view.spelled
    return msgspec.structs.replace(
        found,
        message=spelled(found.message),
        help=spelled(found.help) if found.help else None,
        dataset=spelled(found.dataset) if found.dataset else None,
        constraint=spelled(found.constraint) if found.constraint else None,
        related=tuple(
            Related(message=spelled(each.message), span=each.span, path=each.path)
            for each in found.related
        ),
        fix=Fix(spelled(fix.title), fix.edits, fix.safety) if fix else None,
    )
