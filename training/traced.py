"""The true renderer: paths of light through the scene, with Mitsuba 3, on the processor or a GPU.

It draws the same scenes as ``raster`` and hands back the same. Marks are really cut into the dice, clear dice bend
light, everything lights everything else, and the lens has an opening. Lamps stand in the room's picture,
infinitely far away and as large as they are soft. What noise is left is taken out by Open Image Denoise.
"""

from __future__ import annotations

import os
import re
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from loomtable.vision.arrays import Float32Array
from training.covers import cover_texture, room_texture
from training.glyphs import atlas
from training.meshes import Mesh, die_mesh, thing_mesh
from training.scenes import LaidDie, Scene
from training.views import Rendered, RendererMissing, look_matrix, pixel_rays, projected

LIBRARY = "DRJIT_LIBLLVM_PATH"
"""Environment variable, Dr.Jit's own: the LLVM library to compile with."""
LLVM = (19, 18, 17, 20)
"""Versions that are used where they are found, best first; 15 and 16 abort on new processors."""
_FOLDERS = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib/llvm-*/lib",
    "/usr/local/lib",
)
_ROOM = (512, 1024)
"""Rows and columns of the room's picture: a bare bulb is some pixels wide."""
_OPENING = 0.8
"""Radius of the lens's opening, mm: that of a telephone or a good webcam."""


def llvm_library() -> Path:
    """The LLVM library that compiles the renderer's kernels.

    Raises:
        RendererMissing: there is none that works; the message says what to install.
    """
    told = os.environ.get(LIBRARY)
    if told:
        if not Path(told).exists():
            raise RendererMissing(f"{LIBRARY} names {told}, which is not there: correct it or unset it")
        return Path(told)
    found: dict[int, Path] = {}
    for folder in _FOLDERS:
        for file in sorted(Path("/").glob(f"{folder.lstrip('/')}/libLLVM*.so*")):
            version = re.search(r"libLLVM(?:-|\.so\.)(\d+)", file.name)
            if version:
                found.setdefault(int(version[1]), file)
    for version_wanted in LLVM:
        if version_wanted in found:
            return found[version_wanted]
    raise RendererMissing(
        "the true renderer needs LLVM 17 to 20 to be quick: install it (Debian and Ubuntu: "
        f"apt install libllvm19), or name the file of the library in {LIBRARY}"
    )


def _mitsuba(variant: str | None, threads: int) -> Any:
    """Mitsuba with a variant chosen; on the processor with LLVM where it is, else interpreted."""
    if variant is None:
        try:
            os.environ[LIBRARY] = str(llvm_library())
            variant = "llvm_ad_rgb"
        except RendererMissing as missing:
            warnings.warn(f"{missing}; going on without it, three times slower", RuntimeWarning, stacklevel=3)
            variant = "scalar_rgb"
    elif variant.startswith("llvm"):
        os.environ[LIBRARY] = str(llvm_library())
    try:
        drjit, mitsuba, _, _ = map(import_module, ("drjit", "mitsuba", "pyoidn", "skimage.measure"))
    except ImportError as error:
        raise RendererMissing(
            f"the true renderer needs {error.name}: install it with pip install -e . -e training"
        ) from None
    drjit.set_thread_count(threads)
    mitsuba.set_variant(variant)
    return mitsuba


