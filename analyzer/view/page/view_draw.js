// The picture: an axis of time, a row for each rank; states, or single calls where they are few.
import { FINE } from '/view_data.js';
import { Rows } from '/view_rows.js';
import { drawAccesses } from '/view_actions.js';
import { PALE } from '/view_filter.js';
import { niceStep, markText } from '/view_time.js';

const AXIS = 22, LEFT = 74, ROW_MOST = 72, LANES_MOST = 5;

export class Picture {
  constructor(canvas, meta, places) {
    this.places = places;
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.meta = meta;
    this.rows = new Rows(places.count);
    this.drawn = []; // what can be clicked: [x, y, width, height, call]
    this.lines = []; // messages: [x, y, x, y, message]
    this.filter = null; // what is of no communicator that is asked for is pale: view_filter.js
    this.overlays = []; // draw(context, shown, picture) over all that
    this.readStyle();
    this.resize();
  }

  readStyle() {
    const style = getComputedStyle(document.documentElement);
    this.style = name => style.getPropertyValue('--' + name).trim();
    this.states = this.meta.states.concat(this.meta.other_states).map(state => this.style(state.key));
    this.ink = this.style('ink'); this.soft = this.style('soft'); this.card = this.style('card');
    this.line = this.style('line'); this.faint = this.style('faint'); this.accent = this.style('accent');
  }

