// The view: what is shown, and what the user does to change that.
import { Shown, markText, niceStep, timeText } from '/view_time.js';
import { Data, askJson } from '/view_data.js';
import { Picture } from '/view_draw.js';
import { Places } from '/view_places.js';
import { Lanes } from '/view_lanes.js';
import { Pinch } from '/view_pinch.js';
import { Preview } from '/view_preview.js';
import { Bands, showBand } from '/view_bands.js';
import { Panel, showStates, showWaits } from '/view_panel.js';
import { Selecting } from '/view_select.js';
import { Finding } from '/view_find.js';
import { Filter } from '/view_filter.js';
import { Kinds } from '/view_kinds.js';
import { Order } from '/view_order.js';

const byId = id => document.getElementById(id);
const canvas = byId('canvas'), tip = byId('tip');
const SETTLE = 120; // ms without a change, after which single calls and the table are asked for

class View {
  constructor(meta) {
    this.meta = meta;
    this.places = new Places(meta);
    this.shown = new Shown(meta);
    this.shown.rowCount = this.places.count;
    this.picture = new Picture(canvas, meta, this.places);
    this.data = new Data(this.picture.colours(), this.places, () => this.redraw(), error => fail(error.message));
    this.panel = new Panel(byId('detail'), place => this.goTo(place), () => this.close(), number => this.tellBand(number));
    this.picture.bands = new Bands(this.picture, this.places, number => this.tellBand(number));
    this.lanes = new Lanes(byId('lanes'), this);
    this.chosen = this.chosenBand = null;
    this.pinch = new Pinch();
    this.isDue = false;
    this.settled = 0; // how often
    this.selecting = new Selecting(this, canvas);
    this.finding = new Finding(this, canvas);
    this.filter = new Filter(this, canvas);
    this.kinds = new Kinds(this);
    this.listen();
    this.change();
    this.order = new Order(this, canvas);
  }