class Tracer:
    """Draws scenes by following light."""

    def __init__(self, samples: int = 16, threads: int = 1, variant: str | None = None) -> None:
        """
        Args:
            samples: paths followed for each pixel.
            threads: of this process.
            variant: Mitsuba's name for how it computes: ``llvm_ad_rgb`` (where LLVM is found), ``scalar_rgb``, or
                ``cuda_ad_rgb`` on a GPU.

        Raises:
            RendererMissing: a package or library that it needs is not installed.
        """
        self._mi = _mitsuba(variant, threads)
        self._variant = self._mi.variant()
        self._atlas = atlas()
        self._samples = samples
        self._compiled = not self._variant.startswith("scalar")

    @property
    def typefaces(self) -> int:
        """How many typefaces numerals come in."""
        return self._atlas.typefaces

    def draw(self, scene: Scene) -> Rendered:
        """The scene's light in the size its camera asks for."""
        mi = self._mi
        mi.set_variant(self._variant)
        clear = any(die.clear > 0 for die in scene.dice)
        focal = scene.camera.focal * scene.camera.width
        meshes = [
            self._shape(f"die{k}", die_mesh(die, k, self._atlas, scene.camera.eye, focal), die)
            for k, die in enumerate(scene.dice)
        ]
        parts: dict[str, Any] = {"type": "scene", "table": self._table(scene), "room": self._room(scene, clear)}
        things = [self._shape(f"thing{k}", thing_mesh(thing), None) for k, thing in enumerate(scene.things)]
        parts |= {mesh.id(): mesh for mesh in (*meshes, *things)}
        parts["camera"] = self._camera(scene)
        parts["paths"] = {"type": "path", "max_depth": 9 if clear else 4}
        whole = mi.load_dict(parts)
        light = np.array(mi.render(whole, spp=self._samples, seed=scene.seed % 2**31), np.float32)[..., :3]
        light = np.nan_to_num(light, nan=0.0, posinf=0.0, neginf=0.0)
        guides = self._guides(whole, scene) if self._compiled else {}
        return Rendered(_denoised(_without_sparks(light), guides), self._which(whole, meshes, scene))

    def _shape(self, name: str, mesh: Mesh, die: LaidDie | None) -> Any:
        mi = self._mi
        properties = mi.Properties()
        properties["bsdf"] = mi.load_dict(_stuff(die))
        shape = mi.Mesh(name, len(mesh.points), len(mesh.triangles), has_vertex_normals=True, props=properties)
        shape.set_id(name)
        held = mi.traverse(shape)
        held["vertex_positions"] = mesh.points.astype(np.float32).ravel()
        held["vertex_normals"] = mesh.slopes.astype(np.float32).ravel()
        held["faces"] = mesh.triangles.astype(np.uint32).ravel()
        held.update()
        shape.add_attribute("vertex_paint", 3, np.clip(mesh.paint, 0, 0.98).astype(np.float32).ravel())
        if die is not None:
            gloss = die.gloss * (1 - 0.6 * mesh.inked)
            bare = 1 - mesh.inked
            for attribute, values in (
                ("vertex_rough", np.sqrt(np.interp(gloss, [0, 1], [0.55, 0.07]))),
                ("vertex_metal", die.metal * bare),
                ("vertex_clear", die.clear * bare),
            ):
                shape.add_attribute(attribute, 1, values.astype(np.float32))
        return shape

    def _table(self, scene: Scene) -> Any:
        """A sheet that reaches to the horizon, with its texture laid again and again."""
        mi, table = self._mi, scene.table
        texture, _ = cover_texture(table)
        reach = 40 * float(np.linalg.norm(scene.camera.eye - scene.camera.target)) + 10 * table.span
        corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * reach + scene.camera.target * [
            1,
            1,
            0,
        ]
        c, s = np.cos(table.turn), np.sin(table.turn)
        x, y = corners[:, 0], corners[:, 1]
        at = np.stack([(c * x + s * y) / table.span + 0.5, (s * x - c * y) / table.span + 0.5], 1)
        painted = {
            "type": "bitmap",
            "bitmap": mi.Bitmap(np.ascontiguousarray(texture)),
            "raw": True,
            "wrap_mode": "repeat",
        }
        properties = mi.Properties()
        properties["bsdf"] = mi.load_dict(
            {
                "type": "principled",
                "base_color": painted,
                "roughness": float(np.sqrt(np.interp(table.gloss, [0, 1], [0.5, 0.12]))),
                "specular": 0.5 * table.gloss,
            }
        )
        sheet = mi.Mesh("table", 4, 2, has_vertex_texcoords=True, props=properties)
        held = mi.traverse(sheet)
        held["vertex_positions"] = corners.astype(np.float32).ravel()
        held["vertex_texcoords"] = at.astype(np.float32).ravel()
        held["faces"] = np.array([0, 1, 2, 0, 2, 3], np.uint32)
        held.update()
        return sheet

    def _room(self, scene: Scene, clear: bool) -> Any:
        """All light comes from the room: its picture, with the lamps in it."""
        mi = self._mi
        # Mitsuba's pictures of rooms have y upwards; turned by a quarter about x, z is.
        upright = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
        return {"type": "envmap", "bitmap": mi.Bitmap(room_with_lamps(scene, clear)), "to_world": upright}

    def _camera(self, scene: Scene) -> Any:
        mi, camera = self._mi, scene.camera
        look = look_matrix(camera)
        matrix = np.eye(4)
        matrix[:3, :3] = np.stack([-look[:, 0], -look[:, 1], look[:, 2]], 1)
        matrix[:3, 3] = camera.eye
        middles = [(die.place - camera.eye) @ look[:, 2] for die in scene.dice]
        far = float(np.mean(middles)) if middles else float(np.linalg.norm(camera.target - camera.eye))
        # Nobody holds a lens so close that a die's top is sharp and its side is not: the picture is cut out of a
        # larger one then.
        opening = min(_OPENING, far**2 / (16 * camera.focal * camera.width))
        return {
            "type": "thinlens",
            "fov": float(np.degrees(2 * np.arctan(0.5 / camera.focal))),
            "fov_axis": "x",
            "near_clip": 1.0,
            "far_clip": 1e6,
            "aperture_radius": opening,
            "focus_distance": max(far, 5.0),
            "to_world": mi.ScalarTransform4f(matrix),
            "film": {
                "type": "hdrfilm",
                "width": camera.width,
                "height": camera.height,
                "pixel_format": "rgb",
                "component_format": "float32",
                # The denoiser wants noise that pixels do not share.
                "filter": {"type": "box"},
            },
            "sampler": {"type": "independent"},
        }

    def _guides(self, whole: Any, scene: Scene) -> dict[str, Float32Array]:
        """What the denoiser may lean on: the colours and slopes that four rays through each pixel meet first."""
        camera = scene.camera
        met = whole.ray_intersect(self._rays(scene, pixel_rays(camera, 2)))
        there = np.array(met.is_valid())[:, None]
        shape = (camera.height, 2, camera.width, 2, 3)
        found = {
            "albedo": np.array(met.bsdf().eval_diffuse_reflectance(met, met.is_valid())).T,
            "normal": np.array(met.sh_frame.n).T,
        }
        return {
            name: np.nan_to_num((values * there).reshape(shape).mean(axis=(1, 3))).astype(np.float32)
            for name, values in found.items()
        }

    def _which(self, whole: Any, meshes: list[Any], scene: Scene) -> NDArray[np.uint8]:
        """The die in the middle of each pixel, through a lens without an opening."""
        mi, camera = self._mi, scene.camera
        along = pixel_rays(camera)
        found = np.zeros(camera.width * camera.height, np.uint8)
        if self._compiled:
            met = whole.ray_intersect_preliminary(self._rays(scene, along))
            for number, mesh in enumerate(meshes, 1):
                found[np.array(met.shape == mi.ShapePtr(mesh))] = number
        else:
            eye, names = mi.Point3f(*map(float, camera.eye)), {mesh.id(): n for n, mesh in enumerate(meshes, 1)}
            for pixel in np.flatnonzero(_near_dice(scene)):
                met = whole.ray_intersect_preliminary(mi.Ray3f(eye, mi.Vector3f(*map(float, along[pixel]))))
                if met.is_valid():
                    found[pixel] = names.get(met.shape.id(), 0)
        return found.reshape(camera.height, camera.width)

    def _rays(self, scene: Scene, along: NDArray[np.float64]) -> Any:
        mi = self._mi
        return mi.Ray3f(mi.Point3f(*map(float, scene.camera.eye)), mi.Vector3f(along.T.astype(np.float32)))


