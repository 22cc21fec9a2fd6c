// A run while it runs: looks are asked for while the page is seen, and what they tell is shown. The
// server looks whether somebody asks or not, so that what was missed comes with the next answer.
import { timeText } from '/view_time.js';
import { askJson } from '/view_data.js';
import { History, LivePicture } from '/view_live_draw.js';
import { showEvents, showRanks } from '/view_live_tables.js';

const byId = id => document.getElementById(id);
const canvas = byId('canvas'), tip = byId('tip');
const history = new History(), picture = new LivePicture(canvas);
let latest = null;     // the latest look
let about = null;      // what the server says of itself
let timer = 0, isAsking = false, polls = 0;
let explainedAt = null; // s for which nothing went on when that was explained
let stage = 'running';

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function fail(sentence) {
  clearTimeout(timer);
  stage = 'failed';
  byId('state').className = 'failed';
  setText(byId('state'), sentence);
  byId('why-button').disabled = true;
}

function spans(parent, texts) {
  const shown = texts.filter(text => text);
  while (parent.children.length > shown.length) parent.lastElementChild.remove();
  shown.forEach((text, at) => {
    if (at >= parent.children.length) parent.append(document.createElement(parent.tagName === 'UL' ? 'li' : 'span'));
    setText(parent.children[at], text);
  });
}

function showFacts(look) {
  const name = (look.program || '').split('/').pop() || 'run ' + look.run, states = new Map();
  look.threads.filter(thread => thread.thread === 0).forEach(thread => states.set(thread.state, (states.get(thread.state) || 0) + 1));
  document.title = name + ' \u2013 mpiwatch-view';
  setText(byId('title'), name);
  spans(byId('facts'), [look.ranks + (look.ranks === 1 ? ' rank' : ' ranks'), ...[...states].map(([state, count]) =>
    count + (state === 'MPI' ? ' in MPI' : ' ' + state))]);
}

function showState(look) {
  const isStuck = about.alarm_s > 0 && look.stuck_s >= about.alarm_s;
  byId('state').className = isStuck ? 'failed' : '';
  setText(byId('state'), stage === 'ended' || !look.running ? 'The run has ended.'
    : isStuck ? 'No rank has left MPI for ' + about.alarm_s + ' s and more.' : 'The run goes on.');
  if (!isStuck) explainedAt = null;
  if (isStuck && explainedAt === null && look.running) explain(look.stuck_s);
}

// What is missing in what is shown.
function showNotes(look) {
  const threads = look.threads, events = look.events || {};
  const lost = threads.reduce((sum, thread) => sum + (thread.lost || 0), 0);
  const some = (count, text) => count > 0 ? count + text : '';
  spans(byId('notes'), [
    some(look.ranks - threads.filter(thread => thread.thread === 0).length, ' ranks have not begun, or are not seen from here.'),
    some(threads.filter(thread => thread.state === 'elsewhere').length, ' ranks are on other hosts: what is told of them may be old.'),
    some(threads.filter(thread => thread.behind).length, ' ranks wrote faster than could be read: what is told of them is of an earlier look.'),
    some(lost, ' calls could not be recorded, and are in no number here.'),
    some(events.overwritten || 0, ' calls are in no number of events, since a ring had written over them.'),
    some(events.damaged || 0, ' spools are damaged, and could be read no further.'),
    events.read_share < .99 ? 'Waiting, calls, communicators and messages have ' + Math.round(100 * events.read_share) +
      '% of the calls made so far: reading takes its time.' : '',
  ]);
}

function show() {
  showFacts(latest);
  showState(latest);
  showNotes(latest);
  byId('picture').hidden = false;
  showRanks(latest, byId('filter').value);
  showEvents(latest.events || {});
  draw();
  setText(byId('shown'), 'look ' + history.latest.number + ', each ' + timeText(about.interval_s * 1e9) +
    (picture.perRow > 1 ? ', a row is the mean of ' + picture.perRow + ' ranks' : ''));
}

function draw() {
  if (history.latest) picture.draw(history);
}

function command(parent, words, program, word) {
  const line = document.createElement('p'), code = document.createElement('code');
  code.textContent = program + ' ' + word;
  line.append(words, code);
  parent.append(line);
}

