// The sound of a result, where somebody has switched it on: a knock for each die, then two notes up or down; more if it is epic.
"use strict";
(() => {
  const sound = document.getElementById("sound"), ON = "loomtable-sound";
  let voice = null;
  sound.checked = localStorage.getItem(ON) === "1";
  sound.addEventListener("change", () => localStorage.setItem(ON, sound.checked ? "1" : "0"));
  document.addEventListener("table:result", ({ target }) => {
    if (!sound.checked) return;
    const dice = target.querySelectorAll(".roll-dice li").length;
    voice ??= new AudioContext();
    voice.resume();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const begins = voice.currentTime + 0.05, word = begins + (still ? 0 : dice * 0.06 + 0.2);
    for (let at = 0; at < dice; at++) tone(begins + (still ? 0 : at * 0.06), 190 + 25 * (at % 3), 0.05, "triangle");
    const is = (kind) => target.classList.contains(kind);
    const notes = is("epic") ? (is("bad") ? [220, 175, 147, 110] : [523, 659, 784, 1047]) : is("bad") ? [262, 196] : is("good") ? [523, 659] : [440];
    notes.forEach((pitch, at) => tone(word + at * 0.12, pitch, 0.35, "sine"));
  });
  function tone(at, pitch, lasts, shape) {
    const one = new OscillatorNode(voice, { frequency: pitch, type: shape }), loud = new GainNode(voice, { gain: 0.18 });
    loud.gain.setValueAtTime(0.18, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    one.connect(loud).connect(voice.destination);
    one.start(at);
    one.stop(at + lasts);
  }
})();
