// Below the rows, on the same clock: variables, bytes in flight, what ranks do together, lives of
// communicators, marks.
import { bytesText, markText, niceStep } from '/view_time.js';
import { askJson } from '/view_data.js';
import { Lane, ValueLane, numberText } from '/view_lane.js';
import { make } from '/view_panel.js';

const FEW = 8, MOST = 60; // communicators that have a bar: while the list is folded, and else
const BAR = 16, TICK = 11;

function choice(parent, word, name) {
  const label = make('label', word + ' ', parent), select = make('select', null, label);
  select.dataset.choice = name;
  return select;
}

function offer(select, value, text) {
  make('option', text, select).value = value;
}

class Variables extends ValueLane {
  constructor(parent, view, list, count) {
    super(parent, view, 'variable', 'Variables', true);
    this.list = list;
    this.variable = choice(this.controls, 'Variable', 'variable');
    list.forEach(one => offer(this.variable, one.variable, one.name + (one.of ? ' of ' + one.of : '')));
    this.rank = choice(this.controls, 'of', 'rank');
    offer(this.rank, 'each', 'all ranks, least to greatest');
    offer(this.rank, 'sum', 'all ranks, sum');
    view.meta.rows.forEach(row => offer(this.rank, String(row.rank), 'rank ' + row.rank));
    if (count > list.length) make('span', list.length + ' of ' + count + ' variables are listed', this.controls);
    [this.variable, this.rank].forEach(select => select.addEventListener('change', () => this.ask()));
  }

  path(shown) {
    const rank = this.rank.value;
    return '/lanes/variable' + this.range(shown) + '&variable=' + this.variable.value +
           (rank === 'sum' ? '&sum=1' : rank === 'each' ? '' : '&rank=' + rank);
  }

  note() {
    const one = this.list[this.variable.selectedIndex];
    return 'class ' + one.class + (one.unit && one.unit !== '#' ? ', in ' + one.unit : '') + ', of ' + one.ranks +
      (one.ranks === 1 ? ' rank' : ' ranks') + '. Between two samples a value was somewhere in the band: pale where all that is known are the two.';
  }
}

class Flight extends ValueLane {
  constructor(parent, view, list, count) {
    super(parent, view, 'flight', 'Bytes in flight', true);
    this.goesOn = true;
    this.comm = choice(this.controls, 'On', 'comm');
    offer(this.comm, '', 'all communicators');
    list.forEach(one => offer(this.comm, one.comm, one.name));
    if (count > list.length) make('span', list.length + ' of ' + count + ' communicators are listed', this.controls);
    this.comm.addEventListener('change', () => this.ask());
  }

  path(shown) { return '/lanes/flight' + this.range(shown) + (this.comm.value ? '&comm=' + this.comm.value : ''); }

  text(value) { return bytesText(value); }

  note() { return 'From the beginning of the send to the end of the call that completes the receive.'; }
}

class Alive extends ValueLane {
  constructor(parent, view) {
    super(parent, view, 'alive', 'Communicators alive', false);
    this.goesOn = true;
  }

  path(shown) { return '/lanes/alive' + this.range(shown); }
}

class Lives extends Lane {
  constructor(parent, view) {
    super(parent, view, 'lives', 'Lives of communicators', true);
    this.most = FEW;
    this.more = make('button', null, this.controls);
    this.more.type = 'button';
    this.more.addEventListener('click', () => {
      this.most = this.most === FEW ? MOST : FEW;
      this.tellMore();
      this.draw(view.shown);
    });
  }

  path(shown) { return '/lanes/lives' + this.range(shown); }

  get count() { return Math.min(this.most, this.told.list.length); }

  height() { return Math.max(1, this.count) * BAR + 4; }

  tellMore() {
    const all = this.told.list.length;
    this.more.hidden = all <= FEW;
    this.more.textContent = this.most === FEW ? 'Show ' + Math.min(all, MOST) : 'Show ' + FEW;
    this.more.setAttribute('aria-expanded', String(this.most !== FEW));
    this.said.textContent = this.told.count === 0 ? 'No communicator lives in this time.'
      : this.count + ' of ' + this.told.count + (this.told.count === 1 ? ' communicator has a bar.' : ' communicators have bars.');
  }

