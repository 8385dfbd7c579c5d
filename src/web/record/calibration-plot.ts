import type { Bin } from '../../intelligence/evaluation/forecast-measures.ts';
import { chart, gridLines, roundPlace, tickBelow } from '../layout/charts.ts';
import { type Html, html } from '../layout/html.ts';

const [LEFT, TOP, SIDE, WIDTH, HEIGHT] = [44, 26, 256, 320, 322];
const RADIUS = { min: 3, max: 9 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const x = (p: number): number => roundPlace(LEFT + p * SIDE);
const y = (p: number): number => roundPlace(TOP + (1 - p) * SIDE);

export const percent = (p: number): string => `${Math.round(100 * p)}%`;

/** Forecast probabilities against observed frequencies: on the line both are equal. More games make a larger dot. */
export function calibrationPlot(bins: readonly Bin[], name: string): Html {
  const maxGames = Math.max(...bins.map(({ n }) => n));
  const radius = ({ n }: Bin) => roundPlace(RADIUS.min + (RADIUS.max - RADIUS.min) * Math.sqrt(n / maxGames));
  return chart(
    { width: WIDTH, height: HEIGHT, name },
    html`${gridLines({ left: LEFT, right: LEFT + SIDE, ticks: TICKS, y, text: percent })}
${TICKS.map((tick) => html`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="${y(0)}" y2="${y(1)}"/>${tickBelow(x(tick), TOP + SIDE + 16, percent(tick))}`)}
<line class="even" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
${bins.map((bin) => html`<circle class="forecast" cx="${x(bin.predicted)}" cy="${y(bin.observed)}" r="${radius(bin)}"><title>${binText(bin)}</title></circle>`)}
<text class="tick end" x="${LEFT - 6}" y="12">Came</text>${tickBelow(x(0.5), HEIGHT - 6, 'Forecast')}
`,
  );
}

const binText = ({ predicted, observed, n }: Bin): string =>
  `Forecast ${percent(predicted)}, came ${percent(observed)}, ${n.toLocaleString('en')} times`;
