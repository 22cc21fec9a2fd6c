// Zooming, and nothing else that the page needs: without this script all of it is readable.
// Charts over time are SVG stretched to their box, 10000 units wide for the whole time. To zoom
// is to set the viewBox of all of them and to write the labels of their axes anew.
(function () {
  'use strict';
  const WIDTH = 10000, SHORTEST = 1e-7;
  const all = (query, within) => Array.from((within || document).querySelectorAll(query));
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const main = document.getElementById('main');
  const from = Number(main.dataset.from), length = Number(main.dataset.to) - from;
  const plots = all('svg.zoomable'), axes = all('.axis.time');
  const heat = document.querySelector('svg[data-states]');
  const tip = document.getElementById('tip');
  const view = { start: 0, end: 1, top: 0, bottom: 1 };

  document.documentElement.classList.add('js');
  if (!(length > 0) || !plots.length) return;

  // --- numbers -------------------------------------------------------------------------------
  function step(span, count) {
    const raw = span / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
    return power * [1, 2, 5, 10].find(factor => factor * power >= raw);
  }

  function timeText(ns, resolution) {
    const size = Math.max(Math.abs(ns), resolution);
    const unit = size >= 1e9 ? [1e9, 's'] : size >= 1e6 ? [1e6, 'ms'] : size >= 1e3 ? [1e3, 'us'] : [1, 'ns'];
    const digits = clamp(Math.ceil(-Math.log10(resolution / unit[0]) - 1e-9), 0, 9);
    return (ns / unit[0]).toFixed(digits) + ' ' + unit[1];
  }

  // --- drawing -------------------------------------------------------------------------------
  function label(parent, text, style, place) {
    const span = document.createElement('span');
    span.textContent = text;
    Object.assign(span.style, style);
    if (place) span.className = place;
    parent.append(span);
  }

  function drawAxis(axis) {
    const start = from + view.start * length, span = (view.end - view.start) * length;
    const by = step(span, Math.max(2, axis.clientWidth / 110));
    axis.replaceChildren();
    for (let at = Math.ceil(start / by) * by; at <= start + span; at += by) {
      const place = (at - start) / span;
      label(axis, timeText(at, by), { left: 100 * place + '%' },
            place < .03 ? 'first' : place > .97 ? 'last' : '');
    }
  }

  function drawRanks() {
    const labels = heat.parentNode.querySelector('.ylabels'), ranks = Number(heat.dataset.ranks);
    const start = view.top * ranks, span = (view.bottom - view.top) * ranks;
    const by = Math.max(1, step(span, Math.max(2, heat.clientHeight / 24)));
    labels.replaceChildren();
    for (let rank = Math.ceil(start / by) * by; rank + .5 < start + span; rank += by) {
      label(labels, 'rank ' + rank, { top: 100 * (rank + .5 - start) / span + '%' });
    }
  }

  function draw() {
    const shown = view.end - view.start, whole = shown > .9999;
    for (const plot of plots) {
      const box = plot.dataset.box.split(' ').map(Number);
      const top = plot === heat ? view.top * box[3] : 0;
      const height = plot === heat ? (view.bottom - view.top) * box[3] : box[3];
      plot.setAttribute('viewBox', [view.start * WIDTH, top, shown * WIDTH, height].join(' '));
    }
    axes.forEach(drawAxis);
    if (heat) drawRanks();
    marks.draw(view);
    const resolution = Math.pow(10, Math.floor(Math.log10(shown * length / 100)));
    document.getElementById('zoom-window').textContent =
      timeText(from + view.start * length, resolution) + ' \u2013 ' +
      timeText(from + view.end * length, resolution);
    const thumb = document.getElementById('zoom-thumb').style;
    thumb.left = 100 * view.start + '%';
    thumb.right = 100 * (1 - view.end) + '%';
    const untouched = whole && view.bottom - view.top > .9999;
    for (const button of all('#zoombar [data-zoom]')) {
      button.disabled = untouched && button.dataset.zoom !== 'in';
    }
  }

  // --- zooming -------------------------------------------------------------------------------
  function show(start, end) {
    const span = clamp(end - start, SHORTEST, 1);
    view.start = clamp(start, 0, 1 - span);
    view.end = view.start + span;
    draw();
  }

  function act(what) {
    const span = view.end - view.start, middle = view.start + span / 2;
    if (what === 'in') show(middle - span / 4, middle + span / 4);
    else if (what === 'out') show(middle - span, middle + span);
    else if (what === 'left') show(view.start - span / 4, view.end - span / 4);
    else if (what === 'right') show(view.start + span / 4, view.end + span / 4);
    else { view.top = 0; view.bottom = 1; show(0, 1); }
  }

  function place(plot, event) {
    const box = plot.getBoundingClientRect();
    return { x: clamp((event.clientX - box.left) / box.width, 0, 1),
             y: clamp((event.clientY - box.top) / box.height, 0, 1), width: box.width, height: box.height };
  }

  // Whole ranks, if the selection is high enough to mean them.
  function selectRanks(first, last) {
    const ranks = Number(heat.dataset.ranks), span = view.bottom - view.top;
    const top = Math.floor((view.top + first * span) * ranks + 1e-9);
    const bottom = Math.max(top + 1, Math.ceil((view.top + last * span) * ranks - 1e-9));
    view.top = top / ranks;
    view.bottom = Math.min(1, bottom / ranks);
  }

  function drag(plot, down) {
    const start = place(plot, down);
    const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    box.setAttribute('class', 'selection');
    plot.setPointerCapture(down.pointerId);
    const spans = event => {
      const now = place(plot, event);
      const low = plot === heat && Math.abs(now.y - start.y) * now.height > 14;
      return { left: Math.min(start.x, now.x), right: Math.max(start.x, now.x), low: low,
               top: low ? Math.min(start.y, now.y) : 0, bottom: low ? Math.max(start.y, now.y) : 1,
               pixels: Math.abs(now.x - start.x) * now.width };
    };
    const move = event => {
      const span = spans(event), [x, y, width, height] = plot.getAttribute('viewBox').split(' ').map(Number);
      box.setAttribute('x', x + span.left * width);
      box.setAttribute('width', (span.right - span.left) * width);
      box.setAttribute('y', y + span.top * height);
      box.setAttribute('height', (span.bottom - span.top) * height);
      plot.append(box);
    };
    const end = event => {
      plot.removeEventListener('pointermove', move);
      plot.removeEventListener('pointerup', end);
      plot.removeEventListener('pointercancel', end);
      box.remove();
      const span = spans(event), shown = view.end - view.start;
      if (event.type === 'pointercancel' || span.pixels < 4) return;
      if (span.low) selectRanks(span.top, span.bottom);
      show(view.start + span.left * shown, view.start + span.right * shown);
    };
    plot.addEventListener('pointermove', move);
    plot.addEventListener('pointerup', end);
    plot.addEventListener('pointercancel', end);
  }

  // The wheel zooms where the pointer is: with Ctrl (which is also what pinching a touch pad says), or
  // in the chart that has the focus; else it scrolls the page. With Shift it moves.
  function turn(plot, event) {
    const chosen = event.ctrlKey || plot.contains(document.activeElement), by = event.deltaY || event.deltaX;
    if (!chosen && !event.shiftKey || !by) return;
    event.preventDefault();
    const span = view.end - view.start;
    if (event.shiftKey) return show(view.start + Math.sign(by) * span / 10, view.end + Math.sign(by) * span / 10);
    const at = place(plot, event).x, now = clamp(span * Math.pow(1.0015, clamp(by, -400, 400)), SHORTEST, 1);
    const start = view.start + at * (span - now);
    show(start, start + now);
  }

  const keys = { ArrowLeft: 'left', ArrowRight: 'right', '+': 'in', '=': 'in', '-': 'out', '0': 'all', Home: 'all', Escape: 'all' };
  for (const plot of plots) {
    plot.setAttribute('tabindex', '0');
    plot.addEventListener('pointerdown', event => { if (event.button === 0) drag(plot, event); });
    plot.addEventListener('dblclick', () => act('all'));
    plot.addEventListener('wheel', event => turn(plot, event), { passive: false });
    plot.addEventListener('keydown', event => {
      if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        act(keys[event.key]);
      }
    });
  }
  document.getElementById('zoombar').addEventListener('click', event => {
    const button = event.target.closest('[data-zoom]');
    if (button) act(button.dataset.zoom);
  });
  // "show": an instance of a wait, with as much time around it.
  document.addEventListener('click', event => {
    const button = event.target.closest('button.window');
    if (!button) return;
    const start = (Number(button.dataset.from) - from) / length, end = (Number(button.dataset.to) - from) / length;
    const margin = Math.max(end - start, 1e-6);
    show(start - margin, end + margin);
    document.getElementById('timeline').scrollIntoView();
  });

  // --- what is under the pointer in the heat map, read from its pixels -------------------------
  function readHeat() {
    const picture = heat.querySelector('image'), image = new Image();
    const states = JSON.parse(heat.dataset.states), sub = Number(heat.dataset.sub);
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    image.onload = () => {
      canvas.canvas.width = image.width;
      canvas.canvas.height = image.height;
      canvas.drawImage(image, 0, 0);
    };
    image.src = picture.getAttribute('href');
    const [left, width] = ['x', 'width'].map(name => Number(picture.getAttribute(name)) / WIDTH);
    const nearest = (pixels, at) => {
      let best = 0, least = 1e9;
      states.forEach((state, index) => {
        const far = pixels[at + 3] < 8 ? (state.colour ? 1e6 : 0)
          : state.colour ? state.colour.reduce((sum, part, i) => sum + Math.abs(part - pixels[at + i]), 0) : 1e6;
        if (far < least) { least = far; best = index; }
      });
      return best;
    };
    heat.addEventListener('pointermove', event => {
      if (!image.width) return;
      const at = place(heat, event);
      const time = (view.start + at.x * (view.end - view.start) - left) / width;
      const x = clamp(Math.floor(time * image.width), 0, image.width - 1);
      const row = clamp(Math.floor((view.top + at.y * (view.bottom - view.top)) * image.height / sub), 0, image.height / sub - 1);
      const pixels = canvas.getImageData(x, row * sub, 1, sub).data, counts = states.map(() => 0);
      for (let i = 0; i < sub; i++) counts[nearest(pixels, 4 * i)]++;
      const per = Number(heat.dataset.per), ranks = Number(heat.dataset.ranks);
      const last = Math.min(ranks, (row + 1) * per) - 1;
      const lines = [(per > 1 ? 'ranks ' + row * per + '\u2013' + last : 'rank ' + row) + '   ' +
                     timeText(from + (left + x / image.width * width) * length, length / image.width)];
      counts.forEach((count, index) => {
        if (count) lines.push(states[index].name + (sub > 1 ? ' ' + Math.round(100 * count / sub) + '%'
                              : pixels[3] > 8 ? ', ' + Math.round(100 * pixels[3] / 255) + '% of the time' : ''));
      });
      tip.textContent = lines.join('\n');
      tip.style.left = Math.min(event.clientX + 14, innerWidth - 220) + 'px';
      tip.style.top = event.clientY + 16 + 'px';
      tip.hidden = false;
    });
    heat.addEventListener('pointerleave', () => { tip.hidden = true; });
  }

  // --- where the reader is -------------------------------------------------------------------
  const links = new Map(all('nav a').map(link => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        links.forEach((link, id) => link.classList.toggle('here', id === entry.target.id));
      }
    }
  }, { rootMargin: '-15% 0px -75% 0px' });
  all('section').forEach(section => watcher.observe(section));

  document.getElementById('zoombar').hidden = false;
  if (heat) readHeat();
  addEventListener('resize', draw);
  draw();
})();
