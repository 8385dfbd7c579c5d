import { canonicalJson, fingerprint } from '../../domain/canonical.ts';
import { asRecords, asText, asTime, type Json } from '../importing/json-file.ts';
import { lastOfEach } from '../importing/last-of-each.ts';
import { type LastTold, timeOfChange } from '../importing/last-told.ts';
import type { NoteBook } from '../importing/note-book.ts';
import { marketName, mergeMarkets, type NamedEvent, oddsMessage, updatedAt } from './event.ts';
import { type MarketKey, marketOf } from './markets.ts';
import { marketFrom, type OddsFormat } from './outcomes.ts';
import { bookmakerOf } from './sports.ts';

/** A market of a bookmaker as the log has it; `at` in milliseconds, the rest as a feed says it. */
export interface MarketInLog {
  readonly at: number;
  readonly market: Json;
}

/** The newest prices of a bookmaker for one of the provider's events that the log knows. */
export type PricesInLog = (ref: string, bookmaker: string) => Promise<readonly MarketInLog[]>;

export interface PriceAnswer {
  readonly arrivedAt: number;
  readonly format: OddsFormat;
  /** The provider's keys of the markets that were asked for. */
  readonly markets: readonly string[];
}

/** The bookmakers of an event, each once: of two that are one here the last stands. */
export const booksOf = (event: Json): Json[] =>
  lastOfEach(asRecords(event['bookmakers']), (book) => bookmakerOf(asText(book['key']) ?? ''));

/** What the log has of an event's bookmakers, where it has not been looked up yet. */
export async function recallPrices(event: Json, told: LastTold, inLog: PricesInLog): Promise<void> {
  const ref = asText(event['id']) ?? '';
  for (const book of booksOf(event)) {
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    const looked = `log ${ref} ${bookmaker}`;
    if (told.get(looked)) continue;
    for (const { at, market } of await inLog(ref, bookmaker)) {
      const subject = subjectOf(ref, bookmaker, marketName(market));
      if (!told.get(subject)) told.set(subject, { at, print: printOf(asRecords(market['outcomes'])) });
    }
    told.set(looked, { at: 0, print: '' });
  }
}

/**
 * The prices that a live answer tells of an event, one message for each bookmaker and moment. What was told before and
 * is still so is left out. A market that was asked for, and that a bookmaker who is there does not have any more, is
 * withdrawn; a bookmaker who is not there says nothing.
 */
export function* livePrices(
  event: Json,
  named: NamedEvent,
  answer: PriceAnswer,
  told: LastTold,
  notes: NoteBook,
): Generator<Json> {
  const { ref } = named;
  for (const book of booksOf(event)) {
    if (!Array.isArray(book['markets'])) continue;
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    const moments = new Map<number, Json[]>();
    for (const { market, stated } of marketsTold(book, named, answer, notes)) {
      const subject = subjectOf(ref, bookmaker, marketName(market));
      const last = told.get(subject);
      const print = printOf(asRecords(market['outcomes']));
      // Nobody withdraws what was never there.
      if (print === NOTHING && !last) continue;
      const at = timeOfChange(stated ?? answer.arrivedAt, answer.arrivedAt, print, last);
      if (last?.at === at && last.print === print) continue;
      told.set(subject, { at, print });
      // One that is withdrawn already stays so.
      if (print === NOTHING && last?.print === NOTHING) continue;
      moments.set(at, [...(moments.get(at) ?? []), market]);
    }
    for (const [at, markets] of [...moments].sort(([a], [b]) => a - b)) yield oddsMessage(ref, bookmaker, at, markets);
  }
}

interface ToldMarket {
  readonly market: Json;
  /** In milliseconds. */
  readonly stated: number | undefined;
}

/** The markets of a bookmaker in our words, and those that it has no more: without outcomes. */
function marketsTold(book: Json, { sides, sport }: NamedEvent, answer: PriceAnswer, notes: NoteBook): ToldMarket[] {
  const known = new Map<string, { markets: Json[]; stated: number | undefined }>();
  const given = lastOfEach(asRecords(book['markets']), (market) => asText(market['key']));
  for (const one of given) {
    const key = marketOf(asText(one['key']) ?? '', sport.sport);
    const market = marketFrom(one, { sides, sport: sport.sport }, answer.format, notes);
    // What cannot be read is there all the same.
    if (!key || isEmpty(one)) continue;
    const name = marketName(key as unknown as Json);
    const { markets, stated } = known.get(name) ?? { markets: [], stated: undefined };
    const updated = updatedAt(one, book);
    known.set(name, {
      markets: market ? [...markets, market] : markets,
      stated: updated === undefined ? stated : Math.max(updated, stated ?? updated),
    });
  }
  const present = [...known.values()].flatMap(({ markets, stated }) =>
    mergeMarkets(markets).map((market) => ({ market, stated })),
  );
  const gone = answer.markets
    .map((key) => marketOf(key, sport.sport))
    .filter((key) => key !== undefined && !known.has(marketName(key as unknown as Json)))
    .map((key) => ({ market: withdrawn(key!), stated: asTime(book['last_update']) }));
  return [...present, ...gone];
}

const isEmpty = ({ outcomes }: Json): boolean => Array.isArray(outcomes) && outcomes.length === 0;

const withdrawn = ({ key, scope, alternate }: MarketKey): Json => ({
  key,
  ...(scope ? { scope } : {}),
  ...(alternate ? { alternate } : {}),
  outcomes: [],
});

const subjectOf = (ref: string, bookmaker: string, market: string): string => `price ${ref} ${bookmaker} ${market}`;

/** Tells outcomes apart, whatever their order. */
const printOf = (outcomes: readonly Json[]): string =>
  fingerprint(
    outcomes
      .map((outcome) => canonicalJson(outcome))
      .sort()
      .join(),
  );
const NOTHING = printOf([]);
