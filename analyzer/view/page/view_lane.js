// What lanes have in common: each can be folded, asks for nothing then, and has its table; those of a
// value over time are drawn alike.
import { markText, niceStep } from '/view_time.js';
import { askJson } from '/view_data.js';
import { make } from '/view_panel.js';

const KNOWN = 1, UNSEEN = 2, SHARP = 4;

export function numberText(value) {
  return value === null ? '?' : Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(2) : String(Number(value.toPrecision(6)));
}

// A lane: its fold, its canvas and its table. A subclass has path(), height(), paint() and table().
export class Lane {
  constructor(parent, view, name, title, isOpen) {
    this.view = view;
    this.name = name;
    this.fold = make('details', null, parent);
    this.fold.className = 'lane';
    this.fold.dataset.lane = name;
    make('summary', title, this.fold);
    this.controls = make('p', null, this.fold);
    this.controls.className = 'controls';
    this.canvas = make('canvas', null, this.fold);
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', title + '; the table below has the numbers');
    this.said = make('p', null, this.fold);
    this.said.className = 'note';
    const behind = make('details', null, this.fold);
    behind.className = 'behind';
    make('summary', 'Table', behind);
    const scroll = make('div', null, behind);
    scroll.className = 'scroll';
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', 'Table of: ' + title);
    this.rows = make('table', null, scroll);
    this.context = this.canvas.getContext('2d');
    this.asked = 0;
    this.told = null;
    this.fold.open = isOpen;
    this.fold.addEventListener('toggle', () => this.ask());
    this.canvas.addEventListener('wheel', event => view.wheel(event), { passive: false });
    this.beDragged();
  }

  // Along the clock; fingers that go up or down scroll the page.
  beDragged() {
    let dragged = null;
    this.canvas.tabIndex = 0;
    this.canvas.addEventListener('pointerdown', event => {
      if (event.button !== 0 || dragged) return;
      this.canvas.setPointerCapture(event.pointerId);
      this.canvas.focus({ preventScroll: true });
      dragged = { id: event.pointerId, x: event.clientX, from: this.view.shown.from };
    });
    this.canvas.addEventListener('pointermove', event => {
      if (dragged && event.pointerId === dragged.id) this.view.moveTo(dragged.from, event.clientX - dragged.x);
    });
    ['pointerup', 'pointercancel'].forEach(kind => this.canvas.addEventListener(kind, event => {
      if (dragged && event.pointerId === dragged.id) dragged = null;
    }));
  }

  range(shown) {
    return '?from=' + Math.floor(shown.from) + '&to=' + Math.ceil(shown.to) +
           '&cells=' + Math.max(16, Math.min(1024, Math.floor(this.view.plotWidth / 2)));
  }

  async ask() {
    const shown = this.view.shown, turn = ++this.asked, path = this.fold.open || this.isNeeded ? this.path(shown) : null;
    if (!path) return;
    try {
      const told = await askJson(path);
      if (turn !== this.asked) return;
      this.told = told;
      this.rows.replaceChildren();
      this.table(told, shown);
      this.draw(shown);
      Object.assign(this.fold.dataset, { from: told.from, to: told.to });
    } catch (error) {
      this.view.failed(error.message);
    }
  }

  x(shown, ticks) {
    return this.view.left + (ticks - shown.from) / shown.span * this.view.plotWidth;
  }

  // What was told last, where it is now.
  draw(shown) {
    if (!this.fold.open || !this.told) return;
    const scale = devicePixelRatio || 1, context = this.context, height = this.height();
    this.canvas.style.height = height + 'px';
    this.width = this.canvas.clientWidth;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.save();
    context.beginPath();
    context.rect(this.view.left, 0, this.view.plotWidth, height);
    context.clip();
    this.paint(context, shown, height);
    context.restore();
    this.label(context, height);
  }

  label() {}

  head(words) {
    const row = make('tr', null, make('thead', null, this.rows));
    words.forEach(word => { make('th', word, row).scope = 'col'; });
    return make('tbody', null, this.rows);
  }

  // A row of cells: [text, value] or text.
  line(body, cells) {
    const row = make('tr', null, body);
    cells.forEach((cell, at) => {
      const element = make(at === 0 ? 'th' : 'td', Array.isArray(cell) ? cell[0] : cell, row);
      if (at === 0) element.scope = 'row';
      if (Array.isArray(cell)) element.dataset.value = cell[1];
    });
    return row;
  }

  at(shown, ticks) {
    const ns = shown.nsAt(ticks);
    return [markText(ns, niceStep(shown.span * shown.nsPerTick / 1000)), ns];
  }
}

// A value over time: a line where it is known, a band where it was somewhere between two numbers.
export class ValueLane extends Lane {
  height() { return 84; }

  text(value) { return numberText(value); }

