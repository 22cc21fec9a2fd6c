// What calls do with windows and files: in words, and as lines from origins to their targets.

const WORDS = {
  notice: 'gives notice', await: 'wants notice', group: 'notice of a group', request: 'asks for the lock of',
  lock: 'locks', unlock: 'unlocks', access: 'operation', file: 'transfer',
};

function targetText(action) {
  if (action.target === null) return 'all';
  return action.target_rank === null ? 'rank ' + action.target + ' of the window' : 'rank ' + action.target_rank;
}

// Adds to a panel what a call's actions are.
export function showActions(panel, actions) {
  actions.forEach(action => {
    const isFile = action.step === 'file';
    const list = panel.part(isFile ? 'File' : 'Window: ' + WORDS[action.step]);
    panel.fact(list, isFile ? 'file' : 'window', 'action.' + (isFile ? 'file' : 'window'), isFile ? action.file : action.window);
    if (!isFile && action.step !== 'group') panel.fact(list, 'target', 'action.target', targetText(action));
    if (action.bytes_sent) panel.bytes(list, isFile ? 'written' : 'to the target', 'action.bytes_sent', action.bytes_sent);
    if (action.bytes_received) panel.bytes(list, isFile ? 'read' : 'from the target', 'action.bytes_received', action.bytes_received);
    if (isFile && action.offset !== null) panel.fact(list, 'from byte', 'action.offset', action.offset);
  });
}

// Dashed lines, from where an operation's call begins to its target when that call ends: when it
// was done there is not known. The end has a ring at the side that the bytes come to.
export function drawAccesses(picture, shown, near) {
  const context = picture.context;
  context.strokeStyle = picture.ink;
  for (const [row, enter, target, leave, sent, received] of near.accesses) {
    if (target === null || picture.places.placeOf(row) === null || picture.places.placeOf(target) === null) continue;
    const x = picture.x(shown, enter), y = picture.middle(shown, row);
    const toX = picture.x(shown, leave), toY = picture.middle(shown, target);
    context.setLineDash([5, 3]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
    context.setLineDash([]);
    for (const [isThere, ringX, ringY] of [[sent > 0, toX, toY], [received > 0, x, y]]) {
      if (!isThere) continue;
      context.beginPath();
      context.arc(ringX, ringY, 3, 0, 7);
      context.stroke();
    }
  }
}
