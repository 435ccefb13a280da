"""The land of a map, for pictures: the outlines in the file land.svg of a variant's folder."""

import re
import xml.etree.ElementTree as ET

from t2r_env.basics.reading import shown
from t2r_env.variants.reading import Folder, VariantError, listed
from t2r_env.variants.variant import Shape

FILE = "land.svg"
MAX_BYTES = 1 << 17
"""The most bytes of the file."""
KINDS = ("land", "abroad", "mountains", "water", "lake", "coast", "border", "river")
"""The classes of paths."""

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_VIEW_BOX = "0 0 1000 1000"
_NUMBER = r"(?:[\s,]*+-?+(?>[0-9]{1,5}+(?:\.[0-9]{0,6}+)?+|\.[0-9]{1,6}+)(?![0-9]))"
_PATH = re.compile(
    rf"\s*+[Mm](?:{_NUMBER}{{2}})++(?:\s*+(?:[MmLl](?:{_NUMBER}{{2}})++|[HhVv](?:{_NUMBER})++"
    rf"|[Cc](?:{_NUMBER}{{6}})++|[Qq](?:{_NUMBER}{{4}})++|[Zz]))*+\s*+"
)
"""Path data: each letter with as many numbers as it takes, once or more. What matched is never tried otherwise (`+`
after a repetition), so that this takes as long as the data are."""


def read_land(folder: Folder) -> tuple[Shape, ...]:
    """Return the paths of land.svg in the order of the file; none if there is no such file."""
    if not folder.has(FILE):
        return ()
    file, text = folder.path / FILE, folder.text(FILE, MAX_BYTES)
    if "<!DOCTYPE" in text:
        raise VariantError(f"{file}: must have no DOCTYPE")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise VariantError(f"{file}: must be valid XML: {error}") from None
    if root.tag != f"{_NAMESPACE}svg" or root.get("viewBox") != _VIEW_BOX:
        raise VariantError(f'{file}: must be an svg element of SVG with viewBox="{_VIEW_BOX}"')
    return tuple(_read_shape(f"{file}: element {index}", element) for index, element in enumerate(root, 1))


def _read_shape(where: str, element: ET.Element) -> Shape:
    if element.tag != f"{_NAMESPACE}path" or set(element.attrib) != {"class", "d"} or len(element):
        raise VariantError(f"{where} must be a path with the attributes class and d, and nothing else")
    kind, path = element.attrib["class"], element.attrib["d"]
    if kind not in KINDS:
        raise VariantError(f"{where}: class must be one of {listed(KINDS)}, not {shown(kind)}")
    if not _PATH.fullmatch(path):
        allowed = "the commands M, L, H, V, C, Q and Z, absolute or relative, with numbers of at most 5 digits"
        raise VariantError(f"{where}: d must begin with M and have only {allowed}, not {shown(path)}")
    return Shape(kind, path)
