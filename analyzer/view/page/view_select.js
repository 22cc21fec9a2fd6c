// A part of the run is selected: a span of time, and ranks. By the pointer with Shift, by Shift and
// the arrows, or in words; what mpiwatch-analyze reports of it is shown, with the command for that.
import { exactText, bytesText, timeText } from '/view_time.js';
import { askJson } from '/view_data.js';
import { make, head } from '/view_panel.js';

const POLL = 250; // ms
const UNITS = { s: 1e9, ms: 1e6, us: 1e3, ns: 1, '': 1e9 };

// ns; NaN: that is no time.
export function readTime(text) {
  const match = /^\s*(-?\d+(?:\.\d+)?)\s*(s|ms|us|ns|)\s*$/.exec(text);
  return match ? Number(match[1]) * UNITS[match[2]] : NaN;
}

// "0-3,8" of ranks in any order.
export function rankList(ranks) {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b), parts = [];
  for (let at = 0, end; at < sorted.length; at = end) {
    for (end = at + 1; end < sorted.length && sorted[end] === sorted[end - 1] + 1;) end++;
    parts.push(end - at > 1 ? sorted[at] + '-' + sorted[end - 1] : String(sorted[at]));
  }
  return parts.join(',');
}

// Those of a list that there are; null: it is none.
function readRanks(text, all) {
  const found = new Set();
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part);
    if (!match) return null;
    all.filter(rank => rank >= Number(match[1]) && rank <= Number(match[2] || match[1])).forEach(rank => found.add(rank));
  }
  return found.size > 0 ? found : null;
}

// The server's row that is drawn at a place, and its rank: places are rows unless view.places has them in another order.
export function rowAt(view, place) {
  const row = view.places ? view.places.rows[place] : place;
  return { row, rank: (view.places ? view.places.about(row) : view.meta.rows[row]).rank };
}

function button(word, parent, name, act) {
  const made = make('button', word, parent);
  made.type = 'button';
  made.dataset.part = name;
  made.addEventListener('click', act);
  return made;
}

function field(word, parent, name, size) {
  const label = make('label', word + ' ', parent), input = make('input', null, label);
  input.name = name;
  input.size = size;
  input.autocomplete = 'off';
  input.spellcheck = false;
  return input;
}

export class Selecting {
  // view shows the run on canvas. moved(part) is told what is selected, null: nothing is.
  constructor(view, canvas, moved) {
    this.view = view;
    this.canvas = canvas;
    this.moved = moved || (() => {});
    this.part = null; // { from, to: ticks; ranks: a set }
    this.job = null;
    this.build();
    this.listen();
    view.picture.overlays.push((context, shown, picture) => this.draw(context, shown, picture));
  }

  get ranks() { return this.view.meta.rows.map(row => row.rank); }

