import { BOOKMAKER_SLUG } from '../../domain/catalogue/catalogue.ts';
import { isHexId } from '../../domain/primitives/hex-ids.ts';
import { parseTime } from '../../domain/primitives/time.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import { bookmakerSlugOf, isRegion, type Region } from './bookmaker-keys.ts';
import { EXCLUSIVE_MARKETS, FEATURED_MARKETS, isMarketKey } from './market-keys.ts';
import { OddsApiError, type OddsApiErrorCode } from './odds-api-errors.ts';

/** Query and path parameters by name; a repeated parameter is a list. */
export type RawParameters = Readonly<Partial<Record<string, string>>>;

const INCLUDES = {
  includeLinks: 'INVALID_INCLUDE_LINKS',
  includeSids: 'INVALID_INCLUDE_SIDS',
  includeBetLimits: 'INVALID_INCLUDE_BET_LIMITS',
  includeMultipliers: 'INVALID_INCLUDE_MULTIPLIERS',
  includeRotationNumbers: 'INVALID_INCLUDE_ROTATION_NUMBERS',
} as const satisfies Readonly<Record<string, OddsApiErrorCode>>;
export type Include = keyof typeof INCLUDES;

/** Names of query parameters. */
export const QUERY_NAMES: ReadonlySet<string> = new Set([
  ...['all', 'regions', 'bookmakers', 'markets', 'dateFormat', 'oddsFormat', 'eventIds', 'daysFrom'],
  ...['commenceTimeFrom', 'commenceTimeTo', 'date', 'as_of_basis', ...Object.keys(INCLUDES)],
]);

/** Groups of parameters that a path can accept. */
export type ParameterName =
  | 'all'
  | 'books'
  | 'markets'
  | 'dateFormat'
  | 'oddsFormat'
  | 'eventIds'
  | 'commenceTimes'
  | 'daysFrom'
  | 'date'
  | 'eventId'
  | Include;

export type BookmakerFilter = { readonly slugs: ReadonlySet<string> } | { readonly regions: ReadonlySet<Region> };

/** All parameters. Those that a path does not accept have their defaults. */
export interface OddsApiParameters {
  readonly all: boolean;
  readonly books: BookmakerFilter;
  readonly markets: ReadonlySet<string>;
  readonly dateFormat: 'iso' | 'unix';
  readonly oddsFormat: 'decimal' | 'american';
  /** Undefined: all events. */
  readonly eventIds: readonly string[] | undefined;
  /** Milliseconds; both bounds are inclusive. */
  readonly commenceFrom: number;
  readonly commenceTo: number;
  readonly daysFrom: number;
  /** The moment of a historical query. */
  readonly asOf: AsOf | undefined;
  readonly eventId: string;
  readonly includes: ReadonlySet<Include>;
}

/**
 * Validates the parameters in the order in which The Odds API reports errors.
 * @param takes parameters that the path accepts
 * @param now milliseconds; called only if a date must be checked
 * @throws OddsApiError for the first error
 */
export function readParameters(
  given: RawParameters,
  takes: ReadonlySet<ParameterName>,
  { hasAllMarkets, now }: { readonly hasAllMarkets: boolean; readonly now: () => number },
): OddsApiParameters {
  const reads = <Value>(name: ParameterName, read: () => Value, absent: Value): Value =>
    takes.has(name) ? read() : absent;
  const all = reads('all', () => flag(given['all'], 'INVALID_ALL_SPORTS_PARAM'), false);
  const books = reads('books', () => readBooks(given), { regions: new Set<Region>() });
  const markets = reads('markets', () => readMarkets(given['markets'], hasAllMarkets), new Set<string>());
  const dateFormat = reads('dateFormat', () => oneOf(given['dateFormat'], ISO_OR_UNIX, 'INVALID_DATE_FORMAT'), 'iso');
  const oddsFormat = reads('oddsFormat', () => oneOf(given['oddsFormat'], FORMATS, 'INVALID_ODDS_FORMAT'), 'decimal');
  const eventIds = reads('eventIds', () => readEventIds(given['eventIds']), undefined);
  const [commenceFrom, commenceTo] = reads('commenceTimes', () => readRange(given), ALWAYS);
  const daysFrom = reads('daysFrom', () => readDays(given['daysFrom']), 0);
  const asOf = reads('date', () => readAsOf(given, now), undefined);
  const eventId = reads('eventId', () => readEventId(given['eventId']), '');
  const includes = new Set<Include>();
  for (const [name, code] of Object.entries(INCLUDES) as [Include, OddsApiErrorCode][]) {
    if (takes.has(name) && flag(given[name], code)) includes.add(name);
  }
  return {
    all,
    books,
    markets,
    dateFormat,
    oddsFormat,
    eventIds,
    commenceFrom,
    commenceTo,
    daysFrom,
    asOf,
    eventId,
    includes,
  };
}

