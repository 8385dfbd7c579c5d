import { type Html, html } from './html.ts';

/** What every chart that the server draws stands in. Its style is `PLOT_STYLE`. */

interface ChartFrame {
  readonly width: number;
  readonly height: number;
  /** What a chart shows, for those who do not see it: the table beside it has the figures. */
  readonly name: string;
}

/** The drawing of a chart. */
export const chart = ({ width, height, name }: ChartFrame, drawn: Html): Html =>
  html`<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">
${drawn}</svg>`;

/** A drawing above what it shows, in words. */
export const chartFigure = (drawing: Html, caption: Html | string): Html =>
  html`<figure>${drawing}
<figcaption>${caption}</figcaption></figure>`;

/** Charts beside each other, where there is room. */
export const chartRow = (...figures: readonly (Html | false | undefined)[]): Html =>
  html`<div class="plots">${figures}</div>`;

interface Grid {
  /** Of the lines, in the chart. */
  readonly left: number;
  readonly right: number;
  readonly ticks: readonly number[];
  /** Where a value stands. */
  readonly y: (value: number) => number;
  readonly text: (value: number) => string;
}

/** Lines across a chart at round values, with their texts at the left. */
export const gridLines = ({ left, right, ticks, y, text }: Grid): Html =>
  html`${ticks.map((tick) => html`<line class="grid" x1="${left}" x2="${right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick end" x="${left - 6}" y="${y(tick) + 4}">${text(tick)}</text>`)}`;

/** The text below a place of a chart. */
export const tickBelow = (x: number, y: number, text: string): Html =>
  html`<text class="tick middle" x="${x}" y="${y}">${text}</text>`;

/** Few enough texts that none meets its neighbour: every so many-th of `count`. */
export const everyNth = (count: number, most: number): number => Math.max(1, Math.ceil(count / most));

/** Places in a chart need no more than two digits. */
export const roundPlace = (value: number): number => Math.round(value * 100) / 100;