  build() {
    const section = make('section');
    section.id = 'part';
    section.setAttribute('aria-labelledby', 'part-title');
    make('h2', 'A part of the run', section).id = 'part-title';
    make('p', 'Drag with Shift held, press Shift and the arrows, or M for what is shown; or say it here: times with s, ms, us ' +
      'or ns, ranks such as 0-3,8.', section).className = 'note';
    const form = make('form', null, section);
    form.className = 'bar';
    this.fields = { from: field('from', form, 'from', 14), to: field('to', form, 'to', 14), ranks: field('ranks', form, 'ranks', 10) };
    button('What is shown', form, 'shown', () => this.selectShown());
    const go = make('button', 'Report', form);
    go.type = 'submit';
    go.dataset.part = 'report';
    this.ending = button('Stop', form, 'stop', () => this.stop('It was stopped.'));
    this.ending.hidden = true;
    button('None', form, 'none', () => this.clear());
    form.addEventListener('submit', event => { event.preventDefault(); this.submit(); });
    this.said = make('p', '', section);
    this.said.setAttribute('role', 'status');
    this.said.className = 'note';
    this.told = make('div', null, section);
    document.getElementById('table').before(section);
    this.section = section;
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener('pointerdown', event => {
      if (!event.shiftKey || event.button !== 0) return;
      event.stopImmediatePropagation();
      canvas.setPointerCapture(event.pointerId);
      canvas.focus({ preventScroll: true });
      this.drawn = this.point(event);
    }, true);
    canvas.addEventListener('pointermove', event => {
      if (!this.drawn) return;
      event.stopImmediatePropagation();
      const to = this.point(event);
      this.select(this.drawn.ticks, to.ticks, this.drawn.place, to.place);
    }, true);
    canvas.addEventListener('pointerup', event => {
      if (!this.drawn) return;
      event.stopImmediatePropagation();
      this.drawn = null;
      if (this.part) this.ask();
    }, true);
    canvas.addEventListener('pointercancel', () => { this.drawn = null; }, true);
    addEventListener('keydown', event => {
      const isOurs = document.activeElement === canvas || document.activeElement === document.body;
      if (!isOurs || event.ctrlKey || event.metaKey || event.altKey || !this.press(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
  }

  // Whether there is such a key.
  press(event) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.shiftKey && move) this.grow(...move);
    else if (event.key === 'm' || event.key === 'M') this.selectShown();
    else if (event.key === 'Enter' && this.part) this.ask();
    else return false;
    return true;
  }

  // Where the pointer is: ticks and a row, of those that there are.
  point(event) {
    const { picture, shown } = this.view, box = this.canvas.getBoundingClientRect();
    const at = (event.clientX - box.left - Number(this.canvas.dataset.left)) / picture.plotWidth;
    const row = shown.first + Math.floor((event.clientY - box.top - Number(this.canvas.dataset.top)) / picture.rowHeight);
    return { ticks: Math.round(shown.from + Math.min(1, Math.max(0, at)) * shown.span),
      place: Math.min(shown.rowCount - 1, Math.max(0, row)) };
  }

  select(from, to, place, other) {
    const ranks = new Set();
    for (let at = Math.min(place, other); at <= Math.min(Math.max(place, other), this.view.shown.rowCount - 1); at++) {
      ranks.add(rowAt(this.view, at).rank);
    }
    this.set(Math.min(from, to), Math.max(from, to), ranks);
    this.places = [place, other];
  }

  set(from, to, ranks) {
    if (to <= from) return;
    this.stop('');
    this.part = { from, to, ranks };
    const shown = this.view.shown, ns = ticks => Math.round(shown.nsAt(ticks)) + 'ns';
    this.fields.from.value = ns(from);
    this.fields.to.value = ns(to);
    this.fields.ranks.value = ranks.size === this.ranks.length ? '' : rankList(ranks);
    this.told.replaceChildren();
    this.moved(this.part);
    this.view.redraw();
  }

  selectShown() {
    const { shown, picture } = this.view;
    this.select(Math.round(shown.from), Math.round(shown.to), shown.first, shown.first + picture.fit - 1);
    this.canvas.focus({ preventScroll: true });
    this.said.textContent = 'Enter asks for the report of what is selected.';
  }

  // By the keyboard: its end goes to and fro, and the last of its rows.
  grow(side, down) {
    const { shown } = this.view, step = Math.max(1, Math.round(shown.span / 40));
    if (!this.part || !this.places) {
      const middle = Math.round(shown.from + shown.span / 2);
      return this.select(middle, Math.min(shown.length, middle + step), shown.first, shown.first);
    }
    const to = Math.min(Math.max(this.part.to + side * step, this.part.from + 1), shown.length);
    const place = Math.min(Math.max(this.places[1] + down, 0), shown.rowCount - 1);
    this.select(this.part.from, to, this.places[0], place);
    this.said.textContent = 'Selected: ' + this.words() + '. Enter asks for its report.';
  }

  words() {
    const part = this.part, list = rankList(part.ranks);
    return timeText((part.to - part.from) * this.view.shown.nsPerTick) + ' from ' + this.fields.from.value + ' to ' + this.fields.to.value +
      (part.ranks.size === this.ranks.length ? ', all ranks' : (part.ranks.size === 1 ? ', rank ' : ', ranks ') + list);
  }

  submit() {
    const { shown } = this.view, { from, to, ranks } = this.fields;
    const ticks = text => Math.min(shown.length, Math.max(0, Math.round((readTime(text) - shown.beginsNs) / shown.nsPerTick)));
    const some = ranks.value.trim() === '' ? new Set(this.ranks) : readRanks(ranks.value, this.ranks);
    const begin = from.value.trim() === '' ? 0 : ticks(from.value), end = to.value.trim() === '' ? shown.length : ticks(to.value);
    if (Number.isNaN(begin) || Number.isNaN(end)) return this.say('A time is a number with s, ms, us or ns, such as 1.5ms.');
    if (!some) return this.say('There are no such ranks: a list is such as 0-3,8.');
    if (end <= begin) return this.say('There is nothing between these times.');
    this.set(begin, end, some);
    this.places = null;
    this.ask();
  }

  say(sentence, isBad = true) {
    this.said.className = isBad ? 'failed' : 'note';
    this.said.textContent = sentence;
  }

  clear() {
    this.stop('');
    this.part = this.places = null;
    this.told.replaceChildren();
    Object.values(this.fields).forEach(one => { one.value = ''; });
    this.moved(null);
    this.view.redraw();
  }

  stop(sentence) {
    if (this.job !== null) askJson('/part?job=' + this.job + '&end=1').catch(() => {});
    this.job = null;
    this.ending.hidden = true;
    this.say(sentence, false);
  }

  async ask() {
    const part = this.part, isAll = part.ranks.size === this.ranks.length;
    this.stop('');
    this.job = undefined;
    this.told.replaceChildren();
    this.ending.hidden = false;
    try {
      let told = await askJson('/part?from=' + part.from + '&to=' + part.to + (isAll ? '' : '&ranks=' + rankList(part.ranks)));
      if (this.part !== part) return askJson('/part?job=' + told.job + '&end=1').catch(() => {});
      this.job = told.job;
      this.showCommand(told.command);
      while (told.stage === 'cutting' || told.stage === 'reporting') {
        this.say(told.stage === 'cutting' ? 'The part is cut out of the archive.' : 'Its report is made.', false);
        await new Promise(done => setTimeout(done, POLL));
        if (this.job !== told.job) return;
        told = await askJson('/part?job=' + told.job);
        if (this.job !== told.job) return;
      }
      if (told.stage === 'done') this.show(told.report);
      else this.say(told.stage === 'failed' ? told.why : 'Another part was asked for.');
    } catch (error) {
      this.say(error.message);
    }
    this.job = null;
    this.ending.hidden = true;
  }

  showCommand(command) {
    const place = make('p', null, this.told), text = make('code', command, place);
    text.id = 'part-command';
    place.className = 'command';
    button('Copy', place, 'copy', async () => {
      try {
        await navigator.clipboard.writeText(command);
        this.say('The command is copied.', false);
      } catch (error) {
        getSelection().selectAllChildren(text);
        this.say('The command is marked: copy it as any text.', false);
      }
    });
  }

  show(report) {
    this.say('The report of ' + this.words() + ':', false);
    make('p', report.verdict, this.told).id = 'part-verdict';
    if (report.advice) make('p', report.advice, this.told).className = 'note';
    this.showNumbers(report);
    this.showTable('Waits in it', report.waits.patterns.filter(row => row.total_ns > 0),
      [['wait', 'name'], ['time', 'total_ns'], ['times', 'instances']], 'waits', report.waits.all);
    if (report.waits.messages_unmatched > 0) {
      make('p', 'Of ' + report.waits.messages_unmatched + (report.waits.messages_unmatched === 1 ? ' message' : ' messages') +
        ' only one end is in it: waits for the other one are not told here.', this.told)
        .className = 'note';
    }
    this.showTable('Calls in it', report.calls.calls,
      [['call', 'name'], ['times', 'count'], ['time', 'time_ns'], ['longest', 'max_ns'], ['sent', 'bytes_sent'], ['received', 'bytes_received']],
      'calls', report.calls.all);
    this.showTable('Messages in it', report.messages.pairs,
      [['from rank', 'from'], ['to rank', 'to'], ['messages', 'count'], ['bytes', 'bytes']], 'pairs', report.messages.all);
  }

  showNumbers(report) {
    const list = make('dl', null, this.told);
    list.className = 'settings';
    const number = (word, key, value, text) => {
      if (value === null || value === undefined) return;
      make('dt', word, list);
      const shown = make('dd', text === undefined ? String(value) : text, list);
      shown.dataset.of = key;
      shown.dataset.value = value;
    };
    const time = (word, key, ns) => number(word, key, ns, ns === null || ns === undefined ? '' : timeText(ns) + ' (' + exactText(ns) + ')');
    const share = (word, key, value) => number(word, key, value, (100 * value).toFixed(1) + ' %');
    time('it lasts', 'info.duration_ns', report.info.duration_ns);
    share('parallel efficiency', 'pop.parallel_efficiency', report.pop.parallel_efficiency);
    share('load balance', 'pop.load_balance', report.pop.load_balance);
    share('communication efficiency', 'pop.communication_efficiency', report.pop.communication_efficiency);
    time('waiting', 'waits.total_ns', report.waits.total_ns);
    share('of the ranks\u2019 run', 'waits.share', report.waits.share);
    number('calls of MPI', 'info.mpi_calls', report.info.mpi_calls);
    number('messages', 'messages.messages', report.messages.messages);
    number('bytes of messages', 'messages.bytes', report.messages.bytes, bytesText(report.messages.bytes));
    number('ends of messages alone', 'info.unmatched_sends', report.info.unmatched_sends + report.info.unmatched_receives);
  }

  showTable(title, rows, columns, name, all) {
    make('h3', title, this.told);
    if (rows.length === 0) return make('p', 'None.', this.told);
    const scroll = make('div', null, this.told), table = make('table', null, scroll);
    scroll.className = 'scroll';
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-label', title);
    table.dataset.table = name;
    const body = head(table, columns.map(column => column[0]));
    rows.forEach(row => {
      const line = make('tr', null, body);
      columns.forEach(([, key]) => {
        const value = row[key], isTime = key.endsWith('_ns'), isBytes = key.startsWith('bytes');
        const cell = make('td', value === null ? '-' : isTime ? timeText(value) : isBytes ? bytesText(value)
          : key === 'name' && name === 'waits' ? value.replaceAll('_', ' ') : String(value), line);
        cell.dataset.of = key;
        cell.dataset.value = value;
      });
    });
    if (all > rows.length && name !== 'waits') make('p', rows.length + ' of ' + all + ' are listed', this.told).className = 'note';
    return table;
  }

  // What is selected, over the picture.
  draw(context, shown, picture) {
    if (!this.part) return;
    const x = picture.x(shown, this.part.from), width = Math.max(1, picture.x(shown, this.part.to) - x);
    context.save();
    context.fillStyle = context.strokeStyle = picture.accent;
    for (let place = shown.first; place < Math.min(shown.first + picture.fit, shown.rowCount); place++) {
      const { row, rank } = rowAt(this.view, place);
      if (!this.part.ranks.has(rank)) continue;
      const y = picture.middle(shown, row) - picture.rowHeight / 2;
      context.globalAlpha = .16;
      context.fillRect(x, y, width, picture.rowHeight);
      context.globalAlpha = 1;
      context.fillRect(x - 1, y, 2, picture.rowHeight);
      context.fillRect(x + width - 1, y, 2, picture.rowHeight);
    }
    context.restore();
  }
}