const ISO_OR_UNIX = ['iso', 'unix'] as const;
const FORMATS = ['decimal', 'american'] as const;
const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
/** Fractions of any length are accepted; milliseconds count. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/;

/** Clients write booleans in the case of their language, such as `True`. */
function flag(text: string | undefined, code: OddsApiErrorCode): boolean {
  if (text === undefined || /^false$/i.test(text)) return false;
  if (/^true$/i.test(text)) return true;
  throw new OddsApiError(code);
}

function oneOf<const Word extends string>(
  text: string | undefined,
  words: readonly [Word, ...Word[]],
  code: OddsApiErrorCode,
): Word {
  const found = text === undefined ? words[0] : words.find((word) => word === text);
  if (found === undefined) throw new OddsApiError(code);
  return found;
}

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Bookmakers override regions, but both are validated. */
function readBooks(given: RawParameters): BookmakerFilter {
  const [regions, bookmakers] = [listOf(given['regions']), listOf(given['bookmakers'])];
  if (regions.length === 0 && bookmakers.length === 0) throw new OddsApiError('MISSING_REGION');
  const known = new Set<Region>();
  for (const region of regions) {
    if (!isRegion(region)) throw refused('INVALID_REGION', 'region', region);
    known.add(region);
  }
  if (!bookmakers.every((key) => BOOKMAKER_SLUG.test(key))) throw new OddsApiError('INVALID_BOOKMAKERS');
  return bookmakers.length > 0 ? { slugs: new Set(bookmakers.map(bookmakerSlugOf)) } : { regions: known };
}

function readMarkets(text: string | undefined, hasAllMarkets: boolean): ReadonlySet<string> {
  const given = listOf(text);
  const keys = new Set(given.length > 0 ? given : ['h2h']);
  for (const key of keys) {
    if (!isMarketKey(key)) throw refused('INVALID_MARKET', 'market', key);
    if (!hasAllMarkets && !FEATURED_MARKETS.has(key)) {
      throw new OddsApiError('INVALID_MARKET', `The market ${key} is among the odds of one event only.`);
    }
  }
  if (keys.size > 1 && [...keys].some((key) => EXCLUSIVE_MARKETS.has(key)))
    throw new OddsApiError('INVALID_MARKET_COMBO');
  return keys;
}

function readEventIds(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const ids = listOf(text).map((id) => id.toLowerCase());
  if (ids.length === 0 || !ids.every(isHexId)) throw new OddsApiError('INVALID_EVENT_IDS');
  return ids;
}

function readEventId(text = ''): string {
  const id = text.toLowerCase();
  if (!isHexId(id)) throw new OddsApiError('INVALID_EVENT_ID');
  return id;
}

function readRange(given: RawParameters): readonly [from: number, to: number] {
  const from = readTime(given['commenceTimeFrom'], 'INVALID_COMMENCE_TIME_FROM') ?? ALWAYS[0];
  const to = readTime(given['commenceTimeTo'], 'INVALID_COMMENCE_TIME_TO') ?? ALWAYS[1];
  if (from > to) throw new OddsApiError('INVALID_COMMENCE_TIME_RANGE');
  return [from, to];
}

/** Milliseconds; undefined if absent. */
function readTime(text: string | undefined, code: OddsApiErrorCode): number | undefined {
  if (text === undefined) return undefined;
  const parts = TIME.exec(text);
  const time = parts ? parseTime(`${parts[1]}.${(parts[2] ?? '0').slice(0, 9)}Z`) : null;
  if (time === null) throw new OddsApiError(code);
  return time;
}

function readDays(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^[123]$/.test(text)) throw new OddsApiError('INVALID_SCORES_DAYS_FROM');
  return Number(text);
}

function readAsOf(given: RawParameters, now: () => number): AsOf {
  const at = readTime(given['date'], 'INVALID_HISTORICAL_TIMESTAMP');
  if (at === undefined) throw new OddsApiError('MISSING_HISTORICAL_TIMESTAMP');
  if (at > now()) throw new OddsApiError('INVALID_HISTORICAL_TIMESTAMP', 'date lies in the future.');
  return { at, basis: oneOf(given['as_of_basis'], ['recorded', 'observed'], 'INVALID_AS_OF_BASIS') };
}

/**
 * Quotes the wrong value only if it is a plain word: anything else may be a secret that must not be echoed, such as an
 * encoded key.
 */
const refused = (code: OddsApiErrorCode, what: string, given: string): OddsApiError =>
  new OddsApiError(code, /^[a-z0-9_]{1,60}$/.test(given) ? `There is no ${what} "${given}".` : undefined);

/**
 * The credits for the bookmakers of a query, known before the answer; the name of a bookmaker is not validated here.
 */
export function costOfBookmakers(given: RawParameters): 1 | 2 {
  return new Set(listOf(given['bookmakers']).map(bookmakerSlugOf)).size === 1 ? 1 : 2;
}
