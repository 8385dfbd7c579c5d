import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { keepLastOfEach } from '../provider-base/answer-items.ts';
import { changeTime, type LastPublished } from '../provider-base/last-published.ts';
import { type IdentifiedEvent, marketName, mergeMarkets, oddsMessage, updatedAt } from './event-messages.ts';
import { type MarketKey, marketOf } from './markets.ts';
import { marketFrom, type OddsFormat } from './outcomes.ts';
import { bookmakerOf } from './sports.ts';

/** A market of a bookmaker in the log; `at` in milliseconds, the rest as in a feed message. */
interface LoggedMarket {
  readonly at: number;
  readonly market: JsonObject;
}

/** Reads the newest prices of a bookmaker from the log, for an event of the provider. */
export type ReadLoggedPrices = (ref: string, bookmaker: string) => Promise<readonly LoggedMarket[]>;

interface PriceAnswer {
  readonly arrivedAt: number;
  readonly format: OddsFormat;
  /** The provider's keys of the requested markets. */
  readonly markets: readonly string[];
}

/** The bookmakers of an event, each once: if two are the same one here, the last counts. */
export const booksOf = (event: JsonObject): JsonObject[] =>
  keepLastOfEach(asRecords(event['bookmakers']), (book) => bookmakerOf(asText(book['key']) ?? ''));

/** Loads the logged prices of an event's bookmakers that were not loaded before. */
export async function loadLoggedPrices(
  event: JsonObject,
  published: LastPublished,
  inLog: ReadLoggedPrices,
): Promise<void> {
  const ref = asText(event['id']) ?? '';
  for (const book of booksOf(event)) {
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    const subject = `log ${ref} ${bookmaker}`;
    if (published.get(subject)) continue;
    for (const { at, market } of await inLog(ref, bookmaker)) {
      const subject = subjectOf(ref, bookmaker, marketName(market));
      if (!published.get(subject))
        published.set(subject, { at, fingerprint: outcomesFingerprint(asRecords(market['outcomes'])) });
    }
    published.set(subject, { at: 0, fingerprint: '' });
  }
}

/**
 * The prices of an event in a live answer, one message for each bookmaker and moment. Unchanged prices are left out. If
 * a bookmaker is listed without a requested market that it had, the market is withdrawn. A bookmaker that is not listed
 * changes nothing.
 */
export function* livePrices(
  event: JsonObject,
  named: IdentifiedEvent,
  answer: PriceAnswer,
  published: LastPublished,
  notes: ImportNotes,
): Generator<JsonObject> {
  const { ref } = named;
  for (const book of booksOf(event)) {
    if (!Array.isArray(book['markets'])) continue;
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    const moments = new Map<number, JsonObject[]>();
    for (const { market, stated } of receivedMarkets(book, named, answer, notes)) {
      const subject = subjectOf(ref, bookmaker, marketName(market));
      const last = published.get(subject);
      const fingerprint = outcomesFingerprint(asRecords(market['outcomes']));
      // A market that never existed is not withdrawn.
      if (fingerprint === NO_OUTCOMES && !last) continue;
      const at = changeTime(stated ?? answer.arrivedAt, answer.arrivedAt, fingerprint, last);
      if (last?.at === at && last.fingerprint === fingerprint) continue;
      published.set(subject, { at, fingerprint });
      // A market that is already withdrawn is not withdrawn again.
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

/** The markets of a bookmaker in our terms, and the markets that it no longer has: without outcomes. */
function receivedMarkets(
  book: JsonObject,
  { sides, sport }: IdentifiedEvent,
  answer: PriceAnswer,
  notes: ImportNotes,
): ReceivedMarket[] {
  const known = new Map<string, { markets: JsonObject[]; stated: number | undefined }>();
  const given = keepLastOfEach(asRecords(book['markets']), (market) => asText(market['key']));
  for (const item of given) {
    const key = marketOf(asText(item['key']) ?? '', sport.sport);
    const market = marketFrom(item, { sides, sport: sport.sport }, answer.format, notes);
    // A market that cannot be read exists all the same.
    if (!key || isEmpty(item)) continue;
    const name = marketName(key as unknown as JsonObject);
    const { markets, stated } = known.get(name) ?? { markets: [], stated: undefined };
    const updated = updatedAt(item, book);
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

/** A fingerprint of outcomes that does not depend on their order. */
const outcomesFingerprint = (outcomes: readonly JsonObject[]): string =>
  fingerprint(
    outcomes
      .map((outcome) => canonicalJson(outcome))
      .sort()
      .join(),
  );
const NO_OUTCOMES = outcomesFingerprint([]);
