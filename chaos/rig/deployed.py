"""Files of deploy/ as the rig uses them: the very ones that operators copy, with other addresses and folders."""

import pathlib
from typing import Mapping

from chaos.rig.links import ROOT

FOLDER = ROOT / "deploy"


def filled(name: str, replaced: Mapping[str, str]) -> str:
    """Whatever is to be replaced must be there: a file that has changed is not silently used half as it is."""
    text = (FOLDER / name).read_text("utf-8")
    for was, now in replaced.items():
        if was not in text:
            raise ValueError(f"deploy/{name} has no {was!r}")
        text = text.replace(was, now)
    return text


def write(file: pathlib.Path, text: str) -> pathlib.Path:
    """Servers run as another user than the rig."""
    file.write_text(text, "utf-8")
    file.chmod(0o644)
    return file
