// Markers: those of the time shown that have room for it carry their texts above their lines.
// page.js calls draw whenever that time is another one.
const marks = (function () {
  'use strict';
  const row = document.querySelector('.marks'), ROOM = 70; // pixels
  const lines = Array.from(document.querySelectorAll('line.marker'), line => ({
    at: Number(line.getAttribute('x1')) / 10000, text: line.textContent }));

  function draw(view) {
    if (!row) return;
    const room = Math.max(.1, ROOM / row.clientWidth), labels = [];
    for (const line of lines) {
      const x = (line.at - view.start) / (view.end - view.start), last = labels[labels.length - 1];
      if (x < 0 || x > 1) continue;
      if (last && x - last.x < room) { last.hidden++; continue; }
      if (last) last.room = x - last.x;
      labels.push({ x: x, room: 1 - x, text: line.text, hidden: 0, side: '' });
    }
    const last = labels[labels.length - 1], before = labels[labels.length - 2];
    if (last && last.room < room) {
      last.side = 'end';
      last.room = before ? before.room / 2 : last.x;
      if (before) before.room -= last.room;
    }
    row.replaceChildren(...labels.map(label => {
      const span = document.createElement('span');
      span.textContent = label.text + (label.hidden ? ' +' + label.hidden : '');
      span.className = label.side;
      span.style.left = 100 * label.x + '%';
      span.style.maxWidth = 100 * label.room + '%';
      return span;
    }));
  }

  return { draw: draw };
})();
