import { group } from 'd3-array';
import { ApiError } from '../../../api/calls/api-errors.ts';
import { getOddsHistory } from '../../../api/operations/odds/get-odds-history.ts';
import type { WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import { THREE_WAY } from '../../../domain/odds/three-way.ts';
import { directionOf, FIRST_SIDES } from '../../../read-models/change-feed/market-watch.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { publicTime } from '../../layout/time-tag.ts';
import type { EventSnapshot, Story } from '../../live/answers/live-page-answers.ts';
import { shortName } from '../../live/page/view-model/event-sides.ts';
import { formatPoint } from '../../live/page/view-model/odds-format.ts';
import { MARKET_NAMES } from '../../live/page/view-model/story-model.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { numberCell, numberHeading, panel, priceText, textCell } from '../panels.ts';
import { reasonsOf, type ToldMove } from './move-reasons.ts';

export type OddsMovement = Awaited<ReturnType<typeof getOddsHistory.run>>['movements'][number];
type Outcome = Parameters<typeof directionOf>[0]['outcome'];

/** Movements that are read: the API gives no more at once. */
const MAX_READ = 200;
/** Moves that are shown: so many of the newest, and before them those whose reason is known. */
const [MAX_NEWEST, MAX_SHOWN] = [12, 24];

/** The newest movements of all bookmakers, the newest first. The API answers not_found if nothing has moved. */
export async function readMovements(
  call: KeylessCall,
  given: Readonly<Record<string, unknown>>,
): Promise<readonly OddsMovement[]> {
  try {
    return (await call(getOddsHistory, { ...given, bookmaker: 'all', limit: MAX_READ })).movements;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return [];
    throw error;
  }
}

interface MovesView {
  readonly event: EventSnapshot['event'];
  /** The newest first. */
  readonly movements: readonly OddsMovement[];
  readonly injuries: Story['injuries'];
  readonly nameOf: (bookmaker: string) => string;
}

interface ShownMove extends ToldMove {
  readonly movement: OddsMovement;
}

/** How prices moved lately, and why, where that is known. */
export function movesPart({ event, movements, injuries, nameOf }: MovesView): Html {
  const moves = toMoves(event, movements).reverse();
  if (moves.length === 0) return html``;
  const reasons = reasonsOf(moves, { injuries, nameOf });
  const shown = moves
    .map((move, index) => ({ move, reasons: reasons[index]! }))
    .filter(({ reasons: why }, index) => why.length > 0 || index >= moves.length - MAX_NEWEST)
    .slice(-MAX_SHOWN)
    .reverse();
  const hasReasons = shown.some((one) => one.reasons.length > 0);
  return panel(
    'Last moves',
    dataTable(
      'Last moves',
      ['Time', 'Book', 'Bet', numberHeading('From'), numberHeading('To'), ...(hasReasons ? ['Why'] : [])],
      shown.map(
        ({ move: { movement, bookmaker }, reasons: why }) =>
          html`<tr><td>${publicTime(movement.moved_at, 'second')}</td>${textCell(nameOf(bookmaker))}<th scope="row">${betName(event, movement)}</th>${numberCell(
            lineText(movement.market_key, movement.price_from, movement.point_from),
          )}${numberCell(lineText(movement.market_key, movement.price_to, movement.point_to))}${hasReasons && html`<td class="wide">${why.join(' ')}</td>`}</tr>
`,
      ),
    ),
    hasReasons ? 'The newest first. Where the cause of a move is not known, none is given.' : 'The newest first.',
  );
}

/** Both sides of a market move together: one of them stands for both. */
function toMoves(event: EventSnapshot['event'], movements: readonly OddsMovement[]): ShownMove[] {
  const byMove = group(movements, ({ bookmaker, market_key, moved_at }) => `${bookmaker} ${market_key} ${moved_at}`);
  return [...byMove.values()].map((both) => {
    const sides = both.map((movement) => ({ movement, outcome: roleOf(event, movement) }));
    const { movement, outcome } = sides.find((side) => FIRST_SIDES.has(side.outcome)) ?? sides[0]!;
    const { market_key: market, bookmaker, moved_at } = movement;
    return {
      movement,
      ...{ market, bookmaker, at: Date.parse(moved_at) },
      direction: directionOf({
        ...{ market, outcome, from: movement.price_from, to: movement.price_to },
        ...{ pointFrom: movement.point_from, pointTo: movement.point_to },
      }),
      isSuspect: both.some(({ suspect }) => suspect === true),
    };
  });
}

/** The API names outcomes as people do: a side by its name. */
const roleOf = ({ sides }: EventSnapshot['event'], { outcome }: OddsMovement): Outcome =>
  (sides.find(({ name }) => name === outcome)?.role ?? outcome.toLowerCase()) as Outcome;

function betName({ sides }: EventSnapshot['event'], { outcome, market_key }: OddsMovement): string {
  const side = sides.find(({ name }) => name === outcome);
  return `${market_key === THREE_WAY ? THREE_WAY_NAME : MARKET_NAMES[market_key]}, ${side ? shortName(side) : outcome}`;
}

const THREE_WAY_NAME = '3-way moneyline';

const lineText = (market: WatchedMarket, price: number, point: number | null): Html =>
  html`${point !== null && `${formatPoint(point, market)} `}${priceText(price)}`;
