// Times and numbers as people read them, and which part of the run is shown. Positions are ticks
// since the first event; what is printed is ns since the run's beginning, as all of mpiwatch has it.

const UNITS = [[1e9, ' s'], [1e6, ' ms'], [1e3, ' us'], [1, ' ns']];

export function timeText(ns) {
  const unit = UNITS.find(pair => Math.abs(ns) >= pair[0]) || UNITS[3];
  return Number((ns / unit[0]).toPrecision(3)) + unit[1];
}

// All digits, in groups of three.
export function exactText(ns) {
  return String(ns).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009') + ' ns';
}

export function bytesText(bytes) {
  const power = bytes < 1000 ? 0 : Math.min(5, Math.floor(Math.log10(bytes) / 3));
  return Number((bytes / Math.pow(1000, power)).toPrecision(3)) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB', 'PB'][power];
}

// The step between marks of an axis: 1, 2 or 5 times a power of ten, in ns, at least 1.
export function niceStep(ns) {
  const power = Math.pow(10, Math.floor(Math.log10(Math.max(ns, 1))));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= ns) || 1;
}

// A mark's text: as many digits as tell it from the next one.
export function markText(ns, step) {
  const unit = UNITS.find(pair => Math.max(Math.abs(ns), step) >= pair[0]) || UNITS[3];
  const digits = Math.max(0, Math.ceil(Math.log10(unit[0] / step) - 1e-9));
  return (ns / unit[0]).toFixed(Math.min(digits, 9)).replace(/^-(?=[0.]*$)/, '') + unit[1];
}

const LEAST = 10; // ticks that are shown at least

export class Shown {
  constructor(meta) {
    this.length = Math.max(meta.length, 1);
    this.nsPerTick = 1e9 / meta.resolution;
    this.beginsNs = meta.begins_ns;
    this.rowCount = meta.rows.length;
    this.first = 0;
    this.all();
  }

  all() { this.from = 0; this.to = this.length; }

  get span() { return this.to - this.from; }

  nsAt(ticks) { return this.beginsNs + ticks * this.nsPerTick; }

  set(from, span) {
    span = Math.min(Math.max(span, Math.min(LEAST, this.length)), this.length);
    this.from = Math.min(Math.max(from, 0), this.length - span);
    this.to = this.from + span;
  }

  // Zooms by a factor, so that what is at a share of the width stays there.
  zoom(factor, share) {
    const span = Math.min(Math.max(this.span * factor, Math.min(LEAST, this.length)), this.length);
    this.set(this.from + share * (this.span - span), span);
  }

  move(shares) { this.set(this.from + shares * this.span, this.span); }

  moveRows(count, fit) {
    this.first = Math.max(0, Math.min(this.first + count, this.rowCount - fit));
  }

  // Brings a call into the middle: as wide as a fifth if it can't be made out as it is.
  goTo(place, fit) {
    const length = place.leave - place.enter;
    const span = length > this.span / 2 || length < this.span / 200 ? Math.max(5 * length, 100) : this.span;
    this.set(place.enter + length / 2 - span / 2, span);
    if (place.row !== null && (place.row < this.first || place.row >= this.first + fit)) {
      this.first = 0;
      this.moveRows(place.row - Math.floor(fit / 2), fit);
    }
  }
}
