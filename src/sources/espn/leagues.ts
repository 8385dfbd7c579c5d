import { namesAt, playsLike } from '../../domain/catalogue/added-leagues.ts';
import { findLeague, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';

export interface EspnLeague {
  readonly sport: SportSlug;
  readonly league: string;
}

/** Sports by their names in ESPN's addresses. */
const SPORTS: Readonly<Record<SportSlug, string>> = {
  nfl: 'football',
  ncaaf: 'football',
  nba: 'basketball',
  ncaab: 'basketball',
  mlb: 'baseball',
  nhl: 'hockey',
  tennis: 'tennis',
  soccer: 'soccer',
};

/** Our league, ESPN's slug in addresses, and its number in `uid`s (`s:20~l:28`) if it is certain. */
const LEAGUES: readonly (readonly [sport: SportSlug, league: string, slug: string, number?: string])[] = [
  ['nfl', 'nfl', 'nfl', '28'],
  ['ncaaf', 'ncaaf', 'college-football', '23'],
  ['nba', 'nba', 'nba', '46'],
  ['ncaab', 'ncaab', 'mens-college-basketball', '41'],
  ['mlb', 'mlb', 'mlb', '10'],
  ['nhl', 'nhl', 'nhl', '90'],
  ['tennis', 'atp', 'atp', '851'],
  ['tennis', 'wta', 'wta', '900'],
  ['soccer', 'epl', 'eng.1', '700'],
  ['soccer', 'la_liga', 'esp.1'],
  ['soccer', 'bundesliga', 'ger.1'],
  ['soccer', 'serie_a', 'ita.1'],
  ['soccer', 'ligue_1', 'fra.1'],
  ['soccer', 'mls', 'usa.1', '770'],
  ['soccer', 'ucl', 'uefa.champions'],
  ['soccer', 'fifa_world_cup', 'fifa.world'],
];
/** The leagues of CONFIG by ESPN's addresses. They come before the known ones, which they cannot replace. */
const ADDED = namesAt('espn').map(([address, league, sport]) => [address, { sport, league }] as const);
const bySlug = new Map([
  ...ADDED.map(([address, league]) => [address.slice(address.indexOf('/') + 1), league] as const),
  ...LEAGUES.map(([sport, league, slug]) => [slug, { sport, league }] as const),
]);
const byAddress = new Map([
  ...ADDED,
  ...LEAGUES.map(([sport, league, slug]) => [`${SPORTS[sport]}/${slug}`, { sport, league }] as const),
]);
const byNumber = new Map(LEAGUES.flatMap(([sport, league, , number]) => (number ? [[number, { sport, league }]] : [])));

/** A league in ESPN's addresses: `football/nfl`. Undefined if ESPN does not have the league. */
export function leagueAddress(league: string): string | undefined {
  const known = LEAGUES.find((row) => row[1] === league);
  if (known) return `${SPORTS[known[0]]}/${known[2]}`;
  return ADDED.find(([, added]) => added.league === league)?.[0];
}

/** The league of `football/nfl`. */
export const leagueOfAddress = (address: string): EspnLeague | undefined => byAddress.get(address);

/** Leagues whose seasons ESPN names by the year in which they end. */
const NAMED_BY_THEIR_END = ['nba', 'nhl', 'ncaab'];
/** A season that starts from this month on ends in the next year. */
const SPANS_FROM = 7;

/** The year in which a season starts. */
export function seasonStartYear(league: string, year: number): number {
  const { sport, season_starts_in } = findLeague(league) ?? {};
  const isAddedLikeThem = NAMED_BY_THEIR_END.includes(playsLike(sport ?? '')) && (season_starts_in ?? 0) >= SPANS_FROM;
  return NAMED_BY_THEIR_END.includes(league) || isAddedLikeThem ? year - 1 : year;
}

/** The league of an answer: from the answer's own statement, or else from `uid`s and addresses in it, or else from the
 *  file name. Undefined if none of these names a league of the catalogue. */
export function leagueOfAnswer(answer: unknown, fileName: string): EspnLeague | undefined {
  const own = asRecord(answer);
  const candidates = [
    asRecords(own['leagues'])[0],
    asRecord(asRecord(own['header'])['league']),
    asRecords(asRecords(own['sports'])[0]?.['leagues'])[0],
  ];
  for (const league of candidates) {
    const found = bySlug.get(asText(league?.['slug']) ?? '');
    if (found) return found;
  }
  const texts = [...textsOf(answer, 0)];
  return (
    first(texts, /\bs:\d+~l:(\d+)/, byNumber) ??
    first(texts, /\/leagues\/([a-z0-9.-]+)/, bySlug) ??
    first(texts, /espn\.com\/(?:\w+\/)?([a-z0-9.-]+)\//, bySlug) ??
    first(fileName.toLowerCase().split(/[^a-z0-9.-]+/), /^(.+)$/, bySlug)
  );
}

function first(texts: readonly string[], pattern: RegExp, known: ReadonlyMap<string, EspnLeague>) {
  for (const text of texts) {
    const found = known.get(pattern.exec(text)?.[1] ?? '');
    if (found) return found;
  }
  return undefined;
}

const MAX_DEPTH = 12;

function* textsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const member of Object.values(value as JsonObject)) yield* textsOf(member, depth + 1);
  }
}
