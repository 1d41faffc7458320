// All that comes over the page and goes again: what is said, what came of a roll, what the storyteller shows. It lies where
// nothing is asked and where neither the bar nor Pause is, and is over once it has been read. Without this script it stands in the page.
"use strict";
(() => {
  const body = document.body, main = document.getElementById("main"), said = document.getElementById("said"), place = document.getElementById("note");
  const box = document.getElementById("result"), shown = document.getElementById("shown-now"), from = box?.dataset.from;
  const begun = Number(body.dataset.revision ?? -1);

  // One at a time: whoever asks while something is fetched waits for the next time, for this one may be too old.
  window.inTurn = (work) => {
    let running = null, next = null;
    return function ask() {
      if (!running) return running = work().finally(() => { running = null; });
      return next ??= running.then(() => { next = null; return ask(); });
    };
  };

  window.json = { Accept: "application/json" };
  // A link that is pressed with one of these opens elsewhere.
  window.withKeys = (event) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  window.announce = (words) => {
    const live = document.getElementById("live");
    if (live) { live.textContent = ""; setTimeout(() => { live.textContent = words; }, 60); }
  };

  // Time: for as long as it takes to read, while somebody can

  const WORDS_A_SECOND = 2.6, reading = (words) => 1000 * Math.max(4, 2 + words.trim().split(/\s+/).length / WORDS_A_SECOND);
  const unseen = () => document.hidden || document.querySelector(".paused");
  function lasting(end) {
    let timer = 0, until = 0;
    const leave = () => { if (unseen()) timer = setTimeout(leave, 1000); else end(); };
    return {
      lasts(ms) { clearTimeout(timer); until = Date.now() + ms; timer = setTimeout(leave, ms); },
      left: () => until - Date.now(),
      stop() { clearTimeout(timer); until = 0; },
    };
  }

  // Place: the largest part of the window that is free of the bar and of what is asked; where that leaves no place for two lines,
  // what is asked lies below it for so long

  const BAR = ".top, .tv-head", CLEAR_OF = `${BAR}, .tv-now, .front > *, .asked, [data-section=acts]`, EDGE = 6, LEAST = 96;
  const over = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const area = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);
  const boxes = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  function free(clearOf = CLEAR_OF) {
    let best = { left: 0, top: 0, right: document.documentElement.clientWidth, bottom: innerHeight };
    for (const { left, top, right, bottom } of boxes(clearOf).filter((one) => one.width && one.height)) {
      if (!over(best, { left, top, right, bottom })) continue;
      best = [{ ...best, bottom: top }, { ...best, top: bottom }, { ...best, right: left }, { ...best, left: right }].reduce((one, other) => area(other) > area(one) ? other : one);
    }
    if (best.bottom - best.top < LEAST && clearOf !== BAR) return free(BAR);
    return { left: best.left + EDGE, top: best.top + EDGE, right: best.right - EDGE, bottom: best.bottom - EDGE };
  }
  // Whatever lies well stays where it is. What has to go elsewhere is a cut, as in a film: it is gone and there, and nothing slides.
  const within = (one, room) => one.left >= room.left - 1 && one.top >= room.top - 1 && one.right <= room.right + 1 && one.bottom <= room.bottom + 1;
  function cut(one, { left, top, right, bottom }) {
    one.style.display = "none";
    void one.offsetWidth;
    Object.assign(one.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: bottom === undefined ? "" : `${bottom - top}px`, display: "" });
  }
  // What is said lies at the foot of it, higher where something can be pressed there.
  function settle() {
    const moments = [box, shown].filter((one) => one && !one.hidden), says = said.innerText.trim();
    if (!moments.length && !says) return;
    const room = free();
    if (says) {
      const lying = said.getBoundingClientRect(), high = said.offsetHeight, foot = room.bottom - high;
      const controls = moments.length ? [] : boxes("main :is(a, button, input, select, textarea, summary, label, [data-act], [data-answer])").filter((one) => over(one, room));
      const { left, right } = (said.querySelector("p, :scope > :not([hidden])") ?? said).getBoundingClientRect();
      const fits = (y) => y >= room.top && y <= foot + 1 && !controls.some((one) => over(one, { left, right, top: y, bottom: y + high }));
      if (moments.length ? Math.abs(lying.top - foot) > 1 : !within(lying, room) || !fits(lying.top)) {
        let top = foot;
        while (top >= room.top && !fits(top)) top -= 8;
        cut(said, { left: room.left, right: room.right, top: top < room.top ? foot : top });
      }
      if (moments.length) room.bottom = Math.min(room.bottom, said.getBoundingClientRect().top);
    }
    for (const one of moments) {
      if (one.dataset.placed && within(one.getBoundingClientRect(), room)) continue;
      one.dataset.placed = "1";
      cut(one, room);
      one.classList.remove("arriving");
      fit([one.querySelector("[data-inside]")]);
    }
  }

  // Parts that nobody scrolls set what is long closer, all at once, until all of each is in sight.
  function fit(parts) {
    for (const close of [[], ["tight"], ["tighter"], ["tighter", "tightest"]]) {
      for (const part of parts) { part.classList.remove("tight", "tighter", "tightest"); part.classList.add(...close); }
      parts = parts.filter((part) => part.scrollHeight > part.clientHeight + 1);
    }
  }
  // The story is read from its beginning, and where it goes on once it is longer than its place.
  function fitAll() {
    fit([...document.querySelectorAll(".tv-stage, .tv-now, .tv-last")]);
    document.querySelectorAll(".told").forEach((one) => { one.scrollTop = one.scrollHeight; one.classList.toggle("goes-on", one.scrollTop > 0); });
    settle();
  }

  // What is said: a note, and that the connection is lost

  const spoken = lasting(() => note(""));
  // What the result of this line of the journal says larger, whichever comes first, is not noted as well.
  function note(words, trouble = false, line = -1) {
    place.replaceChildren();
    spoken.stop();
    if (!words || (box && !box.hidden && box.dataset.seq === `${line}`)) { settle(); return; }
    const one = document.createElement("div"), text = document.createElement("p");
    one.className = trouble ? "note trouble" : "note";
    one.setAttribute("role", trouble ? "alert" : "status");
    one.dataset.line = line;
    text.textContent = words;
    one.append(text);
    place.append(one);
    spoken.lasts(reading(words) * (trouble ? 2 : 1));
    settle();
  }
  window.note = note;
  const before = document.querySelector("main > [data-section=note]");
  if (before) { note(before.innerText, before.matches(".trouble")); before.remove(); }

  // What came of a roll

  let seen = begun - 1;
  const result = lasting(() => close(box));
  function came(one) {
    if (!one || one.matches(".open") || one.dataset.seq <= seen) return;
    seen = Number(one.dataset.seq);
    if (!("read" in one.dataset)) show(one);
  }
  // It comes with the page, where the page has a place for the last roll; other pages of the session ask for it.
  const LAST_ROLL = "[data-section=last-roll]", ROLL = ".roll-result", look = () => came(document.querySelector(`${LAST_ROLL} ${ROLL}`));
  const fetched = async (address) => new DOMParser().parseFromString((await (await fetch(address, { headers: json })).json()).html, "text/html").querySelector(ROLL);
  const ask = inTurn(async () => {
    try { came(await fetched(from)); } catch { /* the page says that the connection is lost */ }
  });

  function show(found, stays = false) {
    const inside = box.querySelector("[data-inside]"), one = document.importNode(found, true), { seq, seconds, says } = one.dataset;
    inside.replaceChildren(one);
    box.hidden = false;
    delete box.dataset.placed;
    box.dataset.seq = seq;
    box.toggleAttribute("data-stays-open", stays);
    if (place.querySelector(`[data-line="${seq}"]`)) note("");
    settle();
    const dice = inside.querySelectorAll(".roll-dice li");
    dice.forEach((die, at) => die.style.setProperty("--at", at));
    inside.style.setProperty("--dice", dice.length);
    box.classList.remove("arriving");
    void box.offsetWidth;
    box.classList.add("arriving");
    lasts(stays ? 0 : seconds * 1000);
    if (stays) return;
    one.dispatchEvent(new Event("table:result", { bubbles: true }));
    hurry();
    announce(says);
  }
  // Until it is put away, where no time is given.
  function lasts(ms) {
    const left = box.querySelector("[data-left]");
    left.getAnimations().forEach((one) => one.cancel());
    result.stop();
    if (!ms) return;
    left.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: ms, fill: "forwards" });
    result.lasts(ms);
  }
  // A question that is newer than the result, or that is answered where it lies, ends it after two seconds.
  const SHORTLY = 2000;
  function hurry() {
    if (!box || box.hidden || box.hasAttribute("data-stays-open") || result.left() <= SHORTLY) return;
    const asked = document.querySelector(".asked, .tv-now h2"), newer = asked && Number(main.dataset.revision) > Number(box.dataset.seq) + 1;
    if (newer || boxes("[data-answer]").some((one) => over(one, box.getBoundingClientRect()))) lasts(SHORTLY);
  }
  function close(one) {
    if (one === box) result.stop();
    one.hidden = true;
    settle();
  }
  // Whoever goes on does so for every screen; what was looked up in the journal is one's own.
  function goOn(one) {
    close(one);
    if (one !== box || !box.dataset.goesOn || box.hasAttribute("data-stays-open")) return;
    fetch(box.dataset.goesOn, { method: "POST", headers: { ...json, "Content-Type": "application/json" }, body: JSON.stringify({ seq: Number(box.dataset.seq) }) }).then((answer) => answer.text()).catch(() => {});
  }
  document.addEventListener("table:read", ({ detail }) => {
    seen = Math.max(seen, detail);
    if (box && !box.hidden && !box.hasAttribute("data-stays-open") && Number(box.dataset.seq) <= detail) close(box);
  });

  // What the storyteller shows comes to the eyes once, wherever the page is scrolled, and again when it is pressed where it is
  // kept in the page; put away by the host, it is gone here too.
  const KEPT = `seen ${body.dataset.session}`, handed = () => [...document.querySelectorAll("main .handout")];
  function hand(ones) {
    shown.querySelector("[data-inside]").replaceChildren(...ones.map((one) => {
      const copy = one.cloneNode(true);
      copy.dataset.of = one.id;
      copy.removeAttribute("id");
      copy.querySelector("form")?.remove();
      return copy;
    }));
    shown.hidden = false;
    delete shown.dataset.placed;
    settle();
  }
  function handouts() {
    if (!shown) return;
    const all = handed(), known = new Set(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]")), fresh = all.filter((one) => !known.has(one.id));
    for (const one of shown.querySelectorAll(".handout")) if (!all.some(({ id }) => id === one.dataset.of)) one.remove();
    if (!shown.querySelector(".handout")) shown.hidden = true;
    if (!fresh.length) return;
    sessionStorage.setItem(KEPT, JSON.stringify(all.map(({ id }) => id)));
    if (shown.hasAttribute("data-comes")) hand(fresh);
  }
  document.addEventListener("click", ({ target }) => { const one = target.closest("main .handout"); if (shown && one && !target.closest("form")) hand([one]); });

  for (const one of [box, shown]) one?.addEventListener("click", () => goOn(one));
  document.addEventListener("click", async (event) => {
    const line = event.target.closest("[data-result-line]")?.dataset.resultLine;
    if (!line || !box || withKeys(event)) return;
    event.preventDefault();
    const one = await fetched(`${from}?line=${line}`);
    if (one) show(one, true);
  });
  addEventListener("keydown", (event) => {
    const open = [shown, box].find((one) => one && !one.hidden);
    if (event.key !== "Escape" || !open || withKeys(event)) return;
    goOn(open);
    event.preventDefault();
    event.stopPropagation();
  }, true);
  if (box && begun >= 0) document.addEventListener("table:play", () => { if (!document.querySelector(LAST_ROLL)) ask(); });

  document.addEventListener("renewed", () => {
    // What was said of this device's own act is old when something else has happened.
    const line = place.firstElementChild?.dataset.line;
    if (line >= 0 && Number(line) + 1 < Number(main.dataset.revision)) note("");
    handouts();
    fitAll();
    if (box && begun >= 0) look();
    hurry();
  });
  addEventListener("resize", fitAll);
  addEventListener("scroll", () => requestAnimationFrame(settle), { passive: true, capture: true });
  document.fonts.ready.then(fitAll);
  handouts();
  fitAll();
})();
