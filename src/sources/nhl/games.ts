import { formatTime } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { assumedScheduleTime } from '../parsing/assumed-times.ts';
import { asInteger, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { periodName } from '../parsing/period-names.ts';
import { playElapsed } from '../parsing/play-elapsed.ts';
import { startQualifier } from '../parsing/start-qualifier.ts';
import { noteClock } from '../provider-base/hidden-clock.ts';
import { teamName } from './team-names.ts';

const NHL = { sport: 'nhl', league: 'nhl' } as const;
const ROLES = ['home', 'away'] as const;
type Role = (typeof ROLES)[number];
/** The NHL's types of game. All-star games and those of other competitions belong to no season of the league. */
const PHASES: Readonly<Record<number, string>> = { 1: 'preseason', 2: 'regular_season', 3: 'playoffs' };
/** `CRIT` are the last minutes and the overtime: still in play. */
const STATES: Readonly<Record<string, string>> = {
  FUT: 'scheduled',
  PRE: 'scheduled',
  LIVE: 'inprogress',
  CRIT: 'inprogress',
  FINAL: 'final',
  OFF: 'final',
};
/** These decide before the state of the game. */
const SCHEDULE_STATES: Readonly<Record<string, string>> = {
  PPD: 'postponed',
  SUSP: 'suspended',
  CNCL: 'cancelled',
};
/** Whether the start is set. Of games that are off nothing is known. */
const STARTS_SET: Readonly<Record<string, boolean>> = { OK: true, TBD: false };
const WITH_SCORES = ['inprogress', 'suspended', 'final'];
const RESULTS: Readonly<Record<string, string>> = { REG: 'regulation', OT: 'overtime', SO: 'shootout' };

interface NamedGame {
  readonly given: JsonObject;
  readonly ref: string;
  /** Undefined for a postponed game without a new start. */
  readonly startsAt: number | undefined;
  readonly phase: string;
  readonly names: Readonly<Record<Role, string>>;
}

/** The messages of a game. @param at when the NHL gave the answer; absent: times are assumed from the start */
export function* gameMessages(given: JsonObject, at: string | undefined, notes: ImportNotes): Generator<JsonObject> {
  const game = nameGame(given, notes);
  if (!game) return;
  const schedule = scheduleOf(game, at);
  if (schedule) yield schedule;
  const score = scoreOf(game, at, notes);
  if (score) yield score;
}

const sideOf = (given: JsonObject, role: Role): JsonObject => asRecord(given[`${role}Team`]);
const abbreviationOf = (given: JsonObject, role: Role): string => asText(sideOf(given, role)['abbrev']) ?? '';
const wordOf = (localized: unknown): string | undefined => asText(asRecord(localized)['default']);

function nameGame(given: JsonObject, notes: ImportNotes): NamedGame | undefined {
  const phase = PHASES[asInteger(given['gameType']) ?? 2];
  if (phase === undefined) {
    notes.add('unsupported_game', 'A game that is part of no season was left out.');
    return undefined;
  }
  const ref = asText(given['id']);
  const [home, away] = ROLES.map((role) => teamName(abbreviationOf(given, role), wordOf(sideOf(given, role)['name'])));
  if (ref === undefined || home === undefined || away === undefined) {
    notes.add('incomplete_game', 'A game without id or without two clubs of the league was left out.');
    return undefined;
  }
  return { given, ref, startsAt: asTime(given['startTimeUTC']), phase, names: { home, away } };
}

function scheduleOf({ given, ref, startsAt, phase, names }: NamedGame, at: string | undefined): JsonObject | undefined {
  if (startsAt === undefined) return undefined;
  const season = asInteger(given['season']);
  return {
    kind: 'schedule',
    source: 'nhl',
    at: at ?? assumedScheduleTime(startsAt),
    sport: 'nhl',
    league: 'nhl',
    ref,
    season: season === undefined ? undefined : { year: Math.floor(season / 10_000), phase },
    starts_at: formatTime(startsAt),
    starts_at_qualifier: startQualifier(STARTS_SET[asText(given['gameScheduleState']) ?? '']),
    participants: ROLES.map((role) => ({
      role,
      ref: asText(sideOf(given, role)['id']),
      name: names[role],
      abbreviation: abbreviationOf(given, role),
    })),
  };
}

/** The `score` message; undefined for a status that is not known. */
function scoreOf(game: NamedGame, at: string | undefined, notes: ImportNotes): JsonObject | undefined {
  const { given, ref, startsAt, phase } = game;
  const state = asText(given['gameState']) ?? '';
  const status = SCHEDULE_STATES[asText(given['gameScheduleState']) ?? ''] ?? STATES[state];
  if (status === undefined) notes.add('unknown_status', `The status "${state}" of a game was left out.`);
  if (status === undefined) return undefined;
  const playoffs = phase === 'playoffs';
  const over = status === 'final';
  const hasScores = WITH_SCORES.includes(status);
  const descriptor = asRecord(given['periodDescriptor']);
  const number = asInteger(descriptor['number']) ?? asInteger(given['period']);
  const clock = hasScores ? asText(asRecord(given['clock'])['timeRemaining']) : undefined;
  const time =
    at ?? (startsAt === undefined ? undefined : assumedScoreTime(startsAt, { playoffs, over, number, clock }));
  if (time === undefined) return undefined;
  const lastType = asText(asRecord(given['gameOutcome'])['lastPeriodType']) ?? asText(descriptor['periodType']);
  const message = {
    kind: 'score',
    source: 'nhl',
    at: time,
    ref,
    status,
    ...(hasScores && {
      period: number === undefined ? undefined : periodName(NHL, number, playoffs),
      result_type: over ? RESULTS[lastType ?? ''] : undefined,
      scores: sideScores(game, number, over, lastType),
    }),
  };
  if (!over) noteClock(message, clock);
  return message;
}

/** The time of a score without a time of its own: the start plus the play since then. */
const assumedScoreTime = (
  startsAt: number,
  { number, ...play }: { playoffs: boolean; over: boolean; number: number | undefined; clock: string | undefined },
): string => formatTime(startsAt + playElapsed({ ...NHL, ...play, period: number, name: undefined, games: 0 }));

function sideScores(
  { given, phase }: NamedGame,
  number: number | undefined,
  over: boolean,
  lastType: string | undefined,
): JsonObject[] {
  const totals = ROLES.map((role) => asInteger(sideOf(given, role)['score']));
  const [home, away] = totals;
  const hasWinner = over && home !== undefined && away !== undefined && home !== away;
  return ROLES.map((role, index) => ({
    role,
    score: totals[index] === undefined ? undefined : String(totals[index]),
    period_scores: periodScores(given, role, totals[index], number, phase === 'playoffs', lastType),
    is_winner: hasWinner ? totals[index] === Math.max(home, away) : undefined,
  }));
}

/**
 * The goals by period, from the list of goals. The shootout counts as one goal of its winner, whose score has it.
 * Undefined if the list does not give the score: it may be shorter for a moment.
 */
function periodScores(
  given: JsonObject,
  role: Role,
  total: number | undefined,
  number: number | undefined,
  playoffs: boolean,
  lastType: string | undefined,
): JsonObject[] | undefined {
  if (!Array.isArray(given['goals']) || number === undefined || total === undefined) return undefined;
  const own = asRecords(given['goals']).filter(
    (goal) =>
      asText(goal['teamAbbrev']) === abbreviationOf(given, role) &&
      asText(asRecord(goal['periodDescriptor'])['periodType']) !== 'SO',
  );
  const rows: { period: string; score: number }[] = [];
  for (let period = 1; period <= Math.min(number, 12); period++) {
    const name = periodName(NHL, period, playoffs);
    const isShootout = name === 'SO' && lastType === 'SO';
    const score = isShootout
      ? Math.max(0, total - own.length)
      : own.filter((goal) => asInteger(goal['period']) === period).length;
    if (name !== undefined) rows.push({ period: name, score });
  }
  return rows.reduce((sum, { score }) => sum + score, 0) === total ? rows : undefined;
}
