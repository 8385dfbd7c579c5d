import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { keepLastOfEach } from '../provider-base/answer-items.ts';
import { changeTime, type LastPublished } from '../provider-base/last-published.ts';
import { type IdentifiedEvent, marketName, mergeMarkets, oddsMessage, updatedAt } from './event-messages.ts';
import { type MarketKey, marketOf } from './markets.ts';
import { marketFrom, type OddsFormat } from './outcomes.ts';
import { bookmakerOf } from './sports.ts';

/** A market of a bookmaker as the log has it; `at` in milliseconds, the rest as a feed says it. */
interface LoggedMarket {
  readonly at: number;
  readonly market: JsonObject;
}

/** The newest prices of a bookmaker for one of the provider's events that the log knows. */
export type ReadLoggedPrices = (ref: string, bookmaker: string) => Promise<readonly LoggedMarket[]>;

interface PriceAnswer {
  readonly arrivedAt: number;
  readonly format: OddsFormat;
  /** The provider's keys of the markets that were asked for. */
  readonly markets: readonly string[];
}

/** The bookmakers of an event, each once: of two that are one here the last stands. */
export const booksOf = (event: JsonObject): JsonObject[] =>
  keepLastOfEach(asRecords(event['bookmakers']), (book) => bookmakerOf(asText(book['key']) ?? ''));

/** What the log has of an event's bookmakers, where it has not been looked up yet. */
export async function loadLoggedPrices(event: JsonObject, told: LastPublished, inLog: ReadLoggedPrices): Promise<void> {
  const ref = asText(event['id']) ?? '';
  for (const book of booksOf(event)) {
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    const looked = `log ${ref} ${bookmaker}`;
    if (told.get(looked)) continue;
    for (const { at, market } of await inLog(ref, bookmaker)) {
      const subject = subjectOf(ref, bookmaker, marketName(market));
      if (!told.get(subject))
        told.set(subject, { at, fingerprint: outcomesFingerprint(asRecords(market['outcomes'])) });
    }
    told.set(looked, { at: 0, fingerprint: '' });
  }
}

/**
 * The prices that a live answer tells of an event, one message for each bookmaker and moment. What was told before and
 * is still so is left out. A market that was asked for, and that a bookmaker who is there does not have any more, is
 * withdrawn; a bookmaker who is not there says nothing.
 */
export function* livePrices(
  event: JsonObject,
  named: IdentifiedEvent,
  answer: PriceAnswer,
  told: LastPublished,
  notes: ImportNotes,
): Generator<JsonObject> {
  const { ref } = named;
  for (const book of booksOf(event)) {
    if (!Array.isArray(book['markets'])) continue;
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    const moments = new Map<number, JsonObject[]>();
    for (const { market, stated } of receivedMarkets(book, named, answer, notes)) {
      const subject = subjectOf(ref, bookmaker, marketName(market));
      const last = told.get(subject);
      const fingerprint = outcomesFingerprint(asRecords(market['outcomes']));
      // Nobody withdraws what was never there.
      if (fingerprint === NO_OUTCOMES && !last) continue;
      const at = changeTime(stated ?? answer.arrivedAt, answer.arrivedAt, fingerprint, last);
      if (last?.at === at && last.fingerprint === fingerprint) continue;
      told.set(subject, { at, fingerprint });
      // One that is withdrawn already stays so.
      if (fingerprint === NO_OUTCOMES && last?.fingerprint === NO_OUTCOMES) continue;
      moments.set(at, [...(moments.get(at) ?? []), market]);
    }
    for (const [at, markets] of [...moments].sort(([a], [b]) => a - b)) yield oddsMessage(ref, bookmaker, at, markets);
  }
}

interface ReceivedMarket {
  readonly market: JsonObject;
  /** In milliseconds. */
  readonly stated: number | undefined;
}

/** The markets of a bookmaker in our words, and those that it has no more: without outcomes. */
function receivedMarkets(
  book: JsonObject,
  { sides, sport }: IdentifiedEvent,
  answer: PriceAnswer,
  notes: ImportNotes,
): ReceivedMarket[] {
  const known = new Map<string, { markets: JsonObject[]; stated: number | undefined }>();
  const given = keepLastOfEach(asRecords(book['markets']), (market) => asText(market['key']));
  for (const one of given) {
    const key = marketOf(asText(one['key']) ?? '', sport.sport);
    const market = marketFrom(one, { sides, sport: sport.sport }, answer.format, notes);
    // What cannot be read is there all the same.
    if (!key || isEmpty(one)) continue;
    const name = marketName(key as unknown as JsonObject);
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
    .filter((key) => key !== undefined && !known.has(marketName(key as unknown as JsonObject)))
    .map((key) => ({ market: withdrawn(key!), stated: asTime(book['last_update']) }));
  return [...present, ...gone];
}

const isEmpty = ({ outcomes }: JsonObject): boolean => Array.isArray(outcomes) && outcomes.length === 0;

const withdrawn = ({ key, scope, alternate }: MarketKey): JsonObject => ({
  key,
  ...(scope ? { scope } : {}),
  ...(alternate ? { alternate } : {}),
  outcomes: [],
});

const subjectOf = (ref: string, bookmaker: string, market: string): string => `price ${ref} ${bookmaker} ${market}`;

/** Tells outcomes apart, whatever their order. */
const outcomesFingerprint = (outcomes: readonly JsonObject[]): string =>
  fingerprint(
    outcomes
      .map((outcome) => canonicalJson(outcome))
      .sort()
      .join(),
  );
const NO_OUTCOMES = outcomesFingerprint([]);
