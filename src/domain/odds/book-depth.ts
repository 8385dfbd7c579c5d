import type { FeedBookOutcome } from '../feed/book-message.ts';
import type { BookMessage } from '../feed/feed-messages.ts';
import { timeOf } from '../observations/observation.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';
import { americanFromDecimal } from './american-odds.ts';
import { marketName, type PricedMarket, type PricedOutcome } from './bookmaker-prices.ts';
import { type Level, netDecimal, type VenueFee } from './venue-fee.ts';

/** The order book of one outcome. */
export interface OutcomeDepth {
  readonly outcome: FeedBookOutcome['outcome'];
  readonly point?: number;
  /** Best first: the highest bid, the lowest ask. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** The price of the last trade. */
  readonly last?: number;
  readonly volume?: number;
  readonly open_interest?: number;
  /** When its own ladder came, where it does not come with the others of its market (`standing-ladders.ts`). */
  readonly at?: string;
}

/** The order books of one market of a venue. */
export interface MarketDepth {
  readonly outcomes: readonly OutcomeDepth[];
  /** By the time from which each holds; the last ones alone. */
  readonly fees: readonly DatedFee[];
}
export type DatedFee = VenueFee & { readonly from: string };

/** The order books of a venue on an event, by market (`marketName`). */
export type BookDepth = Record<string, MarketDepth>;

/**
 * What a message has changed of the books of a venue. A level of size 0 is gone, an outcome that is `gone` has no book
 * any more, and what is not named stays. Only changes are recorded: a whole ladder would cost ten times as much.
 */
export interface DepthChange extends Pick<PricedMarket, 'key' | 'scope' | 'alternate'> {
  readonly outcomes: readonly OutcomeChange[];
  readonly fee?: VenueFee;
}
interface OutcomeChange extends Pick<OutcomeDepth, 'outcome' | 'point' | 'last' | 'volume' | 'open_interest'> {
  readonly gone?: true;
  readonly bids?: readonly Level[];
  readonly asks?: readonly Level[];
  /** Null: it comes with the others of its market again. */
  readonly at?: string | null;
}

/** A market of a `book` message, with the sides in the order of the event. */
export type ReportedBook = Pick<PricedMarket, 'key' | 'scope' | 'alternate'> & {
  readonly outcomes: readonly OutcomeDepth[];
  readonly fee?: VenueFee;
  /** Outcomes that are not named keep their prices. */
  readonly complete?: false;
};

/** The books of the outcomes of one market as they stand. */
export const outcomesOf = (
  depth: BookDepth | undefined,
  { key, scope, alternate }: Pick<PricedMarket, 'key' | 'scope' | 'alternate'>,
): readonly OutcomeDepth[] => (depth && ownValue(depth, marketName({ key, scope, alternate }))?.outcomes) ?? [];

/** Fees that have ended, and those to come: a venue announces one or two. */
const MAX_FEES = 4;

/** The order books of a message, best prices first, with sizes in hundredths of money. */
export const reportedBooks = ({ markets }: Pick<BookMessage, 'markets'>): ReportedBook[] =>
  markets.map(({ key, scope = 'match', alternate = false, outcomes, fee }) => ({
    key,
    scope,
    alternate,
    outcomes: outcomes.map(({ outcome, point, bids, asks, last, volume, open_interest }) => ({
      outcome,
      ...(point === undefined ? {} : { point }),
      bids: sorted(bids, -1),
      asks: sorted(asks, 1),
      ...(last === undefined ? {} : { last }),
      ...(volume === undefined ? {} : { volume }),
      ...(open_interest === undefined ? {} : { open_interest }),
    })),
    ...(fee === undefined ? {} : { fee: feeOf(fee) }),
  }));

const sorted = (levels: FeedBookOutcome['bids'], direction: 1 | -1): Level[] =>
  levels
    .map(([price, size]): Level => [price, Math.max(0.01, Math.round(size * 100) / 100)])
    .sort(([a], [b]) => direction * (a - b));

