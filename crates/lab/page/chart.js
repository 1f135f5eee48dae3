// A chart over n: what was measured with its range, and the proved curves. Both axes are logarithmic.

import { n as shown, t } from './texts.js';

const MARGIN = { left: 52, right: 14, top: 12, bottom: 34 };
/** The proved curves: their colour and their dashes. */
const CURVES = { worst: ['fails-stroke', [6, 4]], mean: ['rises-fill', []], best: ['k0', [2, 3]] };

/** Draws points, each with n, mean, least, most and what is proved. */
export function drawChart(canvas, brush, points, quantity) {
  const { context, width, height } = brush.begin(canvas);
  const text = (what, x, y, options) =>
    brush.say(context, what, x, y, { size: 11, halo: false, colour: 'faint-fill', ...options });
  if (points.length === 0) return text(t('measure.empty'), width / 2, height / 2);
  const values = points.flatMap(({ mean, least, most, proved }) => [mean, least, most, ...Object.values(proved ?? {})]);
  const positive = values.filter((value) => value > 0);
  const [low, high] = [Math.max(Math.min(...positive, 1e9), 0.5), Math.max(...positive, 1)];
  const [first, last] = [points[0].n, points.at(-1).n];
  const scale = (value, from, to, a, b) =>
    to <= from ? (a + b) / 2 : a + ((Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))) * (b - a);
  const x = (value) => scale(value, first, last, MARGIN.left, width - MARGIN.right);
  const y = (value) => scale(Math.max(value, low), low, high * 1.15, height - MARGIN.bottom, MARGIN.top);
  context.strokeStyle = brush.value('grid-stroke');
  context.lineWidth = 1;
  for (let value = 2 ** Math.ceil(Math.log2(low)), shown_ = -Infinity; value <= high * 1.15; value *= 2) {
    context.beginPath();
    context.moveTo(MARGIN.left, y(value));
    context.lineTo(width - MARGIN.right, y(value));
    context.stroke();
    if (shown_ === -Infinity || shown_ - y(value) > 18) {
      text(shown(value), MARGIN.left - 6, y(value), { align: 'right' });
      shown_ = y(value);
    }
  }
  points.forEach(({ n }) => text(shown(n), x(n), height - MARGIN.bottom + 12));
  text('n', width - MARGIN.right, height - 8, { align: 'right' });
  text(quantity, MARGIN.left, height - 8, { align: 'left' });
  for (const [name, [colour, dash]] of Object.entries(CURVES)) {
    const proved = points.filter((point) => point.proved?.[name] > 0);
    context.strokeStyle = brush.value(colour);
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.beginPath();
    proved.forEach((point) => context.lineTo(x(point.n), y(point.proved[name])));
    context.stroke();
    context.setLineDash([]);
  }
  context.strokeStyle = brush.value('text-fill');
  context.fillStyle = brush.value('text-fill');
  for (const { n, mean, least, most } of points) {
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x(n), y(least));
    context.lineTo(x(n), y(most));
    context.stroke();
    context.beginPath();
    context.arc(x(n), y(mean), 4, 0, 2 * Math.PI);
    context.fill();
  }
}

/** The signs of the curves, in words and colours. */
export function legendOf() {
  return Object.entries(CURVES).map(([name, [colour, dash]]) => ({ name, colour, dashed: dash.length > 0 }));
}
