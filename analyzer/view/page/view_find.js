// Search: the next call, and the one before, that fits a name, a tag, a size or a line, of all rows;
// how many there are is said as far as they were looked at. A rank is a row.
import { askJson } from '/view_data.js';
import { make } from '/view_panel.js';
import { markText } from '/view_time.js';

const WAYS = [['region', 'region or call', 'MPI_Waitall'], ['comm', 'communicator', 'MPI_COMM_WORLD'], ['rank', 'rank', '3'],
  ['tag', 'tag', '7'], ['size', 'more bytes than', '65536'], ['line', 'line', 'solver.c:120']];

export class Finding {
  constructor(view, canvas) {
    this.view = view;
    this.canvas = canvas;
    this.asked = null; // { by, text, hit, position, count, isWhole }
    this.build();
    addEventListener('keydown', event => {
      const active = document.activeElement;
      if ((active !== canvas && active !== document.body) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '/') this.text.focus();
      else if (event.key === 'n') this.go(false);
      else if (event.key === 'p') this.go(true);
      else return;
      event.preventDefault();
    });
  }

  build() {
    const form = make('form');
    form.id = 'find';
    form.className = 'bar';
    form.setAttribute('role', 'search');
    const label = make('label', 'Find ', form);
    this.by = make('select', null, label);
    this.by.name = 'by';
    WAYS.forEach(([value, word]) => { make('option', word, this.by).value = value; });
    this.text = make('input', null, form);
    this.text.name = 'text';
    this.text.setAttribute('aria-label', 'What is looked for');
    this.text.size = 18;
    this.text.autocomplete = 'off';
    this.text.spellcheck = false;
    this.text.addEventListener('keydown', event => { if (event.key === '?') event.stopPropagation(); }); // is no key here
    const hint = () => { this.text.placeholder = WAYS.find(way => way[0] === this.by.value)[2]; };
    hint();
    this.by.addEventListener('change', hint);
    const next = make('button', 'Next', form);
    next.type = 'submit';
    next.dataset.find = 'next';
    const previous = make('button', 'Previous', form);
    previous.type = 'button';
    previous.dataset.find = 'previous';
    previous.addEventListener('click', () => this.go(true));
    this.said = make('output', '', form);
    this.said.setAttribute('aria-live', 'polite');
    form.addEventListener('submit', event => { event.preventDefault(); this.go(false); });
    this.canvas.before(form);
  }

  say(sentence, isBad = false) {
    this.said.className = isBad ? 'failed' : '';
    this.said.textContent = sentence;
  }

  async go(isBack) {
    const by = this.by.value, text = this.text.value.trim();
    if (text === '') return this.say('Nothing is looked for.', true);
    if (by === 'rank') return this.goToRank(text);
    const isNew = !this.asked || this.asked.by !== by || this.asked.text !== text;
    const asked = this.asked = isNew ? { by, text, hit: null } : this.asked;
    this.say('\u2026');
    try {
      let found = await this.ask(asked, isBack, isNew);
      if (!found.hit && found.until === null && asked.count !== 0) found = await this.ask(asked, isBack, isNew, true);
      if (this.asked !== asked) return;
      this.tell(asked, found, isBack);
    } catch (error) {
      if (this.asked === asked) this.asked = null;
      this.say(error.message, true);
    }
  }

  // From the last hit, else from what is shown; from the run's other end when nothing more is there.
  async ask(asked, isBack, counts, isAround = false) {
    const { shown } = this.view;
    const from = isAround ? (isBack ? shown.length + 1 : 0) : asked.hit ? asked.hit.enter : Math.round(isBack ? shown.to : shown.from);
    const found = await askJson('/search?by=' + asked.by + '&text=' + encodeURIComponent(asked.text) + '&at=' + from +
      (asked.hit && !isAround ? '&call=' + asked.hit.call : '') + (isBack ? '&back=1' : '') + (counts ? '&count=1' : ''));
    if (counts) Object.assign(asked, { count: found.count, isWhole: found.is_whole, position: found.position });
    return Object.assign(found, { isCounted: counts });
  }

  tell(asked, found, isBack) {
    const many = (asked.isWhole ? '' : 'at least ') + asked.count;
    if (!found.hit) {
      const { shown } = this.view;
      return this.say(found.until === null ? 'There is none.'
        : 'None ' + (isBack ? 'from ' : 'up to ') + markText(shown.nsAt(found.until), 1) + '; more was not looked at.');
    }
    if (!found.isCounted) asked.position = this.moved(asked, found.hit, isBack);
    asked.hit = found.hit;
    this.say((asked.isWhole ? asked.position + ' of ' + many : 'one of ' + many) +
      (found.hit.row === null ? ', which has no row here' : ''));
    this.view.goTo(found.hit);
    this.said.dataset.call = found.hit.call;
  }

  // One on, and around at the ends.
  moved(asked, hit, isBack) {
    const isAround = isBack ? hit.enter > asked.hit.enter : hit.enter < asked.hit.enter;
    return isAround ? (isBack ? asked.count : 1) : asked.position + (isBack ? -1 : 1);
  }

  goToRank(text) {
    const { view } = this, row = view.meta.rows.findIndex(one => String(one.rank) === text);
    if (row < 0) return this.say('There is no row of such a rank.', true);
    const place = view.places ? view.places.placeOf(row) : row;
    view.shown.first = 0;
    view.shown.moveRows(place - Math.floor(view.picture.fit / 2), view.picture.fit);
    view.change();
    this.say('1 of 1: row ' + (place + 1));
  }
}
