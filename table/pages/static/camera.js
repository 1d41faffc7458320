// A phone looks at the table, a frame at a time, four a second at most; what was read is drawn over its own picture.
"use strict";
(() => {
  const rung = document.getElementById("live-rung"), video = document.getElementById("live-video");
  const start = document.getElementById("live-start"), stop = document.getElementById("live-stop");
  const says = document.getElementById("live-says"), over = document.getElementById("live-read");
  if (!start) return;
  if (!navigator.mediaDevices?.getUserMedia) {
    says.textContent = "This browser has no live camera to give; photographs below work everywhere.";
    start.hidden = true;
    return;
  }
  const LOOKS = "camera looks";
  const canvas = document.createElement("canvas");
  let stream = null, lock = null, sending = false, read = null, starts = false;

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise((done) => {
    const scale = Math.min(1, 1280 / video.videoWidth);
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(done, "image/jpeg", 0.85);
  });

  async function send() {
    if (sending) return;
    sending = true;
    while (stream) {
      const begun = performance.now();
      if (!document.hidden && video.videoWidth) {
        try {
          const asks = starts ? "&start=1" : "";
          const answer = await fetch(rung.dataset.frames + asks, { method: "POST", headers: { Accept: "application/json", "Content-Type": "image/jpeg" }, body: await frame() });
          const said = await answer.json();
          if (!stream) break;
          if (asks) starts = !answer.ok;
          says.textContent = said.error ?? (read?.dice.length && !said.waits ? read.says : said.says);
          if ([401, 403, 409].includes(answer.status)) { end(); break; }
          if (!answer.ok || said.waits) await pause(2000);
        } catch {
          says.textContent = "The connection is lost; trying again.";
          await pause(2000);
        }
      }
      await pause(Math.max(20, 250 - (performance.now() - begun)));
    }
    sending = false;
  }

  // What was read, over the picture

  const look = inTurn(async () => {
    try {
      const answer = await fetch(rung.dataset.read, { headers: { Accept: "application/json" } });
      if (answer.ok) { read = (await answer.json()).proposal; draw(); }
    } catch { /* send() says so */ }
  });

  function draw() {
    const shape = read ? read.size[0] / read.size[1] : 0, own = video.videoWidth / video.videoHeight;
    // What another camera read, or this one before a turn, lies elsewhere.
    const fits = stream && Math.abs(shape / own - 1) < 0.02;
    over.replaceChildren(...(fits ? read.dice : []).map((die) => {
      const place = document.createElement("li"), value = document.createElement("span");
      const [left, top, right, bottom] = die.box.map((edge) => 100 * edge), doubtful = die.doubt && !die.corrected;
      Object.assign(place.style, { left: `${left}%`, top: `${top}%`, width: `${right - left}%`, height: `${bottom - top}%` });
      place.classList.toggle("doubtful", Boolean(doubtful));
      place.classList.toggle("below", top < 10);
      value.textContent = `${die.means[0].toUpperCase()}${die.means.slice(1)}${doubtful ? "?" : ""}`;
      place.append(value);
      return place;
    }));
  }

  document.addEventListener("camera", (event) => { event.preventDefault(); if (stream) look(); });
  document.addEventListener("table:play", () => { if (stream) look(); });

  // The camera; what a sleeping phone has taken away is asked for anew

  async function open() {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
    video.srcObject = stream;
    await video.play();
    stay();
    send();
    look();
  }
  function stay() { navigator.wakeLock?.request("screen").then((held) => { lock = held; }).catch(() => {}); }

  async function awake() {
    if (document.hidden || !stream) return;
    if (stream.getVideoTracks().some((track) => track.readyState === "live")) { stay(); look(); return; }
    try { await open(); } catch { end(); says.textContent = "The camera was taken away while the phone slept. Begin again."; }
  }
  document.addEventListener("visibilitychange", awake);

  function end() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = read = null;
    sessionStorage.removeItem(LOOKS);
    lock?.release().catch(() => {});
    video.parentElement.hidden = stop.hidden = true;
    start.hidden = false;
  }

  start.addEventListener("click", async () => {
    try {
      starts = true;
      await open();
    } catch (trouble) {
      says.textContent = trouble.name === "NotAllowedError"
        ? "The camera was refused. Allow it for this page in the browser's settings, or send photographs below."
        : "No camera could be opened; photographs below work everywhere.";
      end();
      return;
    }
    sessionStorage.setItem(LOOKS, "1");
    video.parentElement.hidden = stop.hidden = false;
    start.hidden = true;
    stop.focus();
  });
  stop.addEventListener("click", () => { end(); says.textContent = "Stopped."; start.focus(); });
  if (sessionStorage.getItem(LOOKS)) start.click();  // it follows to the session that is opened
})();
