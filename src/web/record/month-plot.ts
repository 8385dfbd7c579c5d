import { extent, ticks } from 'd3-array';
import type { MonthlySelections } from '../../intelligence/evaluation/publication-rule.ts';
import { chart, everyNth, gridLines, roundPlace, tickBelow } from '../layout/charts.ts';
import { type Html, html } from '../layout/html.ts';

const [LEFT, RIGHT, TOP, WIDTH, HEIGHT] = [54, 20, 26, 320, 322];
const BOTTOM = HEIGHT - 40;
/** At most this many months have their name below them. */
const MAX_LABELS = 5;
/** Standard errors in half of a whisker: 95 of 100 means lie within. */
const WHISKER = 1.96;

/** `+2.0%`; what rounds to zero has no sign. */
export function signedPercent(value: number): string {
  const size = Math.abs(100 * value).toFixed(1);
  return `${size === '0.0' ? '' : value < 0 ? '−' : '+'}${size}%`;
}

/** Closing line value by month, with its 95 % interval; undefined if no month has enough selections. */
export function monthPlot(months: readonly MonthlySelections[], name: string): Html | undefined {
  const measured = months.flatMap(({ month, clv, clv_se }) =>
    clv === null || clv_se === null ? [] : [{ month, clv, low: clv - WHISKER * clv_se, high: clv + WHISKER * clv_se }],
  );
  const [min, max] = extent([0, ...measured.flatMap(({ low, high }) => [low, high])]);
  if (measured.length === 0 || min === undefined || max === undefined) return undefined;
  const air = Math.max(0.002, (max - min) * 0.1);
  const [low, high] = [min - air, max + air];
  const y = (value: number): number => roundPlace(BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP));
  const step = (WIDTH - LEFT - RIGHT) / measured.length;
  const x = (index: number): number => roundPlace(LEFT + (index + 0.5) * step);
  const every = everyNth(measured.length, MAX_LABELS);
  return chart(
    { width: WIDTH, height: HEIGHT, name },
    html`${gridLines({ left: LEFT, right: WIDTH - RIGHT, ticks: ticks(low, high, 5), y, text: signedPercent })}
<line class="even" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(0)}" y2="${y(0)}"/>
${measured.map(
  ({ month, clv, low: from, high: to }, index) =>
    html`<g><title>${month}: ${signedPercent(clv)}</title><line class="forecast-line" x1="${x(index)}" x2="${x(index)}" y1="${y(from)}" y2="${y(to)}"/><circle class="forecast" cx="${x(index)}" cy="${y(clv)}" r="5"/></g>${index % every === 0 && tickBelow(x(index), BOTTOM + 18, month)}`,
)}
`,
  );
}
