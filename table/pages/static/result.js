// The result of a roll, over everything else, for as long as it takes to read. Without this script it stands in the page.
"use strict";
(() => {
  const box = document.getElementById("result"), from = box?.dataset.from;
  const begun = Number(document.body.dataset.revision ?? -1);
  if (!box || begun < 0) return;
  const inside = box.querySelector("[data-inside]"), left = box.querySelector("[data-left]");
  let seen = begun - 1, timer = 0;

  // A screen that nobody scrolls sets what is long closer, until all of it is in sight.
  function fit(part) {
    for (const close of [[], ["tight"], ["tighter"], ["tighter", "tightest"]]) {
      part.classList.remove("tight", "tighter", "tightest");
      part.classList.add(...close);
      if (part.scrollHeight <= part.clientHeight + 1) break;
    }
  }
  // The story is read where it goes on.
  function fitAll() {
    document.querySelectorAll(".tv-stage, .tv-now, .tv-last").forEach(fit);
    document.querySelectorAll(".told").forEach((one) => { one.scrollTop = one.scrollHeight; });
  }
  fitAll();
  document.fonts.ready.then(fitAll);
  document.addEventListener("renewed", fitAll);
  addEventListener("resize", fitAll);

  // The sound of it, where somebody has switched it on: a knock for each die, then two notes up or down; more if it is epic.
  const sound = document.getElementById("sound"), ON = "loomtable-sound";
  let voice = null;
  if (sound) sound.checked = localStorage.getItem(ON) === "1";
  sound?.addEventListener("change", () => localStorage.setItem(ON, sound.checked ? "1" : "0"));
  function play(dice, result) {
    if (!sound?.checked) return;
    voice ??= new AudioContext();
    voice.resume();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const begins = voice.currentTime + 0.05, word = begins + (still ? 0 : dice * 0.06 + 0.2);
    for (let at = 0; at < dice; at++) note(begins + (still ? 0 : at * 0.06), 190 + 25 * (at % 3), 0.05, "triangle");
    const is = (tone) => result.classList.contains(tone);
    const notes = is("epic") ? (is("bad") ? [220, 175, 147, 110] : [523, 659, 784, 1047]) : is("bad") ? [262, 196] : is("good") ? [523, 659] : [440];
    notes.forEach((pitch, at) => note(word + at * 0.12, pitch, 0.35, "sine"));
  }
  function note(at, pitch, lasts, shape) {
    const tone = new OscillatorNode(voice, { frequency: pitch, type: shape }), loud = new GainNode(voice, { gain: 0.18 });
    loud.gain.setValueAtTime(0.18, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    tone.connect(loud).connect(voice.destination);
    tone.start(at);
    tone.stop(at + lasts);
  }

  const look = inTurn(async () => {
    try {
      const said = await (await fetch(from, { headers: { Accept: "application/json" } })).json();
      if (said.result?.settled && said.result.seq > seen) show(said);
    } catch { /* the page says that the connection is lost */ }
  });

  function show({ result, html }, stays = false) {
    if (!stays) seen = result.seq;
    const fresh = new DOMParser().parseFromString(html, "text/html");
    inside.replaceChildren(...document.adoptNode(fresh.body).childNodes);
    box.hidden = false;
    box.dataset.seq = result.seq;
    document.querySelector(`#note > [data-line="${result.seq}"]`)?.remove();
    fit(inside);
    const dice = inside.querySelectorAll(".roll-dice li");
    dice.forEach((die, at) => die.style.setProperty("--at", at));
    inside.style.setProperty("--dice", dice.length);
    if (!stays) play(dice.length, inside.querySelector(".roll-result"));
    box.classList.remove("arriving");
    void box.offsetWidth;
    box.classList.add("arriving");
    left?.getAnimations().forEach((one) => one.cancel());
    clearTimeout(timer);
    if (stays) return;
    left?.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: result.seconds * 1000, fill: "forwards" });
    timer = setTimeout(leave, result.seconds * 1000);
    const live = document.getElementById("live");
    if (live) { live.textContent = ""; setTimeout(() => { live.textContent = result.says; }, 60); }
  }

  // A phone that sleeps, and a page behind another one, have not been read.
  function leave() {
    if (document.hidden) { addEventListener("visibilitychange", () => { timer = setTimeout(leave, 4000); }, { once: true }); return; }
    close();
  }
  function close() {
    clearTimeout(timer);
    box.hidden = true;
  }

  box.addEventListener("click", close);
  document.addEventListener("click", async (event) => {
    const line = event.target.closest("[data-result-line]")?.dataset.resultLine;
    if (!line || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const said = await (await fetch(`${from}?line=${line}`, { headers: { Accept: "application/json" } })).json();
    if (said.result) show(said, true);
  });
  addEventListener("keydown", (event) => {
    if (box.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    close();
    if (["Escape", "Enter", " "].includes(event.key)) { event.preventDefault(); event.stopPropagation(); }
  }, true);
  document.addEventListener("table:play", (event) => event.detail.push(look()));
})();
