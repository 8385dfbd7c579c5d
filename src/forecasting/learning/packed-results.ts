import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import type { KnownResult } from '../../intelligence/facts/event-facts.ts';
import type { HomeAway } from '../../intelligence/models/model.ts';
import type { EventResults } from './results-of-event.ts';

/** The results of an event, with its league. */
export interface LeagueEventResults extends EventResults {
  readonly sport: SportSlug;
  readonly league: string;
}

type Both<T> = readonly [home: T, away: T];
type PackedFixture = readonly [
  startsAt: number,
  sides: Both<string>,
  neutral: 0 | 1,
  surface: string | null,
  bestOf: number | null,
  starters: Both<string | null>,
];
type PackedGame = readonly [
  league: string,
  fixture: PackedFixture,
  score: Both<number>,
  winner: 'home' | 'away' | null,
  detail: Both<number> | null,
  scope: Both<number> | null,
];
type PackedResult = readonly [
  at: number,
  recordedAt: number,
  fact: readonly [kind: string, source: string, ref: string],
  game: PackedGame | null,
];
type Packed = readonly [
  sport: SportSlug,
  league: string,
  name: string,
  closesAt: number,
  results: readonly PackedResult[],
];

/** Increase this when stories are read or packed differently: then results that an older program stored are ignored. */
export const PACKED_FORM = 2;

const both = <T>({ home, away }: HomeAway<T>): Both<T> => [home, away];
const pairOf = <T>([home, away]: Both<T>): HomeAway<T> => ({ home, away });

/** As JSON without the names of members, because there is one for each event. */
export function packResults({ sport, league, name, closesAt, results }: LeagueEventResults): string {
  const packed: Packed = [sport, league, name, closesAt, results.map(packResult)];
  return JSON.stringify(packed);
}

function packResult({ at, recordedAt, fact, game }: KnownResult): PackedResult {
  const packedFact = [fact.kind, fact.source, fact.ref] as const;
  if (game === null) return [at, recordedAt, packedFact, null];
  const { league, startsAt, home, away, isNeutral, surface, bestOf, starters, score, winner } = game;
  const fixture = [startsAt, [home, away], isNeutral ? 1 : 0, surface, bestOf, both(starters)] as const;
  const { detail, scope } = game;
  const packed: PackedGame = [league, fixture, both(score), winner, detail && both(detail), scope && both(scope)];
  return [at, recordedAt, packedFact, packed];
}

/** @throws when the text is not such JSON */
export function unpackResults(id: number, text: string): LeagueEventResults {
  const [sport, league, name, closesAt, results] = JSON.parse(text) as Packed;
  return { id, sport, league, name, closesAt, results: results.map(unpackResult) };
}

function unpackResult([at, recordedAt, [kind, source, ref], packed]: PackedResult): KnownResult {
  const fact = { kind, source, ref };
  if (packed === null) return { at, recordedAt, fact, game: null };
  const [league, [startsAt, [home, away], neutral, surface, bestOf, starters], score, winner, detail, scope] = packed;
  const fixture = { league, startsAt, home, away, isNeutral: neutral === 1, surface, bestOf };
  const parts = { detail: detail && pairOf(detail), scope: scope && pairOf(scope) };
  const ending = { score: pairOf(score), winner, ...parts };
  return { at, recordedAt, fact, game: { ...fixture, starters: pairOf(starters), ...ending } };
}
