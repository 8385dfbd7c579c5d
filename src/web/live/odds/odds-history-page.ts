import type { PageResponse } from '../../../api/http/endpoints/public-pages.ts';
import type { getOddsHistory } from '../../../api/operations/odds/get-odds-history.ts';
import { chart, chartFigure, gridLines, roundPlace } from '../../layout/charts.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import type { SitePages } from '../../layout/navigation.ts';
import { sitePage } from '../../layout/site-page.ts';
import type { OddsRow, ScreenMarket } from '../answers/odds-screen-answers.ts';
import { capitalized } from '../page/view-model/capitalized.ts';
import { hasMovingPoints, paddedRange, yValueOf } from '../page/view-model/chart-lines.ts';
import { shortName } from '../page/view-model/event-sides.ts';
import { formatLine, type OddsFormat } from '../page/view-model/odds-format.ts';
import { ageText } from '../page/view-model/odds-screen/age-text.ts';
import { DEFAULT_VIEW, SCREEN_MARKET_NAMES, viewPath } from '../page/view-model/odds-screen/screen-view.ts';
import { eventHash } from '../page/view-model/route.ts';
import { downsampleDots, stepPath } from '../page/view-model/svg-path.ts';
import { clockTimeWithSeconds, inUtc } from '../page/view-model/times.ts';
import { yAxisTicks } from '../page/view-model/y-axis-ticks.ts';
import { ODDS_PAGE_HEADERS, type OddsPageFiles, SERVER_TIMES } from './odds-page.ts';
import { movedMarketOf } from './odds-row.ts';

type Movement = Awaited<ReturnType<typeof getOddsHistory.run>>['movements'][number];

export interface OddsHistoryData {
  readonly row: OddsRow;
  readonly book: { readonly slug: string; readonly name: string };
  readonly market: ScreenMarket;
  /** Of this bookmaker and market, newest first. */
  readonly movements: readonly Movement[];
  readonly format: OddsFormat;
  /** Milliseconds. */
  readonly now: number;
}

/** The history of one bookmaker's price. The odds screen shows its main part in a dialog. */
export function oddsHistoryPage(data: OddsHistoryData, pages: SitePages, files: OddsPageFiles): PageResponse {
  const { row, book, market, now } = data;
  const name = SCREEN_MARKET_NAMES[market];
  const current = row.books.find(({ slug }) => slug === book.slug);
  const body = sitePage({
    path: '/odds/history',
    title: `${book.name}, ${name}: ${row.name} · Ledgerline`,
    pages,
    styles: files.styles,
    isUnlisted: true,
    skip: 'Skip to the history',
    className: 'price-history',
    content: html`<h1>${book.name}: ${name.toLowerCase()}</h1>
<p class="price-event"><a href="/${eventHash(row.id)}">${row.name}</a></p>
${
  current
    ? html`<dl class="price-now">${row.outcomes.map((outcome, index) => nowLine(data, outcome, current.offers[index] ?? null))}</dl>
<p class="screen-note">Last reported <time datetime="${current.at}" title="${inUtc(current.at)}">${ageText(current.at, now)} ago</time>.</p>`
    : html`<p>${book.name} has no price of this market at this moment.</p>`
}
${history(data)}
<p class="price-back"><a href="${viewPath({ ...DEFAULT_VIEW, date: row.starts_at.slice(0, 10), market })}">All odds of the day</a></p>`,
  });
  return { status: 200, type: 'text/html; charset=utf-8', body, headers: ODDS_PAGE_HEADERS };
}

const outcomeName = ({ sides }: OddsRow, outcome: string): string =>
  sides.find(({ role }) => role === outcome)?.name ?? capitalized(outcome);

/** The names of sides are long, and stand above the table. */
function shortOutcome({ sides }: OddsRow, name: string): Html {
  const side = sides.find((one) => one.name === name);
  return side ? html`<abbr title="${name}">${shortName(side)}</abbr>` : html`${name}`;
}

function nowLine(
  { row, market, format }: OddsHistoryData,
  outcome: string,
  offer: { readonly price: number; readonly point: number | null } | null,
): Html {
  const kind = market.endsWith('total') ? 'totals' : 'spreads';
  return html`<div><dt>${outcomeName(row, outcome)}</dt><dd>${offer ? formatLine({ outcome, ...offer }, kind, format) : '–'}</dd></div>`;
}

