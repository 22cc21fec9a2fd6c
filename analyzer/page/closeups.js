// Close-ups: what the call or the message under the pointer was.
(function () {
  'use strict';
  const tip = document.getElementById('tip'), NEAR = 5; // pixels from a message's line

  function timeText(ns) {
    const unit = ns >= 1e9 ? [1e9, ' s'] : ns >= 1e6 ? [1e6, ' ms'] : ns >= 1e3 ? [1e3, ' us'] : [1, ' ns'];
    return Number((ns / unit[0]).toPrecision(3)) + unit[1];
  }

  function bytesText(bytes) {
    const power = bytes < 1000 ? 0 : Math.min(5, Math.floor(Math.log10(bytes) / 3));
    return Number((bytes / Math.pow(1000, power)).toPrecision(3)) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB', 'PB'][power];
  }

  function equip(chart) {
    const plot = chart.querySelector('svg');
    const names = Array.from(chart.nextElementSibling.children, item => item.textContent);
    const calls = JSON.parse(plot.dataset.calls), messages = JSON.parse(plot.dataset.messages);
    const ranks = Array.from(chart.querySelectorAll('.ylabels span'), label => label.textContent);
    const length = Number(plot.dataset.length), rows = Number(plot.dataset.rows);

    function callText(call) {
      const [row, , time, name, comm, peer, bytes, place, repeat, goesOn] = call;
      const lines = [names[name] + (repeat > 1 ? ', ' + repeat + ' calls' : ''), ranks[row] + ', ' + timeText(time) + (goesOn ? ' and longer' : '')];
      if (peer >= 0) lines.push('with rank ' + peer);
      if (bytes >= 0) lines.push(bytesText(bytes));
      if (comm >= 0) lines.push('on ' + names[comm]);
      if (place >= 0) lines.push('at ' + names[place]);
      return lines.join('\n');
    }

    function messageText(message) {
      const [sender, receiver, sent, received, bytes, comm, tag] = message;
      return ['message, ' + ranks[sender] + ' to ' + ranks[receiver],
              (bytes < 0 ? '' : bytesText(bytes) + ', ') + 'tag ' + tag + (comm < 0 ? '' : ', on ' + names[comm]),
              'received ' + timeText(Math.max(0, received - sent)) + ' after it was sent'].join('\n');
    }

    // The shortest call there, since those inside are shorter; regions are above their calls.
    function callAt(time, y) {
      const row = Math.floor(y), slack = length / 400;
      return calls.filter(call => call[0] === row && time >= call[1] - slack && time <= call[1] + call[2] + slack)
        .sort((a, b) => a[2] - b[2])[0];
    }

    function messageAt(x, y, box) {
      const far = message => {
        const ax = message[2] / length * box.width, bx = message[3] / length * box.width;
        const ay = (message[0] + .6) / rows * box.height, by = (message[1] + .6) / rows * box.height;
        const dx = bx - ax, dy = by - ay, along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
        return Math.hypot(x - ax - along * dx, y - ay - along * dy);
      };
      const nearest = messages.map(message => [far(message), message]).sort((a, b) => a[0] - b[0])[0];
      return nearest && nearest[0] < NEAR ? nearest[1] : null;
    }

    plot.addEventListener('pointermove', event => {
      const box = plot.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      const call = callAt(x / box.width * length, y / box.height * rows);
      const message = call ? null : messageAt(x, y, box);
      tip.hidden = !call && !message;
      if (tip.hidden) return;
      tip.textContent = call ? callText(call) : messageText(message);
      tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - 240)) + 'px';
      tip.style.top = event.clientY + 16 + 'px';
    });
    plot.addEventListener('pointerleave', () => { tip.hidden = true; });
  }

  document.querySelectorAll('.closeup').forEach(equip);
})();