/** Without members that a source adds, and without those that are absent. */
const feeOf = ({ model, rate, exponent, taker_only, rounding, from }: VenueFee): VenueFee => ({
  model,
  rate,
  ...(exponent === undefined ? {} : { exponent }),
  ...(taker_only === undefined ? {} : { taker_only }),
  ...(rounding === undefined ? {} : { rounding }),
  ...(from === undefined ? {} : { from }),
});

/** The fee of a market at a moment (milliseconds); undefined: none is known. */
export const datedFeeAt = (fees: readonly DatedFee[] | undefined, clock: number): DatedFee | undefined =>
  fees?.findLast(({ from }) => timeOf(from) <= clock);

export type Bet = Pick<OutcomeDepth, 'outcome' | 'point'>;

/**
 * Since when the offers of a market stand as they do: since its newest message, or since the oldest ladder that does not
 * come with the others, whoever has named its price again.
 * @param namedAt when the market was last named, in milliseconds
 * @param bet the offer of this bet alone
 */
export const offeredSince = (depth: MarketDepth | undefined, namedAt: number, bet?: Bet): number =>
  (depth?.outcomes ?? []).reduce((oldest, one) => {
    const isAsked = one.asks.length > 0 && (bet === undefined || isSameOutcome(one, bet));
    return isAsked && one.at !== undefined ? Math.min(oldest, timeOf(one.at)) : oldest;
  }, namedAt);

/**
 * Whether these prices are what the ladders give. Another message may have told newer prices of the venue without any
 * ladder, as one of an aggregator does: what stood in the order books then is not on offer. The fee may have become known
 * after the prices.
 */
export const areLaddersOf = ({ outcomes, fees }: MarketDepth, priced: readonly PricedOutcome[]): boolean =>
  priced.every(({ price, ...bet }) => {
    const ask = outcomes.find((one) => isSameOutcome(one, bet))?.asks[0];
    return ask && [undefined, ...fees].some((fee) => americanFromDecimal(netDecimal(ask[0], fee)) === price);
  });

/** What a message changes; markets that stay as they are are left out. */
export function changesOf(before: BookDepth | undefined, books: readonly ReportedBook[], at: string): DepthChange[] {
  return books.flatMap(({ key, scope, alternate, outcomes, fee }) => {
    const known = before && ownValue(before, marketName({ key, scope, alternate }));
    const left = new Map(known?.outcomes.map((one) => [betOf(one), one]));
    const changed: OutcomeChange[] = outcomes.flatMap((next) => {
      const previous = left.get(betOf(next));
      left.delete(betOf(next));
      const change = changeOf(previous, next);
      return change ? [change] : [];
    });
    for (const { outcome, point } of left.values()) {
      changed.push({ outcome, ...(point === undefined ? {} : { point }), gone: true });
    }
    const newFee = fee && !isKnownFee(known?.fees ?? [], fee, at) ? { fee } : {};
    return changed.length > 0 || 'fee' in newFee ? [{ key, scope, alternate, outcomes: changed, ...newFee }] : [];
  });
}

/** Whether two are the same bet of a market. */
export const isSameOutcome = (
  one: Pick<OutcomeDepth, 'outcome' | 'point'>,
  other: Pick<OutcomeDepth, 'outcome' | 'point'>,
): boolean => one.outcome === other.outcome && one.point === other.point;

/** The key of a bet among those of its market. */
export const betOf = ({ outcome, point }: Bet): string => `${outcome}|${point ?? ''}`;

/** Whether the fee is in force at its beginning already, so that it says nothing new. */
function isKnownFee(fees: readonly DatedFee[], fee: VenueFee, at: string): boolean {
  const { from = at, ...terms } = fee;
  const known = fees.findLast((one) => timeOf(one.from) <= timeOf(from));
  if (!known) return false;
  const { from: _, ...knownTerms } = known;
  return sameFee(knownTerms, terms);
}
const sameFee = (a: VenueFee, b: VenueFee): boolean =>
  a.model === b.model &&
  a.rate === b.rate &&
  a.exponent === b.exponent &&
  a.taker_only === b.taker_only &&
  a.rounding === b.rounding;