  ticks(shown, ns, otherwise) { return ns === null ? otherwise : (ns - shown.beginsNs) / shown.nsPerTick; }

  paint(context, shown) {
    this.told.list.slice(0, this.count).forEach((life, at) => {
      const from = Math.max(this.view.left - 2, this.x(shown, this.ticks(shown, life.created_ns, 0)));
      const to = Math.min(this.width + 2, this.x(shown, this.ticks(shown, life.freed_ns, shown.length)));
      context.fillStyle = this.view.colour('accent');
      context.globalAlpha = life.created_ns === null ? .2 : .35;
      context.fillRect(from, at * BAR + 2, Math.max(2, to - from), BAR - 3);
      context.globalAlpha = 1;
      if (life.created_ns !== null) context.fillRect(from, at * BAR + 2, 1.5, BAR - 3);
      if (life.freed_ns !== null) context.fillRect(to - 1.5, at * BAR + 2, 1.5, BAR - 3);
      context.fillStyle = this.view.colour('ink');
      context.fillText(life.name + (life.members === null ? '' : ', ' + life.members), Math.max(from, this.view.left) + 4, at * BAR + 2 + BAR / 2 - 1);
    });
  }

  table(told, shown) {
    const body = this.head(['communicator', 'members', 'made by', 'created', 'freed']);
    const time = (ns, word) => ns === null ? word : [markText(ns, niceStep(shown.span * shown.nsPerTick / 1000)), ns];
    told.list.forEach(life => this.line(body, [life.name, life.members === null ? '?' : String(life.members),
      life.created_by || '-', time(life.created_ns, 'not seen'), time(life.freed_ns, 'not seen')]));
    this.tellMore();
  }
}

class Marks extends Lane {
  constructor(parent, view) {
    super(parent, view, 'marks', 'Marks', true);
    this.isNeeded = true; // its ticks are in the rows
  }

  path(shown) { return '/lanes/marks' + this.range(shown); }

  height() { return 22; }

  word(mark) {
    return mark.kind === 'marker' ? mark.text : mark.kind === 'paused' ? 'nothing was recorded'
      : mark.kind === 'lost' ? mark.lost + ' calls are lost, when is not known' : 'the record ends here';
  }

  paint(context, shown, height) {
    this.told.list.forEach(mark => {
      const x = this.x(shown, mark.from), width = this.x(shown, mark.to) - x;
      context.fillStyle = this.view.colour(mark.kind === 'marker' ? 'ink' : 'bad');
      context.globalAlpha = width > 2 ? .3 : 1;
      context.fillRect(x - .5, 2, Math.max(1.5, width), height - 4);
      context.globalAlpha = 1;
    });
    let end = -1;
    this.told.list.forEach(mark => {
      const x = Math.max(this.view.left, this.x(shown, mark.from)) + 4;
      if (x < end || mark.kind === 'lost') return;
      context.fillStyle = this.view.colour('ink');
      context.fillText(this.word(mark), x, height / 2);
      end = x + context.measureText(this.word(mark)).width + 8;
    });
  }

  // Ticks in the rows of the timeline.
  drawOver(context, shown, top, rowHeight, fit) {
    if (!this.told) return;
    this.told.list.forEach(mark => {
      const row = this.view.meta.rows.findIndex(one => one.rank === mark.rank) - shown.first;
      const x = this.x(shown, mark.from);
      if (mark.kind === 'lost' || row < 0 || row >= fit || x < this.view.left) return;
      context.fillStyle = this.view.colour(mark.kind === 'marker' ? 'ink' : 'bad');
      context.beginPath();
      context.moveTo(x - TICK / 2, top + row * rowHeight);
      context.lineTo(x + TICK / 2, top + row * rowHeight);
      context.lineTo(x, top + row * rowHeight + TICK * .7);
      context.fill();
    });
  }

