// Collective operations: bands across the rows of their members, from when the first one entered to
// when the last one left, a table of those that are shown, and what is told of one.
import { PALE } from '/view_filter.js';
import { timeText, bytesText } from '/view_time.js';

const LISTED = 50; // rows of the table

// A band as the server tells it.
function bandOf([number, name, comm, from, to, members, root, sent, received, rows]) {
  return { number, name, comm, from, to, members, root, sent, received, rows };
}

// Places side by side: [[first, last], …].
function runs(places) {
  const list = [];
  for (const place of [...new Set(places)].sort((a, b) => a - b)) {
    if (list.length && list[list.length - 1][1] === place - 1) list[list.length - 1][1] = place;
    else list.push([place, place]);
  }
  return list;
}

function text(near, band) {
  const bytes = band.sent || band.received ? ', ' + bytesText(Math.max(band.sent, band.received)) : '';
  return near.names[band.name] + (band.comm === null ? '' : ' on ' + (near.names[band.comm] ?? 'a communicator without a name')) +
    ', ' + band.members + ' ranks' + (band.root === null ? '' : ', root ' + band.root) + bytes;
}

export class Bands {
  // tell(number) tells of an operation.
  constructor(picture, places, tell) {
    this.picture = picture;
    this.places = places;
    this.tell = tell;
    this.drawn = []; // [x, y, width, height, band]
  }

  // Below calls (isBelow) a tint, above them what frames it.
  draw(shown, near, isBelow, chosen) {
    const picture = this.picture, context = picture.context;
    if (isBelow) this.drawn = [];
    for (const band of near ? near.bands.map(bandOf) : []) {
      const x = picture.x(shown, band.from), width = Math.max(1, picture.x(shown, band.to) - x);
      const right = picture.x(shown, shown.to);
      if (x > right || x + width < picture.x(shown, shown.from)) continue;
      const pale = picture.filter && !picture.filter.hasBand(near, band.number) ? PALE : 1;
      const all = runs(band.rows.map(row => this.places.placeOf(row)).filter(place => place !== null));
      context.strokeStyle = picture.style('ink');
      context.lineWidth = band.number === chosen ? 2 : 1;
      all.forEach(([first, last], at) => {
        const y = picture.topOf(shown, first), height = (last - first + 1) * picture.rowHeight;
        context.globalAlpha = pale * (isBelow ? .22 : band.number === chosen ? 1 : .55);
        context.fillStyle = picture.style('collective');
        if (isBelow) {
          context.fillRect(x, y, width, height);
          this.drawn.push([x, y, width, height, band]);
          return;
        }
        if (width < 3) return;
        context.strokeRect(x + .5, y + .5, width - 1, height - 1);
        if (at > 0) { // members that do not stand side by side
          context.setLineDash([2, 3]);
          context.beginPath();
          context.moveTo(x + .5, picture.topOf(shown, all[at - 1][1] + 1));
          context.lineTo(x + .5, y);
          context.stroke();
          context.setLineDash([]);
        }
      });
    }
    context.globalAlpha = 1;
    context.lineWidth = 1;
  }

  // The shortest of those at a point; else null.
  at(x, y) {
    const hits = this.drawn.filter(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height);
    hits.sort((a, b) => a[2] - b[2]);
    return hits.length ? hits[0][4] : null;
  }

  tip(near, band, shown) { return text(near, band) + '\n' + timeText((band.to - band.from) * shown.nsPerTick); }

  // The table of those that are shown.
  list(section, table, near, shown) {
    const bands = (near ? near.bands.map(bandOf) : []).filter(band => band.from <= shown.to && band.to >= shown.from);
    bands.sort((a, b) => a.from - b.from);
    section.hidden = bands.length === 0;
    table.replaceChildren();
    const head = table.createTHead().insertRow(), body = table.createTBody();
    ['operation', 'communicator', 'ranks', 'root', 'sent', 'received', 'time'].forEach(word => {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = word;
      head.append(cell);
    });
    for (const band of bands.slice(0, LISTED)) {
      const row = body.insertRow(), button = document.createElement('button');
      button.type = 'button';
      button.textContent = near.names[band.name];
      button.dataset.band = band.number;
      button.addEventListener('click', () => this.tell(band.number));
      row.insertCell().append(button);
      const comm = band.comm === null ? '-' : near.names[band.comm] ?? '-';
      [comm, String(band.members), band.root === null ? '-' : String(band.root), bytesText(band.sent),
        bytesText(band.received), timeText((band.to - band.from) * shown.nsPerTick)]
        .forEach(word => { row.insertCell().textContent = word; });
    }
    if (bands.length > LISTED) {
      const row = body.insertRow();
      row.insertCell().textContent = (bands.length - LISTED) + ' more';
    }
  }
}

// Tells of an operation: the last one to come, and who waited.
export function showBand(panel, band) {
  const section = panel.section;
  panel.begin(band.name + ', ' + band.count + ' ranks');
  section.dataset.band = band.collective;
  const list = panel.part('Collective operation');
  panel.fact(list, 'communicator', 'band.comm', band.comm);
  panel.fact(list, 'root', 'band.root', band.root);
  if (band.present < band.count) panel.fact(list, 'of whom the record has', 'band.present', band.present);
  panel.bytes(list, 'sent by all', 'band.bytes_sent', band.bytes_sent);
  panel.bytes(list, 'received by all', 'band.bytes_received', band.bytes_received);
  panel.time(list, 'the first one entered', 'band.from_ns', band.from_ns);
  panel.time(list, 'from then until the last one left', 'band.took_ns', band.took_ns);
  panel.time(list, 'all waited in it', 'band.wait_ns', band.wait_ns);
  panel.fact(list, 'the last one to come', 'band.last_rank', band.last.rank);
  panel.goTo('Go to the last one', band.last, 'last');
  const waiters = panel.part('Who waited, the longest first');
  band.members.filter(member => member.wait_ns > 0).forEach(member => {
    panel.time(waiters, 'rank ' + member.rank, 'band.wait_of_' + member.rank, member.wait_ns);
  });
  if (!band.wait_ns) panel.fact(waiters, 'nobody', 'band.nobody', 'waited');
  const go = document.createElement('div');
  go.className = 'go';
  section.append(go);
  band.members.forEach(member => panel.button(go, 'rank ' + member.rank, member.begin, 'member'));
  if (band.present > band.members.length) go.append('and others');
  section.focus({ preventScroll: true });
}
