import { ticks } from 'd3-array';
import { type Html, html } from '../../layout/html.ts';
import { creditsText } from '../formats.ts';

/** Plots of calls. The title says what a plot shows; the table beside it has the figures. */

const [LEFT, RIGHT, TOP, WIDTH, HEIGHT] = [44, 8, 14, 320, 200];
const BOTTOM = HEIGHT - 26;
/** At most this many days have their date below them. */
const MAX_DATE_LABELS = 5;

/** `12K`: space is small. */
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const round = (value: number): number => Math.round(value * 100) / 100;

interface DayBar {
  readonly date: string;
  readonly value: number;
  /** The part of the value that is drawn as the foot of the bar; absent if none is. */
  readonly foot?: number;
}

/** How the foot of a bar is drawn: as what failed, or as a part like any other. */
type FootKind = 'errors' | 'half';

/**
 * A bar for each day.
 * @param id of the title element in the page
 */
export function dayBarChart(id: string, title: string, days: readonly DayBar[], kind: FootKind = 'errors'): Html {
  const max = Math.max(1, ...days.map(({ value }) => value));
  const y = (value: number): number => round(BOTTOM - (value / max) * (BOTTOM - TOP));
  const step = (WIDTH - LEFT - RIGHT) / days.length;
  const x = (index: number): number => round(LEFT + (index + 0.1) * step);
  const every = Math.ceil(days.length / MAX_DATE_LABELS);
  const rect = (index: number, value: number, kind: string): Html =>
    html`<rect class="${kind}" x="${x(index)}" y="${y(value)}" width="${round(step * 0.8)}" height="${round(BOTTOM - y(value))}"/>`;
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}"><title id="${id}">${title}</title>
${ticks(0, max, 4)
  .filter(Number.isInteger)
  .map(
    (tick) =>
      html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick end" x="${LEFT - 6}" y="${y(tick) + 4}">${COMPACT.format(tick)}</text>`,
  )}
${days.map(
  ({ date, value, foot = 0 }, index) =>
    html`<g><title>${date}: ${creditsText(value)}</title>${value > 0 && rect(index, value, 'bar')}${foot > 0 && rect(index, foot, `bar ${kind}`)}</g>`,
)}
${days.map(({ date }, index) => index % every === 0 && html`<text class="tick middle" x="${round(x(index) + step * 0.4)}" y="${BOTTOM + 18}">${date.slice(5)}</text>`)}
</svg>`;
}

const ROW = { height: 38, text: 13, bar: 20, thick: 11 };
/** A longer name is cut, so that the figure beside it has room. */
const MAX_NAME_LENGTH = 32;

interface NamedBar {
  readonly name: string;
  readonly value: number;
}

/** A bar for each name, one below the other. */
export function namedBarChart(id: string, title: string, rows: readonly NamedBar[]): Html {
  const max = Math.max(1, ...rows.map(({ value }) => value));
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${rows.length * ROW.height}" role="img" aria-labelledby="${id}"><title id="${id}">${title}</title>
${rows.map(({ name, value }, index) => {
  const top = index * ROW.height;
  return html`<text class="tick" x="0" y="${top + ROW.text}">${shortened(name)}</text><text class="tick end" x="${WIDTH}" y="${top + ROW.text}">${creditsText(value)}</text><rect class="bar" x="0" y="${top + ROW.bar}" width="${round((value / max) * WIDTH)}" height="${ROW.thick}"/>
`;
})}</svg>`;
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name;
}
