"""Builds the package with maturin, once it is clear that what it needs is there.

Without Rust maturin would fetch a toolchain by itself; here it is said what is missing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess

os.environ["MATURIN_NO_INSTALL_RUST"] = "1"

import maturin  # noqa: E402
from maturin import (  # noqa: E402, F401
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

#: As `rust-version` in Cargo.toml.
RUST = (1, 89)


def check(run=subprocess.run, which=shutil.which) -> None:
    """Ends the build with what is missing."""
    needed = f"patience is built from source and needs Rust {RUST[0]}.{RUST[1]} or newer"
    get = "get it at https://rustup.rs, then try again"
    if which("cargo") is None or which("rustc") is None:
        raise SystemExit(f"{needed}, but there is no cargo on the path: {get}")
    told = run(["rustc", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"(\d+)\.(\d+)", told)
    if version is None or tuple(map(int, version.groups())) < RUST:
        raise SystemExit(f"{needed}, but here is {told.strip() or 'none that runs'}: {get}")
    if not any(map(which, [os.environ.get("CC", "cc"), "cc", "gcc", "clang", "cl"])):
        raise SystemExit("patience is built from source and needs a C compiler, such as gcc or clang")


def get_requires_for_build_wheel(config_settings=None):
    """The first that is asked for a wheel."""
    check()
    return maturin.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_editable(config_settings=None):
    """The first that is asked for an editable install."""
    check()
    return maturin.get_requires_for_build_editable(config_settings)
