"""`python -m tests.release.build`: make the wheel and the sdist in dist/, and check what they hold and say.

Checked are: the files of both, and that the sdist makes the same wheel; the metadata; that the README can be shown;
that the project's addresses are safe; that version and changelog agree.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from packaging.metadata import Metadata
from readme_renderer import markdown

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
PACKAGES = {
    "t2r_env": "t2r_env",
    "t2r_env/rule_pages": "docs/rules",
    "t2r_agents": "agents/t2r_agents",
    "t2r_train": "train/t2r_train",
}
"""The packages of the wheel, and what else it has, with their folders in the checkout."""


class ReleaseError(Exception):
    """Something is wrong with a release; the message says what."""


def main() -> int:
    """Build and check. Returns 1 if something is wrong."""
    try:
        wheel, sdist = build(ROOT, DIST)
        for line in check(wheel, sdist):
            print(line)
    except (ReleaseError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def build(source: Path, target: Path) -> tuple[Path, Path]:
    """The wheel and the sdist of a checkout or of an unpacked sdist, made anew."""
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "--directory", target], cwd=source, check=True)
    (wheel,), (sdist,) = target.glob("*.whl"), target.glob("*.tar.gz")
    return wheel, sdist


def check(wheel: Path, sdist: Path) -> Iterator[str]:
    """Check everything; say what was found. Raises ReleaseError."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    tracked = {name for name in listed.split("\0") if name}
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = {name: archive.read(name) for name in archive.namelist()}
    packaged = {
        f"{package}{name.removeprefix(folder)}"
        for package, folder in PACKAGES.items()
        for name in tracked
        if name.startswith(f"{folder}/")
    }
    check_same("the wheel", (name for name in in_wheel if ".dist-info/" not in name), packaged)
    with tarfile.open(sdist) as archive, tempfile.TemporaryDirectory() as folder:
        check_same("the sdist", (name.partition("/")[2] for name in archive.getnames()), {*tracked, "PKG-INFO"})
        archive.extractall(folder, filter="data")
        (unpacked,) = Path(folder).iterdir()
        again, _ = build(unpacked, Path(folder) / "dist")
        with zipfile.ZipFile(again) as other:
            if {name: other.read(name) for name in other.namelist()} != in_wheel:
                raise ReleaseError("the sdist makes another wheel than the checkout")
    yield f"{wheel.name}: {len(in_wheel)} files, {wheel.stat().st_size / 1e6:.1f} MB; {sdist.name}: the same wheel"
    (text,) = (content.decode() for name, content in in_wheel.items() if name.endswith(".dist-info/METADATA"))
    metadata = Metadata.from_email(text, validate=True)
    yield f"metadata of {metadata.name} {metadata.version}: valid, {metadata.metadata_version}"
    check_changelog(str(metadata.version), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    yield "the changelog begins with this version"
    check_readme(metadata.description or "")
    yield "the README can be shown"
    check_addresses(metadata.project_urls or {})
    if not metadata.project_urls:
        yield "WARNING: pyproject.toml has no [project.urls]: add where the project is published before you upload it"


def check_same(title: str, found: Iterable[str], expected: Iterable[str]) -> None:
    """Raise ReleaseError if files are missing or there are others."""
    there, wanted = {name for name in found if name}, set(expected)
    if missing := sorted(wanted - there):
        raise ReleaseError(f"{title} lacks {', '.join(missing[:5])}")
    if others := sorted(there - wanted):
        raise ReleaseError(f"{title} has {', '.join(others[:5])}, which git does not know")


def check_changelog(version: str, changelog: str) -> None:
    """The first section is that of this version, with a date. Raises ReleaseError."""
    heading = re.search(r"^## .*$", changelog, re.MULTILINE)
    if not heading or not re.fullmatch(rf"## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d", heading[0]):
        raise ReleaseError(
            f"CHANGELOG.md must begin with the section `## [{version}] - YEAR-MONTH-DAY`, as the version is {version},"
            f" not with `{heading[0] if heading else 'nothing'}`"
        )


def check_readme(readme: str) -> None:
    """It can be shown as HTML, with all its headings. Raises ReleaseError."""
    html = markdown.render(readme) or ""
    for heading in re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", readme, flags=re.DOTALL | re.MULTILINE), re.M):
        if f">{heading}</h" not in re.sub(r"</?(?:code|a)\b[^>]*>|`", "", html).replace("&amp;", "&"):
            raise ReleaseError(f"README.md can't be shown: its heading `{heading}` is lost")


def check_addresses(addresses: Mapping[str, str]) -> None:
    """They are encrypted. Raises ReleaseError."""
    for label, address in addresses.items():
        if not re.fullmatch(r"https://[^/\s]+\S*", address):
            raise ReleaseError(f"the address {label} must begin with https://, not {address!r}")


if __name__ == "__main__":
    sys.exit(main())
