// Which rows are shown, in which order: the main threads of ranks, and beneath each of them its
// threads and streams where it is unfolded. A row is the server's number of it, a place is where it
// is drawn, from 0 on.

const UNFOLDED_MOST = 40; // rows that are shown without being asked for

export class Places {
  constructor(meta) {
    this.meta = meta;
    this.mains = meta.rows.length;
    this.beneath = new Map(); // by rank: rows
    meta.other_rows.forEach((other, at) => {
      if (!this.beneath.has(other.rank)) this.beneath.set(other.rank, []);
      this.beneath.get(other.rank).push(this.mains + at);
    });
    this.unfolded = new Set(this.mains + meta.other_rows.length <= UNFOLDED_MOST ? this.beneath.keys() : []);
    this.sorted = null; // main rows in another order than that of ranks
    this.groups = []; // { name, rows }: main rows that belong together, side by side
    this.groupOf = new Map(); // by rank
    this.turn = 0; // another one for other rows
    this.order();
  }

  order() {
    const left = new Map(this.beneath);
    this.rows = [];
    (this.sorted || [...this.meta.rows.keys()]).forEach(row => {
      const { rank } = this.meta.rows[row];
      this.rows.push(row);
      if (this.unfolded.has(rank)) this.rows.push(...(left.get(rank) || []));
      left.delete(rank);
    });
    left.forEach(rows => this.rows.push(...rows)); // of ranks without a main thread
    this.places = new Map(this.rows.map((row, place) => [row, place]));
    this.mainRows = new Map(this.meta.rows.map((main, row) => [main.rank, row]));
    this.turn++;
  }

  // All main rows in another order (null: that of ranks), and groups of them.
  sort(rows, groups) {
    this.sorted = rows;
    this.groups = groups;
    this.groupOf = new Map(groups.flatMap((group, at) => group.rows.map(row => [this.about(row).rank, at])));
    this.order();
  }

  // Which group a row is in; null: none.
  groupWith(row) { return this.groupOf.get(this.about(row).rank) ?? null; }

  get count() { return this.rows.length; }

  get hasOthers() { return this.beneath.size > 0; }

  get areAllUnfolded() { return this.unfolded.size === this.beneath.size; }

  about(row) { return row < this.mains ? this.meta.rows[row] : this.meta.other_rows[row - this.mains]; }

  // The place of a row; of one that is folded that of its rank; null: there is none.
  placeOf(row) {
    if (row === null || row === undefined) return null;
    const place = this.places.get(row) ?? this.places.get(this.mainRows.get(this.about(row).rank));
    return place === undefined ? null : place;
  }

  // Whether there is something beneath a row.
  canFold(row) { return row < this.mains && this.beneath.has(this.about(row).rank); }

  isUnfolded(row) { return this.unfolded.has(this.about(row).rank); }

  fold(row) {
    const rank = this.about(row).rank;
    if (!this.unfolded.delete(rank)) this.unfolded.add(rank);
    this.order();
  }

  foldAll() {
    this.unfolded = new Set(this.areAllUnfolded ? [] : this.beneath.keys());
    this.order();
  }

  // Shows a row that is folded.
  bring(row) {
    if (row !== null && !this.places.has(row)) this.fold(row);
  }

  // "rank 0", "thread 0.1", "stream 0.s0".
  labelOf(row) {
    const about = this.about(row);
    return row < this.mains ? 'rank ' + about.rank : about.type + ' ' + about.label;
  }

  // The same as timeline has it beside its rows: "0", "0.1".
  shortOf(row) { return row < this.mains ? String(this.about(row).rank) : this.about(row).label; }

  titleOf(row) { return this.labelOf(row) + (row >= this.mains && this.about(row).name ? ', ' + this.about(row).name : ''); }

  slice(first, count) { return this.rows.slice(first, first + count); }

  // "0-31,40", as the server reads it.
  text(all) {
    const parts = [], rows = all.slice(0, this.meta.list_most);
    for (let from = 0, to; from < rows.length; from = to) {
      for (to = from + 1; to < rows.length && rows[to] === rows[to - 1] + 1;) to++;
      parts.push(to - from > 1 ? rows[from] + '-' + rows[to - 1] : String(rows[from]));
    }
    return parts.join(',');
  }
}