  extent() {
    const told = this.told, shown = this.view.shown;
    let low = Infinity, high = -Infinity;
    const take = (...values) => values.forEach(value => {
      if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
    });
    (told.steps || []).forEach(([time, value, least, most, , flags], at, steps) => {
      const before = at > 0 ? steps[at - 1][0] : time;
      const until = at + 1 < steps.length ? steps[at + 1][0] : this.goesOn ? Infinity : time;
      if (until >= shown.from && time <= shown.to) take(value);
      if (!(flags & (UNSEEN | SHARP)) && time >= shown.from && before <= shown.to) take(least, most);
    });
    const width = told.cells ? (told.to - told.from) / told.cells.length : 0;
    (told.cells || []).forEach((cell, at) => {
      if (cell && told.from + (at + 1) * width >= shown.from && told.from + at * width <= shown.to) take(cell[0], cell[1]);
    });
    if (low > high) return null;
    return low >= 0 && low < high / 2 ? [0, high] : [low, high];
  }

  paint(context, shown, height) {
    const extent = this.extent();
    this.extentShown = extent;
    if (!extent) return;
    const room = height - 14, span = extent[1] - extent[0] || 1;
    const y = value => 7 + room - (value - extent[0]) / span * room;
    if (this.told.steps) this.paintSteps(context, shown, y);
    else this.paintCells(context, shown, y);
  }

  paintSteps(context, shown, y) {
    const steps = this.told.steps, colour = this.view.colour('accent');
    const last = steps.length - 1;
    for (let at = 0; at <= last; at++) {
      const [time, value] = steps[at], x = this.x(shown, time);
      const next = at < last ? steps[at + 1] : null;
      context.globalAlpha = 1;
      context.fillStyle = colour;
      if (!next) {
        if (this.goesOn) context.fillRect(x, y(value) - .75, Math.max(0, this.view.left + this.view.plotWidth - x), 1.5);
        else context.fillRect(x - 1.5, y(value) - 1.5, 3, 3);
        break;
      }
      const [then, after, low, high, since, flags] = next;
      const end = this.x(shown, then), sure = this.x(shown, flags & SHARP ? then : since);
      context.fillRect(x, y(value) - .75, Math.max(1.5, sure - x), 1.5);
      if (flags & SHARP) {
        context.fillRect(end - .75, Math.min(y(value), y(after)), 1.5, Math.abs(y(value) - y(after)));
      } else if (!(flags & UNSEEN)) {
        context.globalAlpha = flags & KNOWN ? .4 : .18;
        context.fillRect(sure, y(high) - 1, Math.max(1, end - sure), y(low) - y(high) + 2);
        context.globalAlpha = 1;
        context.fillRect(end - 1.5, y(after) - 1.5, 3, 3);
      }
    }
    context.globalAlpha = 1;
  }

  paintCells(context, shown, y) {
    const told = this.told, width = (told.to - told.from) / told.cells.length;
    context.fillStyle = this.view.colour('accent');
    told.cells.forEach((cell, at) => {
      if (!cell) return;
      const x = this.x(shown, told.from + at * width), end = this.x(shown, told.from + (at + 1) * width);
      context.globalAlpha = cell[3] & SHARP ? .8 : cell[3] & KNOWN ? .5 : .3;
      context.fillRect(x, y(cell[1]) - .75, Math.max(1, end - x), y(cell[0]) - y(cell[1]) + 1.5);
    });
    context.globalAlpha = 1;
  }

  label(context, height) {
    const extent = this.extentShown;
    this.said.textContent = !extent ? 'Nothing is known of it in this time.' : this.note();
    if (!extent) return;
    context.fillStyle = this.view.colour('soft');
    context.textAlign = 'right';
    context.fillText(this.text(extent[1]), this.view.left - 6, 8);
    context.fillText(this.text(extent[0]), this.view.left - 6, height - 8);
    context.textAlign = 'left';
  }

  note() { return ''; }

  table(told, shown) {
    const body = this.head(['until', 'value then', 'least since before', 'greatest since before', 'how sure']);
    const sure = flags => flags & SHARP ? 'exact' : flags & UNSEEN ? 'not observed since before'
      : flags & KNOWN ? 'bounds are known' : 'between two samples nothing is known';
    (told.steps || []).forEach(([time, value, low, high, , flags]) =>
      this.line(body, [this.at(shown, time), [this.text(value), value], [this.text(low), low], [this.text(high), high], sure(flags)]));
    const cells = told.cells || [], part = Math.max(1, Math.ceil(cells.length / 64)), width = (told.to - told.from) / cells.length;
    for (let at = 0; at < cells.length; at += part) {
      const some = cells.slice(at, at + part).filter(cell => cell);
      if (!some.length) continue;
      const low = Math.min(...some.map(cell => cell[0])), high = Math.max(...some.map(cell => cell[1]));
      const last = some[some.length - 1][2];
      const until = told.from + Math.min(at + part, cells.length) * width;
      this.line(body, [this.at(shown, until), [this.text(last), last], [this.text(low), low],
        [this.text(high), high], sure(some.reduce((flags, cell) => flags | cell[3], 0) & ~UNSEEN)]);
    }
  }
}
