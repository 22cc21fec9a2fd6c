// What is told in words: of a call, of what is shown, of the longest waits. Names come from archives:
// they become text, and never markup.
import { showActions } from '/view_actions.js';
import { timeText, exactText, bytesText } from '/view_time.js';

export function make(tag, text, parent) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

// A number for people, whose exact value is there, too.
function quantity(list, word, key, value, text) {
  make('dt', word, list);
  const shown = make('dd', text, list);
  shown.dataset.of = key;
  shown.dataset.value = value;
  shown.title = String(value);
}

function fact(list, word, key, value) {
  if (value === null || value === undefined || value === '') return;
  quantity(list, word, key, value, String(value));
}

function time(list, word, key, ns) {
  if (ns !== null && ns !== undefined) quantity(list, word, key, ns, Math.abs(ns) < 1000 ? ns + ' ns' : timeText(ns) + ' (' + exactText(ns) + ')');
}

function bytes(list, word, key, value) {
  if (value !== null && value !== undefined) quantity(list, word, key, value, bytesText(value));
}

function whereText(file, line) {
  return file ? file + (line ? ':' + line : '') : null;
}

function placeText(place) {
  return place.name + ' of ' + place.of;
}

export class Panel {
  // go(place) shows a call and tells about it, tellBand(number) tells about an operation.
  constructor(section, go, close, tellBand) {
    this.tellBand = tellBand;
    this.section = section;
    this.go = go;
    this.close = close;
  }

  // For what other modules tell.
  fact(...words) { fact(...words); }

  time(...words) { time(...words); }

  bytes(...words) { bytes(...words); }

  button(parent, word, place, name) {
    if (!place) return;
    const button = make('button', word, parent);
    button.type = 'button';
    button.dataset.go = name;
    button.dataset.call = place.call;
    button.addEventListener('click', () => this.go(place));
  }

  // Empties it for what title says; the buttons are to come.
  begin(title) {
    const section = this.section;
    section.replaceChildren();
    section.hidden = false;
    delete section.dataset.call;
    delete section.dataset.band;
    make('h2', title, section);
    const go = make('div', null, section);
    go.className = 'go';
    const close = make('button', 'Close', go);
    close.type = 'button';
    close.addEventListener('click', this.close);
    return go;
  }

  show(detail) {
    const section = this.section, record = detail.record, go = this.begin(placeText(detail.place));
    section.dataset.call = detail.place.call;
    this.button(go, 'Previous of its kind', detail.previous, 'previous');
    this.button(go, 'Next of its kind', detail.next, 'next');
    this.button(go, detail.around ? 'Around it: ' + detail.around.name : '', detail.around, 'around');
    this.showCall(make('dl', null, section), detail, record);
    detail.waits.forEach(wait => this.showWait(wait));
    detail.messages.list.forEach(message => this.showMessage(message));
    if (detail.messages.count > detail.messages.list.length) {
      make('p', detail.messages.list.length + ' of ' + detail.messages.count + ' messages are listed', section).className = 'note';
    }
    detail.collectives.forEach(collective => this.showCollective(collective));
    showActions(this, detail.actions);
    section.focus({ preventScroll: true });
  }

  showCall(list, detail, record) {
    list.className = 'settings';
    fact(list, 'thread', 'call.thread', record.thread);
    time(list, 'entered', 'call.enter_ns', record.enter_ns);
    time(list, detail.is_open ? 'the record ends inside it' : 'left', 'call.leave_ns', record.leave_ns);
    time(list, 'took', 'call.duration_ns', detail.duration_ns);
    if (record.calls > 1) fact(list, 'calls told as one', 'call.calls', record.calls);
    fact(list, 'called at', 'call.place', whereText(record.file, record.line));
    fact(list, 'in function', 'call.function', detail.function);
    fact(list, 'called from', 'call.called_from', detail.called_from);
    fact(list, 'in region', 'call.region', record.region);
    fact(list, 'communicator', 'call.comm', record.comm);
    fact(list, 'peer', 'call.peer', record.peer);
    fact(list, 'tag', 'call.tag', record.tag);
    fact(list, 'root', 'call.root', record.root);
    if (detail.finds_alone) fact(list, 'what it found', 'call.finds_alone', 'never received, as far as is recorded');
    if (detail.is_mpi && record.bytes_sent) bytes(list, 'sent', 'call.bytes_sent', record.bytes_sent);
    if (detail.is_mpi && record.bytes_received) bytes(list, 'received', 'call.bytes_received', record.bytes_received);
  }

  part(title) {
    make('h3', title, this.section);
    const list = make('dl', null, this.section);
    list.className = 'settings';
    return list;
  }

  goTo(word, place, name) {
    const go = make('div', null, this.section);
    go.className = 'go';
    this.button(go, place ? word + ': ' + placeText(place) : '', place, name);
  }

