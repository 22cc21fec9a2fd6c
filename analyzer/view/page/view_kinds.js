// Waits by pattern: a row leads to the longest one, and has the longest ones of its pattern listed.
import { askJson } from '/view_data.js';
import { make, head, showWaits } from '/view_panel.js';
import { timeText } from '/view_time.js';

export class Kinds {
  constructor(view) {
    this.view = view;
    this.worst = document.getElementById('worst');
    this.title = document.getElementById('worst-title');
    this.list = document.getElementById('waits');
    this.fill();
  }

  async fill() {
    let kinds;
    try {
      kinds = await askJson('/kinds');
    } catch (error) {
      return; // what has gone is said where the longest waits are asked for
    }
    if (kinds.length === 0) return;
    const section = make('section');
    section.id = 'kinds';
    section.setAttribute('aria-labelledby', 'kinds-title');
    make('h2', 'Waits by pattern', section).id = 'kinds-title';
    const scroll = make('div', null, section), body = head(make('table', null, scroll), ['wait', 'time', 'times', 'longest', 'those']);
    scroll.className = 'scroll';
    scroll.tabIndex = 0;
    scroll.setAttribute('role', 'region');
    scroll.setAttribute('aria-labelledby', 'kinds-title');
    kinds.forEach(kind => this.addRow(body, kind));
    this.worst.before(section);
  }

  addRow(body, kind) {
    const row = make('tr', null, body), longest = kind.longest[0];
    row.dataset.pattern = kind.pattern;
    this.addButton(make('td', null, row), kind.title, 'Go to the longest ' + kind.title, () => this.view.goTo(longest.in));
    make('td', timeText(kind.wait_ns), row).dataset.value = kind.wait_ns;
    make('td', String(kind.waits), row).dataset.value = kind.waits;
    make('td', timeText(longest.wait_ns), row).dataset.value = longest.wait_ns;
    this.addButton(make('td', null, row), 'list', 'List the longest of ' + kind.title, () => {
      this.title.textContent = 'The longest waits: ' + kind.title;
      showWaits(this.list, kind.longest, place => this.view.goTo(place));
      this.worst.scrollIntoView({ block: 'nearest' });
    });
  }

  addButton(cell, word, label, act) {
    const button = make('button', word, cell);
    button.type = 'button';
    button.setAttribute('aria-label', label);
    button.addEventListener('click', act);
  }
}
