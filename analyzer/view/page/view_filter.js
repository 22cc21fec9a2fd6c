// One communicator: calls, waits and bands that have nothing to do with it are pale, and messages of
// others have no lines. Far out there is nothing to be made pale: states are those of all.
import { askJson } from '/view_data.js';
import { make } from '/view_panel.js';

export const PALE = .18; // of what is of no communicator that is asked for

export class Filter {
  constructor(view, canvas) {
    this.view = view;
    this.comm = null;
    this.near = null; // what kept is of
    this.build(canvas);
    this.fill();
    view.picture.overlays.push((context, shown) => this.tell(view.data.nearFor(shown)));
  }

  build(canvas) {
    const form = make('div');
    form.id = 'filter';
    form.className = 'bar';
    form.hidden = true;
    this.select = make('select', null, make('label', 'Communicator ', form));
    this.select.name = 'comm';
    this.said = make('output', '', form);
    this.said.setAttribute('aria-live', 'polite');
    this.select.addEventListener('change', () => {
      this.comm = this.select.value === '' ? null : Number(this.select.value);
      this.near = null;
      this.view.picture.filter = this.comm === null ? null : this;
      this.view.redraw();
    });
    canvas.before(form);
    this.form = form;
  }

  async fill() {
    try {
      const comms = await askJson('/comms'), names = comms.list.map(one => one.name);
      make('option', 'all', this.select).value = '';
      comms.list.forEach(one => {
        const isAlone = names.indexOf(one.name) === names.lastIndexOf(one.name);
        make('option', one.name && isAlone ? one.name : (one.name || 'no name') + ' ' + (one.uid || 'number ' + one.comm), this.select)
          .value = one.comm;
      });
      if (comms.all > comms.list.length) {
        make('option', 'and ' + (comms.all - comms.list.length) + ' more: the search finds them', this.select).disabled = true;
      }
      this.form.hidden = comms.all < 2;
    } catch (error) {
      this.say(error.message);
    }
  }

  say(sentence) {
    if (this.said.textContent !== sentence) this.said.textContent = sentence;
  }

  // Numbers of the calls, messages, waits and collective operations that have to do with it.
  keep(near) {
    if (this.near === near) return;
    this.near = near;
    this.calls = new Set(near.calls.filter((call, at) => near.call_comms[at].includes(this.comm)).map(call => call[0]));
    const ofComm = (list, comms, number) => new Set(list.filter((one, at) => comms[at] === this.comm).map(one => one[number]));
    this.messages = ofComm(near.messages, near.message_comms, 0);
    this.waits = ofComm(near.waits, near.wait_comms, 3);
    this.bands = ofComm(near.bands, near.band_comms, 0);
  }

  // Regions of the program are on no communicator, and stay as they are.
  hasCall(near, call) {
    this.keep(near);
    return this.calls.has(call[0]) || call[6] === null;
  }

  hasMessage(near, message) {
    this.keep(near);
    return this.messages.has(message[0]);
  }

  hasWait(near, wait) {
    this.keep(near);
    return this.waits.has(wait[3]);
  }

  hasBand(near, number) {
    this.keep(near);
    return this.bands.has(number);
  }

  tell(near) {
    if (this.comm === null) return this.say('');
    if (!near) return this.say('Nearer, calls of others are pale; these states are of all.');
    this.keep(near);
    this.say(this.calls.size + (this.calls.size === 1 ? ' call' : ' calls') + ' and ' + this.messages.size +
      (this.messages.size === 1 ? ' message' : ' messages') + ' here and beside have to do with it; others are pale.');
  }
}