  showWait(wait) {
    const list = this.part('Wait: ' + wait.title);
    time(list, 'waited', 'wait.wait_ns', wait.wait_ns);
    fact(list, 'for rank', 'wait.cause_rank', wait.cause_rank);
    this.goTo('Go to the cause', wait.cause, 'cause');
  }

  showMessage(message) {
    const record = message.record;
    const list = this.part('Message from rank ' + record.from + ' to rank ' + record.to + ', which this call ' +
                           (message.role.includes(' ') ? 'has to do with: it ' + message.role + ' it' : message.role));
    bytes(list, 'bytes', 'message.bytes', record.bytes);
    fact(list, 'tag', 'message.tag', record.tag);
    fact(list, 'communicator', 'message.comm', record.comm);
    time(list, 'sent', 'message.sent_ns', record.sent_ns);
    time(list, 'receive posted', 'message.posted_ns', record.posted_ns);
    time(list, 'received', 'message.received_ns', record.received_ns);
    if (record.wait_ns) time(list, 'the receiver waited', 'message.wait_ns', record.wait_ns);
    if (record.send_wait_ns) time(list, 'the sender waited', 'message.send_wait_ns', record.send_wait_ns);
    if (record.progress_wait_ns) {
      time(list, 'the receiver waited for progress', 'message.progress_wait_ns', record.progress_wait_ns);
    }
    if (record.send_progress_wait_ns) {
      time(list, 'the sender waited for progress', 'message.send_progress_wait_ns', record.send_progress_wait_ns);
    }
    this.goTo('Go to the partner', message.partner, 'partner');
  }

  showCollective(collective) {
    const list = this.part((collective.collective === null ? 'Epoch of ' : 'Collective operation of ') + collective.count + ' ranks' +
                           (collective.completes ? ', which this call completes' : ''));
    fact(list, 'communicator', 'collective.comm', collective.comm);
    fact(list, 'root', 'collective.root', collective.root);
    const go = make('div', null, this.section);
    go.className = 'go';
    if (collective.collective !== null) {
      const whole = make('button', 'The whole operation', go);
      whole.type = 'button';
      whole.dataset.go = 'band';
      whole.addEventListener('click', () => this.tellBand(collective.collective));
    }
    collective.members.forEach(member => this.button(go, 'rank ' + member.rank, member.begin, 'member'));
    if (collective.count > collective.members.length) make('span', 'and others', go);
  }
}

export function head(table, words) {
  const row = make('tr', null, make('thead', null, table));
  words.forEach(word => { make('th', word, row).scope = 'col'; });
  return make('tbody', null, table);
}

// The table behind the picture: ticks of each state in what is shown, of a list of rows; fold(row)
// shows or hides what is beneath one. Groups of rows have headings.
export function showStates(table, meta, span, list, places, nsPerTick, fold) {
  const states = meta.states.concat(meta.other_states);
  table.replaceChildren();
  const body = head(table, ['rank'].concat(states.map(state => state.word)));
  let group = null;
  span.ticks.forEach((ticks, at) => {
    const belongs = places.groupWith(list[at]), row = make('tr');
    if (belongs !== null && belongs !== group) {
      const heading = make('th', places.groups[belongs].name, make('tr', null, body));
      heading.colSpan = states.length + 1;
      heading.scope = 'rowgroup';
    }
    group = belongs;
    body.append(row);
    const label = make('th', places.canFold(list[at]) ? '' : places.shortOf(list[at]), row);
    label.scope = 'row';
    label.title = places.titleOf(list[at]);
    if (places.canFold(list[at])) {
      const button = make('button', places.shortOf(list[at]), label);
      button.type = 'button';
      button.setAttribute('aria-expanded', String(places.isUnfolded(list[at])));
      button.setAttribute('aria-label', 'Threads of rank ' + places.shortOf(list[at]));
      button.addEventListener('click', () => fold(list[at]));
    }
    ticks.forEach((count, state) => {
      const cell = make('td', timeText(count * nsPerTick), row);
      cell.dataset.state = states[state].key;
      cell.dataset.value = count * nsPerTick;
    });
  });
}

export function showWaits(table, waits, go) {
  table.replaceChildren();
  const body = head(table, ['wait', 'time', 'in', 'rank', 'for rank']);
  waits.forEach(wait => {
    const row = make('tr', null, body), cell = make('td', null, row);
    const button = make('button', wait.title, cell);
    button.type = 'button';
    button.addEventListener('click', () => go(wait.in));
    make('td', timeText(wait.wait_ns), row).dataset.value = wait.wait_ns;
    make('td', wait.in.name, row);
    make('td', String(wait.in.rank), row);
    make('td', wait.cause_rank === null ? '-' : String(wait.cause_rank), row);
  });
}
