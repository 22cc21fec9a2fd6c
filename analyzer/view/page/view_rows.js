// How rows lie: as many as the user wants to see at once. Where they are thinner than a pixel, some
// are summed up to one that is not; where they are thin, a cell is the mean of its states' colours.
import { niceStep } from '/view_time.js';

const ROW_LEAST = 16, ROW_MOST = 72, THIN = 6; // pixels

export class Rows {
  constructor(count) {
    this.count = count;
    this.wanted = 0; // at once; 0: as many as can be read
    this.resize(1);
  }

  // There are so many pixels for them.
  resize(room) {
    this.room = Math.max(1, room);
    this.fit = Math.max(1, Math.min(this.count, this.wanted || Math.floor(this.room / ROW_LEAST)));
    this.height = Math.min(ROW_MOST, this.room / this.fit);
    this.group = Math.pow(2, Math.max(0, Math.ceil(Math.log2(1 / this.height))));
    this.isThin = this.height < THIN;
  }

  // More rows at once (factor > 1), or fewer.
  scale(factor) {
    const fit = factor > 1 ? Math.ceil(this.fit * factor) : Math.floor(this.fit * factor);
    this.wanted = Math.max(1, Math.min(this.count, fit));
    this.resize(this.room);
  }

  // So many rows are between two labels, which begin at a multiple of it.
  get labelStep() { return Math.max(1, niceStep(14 / this.height)); }

  // Of the gap between calls and the row's edge.
  get gap() { return this.isThin ? 0 : 2; }
}