  table(told, shown) {
    const body = this.head(['from', 'to', 'rank', 'what']);
    told.list.forEach(mark => this.line(body, [this.at(shown, mark.from), this.at(shown, mark.to),
      mark.rank === null ? '-' : String(mark.rank), this.word(mark)]));
    this.said.textContent = told.count > told.list.length ? told.list.length + ' of ' + told.count + ' are listed.'
      : told.count === 0 ? 'There are none in this time.' : '';
  }
}

// How many ranks are in each state: states one above the other.
class Running extends Lane {
  constructor(parent, view) { super(parent, view, 'running', 'Ranks in each state', true); }

  path(shown) { return '/lanes/running' + this.range(shown); }

  height() { return 84; }

  paint(context, shown, height) {
    const told = this.told, all = this.view.meta.rows.length;
    told.cells.forEach((cell, at) => {
      const x = this.x(shown, told.edges[at]), end = this.x(shown, told.edges[at + 1]);
      let below = height;
      for (let state = cell.length; state-- > 0;) {
        const high = cell[state] / all * (height - 4);
        context.fillStyle = this.view.colour(this.view.meta.states[state].key);
        context.fillRect(x, below - high, Math.max(1, end - x + .5), high);
        below -= high;
      }
    });
  }

  label(context, height) {
    context.fillStyle = this.view.colour('soft');
    context.textAlign = 'right';
    context.fillText(this.view.meta.rows.length + ' ranks', this.view.left - 6, 8);
    context.fillText('0', this.view.left - 6, height - 8);
    context.textAlign = 'left';
  }

  table(told, shown) {
    const body = this.head(['from'].concat(this.view.meta.states.map(state => state.word)));
    const part = Math.max(1, Math.ceil(told.cells.length / 64)), width = at => told.edges[at + 1] - told.edges[at];
    for (let at = 0; at < told.cells.length; at += part) {
      const some = told.cells.slice(at, at + part), ticks = told.edges[at + some.length] - told.edges[at];
      this.line(body, [this.at(shown, told.edges[at])].concat(this.view.meta.states.map((_, state) => {
        const mean = some.reduce((sum, cell, n) => sum + cell[state] * width(at + n), 0) / (ticks || 1);
        return [numberText(Number(mean.toFixed(2))), mean];
      })));
    }
  }
}

const OFF = [['outside MPI, no core', 'bad'], ['outside MPI, asleep', 'p2p'], ['in MPI, no core', 'other'], ['in MPI, asleep', 'collective']];
const RUN = OFF.length, UNKNOWN = RUN + 1;

// How much of the time ranks were on no core: kinds one above the other, by share of their runs.
class OffCore extends Lane {
  constructor(parent, view) {
    super(parent, view, 'off_core', 'Not running', true);
    this.rank = choice(this.controls, 'Of', 'off-rank');
    offer(this.rank, '', 'all ranks');
    view.meta.rows.forEach(row => offer(this.rank, String(row.rank), 'rank ' + row.rank));
    this.rank.addEventListener('change', () => this.ask());
    const legend = make('ul', null, this.controls);
    legend.className = 'legend';
    OFF.concat([['not known', 'none']]).forEach(([word, key]) => {
      const item = make('li', null, legend);
      make('i', null, item).style.setProperty('--c', 'var(--' + key + ')');
      item.append(word);
    });
  }

  path(shown) { return '/lanes/off_core' + this.range(shown) + (this.rank.value ? '&rank=' + this.rank.value : ''); }

  height() { return 84; }

  // The share of the run in a kind: null where there is no run.
  share(cell, kind) { return cell[RUN] > 0 ? cell[kind] / cell[RUN] : null; }