  redraw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.picture.draw(this.shown, this.data, this.chosen, this.chosenBand);
      this.lanes.draw(this.shown);
    });
  }

  // What is shown is another part of the run now.
  change() {
    const shown = this.shown, step = niceStep(shown.span * shown.nsPerTick / 1000);
    byId('shown').textContent = markText(shown.nsAt(shown.from), step) + ' to ' + markText(shown.nsAt(shown.to), step) +
      ', ' + timeText(shown.span * shown.nsPerTick) +
      (this.places.count > this.picture.fit ? ', rows ' + (shown.first + 1) + ' to ' + (shown.first + this.picture.fit) +
                                                  ' of ' + this.places.count : '');
    this.redraw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLE);
  }

  async settle() {
    const shown = this.shown, list = this.places.slice(shown.first, this.picture.fit), turn = ++this.settled;
    this.lanes.ask();
    this.data.askNear(shown, this.picture.fit).then(() =>
      this.picture.bands.list(byId('bands'), byId('bands-table'), this.data.nearFor(shown), shown));
    try {
      const span = await askJson('/span?from=' + Math.round(shown.from) + '&to=' + Math.round(shown.to) +
                                 '&list=' + this.places.text(list));
      if (turn !== this.settled) return; // other rows are shown by now
      showStates(byId('states'), this.meta, span, list, this.places, shown.nsPerTick, row => this.fold(row));
      Object.assign(byId('states').dataset, { from: span.from, to: span.to });
    } catch (error) {
      fail(error.message);
    }
  }

  async tell(number) {
    try {
      const detail = await askJson('/call?id=' + number);
      this.chosen = number;
      this.chosenBand = null;
      this.panel.show(detail);
      this.redraw();
    } catch (error) {
      fail(error.message);
    }
  }

  async tellBand(number) {
    try {
      const band = await askJson('/band?id=' + number);
      this.chosen = null;
      this.chosenBand = number;
      showBand(this.panel, band);
      this.redraw();
    } catch (error) {
      fail(error.message);
    }
  }

  goTo(place) {
    this.places.bring(place.row);
    this.refit();
    this.shown.goTo(Object.assign({}, place, { row: this.places.placeOf(place.row) }), this.picture.fit);
    this.change();
    this.tell(place.call);
  }

  // Other rows are shown now.
  refit() {
    this.shown.rowCount = this.places.count;
    this.picture.resize();
    this.shown.moveRows(0, this.picture.fit);
    byId('fold').setAttribute('aria-expanded', String(this.places.areAllUnfolded));
  }

  // Shows or hides what is beneath a row; of null, of all.
  fold(row) {
    if (row === null) this.places.foldAll();
    else this.places.fold(row);
    this.refit();
    this.change();
  }

  close() {
    this.chosen = this.chosenBand = null;
    byId('detail').hidden = true;
    canvas.focus({ preventScroll: true });
    this.redraw();
  }

  // Whether there is such a key.
  press(key) {
    const shown = this.shown, fit = this.picture.fit;
    switch (key) {
    case 'w': case '+': shown.zoom(.5, .5); break;
    case 's': case '-': shown.zoom(2, .5); break;
    case 'a': case 'ArrowLeft': shown.move(-.2); break;
    case 'd': case 'ArrowRight': shown.move(.2); break;
    case '0': shown.all(); break;
    case 'ArrowUp': shown.moveRows(-1, fit); break;
    case 'ArrowDown': shown.moveRows(1, fit); break;
    case 'PageUp': shown.moveRows(-fit, fit); break;
    case 'PageDown': shown.moveRows(fit, fit); break;
    case 't': if (this.places.hasOthers) this.fold(null); return true;
    case 'e': this.scaleRows(2); break;
    case 'r': this.scaleRows(.5); break;
    case 'Escape': this.close(); return true;
    case '?': this.toggleKeys(); return true;
    default: return false;
    }
    this.change();
    return true;
  }

  // More rows at once, or fewer; what is in the middle stays there.
  scaleRows(factor) {
    const middle = this.shown.first + this.picture.fit / 2;
    this.picture.rows.scale(factor);
    this.shown.first = 0;
    this.shown.moveRows(Math.round(middle - this.picture.fit / 2), this.picture.fit);
  }

  toggleKeys() {
    byId('keys').hidden = !byId('keys').hidden;
    document.querySelector('[data-key="?"]').setAttribute('aria-expanded', String(!byId('keys').hidden));
  }

  share(event) { return this.shareOf(event.clientX); }

  shareOf(x) {
    return (x - canvas.getBoundingClientRect().left - Number(canvas.dataset.left)) / this.picture.plotWidth;
  }

  wheel(event) {
    event.preventDefault();
    if (event.altKey || this.share(event) < 0) this.scaleRows(event.deltaY > 0 ? 1.25 : .8);
    else if (event.shiftKey) this.shown.move(Math.sign(event.deltaY || event.deltaX) * .1);
    else this.shown.zoom(Math.pow(1.0025, Math.max(-300, Math.min(300, event.deltaY))), Math.min(1, Math.max(0, this.share(event))));
    this.change();
  }

  // What began at from is dragged by so many pixels.
  moveTo(from, dx) {
    this.shown.set(from - dx / this.picture.plotWidth * this.shown.span, this.shown.span);
    this.change();
  }

  failed(sentence) { fail(sentence); }

  listen() {
    canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
    canvas.addEventListener('pointerdown', event => this.down(event));
    canvas.addEventListener('pointermove', event => this.move(event));
    canvas.addEventListener('pointerup', event => this.up(event));
    canvas.addEventListener('pointercancel', event => { this.pinch.up(event); this.dragged = null; });
    canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
    addEventListener('keydown', event => {
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const isOurs = document.activeElement instanceof HTMLCanvasElement || document.activeElement === document.body || key === 'Escape' || key === '?';
      if (isOurs && !event.ctrlKey && !event.metaKey && !event.altKey && this.press(key)) event.preventDefault();
    });
    document.querySelectorAll('[data-key]').forEach(button =>
      button.addEventListener('click', () => this.press(button.dataset.key)));
    byId('fold').hidden = !this.places.hasOthers;
    new ResizeObserver(() => { this.refit(); this.change(); }).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.picture.readStyle();
      this.data.setColours(this.picture.colours());
      this.redraw();
    });
  }

  down(event) {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    this.dragged = null;
    if (this.pinch.down(event, this.shown, x => this.shareOf(x))) return;
    this.dragged = { x: event.clientX, y: event.clientY, from: this.shown.from, first: this.shown.first, isFar: false };
  }

  move(event) {
    const dragged = this.dragged;
    if (this.pinch.move(event, this.shown, x => this.shareOf(x))) return this.change();
    if (!dragged) return this.point(event);
    const dx = event.clientX - dragged.x, rows = Math.round((dragged.y - event.clientY) / this.picture.rowHeight);
    dragged.isFar = dragged.isFar || Math.hypot(dx, event.clientY - dragged.y) > 4;
    if (!dragged.isFar) return;
    tip.hidden = true;
    this.shown.set(dragged.from - dx / this.picture.plotWidth * this.shown.span, this.shown.span);
    this.shown.first = dragged.first;
    this.shown.moveRows(rows, this.picture.fit);
    this.change();
  }

  up(event) {
    const dragged = this.dragged, box = canvas.getBoundingClientRect();
    this.dragged = null;
    if (this.pinch.up(event) || !dragged || dragged.isFar) return;
    const label = this.picture.labelAt(this.shown, event.clientX - box.left, event.clientY - box.top);
    if (label !== null && this.places.canFold(label)) return this.fold(label);
    const call = this.picture.callAt(event.clientX - box.left, event.clientY - box.top);
    const band = call ? null : this.picture.bands.at(event.clientX - box.left, event.clientY - box.top);
    if (call) this.tell(call[0]);
    else if (band) this.tellBand(band.number);
  }

  // Says what is under the pointer.
  point(event) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const call = this.picture.callAt(x, y), message = this.picture.messageAt(x, y);
    const near = this.data.nearFor(this.shown), label = this.picture.labelAt(this.shown, x, y), rank = row => this.places.titleOf(row);
    const band = call || message || label !== null || !near ? null : this.picture.bands.at(x, y);
    tip.hidden = !call && !message && label === null && !band;
    if (label !== null) {
      tip.textContent = rank(label) + (this.places.canFold(label) ? '\na click ' + (this.places.isUnfolded(label) ? 'hides' : 'shows') + ' its threads and streams' : '');
    } else if (message) {
      tip.textContent = 'message, ' + rank(message[1]) + ' to ' + rank(message[3]) + '\nreceived ' +
        timeText(Math.max(0, message[4] - message[2]) * this.shown.nsPerTick) + ' after it was sent';
    } else if (call && near) {
      tip.textContent = near.names[call[5]] + (call[7] > 1 ? ', ' + call[7] + ' calls' : '') + '\n' + rank(call[1]) + ', ' +
        timeText((call[4] - call[3]) * this.shown.nsPerTick);
    }
    if (band) tip.textContent = this.picture.bands.tip(near, band, this.shown);
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - 240)) + 'px';
    tip.style.top = event.clientY + 16 + 'px';
  }
}