def _near_dice(scene: Scene) -> NDArray[np.bool_]:
    """Pixels, row by row, that lie in the upright rectangle round some die."""
    near = np.zeros((scene.camera.height, scene.camera.width), bool)
    for die in scene.dice:
        corners = projected(scene.camera, die.solid.corners * die.inner @ die.turn.T + die.place)
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
        right, bottom = np.maximum(np.ceil(corners.max(axis=0)).astype(int) + 1, 0)
        near[top:bottom, left:right] = True
    return near.ravel()


def _stuff(die: LaidDie | None) -> dict[str, Any]:
    """What a thing is made of; colours and the rest are at the mesh's corners."""

    def at_corners(name: str) -> dict[str, str]:
        return {"type": "mesh_attribute", "name": name}

    if die is None:
        return {"type": "principled", "base_color": at_corners("vertex_paint"), "roughness": 0.6}
    stuff = {
        "type": "principled",
        "base_color": at_corners("vertex_paint"),
        "roughness": at_corners("vertex_rough"),
        "metallic": at_corners("vertex_metal"),
        "eta": 1.49,
    }
    if die.clear > 0:
        stuff["spec_trans"] = at_corners("vertex_clear")
    return stuff


def room_with_lamps(scene: Scene, clear: bool) -> Float32Array:
    """The room's picture, (512, 1024, 3): column 0 looks along +y, columns run towards +x, the top row is above.

    A lamp is a disc as wide as it is soft, and so bright that it lights the table as the quick renderer's does.
    With clear dice about, lamps are never small: too few paths would find them through a die.
    """
    rows, columns = _ROOM
    down, around = (np.arange(rows) + 0.5) / rows * np.pi, (np.arange(columns) + 0.5) / columns * 2 * np.pi
    flat, high = np.sin(down)[:, None], np.cos(down)[:, None]
    towards = np.stack([flat * np.sin(around), flat * np.cos(around), high + 0 * around], -1)
    seen = room_texture(scene)
    x = np.mod(np.arctan2(towards[..., 1], towards[..., 0]) / (2 * np.pi) + 0.5, 1) * seen.shape[1]
    y = down / np.pi * seen.shape[0]
    room = seen[
        np.minimum(y.astype(int), seen.shape[0] - 1)[:, None], np.minimum(x.astype(int), seen.shape[1] - 1)
    ]
    room = np.array(room, np.float32)
    covered = np.sin(down)[:, None] * (np.pi / rows) * (2 * np.pi / columns)
    for lamp in scene.lamps:
        least = np.cos(np.arcsin(np.clip(lamp.softness, 0.08 if clear else 0.015, 0.9)))
        disc = towards @ lamp.towards >= min(least, (towards @ lamp.towards).max())
        room[disc] += np.float32(np.pi / (disc * covered).sum()) * np.array(lamp.colour, np.float32)
    return room


def _without_sparks(light: Float32Array) -> Float32Array:
    """Pixels much brighter than those about them, lit by one lucky path, are brought down."""
    height = light.max(axis=2)
    most = 6 * cv2.medianBlur(height, 5) + 0.5
    return np.asarray(light * np.minimum(1, most / np.maximum(height, 1e-6))[..., None], np.float32)


def _denoised(light: Float32Array, guides: dict[str, Float32Array]) -> Float32Array:
    return np.asarray(import_module("pyoidn").denoise(np.ascontiguousarray(light), hdr=True, **guides), np.float32)
