import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { type LastPrices, type Movement, seriesName, updateLastPrices } from '../../../domain/odds/line-movements.ts';
import { ownValue, setOwn } from '../../../domain/primitives/own-properties.ts';
import { type DomainRecord, streams } from '../../../domain/streams/domain-events.ts';

type UntoldPrice = readonly [price: number, point: number | null, at: string];

/** The prices of one event that were suspect as they came, and are told to nobody: by bookmaker and series. */
export interface UntoldPrices {
  readonly books: Record<string, Record<string, readonly UntoldPrice[]>>;
}

/** Of one series; the newest are kept. */
const MAX_UNTOLD = 50;

/** What late messages need to know: they put their prices among earlier ones. */
export const untoldPrices: Projection<UntoldPrices> = {
  name: 'untold-prices',
  version: 2,
  types: ['PricesChanged'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { at, content, suspect } = (untyped as Extract<DomainRecord, { type: 'PricesChanged' }>).data;
    const next = document ?? { books: {} };
    const named: LastPrices = {};
    updateLastPrices(named, content, () => {});
    for (const [series, price] of Object.entries(named)) {
      const others = without(next, content.bookmaker, series, price);
      const isHeld = suspect?.held !== undefined && Object.hasOwn(suspect.held, series);
      put(next, content.bookmaker, series, isHeld ? [...others, [...price, at]] : others);
    }
    for (const { bookmaker, market, outcome, to } of suspect?.released ?? []) {
      const series = seriesName(market, outcome);
      put(next, bookmaker, series, without(next, bookmaker, series, to));
    }
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.odds(Number(key))],
};

function without(
  { books }: UntoldPrices,
  bookmaker: string,
  series: string,
  [price, point]: LastPrices[string],
): readonly UntoldPrice[] {
  const known = ownValue(books, bookmaker)?.[series] ?? [];
  return known.filter(([one, at]) => one !== price || at !== point);
}

function put({ books }: UntoldPrices, bookmaker: string, series: string, prices: readonly UntoldPrice[]): void {
  const book = ownValue(books, bookmaker) ?? {};
  if (prices.length === 0) delete book[series];
  else book[series] = prices.slice(-MAX_UNTOLD);
  setOwn(books, bookmaker, book);
}

/** Whether a movement of a bookmaker leads to a price that is told to nobody, or away from one. */
export function isUntold(untold: UntoldPrices | undefined, bookmaker: string, row: Movement): boolean {
  const prices = (untold && ownValue(untold.books, bookmaker)?.[seriesName(row.market, row.outcome)]) ?? [];
  return prices.some(
    ([price, point, at]) =>
      (price === row.to && point === row.pointTo && at === row.at) ||
      (price === row.from && point === row.pointFrom && at < row.at),
  );
}
