import { formatTime, parseTime } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { assumedResultTime, assumedScheduleTime } from '../parsing/assumed-times.ts';
import { asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { marketFrom, type OddsFormat } from './outcomes.ts';
import { type Sides, sidesOf } from './sides.ts';
import { bookmakerOf, type SportKey, sportOfKey } from './sports.ts';

interface AnswerFacts {
  /** The time of a historical answer, in milliseconds. */
  readonly timestamp: number | undefined;
  /** When the source was asked, as stated by the operator. */
  readonly requestedAt: number | undefined;
  readonly format: OddsFormat;
}

const SOURCE = 'the-odds-api';

/** Identifying facts of an event: the provider's id, the start in milliseconds, the sides and the sport. */
export interface IdentifiedEvent {
  readonly ref: string;
  readonly startsAt: number;
  readonly sides: Sides;
  readonly sport: SportKey;
}

/** The messages of one event: its schedule, its score, and its odds, one for each bookmaker and moment. */
export function* eventMessages(event: JsonObject, facts: AnswerFacts, notes: ImportNotes): Generator<JsonObject> {
  const named = identifyEvent(event, notes);
  if (!named) return;
  const at = firstSeen(event, facts) ?? parseTime(assumedScheduleTime(named.startsAt))!;
  yield scheduleOf(event, named, at);
  const score = scoreOf(event, named, facts.requestedAt);
  if (score) yield score;
  yield* oddsOf(event, named, facts, notes);
}

/** Undefined, with a note, if the event's sport is not covered or the event lacks identifying facts. */
export function identifyEvent(event: JsonObject, notes: ImportNotes): IdentifiedEvent | undefined {
  const key = asText(event['sport_key']) ?? '';
  const sport = sportOfKey(key);
  if (!sport) {
    notes.add('unknown_sport', `An event of "${key}" was left out: this sport is not covered.`);
    return undefined;
  }
  const ref = asText(event['id']);
  const startsAt = asTime(event['commence_time']);
  const sides = sidesOf(event, sport);
  if (!ref || startsAt === undefined || !sides) {
    notes.add('incomplete_event', 'An event without id, start or both of its sides was left out.');
    return undefined;
  }
  return { ref, startsAt, sides, sport };
}

/** The earliest time that the answer states for the event. */
function firstSeen(event: JsonObject, { timestamp, requestedAt }: AnswerFacts): number | undefined {
  const updates = asRecords(event['bookmakers']).flatMap((book) => [
    asTime(book['last_update']),
    ...asRecords(book['markets']).map((market) => asTime(market['last_update'])),
  ]);
  const times = [timestamp, asTime(event['last_update']), ...updates].filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : requestedAt;
}

/** @param at in milliseconds */
export function scheduleOf(
  event: JsonObject,
  { ref, startsAt, sides, sport }: IdentifiedEvent,
  at: number,
): JsonObject {
  const tournament = sport.sport === 'tennis' ? asText(event['sport_title']) : undefined;
  const home = { role: sides.homeRole, name: sides.home };
  const away = { role: sides.awayRole, name: sides.away };
  return {
    kind: 'schedule',
    source: SOURCE,
    at: formatTime(at),
    sport: sport.sport,
    league: sport.league,
    ref,
    starts_at: formatTime(startsAt),
    participants: sides.homeRole === 'player_2' ? [away, home] : [home, away],
    competition: tournament && { name: tournament, ...(sport.grandSlam ? { tier: 'grand_slam' } : {}) },
  };
}

/** @param requestedAt when the source was asked, in milliseconds, for a score without a time of its own */
export function scoreOf(
  event: JsonObject,
  { ref, startsAt, sides }: IdentifiedEvent,
  requestedAt: number | undefined,
): JsonObject | undefined {
  const given = asRecords(event['scores']);
  const over = event['completed'] === true;
  if (!over && given.length === 0) return undefined;
  const observedAt = asTime(event['last_update']) ?? requestedAt;
  if (observedAt === undefined && !over) return undefined;
  const scores = given.flatMap((score) => {
    const role = sides.of(asText(score['name']) ?? '');
    return role ? [{ role, score: asText(score['score']) }] : [];
  });
  return {
    kind: 'score',
    source: SOURCE,
    at: observedAt === undefined ? assumedResultTime(startsAt) : formatTime(observedAt),
    ref,
    status: over ? 'final' : 'inprogress',
    scores: scores.length > 0 ? scores : undefined,
  };
}

/** The time of a market is its own last_update, or else its bookmaker's; one message for each time. */
function* oddsOf(
  event: JsonObject,
  { ref, sides, sport }: IdentifiedEvent,
  { timestamp, requestedAt, format }: AnswerFacts,
  notes: ImportNotes,
): Generator<JsonObject> {
  for (const book of asRecords(event['bookmakers'])) {
    const moments = new Map<number, JsonObject[]>();
    for (const given of asRecords(book['markets'])) {
      // A bookmaker's update time is older than the answer's time, but nearer to the price.
      const at = updatedAt(given, book) ?? timestamp ?? requestedAt;
      if (at === undefined) {
        notes.add('no_time', 'The prices of a bookmaker were left out: nothing says when they were taken (--at can).');
        continue;
      }
      const market = marketFrom(given, { sides, sport: sport.sport }, format, notes);
      if (market) moments.set(at, [...(moments.get(at) ?? []), market]);
    }
    const bookmaker = bookmakerOf(asText(book['key']) ?? '');
    for (const [at, markets] of [...moments].sort(([a], [b]) => a - b)) {
      yield oddsMessage(ref, bookmaker, at, mergeMarkets(markets));
    }
  }
}

/** When a market was updated, in milliseconds: by its own statement, or else by its bookmaker's. */
export const updatedAt = (market: JsonObject, book: JsonObject): number | undefined =>
  asTime(market['last_update']) ?? asTime(book['last_update']);

export const oddsMessage = (
  ref: string,
  bookmaker: string,
  at: number,
  markets: readonly JsonObject[],
): JsonObject => ({
  kind: 'odds',
  source: SOURCE,
  at: formatTime(at),
  ref,
  bookmaker,
  markets,
});

/** Two of the provider's markets may be the same one here. If both state a price, the first one counts. */
export function mergeMarkets(markets: readonly JsonObject[]): JsonObject[] {
  const merged = new Map<string, JsonObject & { outcomes: JsonObject[] }>();
  for (const market of markets) {
    const name = marketName(market);
    const outcomes = market['outcomes'] as JsonObject[];
    const known = merged.get(name);
    if (!known) merged.set(name, { ...market, outcomes: [...outcomes] });
    else known.outcomes.push(...outcomes.filter((outcome) => !known.outcomes.some((other) => isSame(other, outcome))));
  }
  return [...merged.values()];
}

const isSame = (a: JsonObject, b: JsonObject): boolean =>
  ['outcome', 'point', 'player', 'team'].every((member) => a[member] === b[member]);

/** Identifies a market among a bookmaker's prices of one event. */
export const marketName = ({ key, scope, alternate }: JsonObject): string =>
  [key, scope ?? 'match', alternate ? 'alternate' : ''].join(' ').trim();
