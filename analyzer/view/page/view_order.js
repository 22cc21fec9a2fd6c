// In which order rows stand: by rank, by host, by how much of the time a rank waits, by clusters of
// ranks that behave equally. Groups have a line between them and their name in the picture, and a
// table has what the order is made of. The choice is kept behind the # of the address.
import { askJson } from '/view_data.js';
import { make, head } from '/view_panel.js';
import { rankList } from '/view_select.js';
import { timeText, markText, niceStep } from '/view_time.js';

const ORDERS = [['rank', 'rank'], ['host', 'host'], ['waiting', 'waiting, whole run'],
  ['shown', 'waiting, shown span'], ['cluster', 'cluster']];
const LISTED = 200; // rows of the table
const CALLED = 3; // functions that are named
const TAG = 14; // pixels

const percent = share => (100 * share).toFixed(1) + ' %';
const some = (count, word) => count + ' ' + word + (count === 1 ? '' : 's');

export class Order {
  constructor(view, canvas) {
    this.view = view;
    this.by = 'rank';
    this.asked = 0;
    this.build(canvas);
    view.picture.overlays.push((context, shown, picture) => this.draw(context, shown, picture));
    const wanted = /^#sort=(\w+)$/.exec(location.hash);
    if (wanted && !this.bar.hidden && ORDERS.some(([key]) => key === wanted[1])) this.choose(wanted[1]);
  }

  build(canvas) {
    const bar = make('div'), view = this.view;
    bar.id = 'order';
    bar.className = 'bar';
    bar.hidden = view.meta.rows.length < 2 || view.meta.rows.length + view.meta.other_rows.length > view.meta.list_most;
    this.select = make('select', null, make('label', 'Rows by ', bar));
    this.select.name = 'order';
    ORDERS.forEach(([key, word]) => { make('option', word, this.select).value = key; });
    this.again = make('button', 'Sort again', bar);
    this.again.type = 'button';
    this.again.hidden = true;
    this.said = make('output', '', bar);
    this.said.setAttribute('aria-live', 'polite');
    this.select.addEventListener('change', () => this.choose(this.select.value));
    this.again.addEventListener('click', () => this.choose(this.by));
    addEventListener('keydown', event => {
      const isOurs = document.activeElement === canvas || document.activeElement === document.body;
      if (!isOurs || bar.hidden || event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 'o') return;
      event.preventDefault();
      this.select.focus();
    });
    canvas.before(bar);
    this.bar = bar;
    this.section = make('section');
    this.section.id = 'ordered';
    this.section.hidden = true;
    document.getElementById('table').after(this.section);
  }

  async choose(by) {
    const turn = ++this.asked;
    this.select.value = by;
    this.said.textContent = by === 'rank' ? '' : 'The ranks are looked at.';
    try {
      const made = await this['by_' + by]();
      if (turn !== this.asked) return; // another one was chosen
      this.by = by;
      this.again.hidden = by !== 'shown';
      history.replaceState(null, '', by === 'rank' ? location.pathname : '#sort=' + by);
      this.said.textContent = made ? made.said : '';
      this.show(made);
      this.view.places.sort(made && made.rows, made ? made.groups : []);
      this.view.shown.first = 0;
      this.view.refit();
      this.view.change();
    } catch (error) {
      if (turn === this.asked) this.said.textContent = error.message;
    }
  }

  // Ticks of each state from one time to another, of all main threads.
  async ticks(from, to) {
    const count = this.view.meta.rows.length, all = [];
    while (all.length < count) {
      const span = await askJson('/span?from=' + from + '&to=' + to + '&first=' + all.length + '&rows=' + Math.min(this.view.meta.list_most, count - all.length));
      if (span.ticks.length === 0) throw new Error('The view does not know the states of all ranks.');
      all.push(...span.ticks);
    }
    return all;
  }

  rank(row) { return this.view.meta.rows[row].rank; }

  // Each order: null, or { rows, groups: [{ name, rows }], said, title, note, columns, table }.
  by_rank() { return null; }

  by_host() {
    const hosts = new Map();
    this.view.meta.rows.forEach(({ host }, row) => {
      if (!hosts.has(host)) hosts.set(host, []);
      hosts.get(host).push(row);
    });
    const groups = [...hosts].map(([host, rows]) => ({ name: host || 'no host told', rows }));
    return { rows: groups.flatMap(group => group.rows), groups, said: some(groups.length, 'host'), title: 'Ranks by host', note: '',
      columns: ['host', 'ranks', 'which'],
      table: groups.map(({ name, rows }) => [[name], [rows.length, 'ranks'], [rankList(rows.map(row => this.rank(row))), 'list']]) };
  }

  by_waiting() { return this.byWaiting(0, this.view.shown.length, 'of its run'); }

  by_shown() {
    const { shown } = this.view, step = niceStep(shown.span * shown.nsPerTick / 1000);
    return this.byWaiting(Math.round(shown.from), Math.round(shown.to), 'of what was shown of its run, ' +
      markText(shown.nsAt(shown.from), step) + ' to ' + markText(shown.nsAt(shown.to), step));
  }

