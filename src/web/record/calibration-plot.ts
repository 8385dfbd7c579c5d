import type { Bin } from '../../intelligence/evaluation/forecast-measures.ts';
import { type Html, html } from '../layout/html.ts';

const [LEFT, TOP, SIDE, WIDTH, HEIGHT] = [44, 26, 256, 320, 322];
const RADIUS = { min: 3, max: 9 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const x = (p: number): number => round(LEFT + p * SIDE);
const y = (p: number): number => round(TOP + (1 - p) * SIDE);
const round = (value: number): number => Math.round(value * 10) / 10;

export const percent = (p: number): string => `${Math.round(100 * p)}%`;

/** Forecast probabilities against observed frequencies: on the line both are equal. More games make a larger dot. */
export function calibrationPlot(bins: readonly Bin[], name: string): Html {
  const maxGames = Math.max(...bins.map(({ n }) => n));
  const radius = ({ n }: Bin) => round(RADIUS.min + (RADIUS.max - RADIUS.min) * Math.sqrt(n / maxGames));
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${name}">
${TICKS.map(
  (
    tick,
  ) => html`<line class="grid" x1="${x(0)}" x2="${x(1)}" y1="${y(tick)}" y2="${y(tick)}"/><line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${y(0)}" y2="${y(1)}"/>
<text class="tick end" x="${LEFT - 6}" y="${y(tick) + 4}">${percent(tick)}</text><text class="tick middle" x="${x(tick)}" y="${TOP + SIDE + 16}">${percent(tick)}</text>`,
)}
<line class="even" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
${bins.map((bin) => html`<circle class="forecast" cx="${x(bin.predicted)}" cy="${y(bin.observed)}" r="${radius(bin)}"><title>${binText(bin)}</title></circle>`)}
<text class="tick end" x="${LEFT - 6}" y="12">Came</text><text class="tick middle" x="${x(0.5)}" y="${HEIGHT - 6}">Forecast</text>
</svg>`;
}

const binText = ({ predicted, observed, n }: Bin): string =>
  `Forecast ${percent(predicted)}, came ${percent(observed)}, ${n.toLocaleString('en')} times`;
