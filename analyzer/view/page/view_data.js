// What is asked of the server, and what of it is kept: states in tiles whose cells are powers of two
// ticks long, so that moving and zooming finds again what is there; single calls of what is shown.

const CELLS = 256, ROWS = 32, TILES = 120;
export const FINE = 16; // pixels of a row in a tile's picture

// Why it was refused: as text, or as JSON that says so.
function sentence(text) {
  try {
    return String(JSON.parse(text).error).slice(0, 300);
  } catch (error) {
    return text.slice(0, 300);
  }
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(sentence(await answer.text()));
  return answer;
}

export async function askJson(path) {
  return (await ask(path)).json();
}

export class Data {
  // A colour that is null is of a state that is not drawn. changed() is called when something has
  // come; failed(sentence) when the server has gone.
  constructor(colours, places, changed, failed) {
    this.places = places;
    this.colours = colours;
    this.changed = changed;
    this.failed = failed;
    this.tiles = new Map();
    this.near = null;
    this.nearAsked = 0;
  }

  setColours(colours) {
    this.colours = colours;
    this.tiles.clear();
  }

  // The exponent of cells about a pixel wide.
  static level(ticksPerPixel) {
    return Math.max(0, Math.ceil(Math.log2(Math.max(ticksPerPixel, 1))));
  }

  // Whether a tile has rows as they stand: thin ones, and those in another order than the server's,
  // which would be in as many tiles as there are rows. Else it has rows as the server counts them.
  isByPlace(rows) { return rows.isThin || this.places.sorted !== null; }

  // A picture of a tile, a pixel wide for each cell; null while it is on its way.
  tile(level, index, block, rows, wanted) {
    const key = [level, index, block, rows.group, this.isByPlace(rows) ? this.places.turn : ''].join(':');
    let tile = this.tiles.get(key);
    if (tile) {
      this.tiles.delete(key);
      this.tiles.set(key, tile); // the last that was used
      return tile.picture;
    }
    if (!wanted) return null;
    tile = { picture: null };
    this.tiles.set(key, tile);
    if (this.tiles.size > TILES) this.tiles.delete(this.tiles.keys().next().value);
    this.load(tile, key, level, index, block, rows);
    return null;
  }

  async load(tile, key, level, index, block, { group, isThin }) {
    const count = Data.tileRows({ group, isThin }), first = block * count;
    const width = CELLS * Math.pow(2, level), from = index * width;
    try {
      const answer = await ask('/states?from=' + from + '&to=' + (from + width) + '&cells=' + CELLS +
                               (this.isByPlace({ isThin }) ? '&list=' + this.places.text(this.places.slice(first, count)) + '&group=' + group
                                                           : '&first=' + first + '&rows=' + count));
      const shares = new DataView(await answer.arrayBuffer());
      tile.picture = isThin ? this.paintThin(shares) : this.paint(shares);
      this.changed();
    } catch (error) {
      this.tiles.delete(key);
      this.failed(error);
    }
  }

  // A column for each cell: states one above the other, as high as their shares; the rest is clear.
  paint(shares) {
    const states = this.colours.length, rows = shares.byteLength / (2 * states * CELLS), height = Math.max(rows, 1) * FINE;
    const picture = document.createElement('canvas');
    picture.width = CELLS;
    picture.height = height;
    const context = picture.getContext('2d'), image = context.createImageData(CELLS, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = this.colours.map(colour => colour && (0xff000000 | colour[2] << 16 | colour[1] << 8 | colour[0]) >>> 0);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < CELLS; column++) {
        let below = 0, sum = 0;
        for (let state = states; state-- > 0;) {
          if (colours[state] === null) continue;
          sum += shares.getUint16(((row * CELLS + column) * states + state) * 2, true);
          const above = Math.min(FINE, Math.round(sum / 10000 * FINE));
          for (; below < above; below++) pixels[(row * FINE + FINE - 1 - below) * CELLS + column] = colours[state];
        }
      }
    }
    context.putImageData(image, 0, 0);
    return picture;
  }

  // A pixel for each cell: the mean of its states' colours.
  paintThin(shares) {
    const states = this.colours.length, rows = shares.byteLength / (2 * states * CELLS);
    const picture = document.createElement('canvas');
    picture.width = CELLS;
    picture.height = Math.max(rows, 1);
    const context = picture.getContext('2d'), image = context.createImageData(CELLS, picture.height);
    for (let cell = 0; cell < rows * CELLS; cell++) {
      let whole = 0;
      const mean = [0, 0, 0];
      for (let state = 0; state < states; state++) {
        if (this.colours[state] === null) continue;
        const share = shares.getUint16((cell * states + state) * 2, true);
        whole += share;
        this.colours[state].forEach((part, at) => { mean[at] += share * part; });
      }
      mean.forEach((part, at) => { image.data[4 * cell + at] = whole > 0 ? part / whole : 0; });
      image.data[4 * cell + 3] = Math.min(255, whole / 10000 * 255);
    }
    context.putImageData(image, 0, 0);
    return picture;
  }

  // How many rows a tile has.
  static tileRows({ group, isThin }) { return (isThin ? 4 : 1) * ROWS * group; }

  // Calls draw(picture, from, to, firstRow, rows) for what there is of a stretch, coarse before fine.
  // first is a place, or a row: isByPlace.
  forTiles(shown, pixels, rows, draw) {
    const level = Data.level(shown.span / pixels), count = Data.tileRows(rows);
    const places = this.places.slice(shown.first, rows.fit);
    for (const block of new Set(places.map((row, at) => Math.floor((this.isByPlace(rows) ? shown.first + at : row) / count)))) {
      for (let up = 6; up >= 0; up--) {
        const width = CELLS * Math.pow(2, level + up);
        for (let index = Math.floor(shown.from / width); index * width < shown.to; index++) {
          const picture = this.tile(level + up, index, block, rows, up === 0);
          if (picture) {
            draw(picture, index * width, (index + 1) * width, block * count, picture.height * rows.group / (rows.isThin ? 1 : FINE));
          }
        }
      }
    }
  }

  // Single calls of what is shown and some more on both sides; { many } where there are too many.
  async askNear(shown, fit) {
    const first = shown.first, list = this.places.slice(first, fit), order = this.places.turn;
    const inside = this.near && this.near.order === order && this.near.first === first && this.near.rows >= fit &&
                   this.near.from <= shown.from && this.near.to >= shown.to;
    if (inside && (this.near.many ? this.near.to - this.near.from <= 2 * shown.span : true)) return;
    const turn = ++this.nearAsked;
    try {
      for (const beside of [1, 0]) {
        const from = Math.floor(Math.max(0, shown.from - beside * shown.span));
        const to = Math.ceil(Math.min(shown.length, shown.to + beside * shown.span));
        const near = await askJson('/near?from=' + from + '&to=' + to + '&list=' + this.places.text(list));
        if (turn !== this.nearAsked) return;
        this.near = Object.assign(near, { from, to, first, rows: fit, order });
        if (!near.many) break;
      }
      this.changed();
    } catch (error) {
      this.failed(error);
    }
  }

  // The calls that can be drawn now; null: states are all there is.
  nearFor(shown) {
    const near = this.near;
    return near && !near.many && near.from <= shown.from && near.to >= shown.to &&
      near.first === shown.first && near.order === this.places.turn
      ? near : null;
  }
}