  // States' colours as numbers; null: what is idle is left empty.
  colours() {
    const keys = this.meta.states.concat(this.meta.other_states).map(state => state.key);
    return this.states.map((text, state) =>
      keys[state] === 'idle' ? null : [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16)));
  }

  resize() {
    const scale = devicePixelRatio || 1;
    this.canvas.style.maxHeight = AXIS + this.places.count * ROW_MOST + 2 + 'px';
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.rows.count = this.places.count;
    this.rows.resize(this.height - AXIS);
  }

  get fit() { return this.rows.fit; }

  get rowHeight() { return this.rows.height; }

  get plotWidth() { return Math.max(50, this.width - LEFT); }

  x(shown, ticks) { return LEFT + (ticks - shown.from) / shown.span * this.plotWidth; }

  // The upper edge of a place, and of a row that has one.
  topOf(shown, place) { return AXIS + (place - shown.first) * this.rowHeight; }

  top(shown, row) { return this.topOf(shown, this.places.placeOf(row)); }

  // The middle of a row; of one that is not shown, the edge that it is beyond.
  middle(shown, row) {
    return AXIS + Math.max(-.2, Math.min(this.fit + .2, this.places.placeOf(row) - shown.first + .5)) * this.rowHeight;
  }

  draw(shown, data, chosen, chosenBand) {
    const context = this.context, near = data.nearFor(shown);
    context.fillStyle = this.card;
    context.fillRect(0, 0, this.width, this.height);
    this.drawn = [];
    this.lines = [];
    context.save();
    context.beginPath();
    context.rect(LEFT, AXIS, this.plotWidth, this.fit * this.rowHeight);
    context.clip();
    this.drawStates(shown, data, near);
    if (near) {
      this.bands.draw(shown, near, true, chosenBand);
      this.drawCalls(shown, near, chosen);
      this.bands.draw(shown, near, false, chosenBand);
      this.drawWaits(shown, near);
      drawAccesses(this, shown, near);
      this.drawMessages(shown, near);
    }
    this.overlays.forEach(draw => draw(context, shown, this));
    context.restore();
    this.drawRows(shown);
    this.drawAxis(shown);
    Object.assign(this.canvas.dataset, { from: shown.from, to: shown.to, first: shown.first, rows: this.fit,
      left: LEFT, top: AXIS, rowHeight: this.rowHeight, shows: near ? 'calls' : 'states' });
  }

  drawStates(shown, data, near) {
    const context = this.context;
    context.imageSmoothingEnabled = false;
    context.globalAlpha = near ? .35 : 1;
    data.forTiles(shown, this.plotWidth, this.rows, (picture, from, to, first, rows) => {
      const x = this.x(shown, from), width = this.x(shown, to) - x;
      if (this.rows.isThin) {
        this.drawTile(picture, Math.round(x), Math.round(x + width), AXIS + (first - shown.first) * this.rowHeight,
                      AXIS + (first + rows - shown.first) * this.rowHeight, near ? .35 : 1);
        return;
      }
      for (let place = shown.first; place < Math.min(shown.first + this.fit, this.places.count); place++) {
        const row = data.isByPlace(this.rows) ? place : this.places.rows[place];
        if (row < first || row >= first + rows) continue;
        const y = this.topOf(shown, place);
        context.fillStyle = this.card;
        context.globalAlpha = 1;
        context.fillRect(x, y, width, this.rowHeight);
        context.globalAlpha = near ? .35 : 1;
        context.drawImage(picture, 0, (row - first) * FINE, picture.width, FINE, x, y + 1, width, this.rowHeight - 2);
      }
    });
    context.globalAlpha = 1;
  }

  // Tiles of thin rows lie side by side without gaps and seams.
  drawTile(picture, left, right, top, bottom, alpha) {
    const context = this.context, from = Math.round(top), height = Math.round(bottom) - from;
    context.globalAlpha = 1;
    context.fillStyle = this.card;
    context.fillRect(left, from, right - left, height);
    context.globalAlpha = alpha;
    context.drawImage(picture, left, from, right - left, height);
  }

  drawCalls(shown, near, chosen) {
    const context = this.context;
    const gap = this.rows.gap;
    const deepest = new Map(); // by row
    for (const [, row, depth] of near.calls) deepest.set(row, Math.max(deepest.get(row) || 0, depth));
    context.textBaseline = 'middle';
    for (const call of near.calls) {
      const [number, row, depth, enter, leave, name, state] = call;
      context.globalAlpha = this.filter && !this.filter.hasCall(near, call) ? PALE : 1;
      const x = Math.max(LEFT, this.x(shown, enter)), end = Math.min(this.width, this.x(shown, leave));
      if (end < LEFT || x > this.width) continue;
      const lanes = this.rows.isThin ? 1 : Math.min(LANES_MOST, 1 + deepest.get(row));
      const lane = (this.rowHeight - 2 * gap) / lanes, at = Math.min(depth, lanes - 1);
      const width = Math.max(1, end - x), y = this.top(shown, row) + gap + at * lane;
      const height = Math.max(1, (state === null ? lane : (lanes - at) * lane) - gap / 2);
      context.fillStyle = state === null ? this.faint : this.states[state];
      context.fillRect(x, y, width, height);
      if (state === null && width > 2) {
        context.strokeStyle = this.soft;
        context.strokeRect(x + .5, y + .5, width - 1, height - 1);
      }
      if (number === chosen) {
        context.strokeStyle = this.ink;
        context.lineWidth = 2;
        context.strokeRect(x - 1, y - 1, width + 2, height + 2);
        context.lineWidth = 1;
      }
      if (width > 28 && lane > 9) this.drawName(near.names[name], x, y, width, Math.min(height, lane), state);
      this.drawn.push([x, y, width, height, call]);
    }
    context.globalAlpha = 1;
  }

  // Black is seen on all colours of states.
  drawName(name, x, y, width, height, state) {
    const context = this.context;
    context.save();
    context.font = Math.max(9, Math.min(12, height - 3)) + 'px system-ui, sans-serif';
    context.beginPath();
    context.rect(x, y, width - 2, height);
    context.clip();
    context.fillStyle = state === null ? this.ink : '#000';
    context.fillText(name, x + 3, y + height / 2);
    context.restore();
  }

  // What of a call is waiting: a bar at its foot.
  drawWaits(shown, near) {
    const context = this.context, colour = this.states[this.meta.states.length - 1];
    for (const wait of near.waits) {
      const [row, from, to] = wait, isPale = this.filter && !this.filter.hasWait(near, wait);
      const x = this.x(shown, from), width = Math.max(1, this.x(shown, to) - x);
      const height = this.rows.isThin ? this.rowHeight / 2 : Math.max(3, this.rowHeight / 5);
      const y = this.top(shown, row) + this.rowHeight - height - this.rows.gap;
      context.fillStyle = this.card;
      context.fillRect(x, y - 1, width, height + 1);
      context.fillStyle = colour;
      context.globalAlpha = isPale ? PALE : 1;
      context.fillRect(x, y, width, height);
      context.globalAlpha = 1;
    }
  }

  drawMessages(shown, near) {
    const context = this.context;
    context.strokeStyle = this.ink;
    context.fillStyle = this.ink;
    for (const message of near.messages) {
      if (this.filter && !this.filter.hasMessage(near, message)) continue;
      const [, sender, sent, receiver, received] = message;
      if (this.places.placeOf(sender) === null || this.places.placeOf(receiver) === null) continue;
      const x = this.x(shown, sent), y = this.middle(shown, sender);
      const toX = this.x(shown, received), toY = this.middle(shown, receiver);
      if (Math.max(x, toX) < LEFT || Math.min(x, toX) > this.width) continue;
      context.globalAlpha = .75;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(toX, toY);
      context.stroke();
      context.beginPath();
      context.arc(toX, toY, 2.5, 0, 7);
      context.fill();
      this.lines.push([x, y, toX, toY, message]);
    }
    context.globalAlpha = 1;
  }

  drawRows(shown) {
    const context = this.context;
    const step = this.rows.labelStep;
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    context.fillStyle = this.soft;
    this.places.slice(shown.first, this.fit).forEach((row, at) => {
      const mark = !this.places.canFold(row) ? '' : this.places.isUnfolded(row) ? '\u25be ' : '\u25b8 ';
      if ((shown.first + at) % step === 0) context.fillText(mark + this.places.labelOf(row), LEFT - 8, this.middle(shown, row), LEFT - 10);
    });
    context.textAlign = 'left';
  }

  drawAxis(shown) {
    const context = this.context, spanNs = shown.span * shown.nsPerTick;
    const step = niceStep(spanNs / Math.max(2, Math.floor(this.plotWidth / 110)));
    context.fillStyle = this.soft;
    context.strokeStyle = this.line;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'top';
    const first = Math.ceil(shown.nsAt(shown.from) / step);
    let free = 0; // where no label is yet
    for (let mark = 0; mark <= spanNs / step; mark++) { // ends whatever the numbers are
      const ns = (first + mark) * step;
      const x = this.x(shown, (ns - shown.beginsNs) / shown.nsPerTick), text = markText(ns, step);
      context.beginPath();
      context.moveTo(x, AXIS - 5);
      context.lineTo(x, AXIS + this.fit * this.rowHeight);
      context.stroke();
      const wide = context.measureText(text).width, left = Math.min(x + 3, this.width - wide - 2);
      if (x > this.width || left < free) continue;
      context.fillText(text, left, 3);
      free = left + wide + 6;
    }
  }

  // The row whose label is at a point; null: there is none.
  labelAt(shown, x, y) {
    const place = Math.floor((y - AXIS) / this.rowHeight);
    return x < LEFT && y >= AXIS && place < this.fit ? this.places.rows[shown.first + place] ?? null : null;
  }

  // The call at a point, the innermost of those there; else null.
  callAt(x, y) {
    const hits = this.drawn.filter(([left, top, width, height]) =>
      x >= left - 2 && x <= left + width + 2 && y >= top && y <= top + height);
    hits.sort((a, b) => a[2] - b[2]);
    return hits.length ? hits[0][4] : null;
  }

  // The message whose line passes a point; else null.
  messageAt(x, y) {
    let nearest = null, least = 5;
    for (const [ax, ay, bx, by, message] of this.lines) {
      const dx = bx - ax, dy = by - ay;
      const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      const far = Math.hypot(x - ax - along * dx, y - ay - along * dy);
      if (far < least) { least = far; nearest = message; }
    }
    return nearest;
  }
}
