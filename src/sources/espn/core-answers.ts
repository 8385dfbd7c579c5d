import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { MissingFact } from '../importing/importer.ts';
import { assumedClosingTime, assumedResultTime } from '../parsing/assumed-times.ts';
import { asNumber, asRecord, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { moneylineMarket } from '../parsing/moneyline.ts';
import { oddsMessages, providerSlug } from './odds.ts';
import { americanPrice } from './price-formats.ts';

const EVENT = /\/events\/(\d+)/;
const PROVIDER = /\/(?:providers|odds)\/(\d+)/;

/** The event of an answer that only links to it: from its links, or else from the number in the file's name. */
export function eventRefOf(answer: JsonObject, fileName: string): string | undefined {
  return EVENT.exec(JSON.stringify(answer))?.[1] ?? /(?:^|\D)(\d{6,})(?:\D|$)/.exec(fileName)?.[1];
}

/** The event of an answer, with its start and the time of the request (milliseconds), if known. */
interface OddsAnswerFacts {
  readonly ref: string;
  /** As the links of the answer say; undefined: they do not. */
  readonly sport: SportSlug | undefined;
  readonly startsAt: number | undefined;
  readonly requestedAt: number | undefined;
}

/** A list of every provider's odds of an event. It states neither a time nor the start. Prices are timed by the
 *  request, or by a start that is known from elsewhere. @throws MissingFact if neither is known */
export function* oddsAnswerMessages(
  items: readonly JsonObject[],
  { ref, sport, startsAt, requestedAt }: OddsAnswerFacts,
  fileName: string,
  notes: ImportNotes,
): Generator<JsonObject> {
  if (startsAt === undefined && requestedAt === undefined) {
    throw new MissingFact(
      fileName,
      `these odds say neither when they were taken nor when event ${ref} starts; say with --at when ESPN was asked`,
    );
  }
  const before = startsAt === undefined || (requestedAt !== undefined && requestedAt < startsAt);
  const latest = before ? formatTime(requestedAt!) : assumedClosingTime(startsAt);
  const live = requestedAt === undefined ? assumedResultTime(startsAt!) : formatTime(requestedAt);
  for (const item of items) yield* oddsMessages(item, { ref, sport, startsAt, latest, live }, notes);
}

/** Types of movement by ESPN's number; the zeros of an item show which prices it does not have. */
const KINDS: Readonly<Record<string, 'moneyline' | 'spread' | 'total'>> = {
  '0': 'moneyline',
  '1': 'spread',
  '2': 'total',
};

/** The price movements of one provider, each with its own time. */
export function* movementAnswerMessages(
  items: readonly JsonObject[],
  { ref, sport }: Pick<OddsAnswerFacts, 'ref' | 'sport'>,
  answer: JsonObject,
  fileName: string,
  notes: ImportNotes,
): Generator<JsonObject> {
  const provider = PROVIDER.exec(JSON.stringify(answer))?.[1] ?? /provider_?(\d+)/i.exec(fileName)?.[1];
  const named = /(?:type|history)[_/]?(\d)/i.exec(fileName)?.[1];
  const bookmaker = providerSlug({ id: provider });
  if (!bookmaker) {
    notes.add('unknown_provider', 'Movements were left out: neither the answer nor the name of the file says whose.');
    return;
  }
  for (const item of items) {
    const at = asTime(item['lineDate']);
    const markets = movedMarkets(item, KINDS[named ?? ''], (outcomes) => moneylineMarket(sport, outcomes, notes));
    if (at === undefined || markets.length === 0) {
      notes.add('no_price', 'A movement without a time or a price was left out.');
      continue;
    }
    yield { kind: 'odds', source: 'espn', at: formatTime(at), ref, bookmaker, markets };
  }
}

interface MovedSide {
  readonly outcome: string;
  readonly price: number;
  readonly point?: number;
}

function movedMarkets(
  item: JsonObject,
  kind: (typeof KINDS)[string] | undefined,
  moneyline: (sides: readonly MovedSide[]) => ReturnType<typeof moneylineMarket>,
): JsonObject[] {
  const line = asNumber(item['line']) ?? 0;
  const side = (outcome: string, price: unknown, point?: number): MovedSide[] => {
    const american = americanPrice(price);
    if (american === undefined) return [];
    return [point === undefined ? { outcome, price: american } : { outcome, price: american, point }];
  };
  const market = (key: string, outcomes: readonly MovedSide[]): JsonObject[] =>
    outcomes.length > 0 ? [{ key, outcomes }] : [];
  const spread = kind === 'spread' || (kind === undefined && line !== 0);
  const sides = spread
    ? // The line is the home side's.
      market('spreads', [...side('home', item['homeOdds'], line), ...side('away', item['awayOdds'], 0 - line)])
    : [
        moneyline([
          ...side('home', item['homeOdds']),
          ...side('away', item['awayOdds']),
          ...side('draw', item['drawOdds']),
        ]),
      ].flatMap((one) => (one ? [{ ...one }] : []));
  const totals = line > 0 ? [...side('over', item['overOdds'], line), ...side('under', item['underOdds'], line)] : [];
  return [...sides, ...market('totals', totals)];
}

/** Whether a page of a list only links to its items. */
export const isLinkOnly = (item: JsonObject): boolean =>
  Object.keys(item).length === 1 && asText(item['$ref']) !== undefined;

/** The kind of items that a page links to: the last word of the links' addresses. */
export const linkTarget = (item: JsonObject): string =>
  /\/(\w+)\/-?\d+(?:\?|$)/.exec(asText(item['$ref']) ?? '')?.[1] ?? 'items';

export const hasProvider = (item: JsonObject): boolean =>
  'provider' in item && Object.keys(asRecord(item['provider'])).length > 0;
