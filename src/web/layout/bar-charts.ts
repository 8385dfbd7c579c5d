import { ticks } from 'd3-array';
import { creditsText } from '../../domain/accounts/format-credits.ts';
import { chart, everyNth, gridLines, roundPlace, tickBelow } from './charts.ts';
import { type Html, html } from './html.ts';

/** Charts of counts. The name says what a chart shows; the table beside it has the figures. */

const [LEFT, RIGHT, TOP, WIDTH, HEIGHT] = [56, 8, 14, 320, 200];
const BOTTOM = HEIGHT - 26;
/** At most this many bars have their text below them. */
const MAX_LABELS = 5;

/** `12K`: space is small. */
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export interface TimeBar {
  /** When, in full. */
  readonly name: string;
  /** When, below the bar. */
  readonly label: string;
  /** Null: not known, and no bar is drawn. */
  readonly value: number | null;
  /** The part of the value that is drawn as the foot of the bar; absent if none is. */
  readonly foot?: number;
}

interface TimeBarLooks {
  /** How the foot of a bar is drawn: as what failed, or as a part like any other. Default: `errors`. */
  readonly foot?: 'errors' | 'half';
  /** Of a bar; default: the number. */
  readonly text?: (value: number) => string;
  /** Of a line of the grid; default: the number, short. */
  readonly tick?: (value: number) => string;
}

/** A bar for each stretch of time. @param name what the chart shows */
export function timeBarChart(name: string, bars: readonly TimeBar[], looks: TimeBarLooks = {}): Html {
  const { foot: footKind = 'errors', text = creditsText, tick = (value) => COMPACT.format(value) } = looks;
  const max = Math.max(1, ...bars.map(({ value }) => value ?? 0));
  const y = (value: number): number => roundPlace(BOTTOM - (value / max) * (BOTTOM - TOP));
  const step = (WIDTH - LEFT - RIGHT) / bars.length;
  const x = (index: number): number => roundPlace(LEFT + (index + 0.1) * step);
  const every = everyNth(bars.length, MAX_LABELS);
  const rect = (index: number, value: number, kind: string): Html =>
    html`<rect class="${kind}" x="${x(index)}" y="${y(value)}" width="${roundPlace(step * 0.8)}" height="${roundPlace(BOTTOM - y(value))}"/>`;
  return chart(
    { width: WIDTH, height: HEIGHT, name },
    html`${gridLines({ left: LEFT, right: WIDTH - RIGHT, ticks: ticks(0, max, 4).filter(Number.isInteger), y, text: tick })}
${bars.map(
  ({ name: when, value, foot = 0 }, index) =>
    html`<g><title>${when}: ${value === null ? 'not known' : text(value)}</title>${value !== null && value > 0 && rect(index, value, 'bar')}${foot > 0 && rect(index, foot, `bar ${footKind}`)}</g>`,
)}
${bars.map(({ label }, index) => index % every === 0 && tickBelow(roundPlace(x(index) + step * 0.4), BOTTOM + 18, label))}
`,
  );
}

interface DayBar extends Pick<TimeBar, 'value' | 'foot'> {
  /** Of UTC, as `2026-03-01`. */
  readonly date: string;
}

/** A bar for each day. @param name what the chart shows */
export const dayBarChart = (name: string, days: readonly DayBar[], looks?: TimeBarLooks): Html =>
  timeBarChart(
    name,
    days.map(({ date, ...day }) => ({ ...day, name: date, label: date.slice(5) })),
    looks,
  );

const ROW = { height: 38, text: 13, bar: 20, thick: 11 };
/** A longer name is cut, so that the figure beside it has room. */
const MAX_NAME_LENGTH = 32;

interface NamedBar {
  readonly name: string;
  readonly value: number;
}

/** A bar for each name, one below the other. @param name what the chart shows */
export function namedBarChart(name: string, rows: readonly NamedBar[]): Html {
  const max = Math.max(1, ...rows.map(({ value }) => value));
  return chart(
    { width: WIDTH, height: rows.length * ROW.height, name },
    html`${rows.map(({ name: of, value }, index) => {
      const top = index * ROW.height;
      return html`<text class="tick" x="0" y="${top + ROW.text}">${shortened(of)}</text><text class="tick end" x="${WIDTH}" y="${top + ROW.text}">${creditsText(value)}</text><rect class="bar" x="0" y="${top + ROW.bar}" width="${roundPlace((value / max) * WIDTH)}" height="${ROW.thick}"/>
`;
    })}`,
  );
}

function shortened(name: string): string {
  const characters = [...name];
  return characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : name;
}
