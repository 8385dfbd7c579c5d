import { type PropQuotesDocument, propQuotes } from '../../../../projections/odds/prop-quotes.ts';
import { teamIdsOf } from '../../../domain/event-players.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { isFresh } from '../../../intelligence/prices/quotes.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import {
  groupPricesByLine,
  type PricedLine,
  withoutSuspectPrices,
} from '../../../read-models/rendering/priced-lines.ts';
import {
  groupPricesByPlayer,
  type PlayerPrice,
  type PricedPlayer,
  playerPrices,
} from '../../../read-models/rendering/render-player-props.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import type { AsOfMoments } from '../shared/known-games.ts';
import { readDocumentAsOf } from '../shared/read-documents.ts';
import { readPlayerFinder } from '../shared/read-player-finder.ts';

/** The line on a player's statistic that most bookmakers offer. */
export interface PropLine {
  readonly player: PricedPlayer;
  /** Name of the statistic. */
  readonly market: string;
  readonly line: number;
  readonly books: PricedLine['books'];
}

/**
 * The main lines on an event's players that are fresh at the clock, one for each player and market: the line of most
 * bookmakers; of equally common ones the lower.
 * @param clock milliseconds
 * @param moments prices as known at these moments; empty: as known now
 * @param asOf the moment at which the directory names players
 */
export async function readPropLines(
  context: Pick<OperationContext, 'store' | 'histories'>,
  eventId: number,
  { clock, moments, asOf }: { readonly clock: number; readonly moments: AsOfMoments; readonly asOf: AsOf | undefined },
): Promise<PropLine[]> {
  const quotes = await readQuotesAsOf(context, String(eventId), moments);
  const prices = quotes ? freshPrices(quotes, clock) : [];
  if (!quotes || prices.length === 0) return [];
  const teamIds = teamIdsOf(quotes.sides);
  const named = prices.map((price) => price.named);
  const { players, keyOf } = groupPricesByPlayer(
    prices,
    await readPlayerFinder(context, quotes.sport, named, asOf),
    teamIds,
  );
  const rungs = prices.flatMap((price) => {
    const key = keyOf(price);
    return key === undefined ? [] : [{ ...price, key, of: `${price.market} ${key}` }];
  });
  const offered = new Map(rungs.map(({ of, key, market }) => [of, { player: players.get(key)!, market }]));
  const best = new Map<string, PricedLine>();
  for (const priced of groupPricesByLine(rungs)) {
    const line = withoutSuspectPrices(priced);
    if (!line) continue;
    const before = best.get(line.of);
    if (!before || isBetterLine(line, before)) best.set(line.of, line);
  }
  return [...best.values()].map(({ of, line, books }) => ({ ...offered.get(of)!, line, books }));
}

async function readQuotesAsOf(
  context: Pick<OperationContext, 'store' | 'histories'>,
  key: string,
  [first, second]: AsOfMoments,
): Promise<PropQuotesDocument | undefined> {
  if (!first) return (await context.store.get<PropQuotesDocument>(propQuotes.name, key))?.document;
  const then = await readDocumentAsOf(context, propQuotes, key, first);
  // Facts recorded by then were observed by then too, unless a source's clock is ahead of ours.
  const isAll = !second || Object.values(then?.books ?? {}).every(({ newestAt }) => newestAt <= second.at);
  return isAll ? then : readDocumentAsOf(context, propQuotes, key, first, second);
}

/** A price that no message has repeated for too long counts as withdrawn. */
function freshPrices({ books, ...quotes }: PropQuotesDocument, clock: number): PlayerPrice[] {
  const fresh = Object.entries(books).map(([book, { markets, namedAt, newestAt, repeated, fresh: unrepeated }]) => {
    const some = Object.entries(markets).filter(([market]) => {
      const at = ownValue(namedAt, market);
      return at !== undefined && isFresh(at, clock);
    });
    const earlier = Object.fromEntries(some.map(([market]) => [market, formatTime(namedAt[market]!)]));
    const repetition = { ...(repeated && { repeated }), ...(unrepeated && { fresh: unrepeated }) };
    return [
      book,
      { capturedAt: formatTime(newestAt), markets: Object.fromEntries(some), earlier, ...repetition },
    ] as const;
  });
  return playerPrices({ ...quotes, books: Object.fromEntries(fresh) });
}

function isBetterLine(a: PricedLine, b: PricedLine): boolean {
  const [more, less] = [Object.keys(a.books).length, Object.keys(b.books).length];
  return more === less ? a.line < b.line : more > less;
}
