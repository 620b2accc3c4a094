"""A query from the pipeline's dialect to Spark's, by replacing spans of the user's own text.

Only what open-source Spark refuses is replaced: names of relations by names of the temporary
views that stand for them (STREAM goes: the view itself is a stream or is not), references qualified
by a full name, and ``_metadata``, which does not pass through a view. The rest of the text stays
byte for byte as it was written.
"""

import re
from collections.abc import Sequence

import msgspec

from tidegate.grammar.outlines.outline import Outline, Relation, RelationKind, StarItem
from tidegate.model.placeholders import placeholders
from tidegate.source.edit import Edit, apply_edits
from tidegate.source.span import Span
from tidegate.transpiler.quoting import identifier

METADATA = "_metadata"
METADATA_COLUMN = "__tidegate_metadata"
"""The column under which a view shows the metadata of the files behind it."""


class ViewOf(msgspec.Struct, frozen=True, kw_only=True):
    """A relation of a query and the view that stands for it."""

    relation: Relation
    view: str
    metadata: bool
    alias: str | None
    """An alias to write behind the view, so that the query's own qualified names still resolve."""


def name_views(shape: Outline, keys: Sequence[str], carries: Sequence[bool]) -> tuple[ViewOf, ...]:
    """Choose a view for each relation of a query.

    ``keys[i]`` says what relation ``i`` reads and how; equal keys share a view. ``carries[i]`` says
    whether files stand behind it, so that ``_metadata`` can be had. A view is called like the table
    it stands for, unless the query uses that name otherwise.
    """
    wants = _wants_metadata(shape)
    taken: dict[str, str] = {name.casefold(): "" for name in shape.ctes}
    shown: set[str] = {each.alias.casefold() for each in shape.relations if each.alias}
    chosen: list[ViewOf] = []
    for relation, key, carried in zip(shape.relations, keys, carries, strict=True):
        view, alias = _own_name(relation), None
        if taken.setdefault(view.casefold(), key) != key:
            view = _free("_".join(_words(relation)), key, taken)
        last = relation.parts[-1] if relation.kind is RelationKind.NAME else view
        # Where two relations end alike, only their full names tell them apart, and those are
        # rewritten to the views' names.
        if relation.alias is None and view != last and last.casefold() not in shown:
            alias = last
        if relation.alias is None:
            shown.add((alias or view).casefold())
        chosen.append(ViewOf(relation=relation, view=view, metadata=wants and carried, alias=alias))
    return tuple(chosen)


def splice(text: str, span: Span, shape: Outline, views: Sequence[ViewOf]) -> str:
    """Return the query under the span as Spark runs it over the views."""
    edits = [_relation_edit(each) for each in views]
    edits += _name_edits(shape, views)
    with_metadata = {each.relation.span: each for each in views if each.metadata}
    if with_metadata:
        for star in shape.stars:
            edits += _star_edits(text, star, with_metadata)
    shifted = [
        Edit(Span(e.span.start - span.start, e.span.end - span.start), e.text) for e in edits
    ]
    return apply_edits(text[span.start : span.end], shifted)


def _own_name(relation: Relation) -> str:
    if relation.kind is RelationKind.NAME:
        return re.sub(r"\W", "_", relation.parts[-1])
    return "files"


def _words(relation: Relation) -> tuple[str, ...]:
    if relation.kind is RelationKind.NAME:
        return tuple(re.sub(r"\W", "_", part) for part in relation.parts)
    return ("files",)


def _free(name: str, key: str, taken: dict[str, str]) -> str:
    number, candidate = 1, name
    while taken.setdefault(candidate.casefold(), key) != key:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def _wants_metadata(shape: Outline) -> bool:
    return any(_metadata_at(parts) is not None for parts, _ in shape.names)


def _metadata_at(parts: Sequence[str]) -> int | None:
    # `_metadata`, `_metadata.file_name`, `t._metadata.file_name`
    return next((i for i, part in enumerate(parts[:2]) if part.casefold() == METADATA), None)


def _relation_edit(view: ViewOf) -> Edit:
    alias = f" AS {identifier(view.alias)}" if view.alias is not None else ""
    return Edit(view.relation.whole, identifier(view.view) + alias)


def _name_edits(shape: Outline, views: Sequence[ViewOf]) -> list[Edit]:
    put_out = {each.span for each in shape.outputs}
    edits = []
    for parts, span in shape.names:
        new = _requalified(parts, views)
        at = _metadata_at(new)
        if at is not None and any(each.metadata for each in views):
            new = (*new[:at], METADATA_COLUMN, *new[at + 1 :])
        if new != parts:
            # A struct that is put out whole keeps its name.
            alias = f" AS {METADATA}" if new[-1] == METADATA_COLUMN and span in put_out else ""
            edits.append(Edit(span, ".".join(identifier(part) for part in new) + alias))
    return edits


def _requalified(parts: tuple[str, ...], views: Sequence[ViewOf]) -> tuple[str, ...]:
    folded = tuple(part.casefold() for part in parts)
    for view in views:
        if view.relation.kind is not RelationKind.NAME:
            continue
        full = tuple(part.casefold() for part in view.relation.parts)
        for prefix in (full, full[1:] if full[0] == "live" else ("live", *full)):
            size = len(prefix)
            if 1 < size < len(folded) and folded[:size] == prefix:
                return (view.relation.alias or view.alias or view.view, *parts[size:])
    return parts


def _star_edits(text: str, star: StarItem, views: dict[Span, ViewOf]) -> list[Edit]:
    """Keep the metadata column out of a star over the views that carry it."""
    hidden = [
        f"{identifier(_shown_as(view))}.{METADATA_COLUMN}"
        for relation in star.relations
        if (view := views.get(relation)) is not None and _covers(star, view)
    ]
    if not hidden:
        return []
    names = ", ".join(hidden)
    following = re.compile(r"\s*EXCEPT\s*\(", re.IGNORECASE).match(text, star.span.end)
    if following is not None:
        return [Edit(Span(following.end(), following.end()), f"{names}, ")]
    return [Edit(Span(star.span.end, star.span.end), f" EXCEPT ({names})")]


def _shown_as(view: ViewOf) -> str:
    return view.relation.alias or view.alias or view.view


def _covers(star: StarItem, view: ViewOf) -> bool:
    return not star.qualifier or star.qualifier[-1].casefold() == _shown_as(view).casefold()


def place_of(name: str, text: str, span: Span) -> Span:
    """Return where a placeholder is written under a span; a value may have brought it in."""
    for written, start, end in placeholders(text[span.start : span.end]):
        if written == name:
            return Span(span.start + start, span.start + end)
    return span