  paint(context, shown, height) {
    const told = this.told, sum = cell => OFF.reduce((all, _, kind) => all + (this.share(cell, kind) || 0), 0);
    const most = told.cells.reduce((high, cell) => Math.max(high, sum(cell)), 0);
    this.top = most > .5 ? 1 : Math.max(.01, most);
    told.cells.forEach((cell, at) => {
      const x = this.x(shown, told.edges[at]), wide = Math.max(1, this.x(shown, told.edges[at + 1]) - x + .5);
      const unknown = this.share(cell, UNKNOWN) * (height - 4);
      context.fillStyle = this.view.colour('none');
      context.fillRect(x, 4, wide, unknown);
      let below = height;
      OFF.forEach(([, key], kind) => {
        const high = (this.share(cell, kind) || 0) / this.top * (height - 4);
        context.fillStyle = this.view.colour(key);
        context.fillRect(x, below - high, wide, high);
        below -= high;
      });
    });
  }

  label(context, height) {
    context.fillStyle = this.view.colour('soft');
    context.textAlign = 'right';
    context.fillText(numberText(Number((this.top * 100).toPrecision(3))) + ' %', this.view.left - 6, 8);
    context.fillText('0', this.view.left - 6, height - 8);
    context.textAlign = 'left';
  }

  table(told, shown) {
    const body = this.head(['from'].concat(OFF.map(([word]) => word), 'not known'));
    const part = Math.max(1, Math.ceil(told.cells.length / 64)), width = at => told.edges[at + 1] - told.edges[at];
    let unknown = 0;
    for (let at = 0; at < told.cells.length; at += part) {
      const some = told.cells.slice(at, at + part);
      const of = kind => some.reduce((sum, cell, n) => sum + cell[kind] * width(at + n), 0);
      const run = of(RUN);
      unknown += of(UNKNOWN);
      this.line(body, [this.at(shown, told.edges[at])].concat([...OFF.keys(), UNKNOWN].map(kind =>
        run > 0 ? [(of(kind) / run * 100).toFixed(1) + ' %', of(kind) / run] : '-')));
    }
    this.said.textContent = 'Share of the time that ranks were on no core: they could have run, or slept. ' +
      'It was somewhere in the stretch that a sample tells of, and is spread over it; less than 0.1 ms and 2 % of a stretch is not told.' +
      (unknown > 0 ? ' Behind the last sample of a record that is not whole nothing is known.' : '');
  }
}

export class Lanes {
  // view has meta, shown, picture, wheel(event), moveTo(from, dx) and failed(sentence).
  constructor(section, view) {
    this.section = section;
    this.view = view;
    this.lanes = [];
    const canvas = view.picture.canvas;
    this.about = {
      meta: view.meta,
      get shown() { return view.shown; },
      get left() { return Number(canvas.dataset.left); },
      get plotWidth() { return view.picture.plotWidth; },
      colour: name => view.picture.style(name),
      wheel: event => view.wheel(event),
      moveTo: (from, dx) => view.moveTo(from, dx),
      failed: sentence => view.failed(sentence)
    };
    this.begin();
  }

  async begin() {
    try {
      const [variables, flights] = await Promise.all([askJson('/lanes/variables'), askJson('/lanes/flights')]);
      const about = this.about;
      if (variables.list.length) this.lanes.push(new Variables(this.section, about, variables.list, variables.count));
      if (flights.list.length) this.lanes.push(new Flight(this.section, about, flights.list, flights.count));
      this.lanes.push(new Running(this.section, about));
      if (about.meta.tells_off_core) this.lanes.push(new OffCore(this.section, about));
      this.lanes.push(new Alive(this.section, about), new Lives(this.section, about));
      this.marks = new Marks(this.section, about);
      this.lanes.push(this.marks);
      this.section.hidden = false;
      this.ask();
    } catch (error) {
      this.view.failed(error.message);
    }
  }

  ask() {
    this.lanes.forEach(lane => lane.ask().then(() => { if (lane === this.marks) this.view.redraw(); }));
  }

  draw(shown) {
    const picture = this.view.picture, canvas = picture.canvas;
    this.lanes.forEach(lane => lane.draw(shown));
    if (this.marks) this.marks.drawOver(picture.context, shown, Number(canvas.dataset.top), picture.rowHeight, picture.fit);
  }
}
