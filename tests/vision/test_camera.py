"""Pictures come from folders, files and videos; what does not exist is said clearly."""

import time

import cv2
import numpy as np
import pytest

from loomtable.engine.kernel.errors import FileUnreadable
from loomtable.vision import camera as camera_module
from loomtable.vision.camera import (
    CameraInfo,
    CameraLost,
    CameraMissing,
    PictureRun,
    VideoUnreadable,
    cameras,
    open_source,
)
from loomtable.vision.pictures import PictureUnreadable, write_picture
from tests.pictures_made import write_film
from tests.short import raises


def plain(level):
    return np.full((48, 64, 3), level, np.uint8)


def test_a_folder_of_pictures_comes_in_the_order_of_its_numbers(tmp_path) -> None:
    for number in (10, 9, 1):
        write_picture(tmp_path / f"shot-{number}.png", plain(number * 10))
    (tmp_path / "notes.txt").write_text("no picture")
    with open_source(tmp_path) as source:
        levels = [int(picture[0, 0, 0]) for picture in source]
        assert source.read() is None
    assert levels == [10, 90, 100]
    assert not source.live


def test_one_picture_file_is_a_run_of_one(tmp_path) -> None:
    write_picture(tmp_path / "one.png", plain(70))
    with open_source(str(tmp_path / "one.png")) as source:
        assert [picture.shape for picture in source] == [(48, 64, 3)]


def test_a_video_comes_back_frame_by_frame(tmp_path) -> None:
    path = tmp_path / "film.avi"
    write_film(path, map(plain, (20, 120, 220)))
    with open_source(path) as source:
        levels = [float(picture.mean()) for picture in source]
    assert np.allclose(levels, [20, 120, 220], atol=4)


def test_made_pictures_are_a_source_too_and_closing_ends_it() -> None:
    with PictureRun(plain(level) for level in (1, 2, 3)) as source:
        first = source.read()
        assert first is not None
        assert first[0, 0, 0] == 1
        source.close()
        assert source.read() is None


def test_what_does_not_exist_is_said_in_words(tmp_path) -> None:
    with pytest.raises(FileUnreadable, match="neither the number of a camera nor a file"):
        open_source(tmp_path / "nowhere.avi")
    raises(FileUnreadable, "no such file", open_source, tmp_path / "nowhere.png")
    raises(FileUnreadable, "no picture in this folder", open_source, tmp_path)


def test_files_that_are_not_what_they_seem_are_refused(tmp_path) -> None:
    (tmp_path / "film.avi").write_bytes(b"not a film at all" * 50)
    raises(VideoUnreadable, r"film\.avi", open_source, tmp_path / "film.avi")
    (tmp_path / "card.jpg").write_bytes(b"not a picture at all")
    with pytest.raises(PictureUnreadable, match=r"card\.jpg"), open_source(tmp_path / "card.jpg") as source:
        source.read()


@pytest.mark.parametrize(("spec", "number"), [(97, 97), ("97", 97), ("/dev/video97", 97), (-1, -1)])
def test_a_missing_camera_is_one_clear_sentence_and_nothing_on_stderr(spec, number, capfd) -> None:
    with pytest.raises(CameraMissing, match=f"camera {number} cannot be opened; ") as caught:
        open_source(spec)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_linux_lists_cameras_by_number_with_their_names(tmp_path, monkeypatch) -> None:
    devices, names = tmp_path / "dev", tmp_path / "names"
    devices.mkdir()
    for number, index, name in ((2, "0", "Desk Cam\n"), (0, "0", "Laptop Cam"), (1, "1", "Laptop Cam")):
        (devices / f"video{number}").touch()
        (names / f"video{number}").mkdir(parents=True)
        (names / f"video{number}" / "index").write_text(index)
        (names / f"video{number}" / "name").write_text(name)
    (devices / "video10").touch()
    (devices / "videocard").touch()
    monkeypatch.setattr(camera_module, "_LINUX", True)
    monkeypatch.setattr(camera_module, "_DEVICES", devices)
    monkeypatch.setattr(camera_module, "_DEVICE_NAMES", names)
    assert cameras() == (CameraInfo(0, "Laptop Cam"), CameraInfo(2, "Desk Cam"), CameraInfo(10, "camera 10"))
    raises(CameraMissing, r"there is 0 \(Laptop Cam\), 2 \(Desk Cam\)", open_source, 97)


