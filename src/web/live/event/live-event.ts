import { type OddsDocument, odds } from '../../../../projections/odds/odds.ts';
import { type MovementsDocument, movementsKey, oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { ApiError } from '../../../api/calls/api-errors.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getIntelligence } from '../../../api/operations/intelligence/get-intelligence.ts';
import { getPeriodOdds } from '../../../api/operations/odds/get-period-odds.ts';
import { getPlayerProps } from '../../../api/operations/odds/get-player-props.ts';
import { getSplits } from '../../../api/operations/odds/get-splits.ts';
import { getTeamProps } from '../../../api/operations/odds/get-team-props.ts';
import { readDocument, readEvent } from '../../../api/operations/shared/read-documents.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { withoutSuspectOffers } from '../../../read-models/rendering/priced-lines.ts';
import { renderEventDetail } from '../../../read-models/rendering/render-event.ts';
import { SUSPECT, suspectsOf } from '../../../read-models/rendering/render-odds.ts';
import type { EventLines, EventSnapshot } from '../answers/live-page-answers.ts';
import type { EventIntelligence } from '../answers/live-page-intelligence.ts';
import type { BoardCache } from '../board/board-cache.ts';
import { bestKnownBook, booksWithPrices, mainLines, renderBoardEvent } from '../board/board-event.ts';

/** The moment of a request, with its `as_of` as the client wrote it. */
export type RequestedAsOf = AsOf & { readonly text: string };

/**
 * One event as it stands, or as it stood.
 * @throws ApiError not_found if the event was not known
 */
export async function readEventSnapshot(
  context: OperationContext,
  cache: BoardCache,
  id: number,
  asOf: RequestedAsOf | undefined,
): Promise<EventSnapshot> {
  const event = await readEvent(context, id, asOf);
  const key = String(id);
  const [prices, splits, current] = await Promise.all([
    readDocument<OddsDocument>(context, odds, key, asOf),
    getSplits.run({ id, as_of: asOf?.text, as_of_basis: asOf?.basis ?? 'recorded' }, context),
    asOf ? undefined : cache.read([id]),
  ]);
  const book = bestKnownBook(prices, context.bookmakers);
  const detail = renderEventDetail(event);
  const shown = current?.get(id);
  const movements =
    shown || book === undefined
      ? undefined
      : await readDocument<MovementsDocument>(context, oddsMovements, movementsKey(id, book), asOf);
  return {
    event: shown
      ? (JSON.parse(shown.json) as EventSnapshot['event'])
      : { ...renderBoardEvent({ event, odds: prices, movements }, context.bookmakers), position: '0' },
    as_of: asOf?.text ?? null,
    detail: {
      venue: detail.venue.name,
      round: detail.round,
      competition: detail.competition?.name ?? null,
      broadcast: detail.broadcast ?? null,
      scheduled_start_at: detail.scheduled_start_at,
    },
    odds: prices ? renderBooks(prices, context.bookmakers) : [],
    splits: renderSplits(splits),
  };
}

function renderBooks(prices: OddsDocument, bookmakers: Bookmakers): EventSnapshot['odds'] {
  const isSuspect = suspectsOf(prices);
  return booksWithPrices(prices, bookmakers).map(({ bookmaker, prices: own }) => ({
    bookmaker,
    captured_at: own.capturedAt,
    markets: mainLines(prices, own).map((line) => ({
      ...line,
      outcomes: line.outcomes.map((one) => ({
        ...one,
        ...(isSuspect(bookmaker.slug, line.market, one.outcome) ? SUSPECT : undefined),
      })),
    })),
  }));
}

type Splits = Awaited<ReturnType<typeof getSplits.run>>;

function renderSplits({ captured_at, consensus }: Splits): EventSnapshot['splits'] {
  const markets = Object.entries(consensus).map(([market, sides]) => ({
    market,
    sides: Object.entries(sides).map(([side, { bets_pct, handle_pct }]) => ({ side, bets_pct, handle_pct })),
  }));
  return captured_at === null || markets.length === 0 ? null : { captured_at, markets };
}

/**
 * Period lines, team totals and player props of one event as they stand, or as they stood.
 * @throws ApiError not_found if the event was not known
 */
export async function readEventLines(
  context: OperationContext,
  id: number,
  asOf: RequestedAsOf | undefined,
): Promise<EventLines> {
  const input = {
    id,
    as_of: asOf?.text,
    as_of_basis: asOf?.basis ?? 'recorded',
    include_alts: false,
    include_forecast: false,
  };
  const [periods, teams, players] = await Promise.all([
    undefinedIfUnsupported(getPeriodOdds.run(input, context)),
    undefinedIfUnsupported(getTeamProps.run(input, context)),
    undefinedIfUnsupported(getPlayerProps.run({ ...input, bookmaker: 'all' }, context)),
  ]);
  const lines = {
    period_odds: (periods?.period_odds ?? []).map(withoutSuspectOffers),
    team_props: (teams?.team_props ?? []).map(withoutSuspectOffers),
    player_props: (players?.player_props ?? []).map(withoutSuspectOffers),
  };
  const slugs = new Set(Object.values(lines).flatMap((items) => items.flatMap(({ books }) => Object.keys(books))));
  const bookmakers = Object.fromEntries([...slugs].map((slug) => [slug, context.bookmakers.nameOf(slug)]));
  return { event_id: id, as_of: asOf?.text ?? null, bookmakers, ...lines };
}

/** The API answers bad_request for markets that a sport does not have. */
async function undefinedIfUnsupported<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'bad_request') return undefined;
    throw error;
  }
}

/**
 * The intelligence of an event's bets, now or at an earlier time.
 * @throws ApiError not_found if the event was not known
 */
export async function readEventIntelligence(
  context: OperationContext,
  id: number,
  asOf: RequestedAsOf | undefined,
): Promise<EventIntelligence> {
  const input = { id, as_of: asOf?.text, as_of_basis: asOf?.basis ?? 'recorded' };
  const { event_id, available, learning, players, rationale, bets } = await getIntelligence.run(input, context);
  const slugs = new Set(bets.flatMap(({ fair, ev }) => [...(fair?.books ?? []), ...(ev ? [ev.book] : [])]));
  const bookmakers = Object.fromEntries([...slugs].map((slug) => [slug, context.bookmakers.nameOf(slug)]));
  return { event_id, as_of: asOf?.text ?? null, available, learning, bookmakers, players, rationale, bets };
}
