// Tables: the rows behind "more" and those in sight become one table, which shows so many first,
// sorts by what a click on a heading says, and keeps to the rows that hold a word.
(function () {
  'use strict';
  const FEW = 6; // rows below which there is nothing to look for
  const create = (name, properties) => Object.assign(document.createElement(name), properties);

  // What a cell is sorted by: its number, its share, or its text; null: it has nothing.
  function valueOf(cell) {
    const data = cell.querySelector('data'), share = cell.querySelector('.share');
    if (data) return Number(data.value);
    if (share) return Number(share.style.getPropertyValue('--share'));
    const text = cell.textContent.trim();
    return text === '\u2013' || text === '' ? null : isFinite(parseFloat(text)) && /^[-+\d]/.test(text) ? parseFloat(text) : text.toLowerCase();
  }

  function compare(one, other) {
    if (one === null || other === null) return (one === null) - (other === null);
    if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
    return one < other ? -1 : one > other ? 1 : 0;
  }

  function equip(listing) {
    const tables = Array.from(listing.querySelectorAll('table')), table = tables[0];
    if (!table) return;
    const body = table.tBodies[0], open = body.rows.length, all = Number(listing.dataset.all);
    for (const later of tables.slice(1)) body.append(...later.tBodies[0].rows);
    listing.querySelectorAll('details').forEach(part => part.remove());
    const rows = Array.from(body.rows);
    let most = open, word = '';
    const said = create('output'), more = create('button', { type: 'button' });
    const field = create('input', { type: 'search', autocomplete: 'off' });

    function show() {
      let found = 0, shown = 0;
      for (const row of rows) {
        const fits = row.textContent.toLowerCase().includes(word);
        row.hidden = !fits || (!word && shown >= most);
        found += fits;
        shown += !row.hidden;
      }
      said.textContent = shown + ' of ' + all;
      more.textContent = most < rows.length ? 'show all' + (rows.length < all ? ' that are here' : '') : 'show fewer';
      more.hidden = word !== '' || rows.length <= open;
    }

    function sort(heading, column) {
      const up = heading.ariaSort ? heading.ariaSort === 'descending' : typeof valueOf(rows[0].cells[column]) === 'string';
      Array.from(table.tHead.rows[0].cells).forEach(cell => cell.removeAttribute('aria-sort'));
      heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const keyed = rows.map(row => [valueOf(row.cells[column]), row]);
      keyed.sort((a, b) => a[0] === null || b[0] === null ? compare(a[0], b[0]) : (up ? 1 : -1) * compare(a[0], b[0]));
      rows.splice(0, rows.length, ...keyed.map(pair => pair[1]));
      body.append(...rows);
      show();
    }

    if (rows.length > 1) {
      Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
        if (heading.tagName !== 'TH' || !heading.textContent) return;
        const button = create('button', { type: 'button', className: 'sort' });
        button.append(...heading.childNodes);
        button.addEventListener('click', () => sort(heading, column));
        heading.append(button);
      });
    }
    if (rows.length >= FEW || rows.length < all) {
      const tools = create('p', { className: 'tools' }), label = create('label', { textContent: 'rows with ' });
      label.append(field);
      tools.append(said, more, label);
      listing.append(tools);
      field.addEventListener('input', () => { word = field.value.trim().toLowerCase(); show(); });
      more.addEventListener('click', () => { most = most < rows.length ? rows.length : open; show(); });
      listing.querySelectorAll('p.note.cut').forEach(note => note.remove());
    }
    show();
  }

  document.querySelectorAll('.listing').forEach(equip);
})();