function history(data: OddsHistoryData): Html {
  const { market, movements, book, format } = data;
  const moved = movedMarketOf(market, data.row.sport);
  if (moved === null) return html`<p>Movements of period lines are not kept: this is the price as it stands.</p>`;
  if (movements.length === 0) return html`<p>This price has not moved since ${book.name} opened it.</p>`;
  const write = (movement: Movement, price: number, point: number | null) =>
    formatLine({ outcome: movement.outcome.toLowerCase(), price, point }, moved, format);
  return html`${priceChart(data)}
${dataTable(
  `Movements at ${book.name}`,
  ['Time (UTC)', 'Outcome', ['From', 'number'], ['To', 'number']],
  movements.map(
    (movement) =>
      html`<tr><td>${momentCell(movement.moved_at)}</td><td>${shortOutcome(data.row, movement.outcome)}</td><td class="number">${write(movement, movement.price_from, movement.point_from)}</td><td class="number">${write(movement, movement.price_to, movement.point_to)}</td></tr>`,
  ),
)}`;
}

/** `29 Nov 10:13:26`; without the seconds where there is little room. */
function momentCell(at: string): Html {
  const [minutes, seconds] = momentParts(at);
  return html`<time datetime="${at}" title="${inUtc(at)}">${minutes}<span class="price-seconds">${seconds}</span></time>`;
}

/** `29 Nov 10:13` and `:26` */
function momentParts(at: string): readonly [string, string] {
  const [, minutes, seconds] = /^(.*)(:\d\d)$/.exec(clockTimeWithSeconds(at, SERVER_TIMES))!;
  return [`${DAY_OF_MONTH.format(new Date(at))} ${minutes}`, seconds!];
}
const DAY_OF_MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const WIDTH = 640;
const HEIGHT = 200;
const PLOT = { left: 64, right: 632, top: 10, bottom: 172 } as const;
/** The smallest range of the height, so that small movements look small. */
const MIN_EXTENT = { point: 2, price: 0.08 } as const;

/** The first outcome that moved, as steps from its first movement until now. When it opened is not known here. */
function priceChart({ row, market, movements, format, now }: OddsHistoryData): Html {
  const names = row.outcomes.map((outcome) => outcomeName(row, outcome));
  const name = names.find((one) => movements.some(({ outcome }) => outcome === one));
  const own = movements.filter(({ outcome }) => outcome === name).reverse();
  const [first] = own;
  if (!first) return html``;
  const points = [
    { at: Date.parse(first.moved_at), price: first.price_from, point: first.point_from },
    ...own.map(({ moved_at, price_to, point_to }) => ({ at: Date.parse(moved_at), price: price_to, point: point_to })),
  ];
  const measure = hasMovingPoints(points) ? 'point' : 'price';
  const range = paddedRange(
    points.map((point) => yValueOf(point, measure)),
    MIN_EXTENT[measure],
  );
  const from = points[0]!.at;
  const to = Math.max(now, from + 1);
  const x = (at: number) => PLOT.left + ((at - from) / (to - from)) * (PLOT.right - PLOT.left);
  const y = (height: number) => PLOT.bottom - ((height - range[0]) / (range[1] - range[0])) * (PLOT.bottom - PLOT.top);
  const dots = points.map((point): readonly [number, number] => [x(point.at), y(yValueOf(point, measure))]);
  const ticks = yAxisTicks(range, measure, movedMarketOf(market, row.sport)!, format, 4);
  const ends = [
    { at: PLOT.left, text: momentParts(first.moved_at)[0], place: 'start' },
    { at: PLOT.right, text: 'now', place: 'end' },
  ];
  const textOf = new Map(ticks.map(({ height, text }) => [height, text]));
  const drawing = chart(
    { width: WIDTH, height: HEIGHT, name: `${name ?? ''}: ${own.length} movements, as in the table` },
    html`${gridLines({
      ...PLOT,
      ticks: [...textOf.keys()],
      y: (height) => roundPlace(y(height)),
      text: (height) => textOf.get(height)!,
    })}
<path class="chart-line" d="${stepPath(downsampleDots(dots, 1), PLOT.right)}"/>
${ends.map(({ at, text, place }) => html`<text class="tick ${place}" x="${at}" y="${HEIGHT - 8}">${text}</text>`)}
`,
  );
  return chartFigure(
    drawing,
    `${name ?? ''}: ${measure === 'point' ? 'the line' : 'the price'}, since it first moved.`,
  );
}
