// What the latest look told, as tables. Names come from the program: they become text, and never
// markup. Cells are kept from look to look, so that what is read aloud or marked stays.
import { timeText, bytesText } from '/view_time.js';

const ROWS_MOST = 200;
export const KNOWN_WELL = .005; // as mpiwatch-top: less of a doubt is none

function rounded(number) {
  return Math.abs(number) < 1000 ? String(Number(number.toPrecision(3))) : Math.round(number).toLocaleString('en').replaceAll(',', '\u2009');
}

export function shareText(share) {
  return share === null ? '-' : (100 * share).toFixed(1) + '%';
}

// As mpiwatch-top has it: ">=" where it may be more, "-" where nothing is known.
export function waitingText(waiting, doubtful) {
  if (waiting === null || (doubtful > KNOWN_WELL && waiting < KNOWN_WELL)) return '-';
  return (doubtful > KNOWN_WELL ? '\u2265' : '') + shareText(waiting);
}

const orDash = text => value => value === null || value === undefined ? '-' : text(value);
const count = orDash(rounded), bytes = orDash(bytesText), time = orDash(timeText), words = orDash(String);
const seconds = orDash(value => timeText(value * 1e9)), share = orDash(shareText);

function peerText(thread) {
  const name = value => value === -1 ? 'any' : String(value);
  if (thread.source !== null && thread.peer !== null) return thread.peer + ', from ' + name(thread.source);
  return thread.source !== null ? 'from ' + name(thread.source) : thread.peer !== null ? name(thread.peer) : '-';
}

export function threadName(thread) {
  return thread.thread === 0 ? String(thread.rank) : thread.rank + '.' + thread.thread;
}

const waits = span => [['waiting ' + span, thread => waitingText(thread['waiting_share_' + span.replace(' ', '')],
  thread['doubtful_share_' + span.replace(' ', '')]), 'waiting_share_' + span.replace(' ', '')]];

// A column: its word, the text of a row, and the key whose exact value is there, too.
const RANKS = [
  ['rank', threadName, 'rank'],
  ['now', row => row.now, 'now', 'words'],
  ['for', row => seconds(row.for_s), 'for_s'],
  ['line', row => words(row.line), 'line', 'words'],
  ['peer', peerText, 'peer'],
  ['communicator', row => words(row.comm), 'comm', 'words'],
  ['MPI 1 s', row => share(row.mpi_share_1s), 'mpi_share_1s'],
  ['MPI 10 s', row => share(row.mpi_share_10s), 'mpi_share_10s'],
  ['MPI all', row => share(row.mpi_share_all), 'mpi_share_all'],
  ...waits('1 s'), ...waits('10 s'), ...waits('all'),
  ['waited', row => time(row.waited_ns), 'waited_ns'],
  ['calls/s', row => count(row.calls_per_s), 'calls_per_s'],
  ['messages/s', row => count(row.messages_per_s), 'messages_per_s'],
  ['bytes/s', row => bytes(row.bytes_per_s), 'bytes_per_s'],
  ['calls', row => count(row.calls), 'calls'],
  ['sent', row => count(row.messages_sent), 'messages_sent'],
  ['received', row => count(row.messages_received), 'messages_received'],
];
const CALLS = [
  ['call', row => row.name, 'name', 'words'],
  ['calls', row => count(row.count), 'count'],
  ['time', row => time(row.time_ns), 'time_ns'],
  ['shortest', row => time(row.min_ns), 'min_ns'],
  ['longest', row => time(row.max_ns), 'max_ns'],
  ['sent', row => bytes(row.bytes_sent), 'bytes_sent'],
  ['received', row => bytes(row.bytes_received), 'bytes_received'],
];
const COMMS = [
  ['communicator', row => row.name, 'name', 'words'],
  ['members', row => count(row.size), 'size'],
  ['alive', row => row.alive ? 'yes' : 'no', 'alive'],
  ['calls', row => count(row.calls), 'calls'],
  ['messages', row => count(row.messages), 'messages'],
  ['bytes', row => bytes(row.bytes), 'bytes'],
  ['collectives', row => count(row.collectives), 'collectives'],
  ['their bytes', row => bytes(row.collective_bytes), 'collective_bytes'],
  ['time', row => time(row.time_ns), 'time_ns'],
];
const PAIRS = [
  ['from', row => words(row.from), 'from'],
  ['to', row => words(row.to), 'to'],
  ['messages', row => count(row.count), 'count'],
  ['bytes', row => bytes(row.bytes), 'bytes'],
  ['on the way', row => count(row.on_the_way), 'on_the_way'],
];
const VARIABLES = [
  ['variable', row => row.name, 'name', 'words'],
  ['unit', row => row.unit, 'unit', 'words'],
  ['ranks', row => count(row.ranks), 'ranks'],
  ['highest', row => count(row.highest), 'highest'],
  ['of rank', row => words(row.highest_rank), 'highest_rank'],
  ['all', row => count(row.all), 'all'],
];

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function child(parent, at, tag) {
  while (parent.children.length <= at) parent.append(document.createElement(tag));
  return parent.children[at];
}

function cut(parent, length) {
  while (parent.children.length > length) parent.lastElementChild.remove();
}

function fill(table, columns, rows) {
  if (!table.tHead) {
    const row = table.createTHead().insertRow();
    columns.forEach(([word, , , kind]) => {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = word;
      cell.className = kind ? 'left' : '';
      row.append(cell);
    });
    table.createTBody();
  }
  const body = table.tBodies[0];
  rows.slice(0, ROWS_MOST).forEach((row, at) => {
    const line = child(body, at, 'tr');
    columns.forEach(([, text, key, kind], column) => {
      const cell = child(line, column, column === 0 ? 'th' : 'td'), shown = text(row);
      setText(cell, shown);
      cell.dataset.of = key;
      cell.dataset.value = row[key] === null || row[key] === undefined ? '' : row[key];
      if (column === 0) cell.scope = 'row';
      if (kind) { cell.className = kind; cell.title = shown; }
    });
  });
  cut(body, ROWS_MOST < rows.length ? ROWS_MOST : rows.length);
}

const byId = id => document.getElementById(id);

function most(rows, key) {
  return rows.slice().sort((a, b) => b[key] - a[key]);
}

function show(id, columns, rows) {
  byId(id).hidden = rows.length === 0;
  if (rows.length > 0) fill(byId(id + '-table'), columns, rows);
}

export function showRanks(look, filter) {
  const word = filter.trim().toLowerCase();
  const rows = look.threads.filter(row => !word || ['now', 'line', 'comm', 'state'].some(key => String(row[key] ?? '').toLowerCase().includes(word)) ||
    'rank ' + threadName(row) === word || threadName(row) === word);
  byId('ranks').hidden = look.threads.length === 0;
  fill(byId('ranks-table'), RANKS, rows);
  setText(byId('ranks-count'), rows.length > ROWS_MOST ? 'the first ' + ROWS_MOST + ' of ' + rows.length + ' rows are shown'
    : rows.length < look.threads.length ? rows.length + ' of ' + look.threads.length + ' rows' : '');
}

export function showEvents(events) {
  show('calls', CALLS, most(events.calls || [], 'time_ns'));
  show('comms', COMMS, most(events.communicators || [], 'time_ns'));
  show('pairs', PAIRS, most(events.pairs || [], 'bytes'));
  show('variables', VARIABLES, events.variables || []);
  setText(byId('read'), events.read_share < .99
    ? 'Behind: ' + Math.round(100 * events.read_share) + '% of the calls made so far are in these numbers, and in those of waiting.' : '');
}
