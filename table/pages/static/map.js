// Maps and tapestries: what a place costs is said before it is pressed, and a card is laid by dragging or by two taps.
"use strict";
(() => {
  const pressable = (target) => target.closest?.("svg [data-act], svg [data-answer], svg [data-tendril]");
  let pointer = "mouse", chosen = null, lifted = "";

  // What would be done, what it costs, and how likely it goes well

  const line = (one) => one.closest("section")?.querySelector(".preview");

  function tell(one) {
    const place = line(one);
    if (!place || !one.dataset.says) return;
    const parts = [one.dataset.says, one.dataset.cost, one.dataset.odds].filter(Boolean);
    const words = parts.map((part, at) => { const bit = document.createElement(at ? "span" : "b"); bit.textContent = part; return bit; });
    place.replaceChildren(...words);
    const back = knot()?.dataset.back;
    if (back) {
      const take = button("Take one back");
      take.dataset.act = back;
      place.append(take);
    }
    if (one === chosen) place.append(button("Do it", () => press(one), { className: "first" }));
  }

  function button(words, pressed, more) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: words, ...more });
    if (pressed) made.addEventListener("click", pressed);
    return made;
  }

  function untell(one) {
    const place = line(one);
    if (place && lifted) tell(knot());
    else if (place && !chosen) place.textContent = place.dataset.idle;
  }

  // A tendril is pressed first, then the place it goes to: only where it can go is open meanwhile

  const knot = () => lifted ? document.querySelector(`[data-tendril="${CSS.escape(lifted)}"]`) : null;

  function lift(key) {
    const before = knot();
    lifted = key === lifted ? "" : key;
    const one = knot();
    if (!one) lifted = "";
    document.querySelectorAll("svg [data-walk]").forEach((part) => part.toggleAttribute("hidden", Boolean(one)));
    document.querySelectorAll("svg [data-reach]").forEach((part) => part.toggleAttribute("hidden", part.dataset.reach !== lifted));
    document.querySelectorAll("svg.map").forEach((map) => map.classList.toggle("lifting", Boolean(one)));
    before?.classList.remove("chosen");
    one?.classList.add("chosen");
    if (one) tell(one); else if (before) untell(before);
    return one;
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && lifted) { const one = knot(); lift(lifted); one.focus(); return; }
    if ((event.key !== "Enter" && event.key !== " ") || !event.target.matches?.("[data-tendril]")) return;
    event.preventDefault();
    lift(event.target.dataset.tendril)?.ownerSVGElement.querySelector("[data-reach]:not([hidden]) [data-act]").focus();
  });

  function press(one) {
    chosen = null;
    one.classList.remove("chosen");
    one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }

  document.addEventListener("pointerdown", (event) => { pointer = event.pointerType; }, true);
  document.addEventListener("pointerover", (event) => { const one = pressable(event.target); if (one && pointer !== "touch") tell(one); });
  document.addEventListener("pointerout", (event) => { const one = pressable(event.target); if (one) untell(one); });
  document.addEventListener("focusin", (event) => { const one = pressable(event.target); if (one) tell(one); });
  document.addEventListener("focusout", (event) => { const one = pressable(event.target); if (one) untell(one); });

  // A page that was made anew while something is pointed at goes on telling of it.
  document.addEventListener("renewed", () => {
    if (chosen && !document.contains(chosen)) chosen = null;
    chosen?.classList.add("chosen");
    if (lifted) { const key = lifted; lifted = ""; lift(key); }
    const one = chosen ?? (pointer === "touch" ? null : document.querySelector("svg [data-act]:hover, svg [data-answer]:hover"));
    if (one) tell(one);
  });

  // A finger sees nothing before it taps: the first tap chooses, the second one does it.
  document.addEventListener("click", (event) => {
    const one = pressable(event.target);
    if (!one || !event.isTrusted || !one.dataset.says) return;
    if (one.dataset.tendril) { event.stopPropagation(); lift(one.dataset.tendril); return; }
    // Where a tendril goes was chosen by pressing it, and what it costs was told then.
    if (pointer !== "touch" || one.closest("[data-reach]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (one === chosen) { press(one); return; }
    const before = chosen;
    chosen = null;
    if (before) { before.classList.remove("chosen"); untell(before); }
    chosen = one;
    one.classList.add("chosen");
    tell(one);
  }, true);
  document.addEventListener("keydown", () => { pointer = "key"; }, true);

  // Laying a card

  const ns = "http://www.w3.org/2000/svg";
  const svg = (name, given) => { const one = document.createElementNS(ns, name); for (const key in given) one.setAttribute(key, given[key]); return one; };

  function card(face, x, y, cell) {
    const group = svg("g", { transform: `translate(${x} ${y})` });
    face.forEach((row, r) => row.forEach((element, c) => {
      group.append(svg("rect", { class: "cell", x: c * cell, y: r * cell, width: cell, height: cell }));
      group.append(element
        ? svg("image", { href: `/art/element/${element}.svg`, x: c * cell + cell / 8, y: r * cell + cell / 8, width: cell * 0.75, height: cell * 0.75 })
        : svg("rect", { class: "box", x: c * cell + cell / 6, y: r * cell + cell / 6, width: cell * 2 / 3, height: cell * 2 / 3, rx: 2 }));
    }));
    return group;
  }

  class Laying {
    constructor(root) {
      this.root = root;
      this.known = JSON.parse(root.dataset.laying);
      this.drawing = root.querySelector("svg.tapestry");
      this.ghost = root.querySelector(".ghost");
      this.cell = Number(this.drawing.dataset.cell);
      this.origin = { left: Number(this.drawing.dataset.left), top: Number(this.drawing.dataset.top) };
      this.side = Object.keys(this.known.faces)[0];
      this.turn = this.known.turns[0];
      this.at = null;
      this.tools = document.createElement("div");
      this.tools.className = "tools";
      root.prepend(this.tools);
      this.draw();
      this.drawing.addEventListener("click", (event) => this.tapped(event));
      root.addEventListener("pointerdown", (event) => this.grab(event));
    }

    get face() { return this.known.faces[this.side][this.turn]; }

    draw() {
      const sides = Object.keys(this.known.faces).map((side) => {
        const face = this.known.faces[side][this.turn], drawn = button("", () => { this.side = side; this.draw(); }, { className: "drawn" });
        const picture = svg("svg", { viewBox: `-1 -1 ${face[0].length * 20 + 2} ${face.length * 20 + 2}`, width: face[0].length * 24, height: face.length * 24, "aria-hidden": "true" });
        picture.append(card(face, 0, 0, 20));
        drawn.setAttribute("aria-pressed", String(side === this.side));
        drawn.setAttribute("aria-label", `Side ${side} of the card`);
        drawn.dataset.side = side;
        drawn.append(picture);
        return drawn;
      });
      const turn = button("Turn ↻", () => {
        const turns = this.known.turns;
        this.turn = turns[(turns.indexOf(this.turn) + 1) % turns.length];
        if (this.at && !this.legal().some(([c, r]) => c === this.at[0] && r === this.at[1])) this.at = this.nearest(this.at);
        this.draw();
      });
      const lay = button("Lay it here", () => this.lay(), { className: "first", disabled: !this.at });
      this.tools.replaceChildren(...sides, ...(this.known.turns.length > 1 ? [turn] : []), ...(this.spotted ? [lay] : []));
      this.ghost.replaceChildren(...(this.at ? [this.outline(), card(this.face, ...this.point(this.at), this.cell)] : []));
      if (this.at) this.say();
    }

    get spotted() { return this.known.steps.includes("spot"); }
    legal() { return this.known.spots[this.turn % 2]; }
    point([column, row]) { return [(column - this.origin.left) * this.cell, (row - this.origin.top) * this.cell]; }
    nearest([column, row]) {
      return this.legal().reduce((best, one) => Math.hypot(one[0] - column, one[1] - row) < Math.hypot(best[0] - column, best[1] - row) ? one : best);
    }

    covers([column, row]) {
      const [left, top] = this.at;
      return column >= left && column < left + this.face[0].length && row >= top && row < top + this.face.length;
    }

    outline() {
      const [x, y] = this.point(this.at);
      return svg("rect", { class: "shade", x: x - 1, y: y - 1, width: this.face[0].length * this.cell + 2, height: this.face.length * this.cell + 2, rx: 3 });
    }

    say() {
      const covered = this.known.threads.filter((thread) => this.covers(thread)).length;
      const words = covered ? `Here it covers ${covered} thread${covered === 1 ? "" : "s"}, which come${covered === 1 ? "s" : ""} back.` : "Here it covers no thread.";
      this.root.querySelector(".preview").textContent = `${words} Tap the card again to lay it.`;
    }

    spot(event) {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.drawing.getScreenCTM().inverse());
      return [point.x / this.cell + this.origin.left, point.y / this.cell + this.origin.top];
    }

    // The middle of the card comes to lie where the finger is.
    under(event) {
      const [column, row] = this.spot(event);
      return this.nearest([column - this.face[0].length / 2, row - this.face.length / 2]);
    }

    tapped(event) {
      if (!this.spotted || this.dragged) { this.dragged = false; return; }
      const spot = this.spot(event).map(Math.floor);
      if (this.at && this.covers(spot)) { this.lay(); return; }
      this.at = this.nearest(spot);
      this.draw();
    }

    grab(event) {
      const from = event.target.closest(".drawn, .ghost");
      if (!from || !this.spotted) return;
      const begun = [event.clientX, event.clientY];
      if (from.dataset?.side) this.side = from.dataset.side;
      const move = (moved) => {
        if (!this.dragged && Math.hypot(moved.clientX - begun[0], moved.clientY - begun[1]) < 8) return;
        this.dragged = true;
        this.at = this.under(moved);
        this.ghost.replaceChildren(this.outline(), card(this.face, ...this.point(this.at), this.cell));
      };
      const inside = (over) => { const box = this.drawing.getBoundingClientRect(); return over.clientX >= box.left && over.clientX <= box.right && over.clientY >= box.top && over.clientY <= box.bottom; };
      const end = (over) => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
        if (!this.dragged) return;
        setTimeout(() => { this.dragged = false; });
        if (over.type === "pointerup" && inside(over)) this.lay(); else { this.at = null; this.draw(); }
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", end);
      addEventListener("pointercancel", end);
    }

    lay() {
      const answers = { side: this.side, turns: String(this.turn), spot: this.at?.join("/") };
      this.root.dispatchEvent(new CustomEvent("answers", { bubbles: true, detail: this.known.steps.map((step) => answers[step]) }));
    }
  }

  function begin() {
    document.querySelectorAll("[data-laying]:not([data-begun])").forEach((root) => { root.dataset.begun = ""; new Laying(root); });
    if (chosen && !document.contains(chosen)) chosen = null;
  }
  new MutationObserver(begin).observe(document.getElementById("main"), { childList: true, subtree: true });
  begin();
})();
