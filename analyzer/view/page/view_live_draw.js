// The picture of a run that goes on: a row a rank, a cell between two looks, whose height is shared
// by what the rank did. What was not looked at, or is not known, is left empty.
import { KNOWN_WELL, shareText, threadName, waitingText } from '/view_live_tables.js';

const AXIS = 20, LEFT = 74, ROW = 22, ROW_LEAST = 7, HEIGHT_MOST = 720;
const RECORDS_MOST = 300000; // of threads at looks, that are kept

// Whether events are read so late that what they tell is not of the time before the look.
function lags(look) {
  const sum = key => look.threads.reduce((all, thread) => all + (thread[key] || 0), 0);
  const missing = look.events ? (1 - look.events.read_share) * sum('calls') : Infinity;
  return missing > .01 * sum('calls') && missing > .5 * sum('calls_per_s');
}

// A thread at a look, as the look told it; isLate: what is told of waiting is of times long before.
function record(thread, isLate) {
  const mpi = thread.mpi_share_1s, waiting = isLate ? null : thread.waiting_share_1s;
  const known = mpi !== null && (thread.state === 'MPI' || thread.state === 'computing');
  return { state: thread.state, now: thread.now, call: thread.call, name: threadName(thread), mpi: known ? mpi : null,
           waiting: known && waiting !== null ? waiting : 0,
           doubtful: known ? waiting !== null ? thread.doubtful_share_1s : mpi : 0, isTold: waiting !== null,
           waited: isLate ? null : thread.waited_ns, doubtfulAll: thread.doubtful_share_all };
}

// Whether all that a thread did before its look is told: what is in doubt is less than its time in MPI.
function isSettled(one) {
  if (one.waited === null) return false;
  if (one.mpi === null) return one.state === 'ended' && one.doubtfulAll !== null && one.doubtfulAll < KNOWN_WELL;
  return one.doubtful < KNOWN_WELL || one.waiting + one.doubtful < one.mpi - KNOWN_WELL;
}

// How long a thread waited in a call is told when it has ended: what looks tell in all that is more than
// what was shown of their own times is shared among the times of which it was not known. So the sum is
// right, and which of two neighbours it belongs to may be not.
function settle(looks, name) {
  const at = index => looks[index].threads.get(name), last = looks.length - 1, now = at(last);
  const ms = index => looks[index].from === null ? 0 : looks[index].at - looks[index].from;
  if (!isSettled(now)) return;
  let first = last, doubtful = 0, shown = now.waiting * ms(last);
  while (first > 0 && looks[first].from !== null) {
    const one = at(first - 1);
    if (!one || one.mpi === null || one.waited === null || one.doubtful < KNOWN_WELL) break;
    first--;
    doubtful += one.doubtful * ms(first);
    shown += one.waiting * ms(first);
  }
  const before = first > 0 ? at(first - 1) : null;
  if (doubtful === 0 || !before || before.waited === null) return;
  const share = Math.min(1, Math.max(0, (now.waited - before.waited) / 1e6 - shown) / doubtful);
  for (let index = first; index < last; index++) {
    const one = at(index);
    one.waiting += one.doubtful * share;
    one.doubtful = 0;
  }
}

export class History {
  constructor() {
    this.looks = []; // { number, at (ms), from (ms; null: the time before it was not looked at), threads }
    this.names = []; // of rows
  }

  add({ number, at_ms, look }) {
    const before = this.looks[this.looks.length - 1], threads = new Map();
    const isBehind = lags(look), isLate = isBehind || Boolean(before && before.isBehind);
    look.threads.forEach(thread => threads.set(threadName(thread), record(thread, isLate)));
    this.looks.push({ number, at: at_ms, from: before && before.number === number - 1 ? before.at : null, threads, isBehind });
    this.names = [...threads.keys()];
    this.names.forEach(name => settle(this.looks, name));
    const most = Math.max(2, Math.min(400, Math.floor(RECORDS_MOST / Math.max(1, threads.size))));
    if (this.looks.length > most) this.looks.splice(0, this.looks.length - most);
  }

