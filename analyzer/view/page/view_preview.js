// The rough picture of what has been read so far, while reading goes on: it grows from the left.
import { askJson } from '/view_data.js';

const EACH = 500; // ms between two pictures

export class Preview {
  constructor(canvas) {
    this.canvas = canvas;
    this.askedAt = -EACH;
  }

  // Something more has been read.
  async grow() {
    const now = performance.now();
    if (now - this.askedAt < EACH) return;
    this.askedAt = now;
    try {
      this.draw(await askJson('/preview'));
    } catch (error) {
      this.askedAt = now; // whoever tells of the end of reading says why
    }
  }

  draw({ rows, states }) {
    if (rows.length === 0) return;
    const style = getComputedStyle(document.documentElement), scale = devicePixelRatio || 1;
    const colours = states.map(state => style.getPropertyValue('--' + state).trim());
    this.canvas.hidden = false;
    this.canvas.width = Math.round(this.canvas.clientWidth * scale);
    this.canvas.height = Math.round(this.canvas.clientHeight * scale);
    const context = this.canvas.getContext('2d');
    const width = this.canvas.width / rows[0].length, height = this.canvas.height / rows.length;
    rows.forEach((cells, row) => cells.forEach((shares, cell) => {
      let foot = (row + 1) * height;
      for (let state = states.length; state-- > 0;) {
        const part = shares[state] / 100 * (height - 1);
        context.fillStyle = colours[state];
        context.fillRect(Math.floor(cell * width), foot - part, Math.ceil(width), part);
        foot -= part;
      }
    }));
  }
}