function showEnd() {
  const end = byId('end');
  byId('open-button').hidden = about.archive !== 'there';
  if (end.dataset.archive === about.archive) return;
  end.dataset.archive = about.archive;
  end.hidden = about.archive === 'none';
  end.replaceChildren();
  if (about.archive === 'there') command(end, 'Its archive is ' + about.name + '. It can be opened here, or by ', 'mpiwatch-view', about.view);
  if (about.archive === 'missing') command(end, 'There is no archive, or not yet. Of what a run has left that was killed one is made by ',
    'mpiwatch-recover', about.recover);
}

async function poll() {
  clearTimeout(timer);
  if (isAsking || stage === 'failed') return;
  isAsking = true;
  try {
    const told = await askJson('/looks?after=' + (history.latest ? history.latest.number : 0));
    about = told.about;
    told.looks.forEach(look => history.add(look));
    if (told.looks.length > 0) latest = told.looks[told.looks.length - 1].look;
    canvas.dataset.polls = ++polls;
    if (latest) show();
    showEnd();
  } catch (error) {
    fail('mpiwatch-view has ended: nothing more can be asked of it.');
  }
  isAsking = false;
  if (stage === 'running' && !document.hidden) timer = setTimeout(poll, (about ? about.interval_s : 1) * 1000);
}

async function explain(stuck) {
  explainedAt = stuck;
  byId('why-button').disabled = true;
  const list = byId('why-list'), when = new Date().toLocaleTimeString();
  let sentences;
  try {
    const answer = await fetch('/why'), told = await answer.json();
    sentences = answer.ok ? told.sentences : [told.error];
    byId('why').dataset.verdict = told.verdict || '';
    if (sentences.length === 0) sentences = ['No rank\'s record ends inside of a call: nothing hangs, as far as is known.'];
  } catch (error) {
    sentences = ['It could not be asked: ' + error.message];
  }
  list.replaceChildren(...sentences.map(sentence => {
    const item = document.createElement('li');
    item.textContent = sentence;
    return item;
  }));
  setText(byId('why-when'), 'As it was at ' + when + '.');
  byId('why').hidden = false;
  byId('why-button').disabled = stage === 'failed';
}

async function open() {
  byId('open-button').disabled = true;
  const answer = await fetch('/open').catch(() => null);
  if (answer && answer.ok) return location.replace('/');
  const told = answer ? await answer.json().catch(() => ({})) : {};
  byId('open-button').disabled = false;
  setText(byId('state'), told.error || 'The archive could not be opened.');
}

function legend() {
  [['useful', 'computing', ''], ['other', 'in MPI', ''], ['', 'in MPI, not known yet whether waiting', 'doubtful'], ['waiting', 'waiting', ''],
   ['none', 'paused, ended or elsewhere', ''], ['card', 'not looked at, or not known', '']].forEach(([colour, words, kind]) => {
    const item = document.createElement('li'), box = document.createElement('i');
    if (colour) box.style.setProperty('--c', 'var(--' + colour + ')');
    box.className = kind;
    item.append(box, words);
    byId('legend').append(item);
  });
}

function listen() {
  byId('why-button').addEventListener('click', () => explain(latest ? latest.stuck_s : 0).then(() => byId('why').focus({ preventScroll: true })));
  byId('open-button').addEventListener('click', open);
  byId('filter').addEventListener('input', () => { if (latest) showRanks(latest, byId('filter').value); });
  document.querySelectorAll('[data-seconds]').forEach(button => button.addEventListener('click', () => {
    picture.seconds = Number(button.dataset.seconds);
    document.querySelectorAll('[data-seconds]').forEach(other => other.setAttribute('aria-pressed', String(other === button)));
    draw();
  }));
  document.addEventListener('visibilitychange', () => { if (document.hidden) clearTimeout(timer); else poll(); });
  canvas.addEventListener('pointermove', event => {
    const box = canvas.getBoundingClientRect(), text = history.latest ? picture.tipAt(history, event.clientX - box.left, event.clientY - box.top) : null;
    tip.hidden = !text;
    setText(tip, text || '');
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - 240)) + 'px';
    tip.style.top = event.clientY + 16 + 'px';
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { picture.readStyle(); draw(); });
}

legend();
listen();
// The server tells how things are, and learns by this that the page is there.
const news = new EventSource('/news');
news.addEventListener('message', event => {
  const told = JSON.parse(event.data);
  if (told.stage === 'failed') return fail(told.why);
  if (told.stage === 'reading' || told.stage === 'ready') return location.replace('/');
  stage = told.stage;
  poll();
});
news.addEventListener('error', () => {
  if (stage !== 'failed') fail('mpiwatch-view has ended: nothing more can be asked of it.');
});
poll();
