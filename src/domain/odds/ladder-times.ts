import { timeOf } from '../observations/observation.ts';
import { ownValue } from '../primitives/own-properties.ts';
import { type Bet, betOf, type DepthChange } from './book-depth.ts';
import { marketName } from './bookmaker-prices.ts';

/**
 * When the ladders of a venue came that do not come with the others of their market, by market (`marketName`) and bet:
 * milliseconds. What `BookDepth` says of it, without the ladders, for folds of which there are many.
 */
export type LadderTimes = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The times after these changes; undefined: every ladder comes with the others of its market, as nearly always. */
export function ladderTimesAfter(
  before: LadderTimes | undefined,
  changes: readonly DepthChange[] | undefined,
): LadderTimes | undefined {
  if (!changes) return before;
  let after = before;
  for (const { key, scope, alternate, outcomes } of changes) {
    const name = marketName({ key, scope, alternate });
    const known = after && ownValue(after, name);
    const times = new Map(Object.entries(known ?? {}));
    for (const { gone, at, ...bet } of outcomes) {
      if (gone || at === null) times.delete(betOf(bet));
      else if (at !== undefined) times.set(betOf(bet), timeOf(at));
    }
    if (times.size === 0 && !known) continue;
    const { [name]: _, ...others }: LadderTimes = after ?? {};
    after = times.size === 0 ? others : { ...others, [name]: Object.fromEntries(times) };
  }
  return after && Object.keys(after).length > 0 ? after : undefined;
}

/**
 * Since when a price is offered: since its market was last named, or since its own ladder came, whoever has named the
 * price since. As `offeredSince` for one bet.
 * @param namedAt milliseconds
 */
export function pricedSince(times: LadderTimes | undefined, market: string, namedAt: number, bet: Bet): number {
  const own = times && ownValue(ownValue(times, market) ?? {}, betOf(bet));
  return own === undefined ? namedAt : Math.min(namedAt, own);
}
