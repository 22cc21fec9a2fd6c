// Two fingers: what is between them stays between them, in time; and moves with them.

export class Pinch {
  constructor() {
    this.points = new Map(); // fingers, by id: where they are
    this.held = null; // what is below the two: { id, ticks }
    this.wasPinch = false;
  }

  // Whether a gesture of two begins with this finger; shareOf(x) is where x is, of the plot's width.
  down(event, shown, shareOf) {
    this.points.set(event.pointerId, event.clientX);
    this.held = null;
    if (this.points.size === 2) {
      this.held = [...this.points].map(([id, x]) => ({ id, ticks: shown.from + shareOf(x) * shown.span }));
    }
    return this.points.size > 1;
  }

  // Whether it was a move of such a gesture.
  move(event, shown, shareOf) {
    if (!this.points.has(event.pointerId)) return false;
    this.points.set(event.pointerId, event.clientX);
    if (!this.held) return false;
    const [one, other] = this.held.map(({ id, ticks }) => ({ ticks, share: shareOf(this.points.get(id)) }));
    const apart = other.share - one.share, ticks = other.ticks - one.ticks;
    if (Math.abs(apart) > .01 && ticks / apart > 0) {
      const span = Math.min(ticks / apart, shown.length);
      shown.set(one.ticks - one.share * span, span);
    }
    return true;
  }

  // Whether a finger of such a gesture is lifted: the other one drags nothing then.
  up(event) {
    const isPinch = this.points.size > 1 || this.wasPinch;
    this.points.delete(event.pointerId);
    this.held = null;
    this.wasPinch = isPinch && this.points.size > 0;
    return isPinch;
  }
}
