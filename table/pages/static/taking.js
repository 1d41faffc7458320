// Taking dice: what the camera reads appears without the rest of the page, and each tap on a face is a die.
"use strict";
(() => {
  const taking = () => document.getElementById("taking");

  // The camera's part of the page, by itself

  const follow = inTurn(async () => {
    try {
      const answer = await fetch(taking().dataset.taking, { headers: { Accept: "text/html" } });
      if (answer.ok && !answer.redirected) show(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("taking"));
    } catch { /* it is gone, or the connection is, and the page says so */ }
  });

  function show(fresh) {
    const old = taking();
    // A part of another state of the table comes with the whole page.
    if (!fresh || !old || fresh.dataset.revision !== old.dataset.revision) return;
    // Meanwhile they are tapped or typed.
    if (fresh.classList.contains("lost") && !old.classList.contains("lost")) document.querySelector(".by-hand")?.setAttribute("open", "");
    morph(old, fresh);
    document.dispatchEvent(new Event("changed"));
  }

  // Where hands lead, more of the page has changed than what is asked.
  const leads = () => document.querySelector("#hands[data-leads]");
  document.addEventListener("camera", (event) => { if (taking() && !leads()) { event.preventDefault(); follow(); } });

  // A die in the picture is put right like its tile

  const fix = (event) => {
    const box = event.target.closest?.("[data-fix]");
    if (!box) return;
    event.preventDefault();
    document.getElementById(`fix-${box.dataset.fix}`)?.showPopover();
  };
  document.addEventListener("click", fix);
  document.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") fix(event); });

  // On a wide page the faces appear below what was pressed; on a phone at its foot, near the thumb.
  document.addEventListener("toggle", (event) => {
    const faces = event.target, tile = document.querySelector(`[popovertarget="${faces.id}"]`);
    if (!faces.matches?.(".fix") || event.newState !== "open" || !tile) return;
    const wide = matchMedia("(min-width: 44rem)").matches, at = tile.getBoundingClientRect(), own = faces.getBoundingClientRect();
    faces.classList.toggle("placed", wide);
    faces.style.left = wide ? `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px` : "";
    faces.style.top = wide ? `${at.bottom + own.height + 8 > innerHeight ? at.top - own.height - 6 : at.bottom + 6}px` : "";
  }, true);

  // Dice by hand: the last tap takes them all

  function tapped(form, face) {
    const slots = [...form.querySelectorAll("[data-slot]")];
    const slot = slots.find((one) => !one.dataset.value);
    if (slot) {
      slot.dataset.value = face.dataset.face;
      slot.replaceChildren(...[...face.childNodes].map((one) => one.cloneNode(true)));
      slot.disabled = false;
      slot.setAttribute("aria-label", `Die ${Number(slot.dataset.slot) + 1}: ${face.getAttribute("aria-label")}. Take it off`);
    }
    const values = slots.length ? slots.map((one) => one.dataset.value) : [face.dataset.face];
    if (values.some((one) => !one)) return;
    form.querySelectorAll("input.tapped").forEach((one) => one.remove());
    values.forEach((value) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "answer", value, className: "tapped" });
      form.append(field);
    });
    form.requestSubmit();
  }

  function emptied(slot) {
    delete slot.dataset.value;
    slot.replaceChildren();
    slot.disabled = true;
    slot.setAttribute("aria-label", `Die ${Number(slot.dataset.slot) + 1}: not tapped yet`);
  }

  document.addEventListener("click", (event) => {
    const face = event.target.closest("[data-face]"), slot = event.target.closest("[data-slot]");
    if (face) tapped(face.form, face);
    else if (slot?.dataset.value) emptied(slot);
  });
})();
