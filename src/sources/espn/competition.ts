import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { DAY, MINUTE } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { asNumber, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { type EspnLeague, seasonStartYear } from './leagues.ts';
import { type EspnSide, sidesOf } from './sides.ts';
import { type EspnStatus, readStatus } from './status.ts';

/** Facts that all messages of an answer share. */
export interface AnswerContext extends EspnLeague {
  /** When ESPN was asked, as stated by the operator or the connector. */
  readonly at: string | undefined;
  /** Set by a connector: all messages have the time of the request, whatever times the answer states. */
  readonly live?: true;
  /** The answer's own description of the season. */
  readonly season: JsonObject;
  readonly notes: ImportNotes;
}

/** A game in a scoreboard's list. */
export interface ListedGame {
  readonly given: JsonObject;
  /** The event or tournament that contains the game. */
  readonly event: JsonObject;
  /** Context of the game: a tournament's matches may belong to either tour. */
  readonly context: AnswerContext;
  /** Additional members of the game's `schedule` message. */
  readonly more: JsonObject;
}

/** One match, from a scoreboard or a game summary. */
export interface Competition {
  readonly ref: string;
  readonly startsAt: number;
  readonly sides: readonly [EspnSide, EspnSide];
  readonly season: JsonObject | undefined;
  readonly playoffs: boolean;
  readonly status: EspnStatus | undefined;
  readonly given: JsonObject;
  readonly event: JsonObject;
}

/** Reads a competition of an event; undefined, with a note, if id, start or a side is missing. */
export function readCompetition(given: JsonObject, event: JsonObject, context: AnswerContext): Competition | undefined {
  const ref = asText(given['id']) ?? asText(event['id']);
  const startsAt = asTime(given['date']) ?? asTime(given['startDate']) ?? asTime(event['date']);
  const sides = sidesOf(given, context.sport);
  if (ref === undefined || startsAt === undefined || !sides) {
    context.notes.add('incomplete_event', 'An event without id, start or both of its sides was left out.');
    return undefined;
  }
  const season = seasonOf(asRecord(event['season']), context);
  const playoffs = season?.['phase'] === 'playoffs';
  const lastPeriod = Math.max(0, ...sides.map((side) => asRecords(side.given['linescores']).length));
  const told = asRecord(given['status'] ?? event['status']);
  const status = readStatus(told, context, playoffs, lastPeriod, context.notes);
  return { ref, startsAt, sides, season, playoffs, status, given, event };
}

/** The side of a team, pair or player with this id. */
export const roleOf = ({ sides }: Competition, ref: string): EspnSide['role'] | undefined =>
  sides.find(({ given }) => asText(given['id']) === ref)?.role;

/** ESPN's types of season: 1 preseason, 2 regular season, 3 postseason, 4 off-season, 5 the NBA's play-in. Soccer has
 *  other numbers. */
const PHASES: Readonly<Record<number, string>> = { 1: 'preseason', 3: 'playoffs', 5: 'playoffs' };
const KNOCKOUT = /playoff|play-off|final|round-of-|knockout/;

function seasonOf(given: JsonObject, context: AnswerContext): JsonObject | undefined {
  const espnYear = asNumber(given['year']);
  if (espnYear === undefined) return undefined;
  const knockout = playsLike(context.sport) === 'soccer' && KNOCKOUT.test(asText(given['slug']) ?? '');
  const phase = knockout ? 'playoffs' : (PHASES[asNumber(given['type']) ?? 2] ?? 'regular_season');
  const about = asNumber(context.season['year']) === espnYear ? context.season : {};
  return {
    year: seasonStartYear(context.league, espnYear),
    phase,
    name: asText((about as JsonObject)['displayName']),
    start_date: dayOf((about as JsonObject)['startDate'], 0),
    // The last day ends a minute before the next one begins, at the same American time of day as the first.
    end_date: dayOf((about as JsonObject)['endDate'], -1),
  };
}

/** Days begin at 04:00Z to 08:00Z, which is midnight in America. */
function dayOf(given: unknown, days: number): string | undefined {
  const time = asTime(given);
  if (time === undefined) return undefined;
  const shift = days === 0 ? 0 : MINUTE + days * DAY;
  return new Date(time + shift).toISOString().slice(0, 10);
}