function changeOf(before: OutcomeDepth | undefined, next: OutcomeDepth): OutcomeChange | undefined {
  const { outcome, point } = next;
  const bids = levelChanges(before?.bids ?? [], next.bids);
  const asks = levelChanges(before?.asks ?? [], next.asks);
  const figures = Object.fromEntries(
    FIGURES.flatMap((name) => (next[name] === undefined || next[name] === before?.[name] ? [] : [[name, next[name]]])),
  );
  const own = next.at === before?.at ? {} : { at: next.at ?? null };
  const isSame =
    before && bids.length === 0 && asks.length === 0 && Object.keys(figures).length === 0 && !('at' in own);
  if (isSame) return undefined;
  return {
    outcome,
    ...(point === undefined ? {} : { point }),
    ...(bids.length > 0 ? { bids } : {}),
    ...(asks.length > 0 ? { asks } : {}),
    ...figures,
    ...own,
  };
}
const FIGURES = ['last', 'volume', 'open_interest'] as const;

function levelChanges(before: readonly Level[], next: readonly Level[]): Level[] {
  const left = new Map(before);
  const changed = next.filter(([price, size]) => {
    const isSame = left.get(price) === size;
    left.delete(price);
    return !isSame;
  });
  return [...changed, ...[...left.keys()].map((price): Level => [price, 0])];
}

/** The books after these changes; changes and returns those that it gets. Lists in them are replaced, never changed. */
export function applyChanges(before: BookDepth | undefined, changes: readonly DepthChange[], at: string): BookDepth {
  const next = before ?? {};
  for (const { key, scope, alternate, outcomes, fee } of changes) {
    const name = marketName({ key, scope, alternate });
    const known = ownValue(next, name);
    const books = new Map(known?.outcomes.map((one) => [betOf(one), one]));
    for (const { gone, bids = [], asks = [], at: own, ...change } of outcomes) {
      const bet = betOf(change);
      const previous = books.get(bet);
      if (gone) books.delete(bet);
      else {
        const { at: before, ...others } = previous ?? {};
        const since = own === undefined ? before : own;
        books.set(bet, {
          ...others,
          ...change,
          ...(since == null ? {} : { at: since }),
          bids: withChanges(previous?.bids ?? [], bids, -1),
          asks: withChanges(previous?.asks ?? [], asks, 1),
        });
      }
    }
    const fees = fee ? withFee(known?.fees ?? [], { ...fee, from: fee.from ?? at }) : (known?.fees ?? []);
    const depth: MarketDepth = { outcomes: [...books.values()], fees };
    setOwn(next, name, depth);
  }
  return next;
}

function withChanges(before: readonly Level[], changes: readonly Level[], direction: 1 | -1): readonly Level[] {
  if (changes.length === 0) return before;
  const levels = new Map(before);
  for (const [price, size] of changes) {
    if (size > 0) levels.set(price, size);
    else levels.delete(price);
  }
  return [...levels].sort(([a], [b]) => direction * (a - b));
}

/** Of two fees from the same moment on the later message counts. */
const withFee = (fees: readonly DatedFee[], fee: DatedFee): readonly DatedFee[] =>
  [...fees.filter(({ from }) => timeOf(from) !== timeOf(fee.from)), fee]
    .sort((a, b) => timeOf(a.from) - timeOf(b.from))
    .slice(-MAX_FEES);

/**
 * The ordinary prices of a message: of each outcome the best ask net of the fee of that moment. An outcome that nobody
 * offers has none.
 */
export const pricesOfBooks = (
  depth: BookDepth | undefined,
  books: readonly ReportedBook[],
  at: string,
): PricedMarket[] =>
  books.map(({ key, scope, alternate, outcomes, complete = true }) => {
    const fee = datedFeeAt(depth && ownValue(depth, marketName({ key, scope, alternate }))?.fees, timeOf(at));
    return {
      key,
      scope,
      alternate,
      complete,
      outcomes: outcomes.flatMap(({ outcome, point, asks }) => {
        const price = asks[0] && americanFromDecimal(netDecimal(asks[0][0], fee));
        return price === undefined ? [] : [{ outcome, price, ...(point === undefined ? {} : { point }) }];
      }),
    };
  });