class Webcam:
    """A camera of which only its driver is made up: sizes with their speeds, autofocus, and an end."""

    rates = {(640, 480): 400, (1280, 720): 400, (1920, 1080): 400, (3840, 2160): 8}  # noqa: RUF012
    frames = 10_000
    focuses = True
    opened: list = []  # noqa: RUF012

    def __init__(self, *_):
        self.size, self.sent, self.focus, self.held = (640, 480), 0, 0.0, None
        self.width = 640
        Webcam.opened.append(self)

    def isOpened(self):  # noqa: N802
        return True

    def set(self, what, value):
        if what == cv2.CAP_PROP_FRAME_WIDTH:
            self.width = int(value)
        elif what == cv2.CAP_PROP_FRAME_HEIGHT:
            wanted = (self.width, int(value))
            self.size = wanted if wanted in self.rates else max(s for s in self.rates if s <= (self.width, 9999))
        elif what == cv2.CAP_PROP_AUTOFOCUS:
            self.held = not value
            return self.focuses
        return True

    def read(self):
        time.sleep(1 / self.rates[self.size])
        self.sent += 1
        if not self.held:
            self.focus = min(self.focus + 0.1, 1.0)
        picture = np.full((self.size[1], self.size[0], 3), 5, np.uint8)
        picture[:, ::8] = round(5 + 200 * self.focus)
        return (True, picture) if self.sent <= self.frames else (False, None)

    def release(self):
        pass


def test_a_camera_that_falls_silent_is_lost(monkeypatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Webcam)
    monkeypatch.setattr(camera_module.time, "sleep", lambda _: None)
    with open_source(0) as source:
        assert source.live
        assert source.read()[0, 1, 0] == 5
        Webcam.opened[-1].frames = 0
        raises(CameraLost, "camera 0 sends no more pictures", source.read)


def test_the_largest_picture_that_comes_quickly_enough_is_chosen(monkeypatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Webcam)
    with open_source(0) as source:
        assert (source.mode.width, source.mode.height) == (1920, 1080)
        assert source.mode.frames_a_second >= 15
        assert source.read().shape == (1080, 1920, 3)


def test_where_every_size_is_slow_the_fastest_is_chosen(monkeypatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Webcam)
    monkeypatch.setattr(Webcam, "rates", {(640, 480): 9, (1280, 720): 13, (1920, 1080): 7})
    with open_source(0) as source:
        assert (source.mode.width, source.mode.height) == (1280, 720)
        assert source.read().shape == (720, 1280, 3)


def test_the_focus_is_held_once_it_is_found(monkeypatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Webcam)
    with open_source(0) as source:
        camera = Webcam.opened[-1]
        camera.focus = 0.0
        source.settle()
        assert camera.held
        assert camera.focus == pytest.approx(1.0)
    monkeypatch.setattr(Webcam, "focuses", False)
    with open_source(0) as source:
        source.settle()
        assert not Webcam.opened[-1].held


def test_the_doctor_names_a_camera_that_gives_no_picture(monkeypatch) -> None:
    from loomtable.table.commands.doctor_checks import _camera

    monkeypatch.setattr(cv2, "VideoCapture", Webcam)
    well = _camera(0, "Desk Cam")
    assert well.ok
    assert well.says.startswith("Desk Cam, 1920 x 1080, ")
    monkeypatch.setattr(Webcam, "frames", 0)
    monkeypatch.setattr(camera_module.time, "sleep", lambda _: None)
    silent = _camera(0, "Desk Cam")
    assert not silent.ok
    assert "sends no more pictures" in silent.says
    assert "close other programs" in silent.says


@pytest.mark.parametrize(
    "spec", ["1000", "99999999999999999999", "-99999999999999999999", "/dev/video99999999999999999999"]
)
def test_no_camera_has_so_large_a_number(spec: str) -> None:
    with pytest.raises((CameraMissing, FileUnreadable), match=r"cannot be opened|neither the number of a camera"):
        open_source(spec)


@pytest.mark.parametrize("spec", ["9" * 5000, "x" * 5000, "x" * 300, "a\0b", "https://" + "x" * 5000])
def test_what_is_no_name_of_a_camera_is_refused_however_long_it_is(spec: str) -> None:
    with pytest.raises(FileUnreadable, match="is neither") as refused:
        open_source(spec)
    assert len(str(refused.value)) < 400
