// The pages work without this script. With it they send forms without leaving the page, and follow the table live.
"use strict";
(() => {
  const body = document.body, main = document.getElementById("main"), lost = document.getElementById("lost");
  let revision = Number(body.dataset.revision ?? -1), made = Number(body.dataset.made), fetching = null, sending = Promise.resolve(), tries = 0, shows = location.href;
  const LOST = "The connection to the table is lost. It is tried again; nothing is lost.";
  const UNSENT = "This did not reach the table; try again when the connection is back.";

  function connection(words) { if (lost.textContent === words) return; lost.textContent = words; lost.hidden = !words; dispatchEvent(new Event("resize")); }

  // Changing what has changed, and nothing else

  const opened = new WeakMap();  // whether the table had this part of the page open; people open and close as they like
  const called = (one) => one.id || one.dataset?.section || (one.classList?.contains("field") ? one.querySelector("[name]")?.name ?? "" : "");
  const alike = (old, next) => old.nodeName === next.nodeName && called(old) === called(next)
    && old.dataset?.question === next.dataset?.question && old.getAttribute?.("action") === next.getAttribute?.("action");

  // Makes `old` what `next` is by as few changes as possible: what has the focus, is half typed, chosen, open or
  // scrolled stays so. What belongs to another question is another element.
  function morph(old, next) {
    if (old.nodeType !== Node.ELEMENT_NODE) { if (old.data !== next.data) old.data = next.data; return; }
    // What a script makes of it stays: a die that was tapped for this question, the picture of a live camera.
    if (old.dataset.slot !== undefined || old.dataset.scripted !== undefined) return;
    const live = old.dataset.livePicture === "1" && next.dataset.livePicture === "1";
    const marked = ["value", "checked"].some((name) => old.getAttribute(name) !== next.getAttribute(name));
    const ours = (name) => ["open", "style", "aria-busy", "data-going"].includes(name) || (live && name === "src");
    for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && !ours(name)) old.removeAttribute(name);
    for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value && !ours(name)) old.setAttribute(name, value);
    // Another choice, or one that the table has taken up or dropped: what was pressed before says no more.
    if ((marked || old.form?.id === "act-form") && old.matches("[type=radio], [type=checkbox]")) old.checked = next.checked;
    if (old.localName === "details" && opened.get(old) !== next.open) opened.set(old, old.open = next.open);
    let at = old.firstChild;
    const names = new Set([...next.childNodes].map(called));
    for (const come of [...next.childNodes]) {
      let same = at;
      // Further down only what has a name of its own is sought, or what comes after something named that is gone.
      const gone = (one) => one.nodeType !== Node.ELEMENT_NODE || !names.has(called(one));
      while (same && !alike(same, come)) same = called(come) || gone(same) ? same.nextSibling : null;
      if (!same) { old.insertBefore(document.adoptNode(come), at); continue; }
      for (; at !== same; at = drop(at)) ;
      morph(same, come);
      at = same.nextSibling;
    }
    while (at) at = drop(at);
  }
  window.morph = morph;
  function drop(one) { const next = one.nextSibling; one.remove(); return next; }

  const panels = () => ((document.querySelector(".panels .mine") ?? document.querySelector(".panels .paper"))?.getBoundingClientRect().top ?? 0) + scrollY;
  function renew(fresh) {
    const at = document.activeElement, y = scrollY, before = asked(), place = panels();
    morph(main, fresh.getElementById("main"));
    document.title = fresh.title;
    if (at && at !== body && !document.contains(at)) focusTitle();
    // The panels that are being looked at stay where they are, whatever comes or goes above them.
    const top = y && place - y < innerHeight / 2 ? y + panels() - place : y;
    if (scrollY !== top) scrollTo({ top, behavior: "instant" });
    if (asked() !== before) bringInSight(!document.querySelector("[data-section=asked]:not(.theirs)"));
    document.dispatchEvent(new Event("renewed"));
  }

  // What is asked, and that it is seen: where it begins, and its heading well above the foot of the screen

  const question = () => document.querySelector(".asked");
  const asked = () => question() && `${question().dataset.section} ${question().dataset.question}`;
  function focusTitle() {
    const title = document.getElementById("asked-title");
    if (title) { title.tabIndex = -1; title.focus({ preventScroll: true }); }
  }
  const BELOW_THE_BAR = 64;
  function bringInSight(ofOthers = false) {
    const front = question()?.closest(".front");
    if (!front) return;
    const topOf = (one) => one.getBoundingClientRect().top;
    const away = (least, most) => {
      const begins = topOf(document.querySelector(".take-back") ?? question());
      return begins < least || topOf(document.getElementById("asked-title")) > most ? begins - least : 0;
    };
    const docked = getComputedStyle(front).position === "fixed";
    front.scrollTop = 0;
    if (docked) front.scrollTop += away(topOf(front), front.getBoundingClientRect().bottom - BELOW_THE_BAR);
    // A page or map that it is about comes with it.
    const about = document.querySelector(".panels .paper[tabindex]"), far = !docked && away(BELOW_THE_BAR, innerHeight * 0.6);
    if (!ofOthers && (far || about)) scrollTo({ top: 0, behavior: "instant" });
    if (!ofOthers && !docked) scrollBy({ top: away(BELOW_THE_BAR, innerHeight * 0.6), behavior: "instant" });
  }

  // After a sleep, connections that the browser kept may be dead: it is not waited for long, at first, and asked anew.
  const patience = () => Math.min(3000 * 2 ** tries, 20000);

  const news = () => [document.querySelector(".news li")?.textContent, document.querySelector("[data-announce]")?.dataset.announce];
  const refresh = inTurn(async () => {
    const address = location.href, asking = fetching = new AbortController(), late = setTimeout(() => asking.abort("late"), patience());
    try {
      const answer = await fetch(address, { signal: asking.signal, headers: { Accept: "text/html" } });
      if (answer.redirected && new URL(answer.url).pathname !== new URL(address).pathname) {
        events?.close();  // one journey is enough
        location.assign(answer.url);
        return;
      }
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!fresh.getElementById("main") || location.href !== address) return;
      const before = news();
      renew(fresh);
      shows = address;
      revision = Number(fresh.body.dataset.revision ?? -1);
      made = Number(fresh.body.dataset.made);
      const words = news().filter((now, at) => now && now !== before[at]).join(" ");
      if (words) announce(words);
      connection("");
      tries = 0;
      ready();
    } catch (trouble) {
      const anew = asking.signal.reason === "anew";
      tries += anew ? 0 : 1;
      if (tries > 1) connection(LOST);
      if (!anew) setTimeout(refresh, 1000);
    } finally {
      clearTimeout(late);
    }
  });

  // Sending

  async function send(address, content, control) {
    // Twice on one button is once; another button waits for its turn.
    if (control?.getAttribute("aria-busy") === "true") return null;
    control?.setAttribute("aria-busy", "true");
    const before = sending;
    let finished;
    sending = new Promise((done) => { finished = done; });
    await before;
    try {
      const answer = await fetch(address, { method: "POST", headers: content instanceof FormData || content instanceof URLSearchParams
        ? json : { ...json, "Content-Type": "application/json" }, body: content, signal: content instanceof FormData ? undefined : AbortSignal.timeout(20000) });
      const said = await answer.json().catch(() => ({ error: "The table did not answer as it should; try again." }));
      if (said.error) { if (answer.status === 409) await refresh(); if (answer.status === 409 || !beside(control?.form, said.error)) note(said.error, true); return null; }
      return said;
    } catch {
      connection(LOST);
      note(UNSENT, true);
      return null;
    } finally { finished(); control?.removeAttribute("aria-busy"); }
  }

  // What is refused of the one thing that a form asks for is told there.
  function beside(form, says) {
    const [field, ...more] = form?.querySelectorAll("input:not([type=hidden]), textarea, select") ?? [];
    if (!field?.checkVisibility() || more.length) return false;
    const told = document.getElementById("wrong") ?? document.createElement("p");
    field.after(Object.assign(told, { id: "wrong", className: "wrong", role: "alert", textContent: says }));
    Object.assign(field, { ariaInvalid: true, ariaDescribedByElements: [told] }).focus();
    return true;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-live]")) return;
    event.preventDefault();
    const acts = form.id === "act-form", by = acts ? await awoken(form, event.submitter) : event.submitter;
    if (acts && !by) return;
    const content = new FormData(form, by), filled = fieldsOf(form);
    const files = form.querySelector("input[type=file]");
    const said = await send(form.getAttribute("action"), files ? content : new URLSearchParams(content), by);
    if (!said) return;
    // From here on the form may show another question, or be gone: the news of what was sent can be faster than its answer.
    const then = form.dataset.then;
    if (then && then !== location.pathname) { sessionStorage.setItem(SAID, said.says); location.replace(then); return; }
    if (then && location.search) history.replaceState(null, "", then);
    form.closest("[popover]")?.hidePopover();
    if (fieldsOf(form) === filled) form.reset();
    await done(said);
  });
  const fieldsOf = (form) => [...new FormData(form)].filter(([name]) => name !== "revision").join();

  const SAID = "said";  // by the page before, which went on to this one
  addEventListener("load", () => { const says = sessionStorage.getItem(SAID); sessionStorage.removeItem(SAID); if (says) note(says); });

  async function done(said) {
    await refresh();
    note(said.says, false, said.revision - 1);
    bringInSight();
  }

  const base = () => `/api/play/${encodeURIComponent(body.dataset.session).replaceAll("%2F", "/")}/`;
  async function play(one) {
    const { keys, name, args } = JSON.parse(one.dataset.answer ?? one.dataset.act);
    const what = keys ? { revision, answer: keys } : { revision, action: name, args };
    const said = await send(base() + (keys ? "answer" : "act"), JSON.stringify(what), one);
    if (said) await done(said);
  }

  // A card that is laid answers several questions, one after the other.
  document.addEventListener("answers", async ({ target, detail }) => {
    let now = revision, said = null;
    for (const answer of detail) {
      said = await send(`${base()}answer`, JSON.stringify({ revision: now, answer: [answer] }), target);
      if (!said) return;
      now = said.revision;
    }
    await done(said);
  });

  document.addEventListener("click", (event) => {
    const played = event.target.closest("[data-act], [data-answer]");
    if (played && body.dataset.session) { event.preventDefault(); play(played); return; }
    const link = event.target.closest("a[data-act-link]");
    if (link && !withKeys(event)) {
      event.preventDefault();
      open(link.href);
    }
  });

  async function open(address) {
    history.pushState(null, "", address);
    note("");
    await refresh();
    focusTitle();
    bringInSight();
  }
  addEventListener("popstate", () => refresh());

  // What is said in an action's form narrows it, and wakes its buttons.
  let unsettled = false, settling = null;
  function settle(form, early = /[?&]early=/.test(location.search)) {
    const wanted = new URLSearchParams(location.search.match(/[?&]do=[^&]*/)?.[0]);
    if (early) wanted.set("early", 1);
    // What alone is possible was not chosen.
    const alone = (name) => form.querySelector(`[type=hidden][name="${CSS.escape(name)}"]`);
    for (const [name, value] of new FormData(form)) if (value && !alone(name)) wanted.append(name, value);
    history.replaceState(null, "", `${location.pathname}?${wanted}`);
    unsettled = false;
    settling = refresh();
  }
  for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => {
    const form = target.closest("#act-form");
    unsettled ||= kind === "input";
    // What is chosen is meant, and not what was written beside it before.
    if (form && target.type === "radio") target.closest(".or-written")?.querySelectorAll("input:not([type])").forEach((one) => { one.value = ""; });
    if (form && unsettled && (kind === "change" || document.getElementById("act-missing"))) settle(form);
  });

  // The button that was pressed, once the table knows what is said; too early, what is missing is told at each field.
  async function awoken(form, { name, value }) {
    if (unsettled) settle(form);
    await settling;
    if (shows !== location.href) await refresh();
    if (shows !== location.href) { note(UNSENT, true); return; }
    const button = [...form.querySelectorAll("button")].find((one) => one.name === name && one.value === value);
    if (button && !button.matches("[aria-disabled]")) return button;
    settle(form, true);
    await settling;
    announce(document.getElementById("act-missing")?.textContent ?? "Choose again.");
    form.querySelector("[aria-invalid], :invalid:not(fieldset)")?.focus();
  }

  // No browser asks by itself for so many ticks, and no more.
  function enough() {
    for (const some of document.querySelectorAll("[data-ticks]")) {
      const boxes = some.querySelectorAll("input"), ticked = some.querySelectorAll(":checked").length, { ticks, most } = some.dataset;
      boxes[0]?.setCustomValidity(ticked < ticks ? `Tick at least ${ticks}.` : ticked > most ? `Tick at most ${most}.` : "");
    }
  }
  document.addEventListener("change", enough);

  // Keys

  const press = (what) => { const one = document.querySelector(what); if (one && !one.disabled) { one.click(); return true; } };
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if ((event.key === "Enter" || event.key === " ") && at.matches("[data-act], [data-answer]") && !at.matches("button, a")) {
      event.preventDefault();
      at.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    if (event.key === "Escape" && document.getElementById("act-form") && !document.querySelector(":popover-open")) { open(document.getElementById("act-form").dataset.then); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || at.matches("input:not([type=radio]):not([type=checkbox]), textarea, select")) return;
    const here = body.dataset.session && location.pathname.match(/^(\/table\/.*?)(\/(journal|rulings).*)?$/);
    const presses = { "u": "#undo", "r": "#chance", "a": "#accept" }[event.key] ?? (/^[0-9]$/.test(event.key) && `[data-key="${event.key}"]`);
    const leads = event.key === "?" ? "/help" : here && { "j": `${here[1]}/journal`, "t": here[1] }[event.key];
    if (leads) location.assign(leads);
    if (leads || (presses && press(presses))) event.preventDefault();
  });

  document.addEventListener("change", (event) => { if (event.target.matches("[data-send-on-change]")) event.target.form.requestSubmit(); });

  // Following the table. A phone that slept may hold a connection over which nothing comes any more, and is not told:
  // the table speaks at least every fifteen seconds, and whoever does not hear it asks anew. A browser has six connections
  // for all pages: a hidden page keeps none, and one that gets none asks every two seconds.

  const SILENCE = 40000, stays = !!document.querySelector("[data-stays]") && self === top;
  let events = null, until = 0, heard = -1;

  function follow() {
    events?.close();
    events = null;
    if (!body.dataset.events || (document.hidden && !stays)) return;
    events = new EventSource(body.dataset.events + (stays ? "?stays" : ""));
    until = Date.now() + patience();
    const on = (name, act) => events.addEventListener(name, (event) => { until = Date.now() + SILENCE; act(event); });
    on("open", () => { if (!lost.hidden) refresh(); connection(""); });
    on("play", (event) => {
      const now = JSON.parse(event.data).revision;
      if (now !== (revision < 0 ? heard : revision)) { document.dispatchEvent(new Event("table:play")); refresh(); }
      heard = now;
    });
    on("camera", () => {
      // What shows the camera fetches its own part; a page without one is made anew.
      if (document.dispatchEvent(new Event("camera", { cancelable: true }))) refresh();
    });
    on("devices", (event) => { if (JSON.parse(event.data).at > made) refresh(); });
    on("presence", (event) => { if (JSON.parse(event.data).at > made && document.querySelector(".joined, .come")) refresh(); });
    on("read", (event) => document.dispatchEvent(new CustomEvent("table:read", { detail: JSON.parse(event.data).revision })));
    on("here", () => {});
    on("closed", () => { events.close(); refresh(); });  // it may be opened anew
    events.addEventListener("error", () => { if (events.readyState !== EventSource.CLOSED) connection(LOST); });
  }
  function awake() { follow(); if (events) { fetching?.abort("anew"); refresh(); } }
  addEventListener("pagehide", () => events?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) awake(); });
  addEventListener("online", awake);
  document.addEventListener("visibilitychange", awake);
  setInterval(() => {
    if (events?.readyState === EventSource.CLOSED) { follow(); refresh(); } else if (events && Date.now() > until) awake();
    // Who waits for a name to be free has no stream yet, or one that does not tell of it.
    else if (!document.hidden && document.querySelector("[data-looks-again]")) refresh();
  }, 2000);

  // A phone that sleeps long loses its page, and makes it anew: what was half given is kept for the same question

  const KEPT = "half given";
  const page = () => `${location.pathname}${location.search} ${question()?.dataset.question}`;
  const fields = () => [...question()?.querySelectorAll(":is(input:not([type=hidden], [type=file]), select, textarea):not(noscript *)") ?? []];
  const TICK = "[type=radio], [type=checkbox]", holds = (one) => one.matches(TICK) ? "checked" : "value";
  function keep() {
    const given = fields().map((one) => one[holds(one)]);
    const dice = [...question()?.querySelectorAll("[data-slot][data-value]") ?? []].map((one) => one.dataset.value);
    sessionStorage.setItem(KEPT, JSON.stringify({ page: page(), given, dice }));
  }
  function restore() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    sessionStorage.removeItem(KEPT);
    if (!kept || kept.page !== page() || kept.given.length !== fields().length) return;
    fields().forEach((one, at) => { one[holds(one)] = kept.given[at]; });
    kept.dice.forEach((face) => question().querySelector(`[data-face="${CSS.escape(face)}"]`)?.click());
  }
  addEventListener("visibilitychange", () => { if (document.hidden) keep(); });
  addEventListener("load", restore);

  // The camera's picture moves while nothing has been read

  function ready() {
    enough();
    document.querySelectorAll("details").forEach((one) => { if (!opened.has(one)) opened.set(one, one.open); });
    const picture = document.querySelector("[data-live-picture='1']");
    if (picture && !picture.dataset.going) { picture.dataset.going = "1"; setTimeout(() => look(picture), 300); }
  }
  function look(picture) {
    if (!document.contains(picture) || picture.dataset.livePicture !== "1") { delete picture.dataset.going; return; }
    if (document.hidden) { setTimeout(() => look(picture), 2000); return; }
    const next = new Image();
    next.onload = () => { if (picture.dataset.livePicture === "1") picture.src = next.src; setTimeout(() => look(picture), 300); };
    next.onerror = () => setTimeout(() => look(picture), 1500);
    next.src = picture.src.replace(/\?.*/, `?at=${Date.now()}`);
  }

  document.addEventListener("changed", ready);

  // This machine's own browser is let in by the link that it was opened with

  document.querySelector("form[data-at-once]")?.submit();

  // The secure page of a phone that has joined: from here, and not from the other page, the browser says who it is.

  const again = document.querySelector("[data-again]")?.dataset.again;
  if (again) location.replace(again);

  // A question that is higher than the window goes by with the page until its end is seen; the television is shown as it is, small.

  const measures = new ResizeObserver((changed) => changed.forEach(({ target: one }) => {
    one.style.setProperty("--tall", `${one.offsetHeight}px`);
    const screen = one.querySelector("iframe");
    if (screen) screen.style.scale = one.clientWidth / screen.width;
  }));
  const measure = () => document.querySelectorAll(".now, .television").forEach((one) => measures.observe(one));
  document.addEventListener("renewed", measure);

  measure();
  ready();
  follow();
})();
