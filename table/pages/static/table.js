// The pages work without this script. With it they send forms without leaving the page, and follow the table live.
"use strict";
(() => {
  const body = document.body, main = document.getElementById("main"), live = document.getElementById("live");
  const lost = document.getElementById("lost");
  const json = { Accept: "application/json" };
  let revision = Number(body.dataset.revision ?? -1), fetching = null, again = false, insist = false, sending = Promise.resolve();

  // Words

  const announce = (words) => { live.textContent = ""; setTimeout(() => { live.textContent = words; }, 60); };

  function note(words, trouble) {
    const place = document.getElementById("note");
    place.replaceChildren();
    if (!words) return;
    const box = document.createElement("div"), text = document.createElement("p");
    box.className = trouble ? "note trouble" : "note";
    box.setAttribute("role", trouble ? "alert" : "status");
    text.textContent = words;
    box.append(text);
    place.append(box);
    place.dataset.kept = "1";
    const top = box.getBoundingClientRect().top;
    if (trouble && (top < 60 || top > innerHeight)) box.scrollIntoView({ block: "center" });
  }

  function connection(words) { lost.textContent = words; lost.hidden = !words; }

  // Replacing what has changed, and nothing else

  const seen = new Map();
  const sections = (root) => [...root.querySelectorAll("[data-section]")];
  const remember = () => sections(document).forEach((one) => seen.set(one.dataset.section, one.outerHTML));

  function keeping(act) {
    const at = document.activeElement, key = at && at !== body ? marking(at) : null;
    const opened = new Set([...main.querySelectorAll("details[open]")].map(marking));
    const y = scrollY;
    act();
    main.querySelectorAll("details:not([open])").forEach((one) => { if (opened.has(marking(one))) one.open = true; });
    if (key && !document.contains(at)) {
      const same = [...main.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")]
        .find((one) => marking(one) === key);
      const instead = same || document.getElementById("asked-title");
      if (instead) {
        if (!same) instead.tabIndex = -1;
        instead.focus({ preventScroll: true });
      }
    }
    scrollTo({ top: y, behavior: "instant" });
  }

  function marking(one) {
    if (one.id) return `#${one.id}`;
    const around = one.closest("[data-section], form");
    return [around?.dataset?.section ?? around?.getAttribute("action") ?? "", one.localName, one.name ?? "", one.value ?? "",
      one.getAttribute("data-act") ?? "", one.getAttribute("aria-label") ?? "",
      one.localName === "details" ? one.querySelector("summary")?.textContent : one.textContent.slice(0, 60)].join("|");
  }

  const typing = (section) => [...section.querySelectorAll("input:not([type=hidden]), textarea, select")]
    .some((one) => one.type === "radio" || one.type === "checkbox" ? one.checked !== one.defaultChecked
      : one.localName === "select" ? one.selectedIndex > 0 && !one.options[one.selectedIndex].defaultSelected
      : one.value !== one.defaultValue);

  function morph(fresh, newRevision, wanted) {
    const there = sections(document), come = new Map(sections(fresh).map((one) => [one.dataset.section, one]));
    const names = there.map((one) => one.dataset.section);
    const whole = names.join() !== [...come.keys()].join();
    keeping(() => {
      if (whole) {
        // What was just said stays, unless the page has something newer to say.
        const said = main.querySelector("[data-section=note]");
        main.replaceChildren(...document.adoptNode(fresh.getElementById("main")).childNodes);
        const silent = main.querySelector("[data-section=note]");
        if (said && silent && !silent.textContent.trim()) silent.replaceWith(said);
        remember();
        return;
      }
      for (const old of there) {
        const name = old.dataset.section, next = come.get(name), html = next.outerHTML;
        if (name === "note" && !next.textContent.trim()) continue;
        if (seen.get(name) === html) continue;
        // What somebody is typing stays while the question is the same, unless they asked for something else.
        if (!wanted && newRevision === revision && typing(old)) continue;
        seen.set(name, html);
        const placed = document.adoptNode(next);
        old.replaceWith(placed);
        if (name !== "note") placed.classList.add("fresh");
      }
    });
  }

  async function refresh(address = location.href, wanted = false) {
    if (fetching) { again = true; insist ||= wanted; return; }
    fetching = new AbortController();
    try {
      const answer = await fetch(address, { signal: fetching.signal, headers: { Accept: "text/html" } });
      if (answer.redirected && new URL(answer.url).pathname !== new URL(address, location.href).pathname) {
        location.assign(answer.url);
        return;
      }
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!fresh.getElementById("main")) return;
      const newRevision = Number(fresh.body.dataset.revision ?? -1);
      const before = document.querySelector("[data-announce]")?.dataset.announce;
      const told = document.querySelector(".news li")?.textContent;
      morph(fresh, newRevision, wanted);
      if (newRevision !== revision) document.querySelectorAll("input[name=revision]").forEach((one) => { one.value = newRevision; });
      revision = newRevision;
      const asked = document.querySelector("[data-announce]")?.dataset.announce;
      const news = document.querySelector(".news li")?.textContent;
      const words = [news !== told ? news : "", asked !== before ? asked : ""].filter(Boolean).join(" ");
      if (words) announce(words);
      connection("");
      ready();
    } catch (trouble) {
      if (trouble.name !== "AbortError") connection("The connection to the table is lost. It is tried again; nothing is lost.");
    } finally {
      fetching = null;
      if (again) { const now = insist; again = insist = false; refresh(location.href, now); }
    }
  }

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
        ? json : { ...json, "Content-Type": "application/json" }, body: content });
      const said = await answer.json().catch(() => ({ error: "The table did not answer as it should; try again." }));
      if (said.error) { note(said.error, true); if (answer.status === 409) await refresh(); return null; }
      return said;
    } catch {
      connection("The connection to the table is lost. It is tried again; nothing is lost.");
      note("This did not reach the table; try again when the connection is back.", true);
      return null;
    } finally { finished(); control?.removeAttribute("aria-busy"); }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target, by = event.submitter;
    if (!form.matches("[data-live]")) return;
    event.preventDefault();
    const content = new FormData(form, by);
    const files = form.querySelector("input[type=file]");
    const said = await send(form.getAttribute("action"), files ? content : new URLSearchParams(content), by);
    if (!said) return;
    note(said.says);
    const then = form.dataset.then;
    if (then && then !== location.pathname) { location.assign(then); return; }
    if (then && location.search) history.replaceState(null, "", then);
    form.reset();
    await refresh();
  });

  // Printing: the file is made while the page stays

  document.addEventListener("submit", async (event) => {
    const form = event.target, by = event.submitter;
    if (!form.matches("[data-download]")) return;
    event.preventDefault();
    const wanted = new URLSearchParams(new FormData(form, by));
    if (by?.hasAttribute("data-whole")) { wanted.delete("what"); wanted.set("what", by.value); }
    if (!wanted.has("what")) { note("Tick what is to be printed first.", true); return; }
    note("It is being printed; large kits take up to a minute.");
    by?.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`${form.getAttribute("action")}?${wanted}`, { headers: json });
      if (!answer.ok) { note((await answer.json()).error, true); return; }
      const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "loomtable.pdf");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await answer.blob());
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      note(`Printed: ${name} is among the downloads.`);
    } catch { note("The file could not be fetched; try again.", true); } finally { by?.removeAttribute("aria-busy"); }
  });

  async function play(one) {
    const answer = one.getAttribute("data-answer"), act = one.getAttribute("data-act");
    const base = `/api/play/${encodeURIComponent(body.dataset.sitting).replaceAll("%2F", "/")}/`;
    const said = answer !== null
      ? await send(`${base}answer`, JSON.stringify({ revision, answer: JSON.parse(answer).keys }), one)
      : await send(`${base}act`, JSON.stringify({ revision, action: JSON.parse(act).name, args: JSON.parse(act).args }), one);
    if (said) { note(said.says); await refresh(); }
  }

  document.addEventListener("click", (event) => {
    const played = event.target.closest("[data-act], [data-answer]");
    if (played && body.dataset.sitting) { event.preventDefault(); play(played); return; }
    const link = event.target.closest("a[data-act-link]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(link.href);
    }
  });

  async function open(address) {
    history.pushState(null, "", address);
    note("");
    await refresh(address, true);
    const title = document.getElementById("asked-title");
    if (title) { title.tabIndex = -1; title.focus({ preventScroll: true }); title.scrollIntoView({ block: "nearest" }); }
  }
  addEventListener("popstate", () => refresh(location.href, true));

  // Keys

  const press = (id) => { const one = document.getElementById(id); if (one && !one.disabled) { one.click(); return true; } return false; };
  document.addEventListener("keydown", (event) => {
    const at = event.target;
    if ((event.key === "Enter" || event.key === " ") && at.matches("[data-act], [data-answer]") && !at.matches("button, a")) {
      event.preventDefault();
      at.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    if (event.key === "Escape" && document.getElementById("act-form")) { open(document.getElementById("act-form").dataset.then); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || at.matches("input:not([type=radio]):not([type=checkbox]), textarea, select")) return;
    const sitting = body.dataset.sitting && location.pathname.match(/^(\/table\/.*?)(\/(journal|rulings).*)?$/);
    const done = event.key === "?" ? (location.assign("/help"), true)
      : event.key === "u" ? press("undo") : event.key === "r" ? press("chance") : event.key === "a" ? press("accept")
      : event.key === "j" && sitting ? (location.assign(`${sitting[1]}/journal`), true)
      : event.key === "t" && sitting ? (location.assign(sitting[1]), true)
      : event.key === "/" ? (document.getElementById("find-act")?.focus(), !!document.getElementById("find-act"))
      : /^[1-9]$/.test(event.key) ? !!document.querySelector(`[data-key="${event.key}"]`)?.click() || !!document.querySelector(`[data-key="${event.key}"]`)
      : false;
    if (done) event.preventDefault();
  });

  // Finding in a list

  document.addEventListener("input", (event) => {
    const what = event.target.dataset.filter;
    if (!what) return;
    const words = event.target.value.trim().toLowerCase().split(/\s+/);
    document.querySelectorAll(what).forEach((one) => {
      const text = one.textContent.toLowerCase();
      (one.closest("li") ?? one).hidden = !words.every((word) => text.includes(word));
    });
    document.querySelectorAll("[data-filter-group]").forEach((one) => { one.hidden = !one.querySelector("li:not([hidden])"); });
  });

  // Light and dark, without leaving the page

  document.addEventListener("change", (event) => { if (event.target.matches("[data-send-on-change]")) event.target.form.requestSubmit(); });

  // Following the table

  function follow() {
    if (!body.dataset.events) return;
    const events = new EventSource(body.dataset.events);
    events.addEventListener("open", () => { if (!lost.hidden) refresh(); connection(""); });
    events.addEventListener("play", (event) => { if (JSON.parse(event.data).revision !== revision) refresh(); });
    events.addEventListener("camera", () => refresh());
    events.addEventListener("devices", () => { if (location.pathname.startsWith("/devices")) refresh(); });
    events.addEventListener("closed", () => { events.close(); connection("This device is not at the table any more. Ask the host for a new code."); });
    events.addEventListener("error", () => connection("The connection to the table is lost. It is tried again; nothing is lost."));
    addEventListener("pagehide", () => events.close());
  }

  // The camera's picture moves while nothing has been read

  function ready() {
    const picture = document.querySelector("[data-live-picture='1']");
    if (picture && !picture.dataset.going) { picture.dataset.going = "1"; setTimeout(() => look(picture), 700); }
  }
  function look(picture) {
    if (!document.contains(picture)) return;
    if (document.hidden) { setTimeout(() => look(picture), 2000); return; }
    const next = new Image();
    next.onload = () => { if (document.contains(picture)) picture.src = next.src; setTimeout(() => look(picture), 700); };
    next.onerror = () => setTimeout(() => look(picture), 3000);
    next.src = picture.src.replace(/\?.*/, `?at=${Date.now()}`);
  }

  remember();
  ready();
  follow();
})();