  get latest() { return this.looks[this.looks.length - 1]; }
}

// The mean of some threads at a look; null: of none of them is it known.
function mean(look, names) {
  const sum = { mpi: 0, waiting: 0, doubtful: 0, known: 0, off: 0, count: 0 };
  names.forEach(name => {
    const one = look.threads.get(name);
    if (!one) return;
    sum.count++;
    if (one.state !== 'MPI' && one.state !== 'computing') { sum.off++; return; }
    if (one.mpi === null) return;
    sum.known++;
    sum.mpi += one.mpi;
    sum.waiting += one.waiting;
    sum.doubtful += one.doubtful;
  });
  return sum;
}

export class LivePicture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.seconds = 60;
    this.readStyle();
  }

  readStyle() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue('--' + name).trim();
    ['ink', 'soft', 'card', 'line', 'faint', 'none', 'useful', 'other', 'waiting'].forEach(name => { this[name] = colour(name); });
    this.stripes = this.pattern();
  }

  // Waiting or not: stripes of both colours.
  pattern() {
    const tile = document.createElement('canvas'), context = tile.getContext('2d');
    tile.width = tile.height = 6;
    context.fillStyle = this.other;
    context.fillRect(0, 0, 6, 6);
    context.strokeStyle = this.waiting;
    context.lineWidth = 2;
    for (const shift of [-6, 0, 6]) {
      context.beginPath();
      context.moveTo(shift, 6);
      context.lineTo(shift + 6, 0);
      context.stroke();
    }
    return this.context.createPattern(tile, 'repeat');
  }

  resize(rowCount) {
    const scale = devicePixelRatio || 1;
    this.perRow = Math.max(1, Math.ceil(rowCount * ROW_LEAST / HEIGHT_MOST));
    this.rows = Math.ceil(rowCount / this.perRow);
    this.rowHeight = Math.min(ROW, Math.max(ROW_LEAST, Math.floor(HEIGHT_MOST / Math.max(1, this.rows))));
    this.width = this.canvas.clientWidth;
    this.height = AXIS + this.rows * this.rowHeight + 2;
    this.canvas.style.height = this.height + 'px';
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  x(ms) { return LEFT + (ms - this.from) / (this.to - this.from) * (this.width - LEFT); }

  namesOf(history, row) { return history.names.slice(row * this.perRow, (row + 1) * this.perRow); }

  draw(history) {
    const latest = history.latest;
    if (!latest) return;
    this.to = latest.at;
    this.from = latest.at - this.seconds * 1000;
    this.resize(history.names.length);
    const context = this.context, shown = history.looks.filter(look => look.at > this.from);
    context.fillStyle = this.card;
    context.fillRect(0, 0, this.width, this.height);
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, this.width - LEFT, this.height);
    context.clip();
    for (let row = 0; row < this.rows; row++) {
      const names = this.namesOf(history, row);
      shown.forEach(look => { if (look.from !== null) this.drawCell(look, row, names); });
      if (this.perRow === 1 && this.rowHeight >= 14) this.drawNames(shown, row, names[0]);
    }
    context.restore();
    this.drawAxis(history);
    Object.assign(this.canvas.dataset, { rows: this.rows, perRow: this.perRow, looks: shown.length,
      cells: shown.filter(look => look.from !== null).length, number: latest.number,
      waited: JSON.stringify(this.perRow > 1 ? null : history.names.map(name => this.waited(shown, name))) });
  }

  // The ms that are drawn as waiting.
  waited(shown, name) {
    return shown.reduce((sum, look) => sum + (look.from === null ? 0 : (look.at - look.from) * (look.threads.get(name) || { waiting: 0 }).waiting), 0);
  }

  drawCell(look, row, names) {
    const sum = mean(look, names), context = this.context;
    const x = this.x(look.from), width = Math.max(1, this.x(look.at) - x), gap = this.rowHeight > 8 ? 2 : 1;
    const height = this.rowHeight - gap, top = AXIS + row * this.rowHeight;
    let bottom = top + height;
    const part = (share, colour) => {
      const tall = Math.max(0, share) * height;
      context.fillStyle = colour;
      context.fillRect(x, bottom - tall, width - (width > 4 ? .5 : 0), tall);
      bottom -= tall;
    };
    if (sum.known + sum.off === 0) return;
    const all = sum.known + sum.off;
    part(sum.waiting / all, this.waiting);
    part(sum.doubtful / all, this.stripes);
    part((sum.mpi - sum.waiting - sum.doubtful) / all, this.other);
    part((sum.known - sum.mpi) / all, this.useful);
    part(sum.off / all, this.none);
  }

  // The call of each look, once for those that follow each other.
  drawNames(shown, row, name) {
    const context = this.context, y = AXIS + (row + .5) * this.rowHeight - 1;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    let begin = null, end = null, words = null;
    const put = () => {
      const text = words || '', x = Math.max(LEFT, begin), width = context.measureText(text).width;
      if (!text || end - x < width + 8) return;
      context.globalAlpha = .85;
      context.fillStyle = this.card;
      context.fillRect(x + 2, y - 7, width + 6, 14);
      context.globalAlpha = 1;
      context.fillStyle = this.ink;
      context.fillText(text, x + 5, y);
    };
    shown.forEach(look => {
      const one = look.threads.get(name);
      if (look.from === null || !one || one.call !== words) {
        if (begin !== null) put();
        begin = one && look.from !== null ? this.x(look.from) : null;
        words = one ? one.call : null;
      }
      end = this.x(look.at);
    });
    if (begin !== null) put();
  }

  drawAxis(history) {
    const context = this.context, step = this.seconds / (this.width < 500 ? 2 : 6);
    context.font = '12px system-ui, sans-serif';
    context.fillStyle = this.soft;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    const each = Math.max(1, Math.ceil(14 / this.rowHeight));
    for (let row = 0; row < this.rows; row += each) {
      const names = this.namesOf(history, row), last = names[names.length - 1];
      context.fillText((names.length > 1 ? names[0] + '\u2013' + last : 'rank ' + names[0]), LEFT - 8,
        AXIS + (row + .5) * this.rowHeight - 1, LEFT - 10);
    }
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'top';
    context.strokeStyle = this.line;
    for (let second = 0; second <= this.seconds; second += step) {
      const x = this.x(this.to - second * 1000);
      context.beginPath();
      context.moveTo(x, AXIS - 4);
      context.lineTo(x, AXIS);
      context.stroke();
      context.textAlign = second === 0 ? 'right' : 'center';
      if (x > LEFT + 14) context.fillText(second === 0 ? 'latest look' : '\u2212' + second + ' s', x, 3);
    }
    context.textAlign = 'left';
  }

  // What is told of the cell at a point; null: there is none.
  tipAt(history, x, y) {
    const row = Math.floor((y - AXIS) / this.rowHeight);
    const look = history.looks.find(one => one.from !== null && this.x(one.from) <= x && x < this.x(one.at));
    if (!look || x < LEFT || row < 0 || row >= this.rows) return null;
    const names = this.namesOf(history, row), sum = mean(look, names), one = look.threads.get(names[0]);
    if (!one) return null;
    const known = sum.known > 0;
    return (names.length > 1 ? 'ranks ' + names[0] + '\u2013' + names[names.length - 1] + ', mean' : 'rank ' + names[0] + ': ' + one.now) +
      '\n' + (known ? 'MPI ' + shareText(sum.mpi / sum.known) + ', waiting ' +
        waitingText(one.isTold ? sum.waiting / sum.known : null, sum.doubtful / sum.known) : 'not known');
  }
}