  // A rank's run ends with MPI_Finalize, and what is shown may have less of it.
  async byWaiting(from, to, words) {
    const [ticks, called] = [await this.ticks(from, to), await askJson('/called')];
    const { meta, shown } = this.view, state = meta.states.findIndex(one => one.key === 'waiting');
    const waits = ticks.map((states, row) => {
      const run = called.rows[row], length = run.from === null ? 0 : Math.max(0, Math.min(to, run.to) - Math.max(from, run.from));
      return { row, ticks: states[state], length, share: length > 0 ? states[state] / length : 0 };
    });
    waits.sort((a, b) => b.share - a.share || b.ticks - a.ticks || a.row - b.row);
    const most = waits[0], least = waits[waits.length - 1];
    return { rows: waits.map(wait => wait.row), groups: [],
      said: 'rank ' + this.rank(most.row) + ' waits ' + percent(most.share) + ', rank ' + this.rank(least.row) + ' ' + percent(least.share) + ' ' + words,
      title: 'Ranks by waiting', note: 'How much a rank waits, ' + words + '.', columns: ['rank', 'host', 'waiting', 'share'],
      table: waits.map(wait => [[this.rank(wait.row), 'rank'], [meta.rows[wait.row].host || '-'],
        [timeText(wait.ticks * shown.nsPerTick), 'waiting_ns', wait.ticks * shown.nsPerTick], [percent(wait.share), 'share', wait.share]]) };
  }

  // The server finds them, as mpiwatch-analyze ranks does.
  async by_cluster() {
    const called = await askJson('/called'), all = this.view.meta.states.concat(this.view.meta.other_states);
    const kept = all.map((state, at) => called.clusters.some(({ states }) => states[at] > 0));
    const states = all.filter((state, at) => kept[at]);
    const groups = called.clusters.map(({ rows }, at) => ({ name: 'cluster ' + (at + 1) + ', ' + some(rows.length, 'rank'), rows }));
    return { rows: groups.flatMap(group => group.rows), groups, said: some(groups.length, 'cluster'), title: 'Clusters of ranks',
      note: 'A rank is in the first cluster from whose first rank it differs by no more than ' + 100 * called.time_apart + ' % of the time in each ' +
        'state, from when the first rank leaves MPI_Init, and by no more than ' + 100 * called.calls_apart + ' % of the calls of MPI in each function' +
        (called.until === null ? '' : ', of which the first ' + called.until + ' calls and regions of each rank were counted') + '.',
      columns: ['cluster', 'ranks', 'which'].concat(states.map(state => state.word), 'called most'),
      table: called.clusters.map(({ rows, states: means, called: most }, at) => [[at + 1, 'cluster'], [rows.length, 'ranks'],
        [rankList(rows.map(row => this.rank(row))), 'list'],
        ...means.filter((share, state) => kept[state]).map((share, state) => [percent(share), states[state].key, share]),
        [most.slice(0, CALLED).map(([name, times]) => called.names[name] + ' ' + times).join(', ') || '-', 'called']]) };
  }

  // The table behind an order; none for that by rank. A cell is [text, key, exact value].
  show(made) {
    this.section.replaceChildren();
    this.section.hidden = !made;
    if (!made) return;
    this.section.setAttribute('aria-labelledby', 'ordered-title');
    make('h2', made.title, this.section).id = 'ordered-title';
    if (made.note) make('p', made.note, this.section).className = 'note';
    const scroll = make('div', null, this.section), table = make('table', null, scroll), body = head(table, made.columns);
    scroll.className = 'scroll';
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'group');
    scroll.setAttribute('aria-labelledby', 'ordered-title');
    made.table.slice(0, LISTED).forEach(cells => {
      const line = make('tr', null, body);
      cells.forEach(([text, key, value], at) => {
        const cell = make(at === 0 ? 'th' : 'td', String(text), line);
        if (at === 0) cell.scope = 'row';
        if (key) cell.dataset.of = key;
        if (key) cell.dataset.value = value === undefined ? text : value;
      });
    });
    if (made.table.length > LISTED) make('p', LISTED + ' of ' + made.table.length + ' are listed', this.section).className = 'note';
  }

  // A line above each group, and its name where there is room for that.
  draw(context, shown, picture) {
    const { places } = this.view, end = Math.min(shown.first + picture.fit, places.count);
    let lastTag = -TAG;
    if (places.groups.length === 0) return;
    context.save();
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (let place = shown.first; place < end; place++) {
      const group = places.groupWith(places.rows[place]), begins = place === 0 || places.groupWith(places.rows[place - 1]) !== group;
      if (!begins && place > shown.first) continue;
      const y = picture.topOf(shown, place), right = picture.x(shown, shown.to);
      context.fillStyle = picture.ink;
      context.globalAlpha = picture.rowHeight < 3 ? .5 : 1;
      if (begins && place > 0) context.fillRect(picture.x(shown, shown.from), Math.round(y) - 1, right, 1);
      context.globalAlpha = 1;
      if (group === null || y < lastTag + TAG) continue;
      const width = Math.min(context.measureText(places.groups[group].name).width + 8, right / 2);
      context.fillStyle = picture.card;
      context.fillRect(right - width, y, width, TAG);
      context.fillStyle = picture.ink;
      context.fillText(places.groups[group].name, right - width + 4, y + TAG / 2, width - 8);
      lastTag = y;
    }
    context.restore();
  }
}
