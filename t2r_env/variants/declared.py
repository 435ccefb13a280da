"""What single rules add to a variant's folder: keys, columns and files, declared by the module of each rule.

A ruleset passes on what its modules declare when it is made, so the readers of folders know no rule by name. What is
read becomes attributes: `variant.exchange` is a key, `route.ferry` a column, `variant.companies` a file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias, TypeVar

from t2r_env.variants.reading import Folder, Names, Row, Table
from t2r_env.variants.variant import City, Route, Variant

AnyVariant = TypeVar("AnyVariant", bound=Variant)
Item = TypeVar("Item", City, Route)


@dataclass(frozen=True)
class Key:
    """A key of variant.toml, which may be left out."""

    name: str
    default: Any
    read: Callable[[Table, Any], Any]
    """(table, variant) -> value. The variant has what all games have, all files, and the keys declared before."""


@dataclass(frozen=True)
class Column:
    """A column of cities.csv or routes.csv, which may be left out."""

    name: str
    default: str
    read: Callable[[Row, Any, Any], Any]
    """(row, city or route, variant) -> value. The city or route has what all of them have; for a column of routes.csv
    the variant has all but its routes, for one of cities.csv only what all games have."""


@dataclass(frozen=True)
class File:
    """A CSV file, which a folder may lack."""

    name: str
    columns: Names
    attribute: str
    """Of the variant: what `read` returns, or () if the folder lacks the file."""
    read: Callable[[list[Row], Any], tuple[Any, ...]]
    """(rows, variant) -> values. The variant has what all games have, its cities with all columns."""


@dataclass(frozen=True)
class Switch:
    """An option of a game that is on or off."""

    name: str
    is_there: Callable[[Any], bool]
    """Of a variant: whether its games have the option."""


Check: TypeAlias = Callable[[Table, Sequence[Row], Any], None]
"""(variant.toml, rows of routes.csv, variant): raises VariantError for what must not stand together."""


@dataclass(frozen=True, kw_only=True)
class Entries:
    """What a rule adds to the folder."""

    keys: Sequence[Key] = ()
    city_columns: Sequence[Column] = ()
    route_columns: Sequence[Column] = ()
    files: Sequence[File] = ()
    checks: Sequence[Check] = ()
    switches: Sequence[Switch] = ()


NOTHING = Entries()
"""What a rule that needs no entries adds."""

_BY_RULESET: dict[str, Entries] = {}


def declare(ruleset: str, entries: Sequence[Entries]) -> None:
    """Say what the rules of a ruleset add to its folders."""
    names = [field.name for field in fields(Entries)]
    _BY_RULESET[ruleset] = Entries(**{name: [it for one in entries for it in getattr(one, name)] for name in names})


def entries_of(ruleset: str) -> Entries:
    """What all rules of a ruleset add. Raises KeyError if the ruleset has not been made."""
    return _BY_RULESET[ruleset]


def names_of(declared: Sequence[Key] | Sequence[Column]) -> Names:
    """The names of keys or columns, with their defaults."""
    return Names(defaults={it.name: it.default for it in declared})


def with_columns(items: Sequence[Item], rows: Sequence[Row], columns: Sequence[Column], variant: Any) -> list[Item]:
    """Cities or routes with the values of these columns."""
    return [
        replace(item, marks={column.name: column.read(row, item, variant) for column in columns})
        for item, row in zip(items, rows, strict=True)
    ]


def with_entries(
    variant: AnyVariant, folder: Folder, table: Table, city_rows: Sequence[Row], entries: Entries
) -> AnyVariant:
    """The variant with the declared columns of its cities, and with the declared files, keys and switches."""
    variant = replace(variant, cities=tuple(with_columns(variant.cities, city_rows, entries.city_columns, variant)))
    for file in entries.files:
        values = file.read(folder.rows(file.name, file.columns), variant) if folder.has(file.name) else ()
        variant = replace(variant, marks={**variant.marks, file.attribute: values})
    for key in entries.keys:
        variant = replace(variant, marks={**variant.marks, key.name: key.read(table, variant)})
    return replace(variant, switches=tuple(it.name for it in entries.switches if it.is_there(variant)))