function fail(sentence) {
  byId('reading').hidden = false;
  byId('reading-bar').hidden = true;
  byId('reading-text').className = 'failed';
  byId('reading-text').textContent = sentence;
}

function introduce(meta) {
  document.title = meta.archive + ' \u2013 mpiwatch-view';
  byId('title').textContent = meta.archive;
  byId('facts').replaceChildren();
  const facts = [meta.program, meta.rows.length + (meta.rows.length === 1 ? ' rank' : ' ranks'),
    timeText(meta.length * 1e9 / meta.resolution), meta.messages + ' messages', meta.incomplete ? 'the record is incomplete' : ''];
  facts.filter(text => text).forEach(text => {
    const span = document.createElement('span');
    span.textContent = text;
    byId('facts').append(span);
  });
  meta.states.concat(meta.other_states).forEach(state => {
    const item = document.createElement('li'), box = document.createElement('i');
    box.style.setProperty('--c', 'var(--' + state.key + ')');
    item.append(box, state.word);
    byId('legend').append(item);
  });
  byId('note').textContent = meta.others === 0 ? '' :
    meta.others + ' locations are of no rank and have no rows here; their calls are told where messages lead to them.';
}

async function begin() {
  const meta = await askJson('/meta');
  ['reading'].forEach(id => { byId(id).hidden = true; });
  ['picture', 'table'].forEach(id => { byId(id).hidden = false; });
  introduce(meta);
  const view = new View(meta), waits = await askJson('/waits');
  byId('worst').hidden = waits.length === 0;
  showWaits(byId('waits'), waits, place => view.goTo(place));
}

// The server tells how far it is, and learns by this that the page is there.
const news = new EventSource('/news');
let hasBegun = false;
const preview = new Preview(byId('preview'));
news.addEventListener('message', event => {
  const told = JSON.parse(event.data);
  byId('remarks').textContent = [told.fate, told.unkept && 'The next view has to read it again, nothing is kept: ' + told.unkept]
    .filter(text => text).join(' ');
  if (told.stage === 'failed') return fail(told.why);
  byId('reading-bar').value = told.all > 0 ? told.read / told.all : 0;
  if (told.stage === 'reading' && told.read > 0) preview.grow();
  if (told.stage === 'ready' && !hasBegun) {
    hasBegun = true;
    begin().catch(error => fail(error.message));
  }
});
news.addEventListener('error', () => {
  if (news.readyState === EventSource.CLOSED || hasBegun) fail('mpiwatch-view has ended: nothing more can be asked of it.');
});
news.addEventListener('open', () => { if (hasBegun) byId('reading').hidden = true; });
