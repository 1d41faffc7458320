// A phone looks at the table: one frame after another, the next only once the last was answered, four a second at most.
"use strict";
(() => {
  const rung = document.getElementById("live-rung"), video = document.getElementById("live-video");
  const start = document.getElementById("live-start"), stop = document.getElementById("live-stop");
  const says = document.getElementById("live-says");
  if (!start) return;
  if (!navigator.mediaDevices?.getUserMedia) {
    says.textContent = "This browser has no live camera to give; photographs below work everywhere.";
    start.hidden = true;
    return;
  }
  const canvas = document.createElement("canvas");
  let stream = null, lock = null;

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise((done) => {
    const scale = Math.min(1, 1280 / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(done, "image/jpeg", 0.85);
  });

  async function send() {
    while (stream) {
      const begun = performance.now();
      if (!document.hidden && video.videoWidth) {
        try {
          const answer = await fetch(rung.dataset.frames, { method: "POST", headers: { Accept: "application/json", "Content-Type": "image/jpeg" }, body: await frame() });
          const said = await answer.json();
          if (!stream) return;
          says.textContent = said.error ?? said.says;
          if (answer.status === 401 || answer.status === 403) { end(); return; }
          if (!answer.ok) await pause(2000);
        } catch {
          says.textContent = "The connection to the table is lost; it is tried again.";
          await pause(2000);
        }
      }
      await pause(Math.max(20, 250 - (performance.now() - begun)));
    }
  }

  function end() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    lock?.release().catch(() => {});
    video.hidden = stop.hidden = true;
    start.hidden = false;
  }

  start.addEventListener("click", async () => {
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
    } catch (trouble) {
      says.textContent = trouble.name === "NotAllowedError"
        ? "The camera was refused. Allow it for this page in the browser's settings, or send photographs below."
        : "No camera could be opened; photographs below work everywhere.";
      return;
    }
    video.srcObject = stream;
    video.hidden = stop.hidden = false;
    start.hidden = true;
    stop.focus();
    await video.play();
    navigator.wakeLock?.request("screen").then((held) => { lock = held; }).catch(() => {});
    send();
  });
  stop.addEventListener("click", () => { end(); says.textContent = "Stopped."; start.focus(); });
})();
