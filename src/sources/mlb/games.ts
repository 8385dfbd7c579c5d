import { formatTime } from '../../domain/primitives/time.ts';
import type { ImportNotes } from '../importing/import-notes.ts';
import { assumedScheduleTime } from '../parsing/assumed-times.ts';
import { asBoolean, asInteger, asRecord, asRecords, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import { playElapsed } from '../parsing/play-elapsed.ts';
import { startQualifier } from '../parsing/start-qualifier.ts';
import { noteClock } from '../provider-base/hidden-clock.ts';

/** A game that can be named: its id, start, sides and season. */
interface NamedGame {
  readonly given: JsonObject;
  readonly ref: string;
  readonly startsAt: number;
  readonly season: JsonObject;
}

/** MLB's types of game. All-star games belong to no league. */
const PHASES: Readonly<Record<string, string>> = {
  R: 'regular_season',
  S: 'preseason',
  E: 'preseason',
  F: 'playoffs',
  D: 'playoffs',
  L: 'playoffs',
  W: 'playoffs',
  C: 'playoffs',
  P: 'playoffs',
};

/** `detailedState` up to its reason. `abstractGameState` calls a suspended game final, and a postponed one a preview. */
const STATUSES: readonly (readonly [detailed: RegExp, status: string])[] = [
  [/^(scheduled|pre-game|warmup)/i, 'scheduled'],
  [/^delayed start/i, 'delayed'],
  [/^(delayed|suspended)/i, 'suspended'],
  [/^(in progress|manager challenge|umpire review|instant replay)/i, 'inprogress'],
  [/^postponed/i, 'postponed'],
  [/^(cancell?ed|forfeit)/i, 'cancelled'],
  [/^(final|game over|completed early)/i, 'final'],
];
const WITH_SCORES = ['inprogress', 'suspended', 'final'];
const HALVES: Readonly<Record<string, string>> = { top: 'Top', middle: 'Mid', bottom: 'Bot', end: 'End' };

/** The messages of a game. @param at when MLB gave the answer; absent: times are assumed from the start */
export function* gameMessages(given: JsonObject, at: string | undefined, notes: ImportNotes): Generator<JsonObject> {
  const game = nameGame(given, notes);
  if (!game) return;
  yield scheduleOf(game, at ?? assumedScheduleTime(game.startsAt));
  const score = scoreOf(game, at, notes);
  if (score) yield score;
}

function nameGame(given: JsonObject, notes: ImportNotes): NamedGame | undefined {
  const ref = asText(given['gamePk']);
  const startsAt = asTime(given['gameDate']);
  const names = (['home', 'away'] as const).map((role) => asText(teamOf(given, role)['name']));
  if (ref === undefined || startsAt === undefined || names.includes(undefined)) {
    notes.add('incomplete_game', 'A game without id, start or both of its sides was left out.');
    return undefined;
  }
  const phase = PHASES[asText(given['gameType']) ?? ''];
  if (phase === undefined) {
    notes.add('unsupported_game', 'A game that is part of no season was left out.');
    return undefined;
  }
  return {
    given,
    ref,
    startsAt,
    season: { year: asInteger(given['season']) ?? new Date(startsAt).getUTCFullYear(), phase },
  };
}

const sideOf = (given: JsonObject, role: 'home' | 'away'): JsonObject => asRecord(asRecord(given['teams'])[role]);
const teamOf = (given: JsonObject, role: 'home' | 'away'): JsonObject => asRecord(sideOf(given, role)['team']);

/** Undefined if the answer does not say. */
function isStartSet(given: JsonObject): boolean | undefined {
  const isPlaceholder = asBoolean(asRecord(given['status'])['startTimeTBD']);
  return isPlaceholder === undefined ? undefined : !isPlaceholder;
}

function scheduleOf({ given, ref, startsAt, season }: NamedGame, at: string): JsonObject {
  const number = asInteger(given['gameNumber']);
  const isDoubleheader = ['Y', 'S'].includes(asText(given['doubleHeader']) ?? '');
  return {
    kind: 'schedule',
    source: 'mlb',
    at,
    sport: 'mlb',
    league: 'mlb',
    ref,
    season,
    starts_at: formatTime(startsAt),
    starts_at_qualifier: startQualifier(isStartSet(given)),
    participants: (['home', 'away'] as const).map((role) => {
      const team = teamOf(given, role);
      return { role, ref: asText(team['id']), name: asText(team['name']), abbreviation: asText(team['abbreviation']) };
    }),
    game_number: isDoubleheader && number !== undefined && number >= 1 && number <= 3 ? number : undefined,
  };
}

/** The `score` message; undefined for a status that is not known. */
function scoreOf(
  { given, ref, startsAt }: NamedGame,
  at: string | undefined,
  notes: ImportNotes,
): JsonObject | undefined {
  const detailed = asText(asRecord(given['status'])['detailedState']) ?? '';
  const status = STATUSES.find(([pattern]) => pattern.test(detailed))?.[1];
  if (status === undefined) notes.add('unknown_status', `The status "${detailed}" of a game was left out.`);
  if (status === undefined) return undefined;
  const line = asRecord(given['linescore']);
  const innings = asRecords(line['innings']);
  const isFinal = status === 'final';
  const hasScores = WITH_SCORES.includes(status);
  const number = asInteger(line['currentInning']) ?? (innings.length || undefined);
  const period = hasScores ? periodOf(line, innings, number, isFinal) : undefined;
  const elapsed = playElapsed({
    sport: 'mlb',
    playoffs: false,
    over: isFinal,
    period: number,
    name: period,
    clock: undefined,
    games: 0,
  });
  const message = {
    kind: 'score',
    source: 'mlb',
    at: at ?? formatTime(hasScores ? startsAt + elapsed : startsAt),
    ref,
    status,
    ...(hasScores && {
      period,
      result_type: isFinal ? 'regulation' : undefined,
      scores: (['home', 'away'] as const).map((role) => sideScore(given, innings, role, isFinal)),
    }),
  };
  const outs = asInteger(line['outs']);
  if (outs !== undefined && !isFinal) noteClock(message, `${outs} out`);
  return message;
}

/** A home side that leads after its opponents' last half does not bat again. */
function periodOf(line: JsonObject, innings: readonly JsonObject[], number: number | undefined, isFinal: boolean) {
  if (number === undefined) return undefined;
  if (!isFinal) {
    const half = HALVES[(asText(line['inningState']) ?? '').toLowerCase()];
    return half && `${half} ${number}`;
  }
  const last = innings.at(-1);
  if (!last) return undefined;
  return `${asInteger(asRecord(last['home'])['runs']) === undefined ? 'Mid' : 'End'} ${number}`;
}

function sideScore(
  given: JsonObject,
  innings: readonly JsonObject[],
  role: 'home' | 'away',
  isFinal: boolean,
): JsonObject {
  const side = sideOf(given, role);
  const total = asRecord(asRecord(asRecord(given['linescore'])['teams'])[role]);
  const runs = asInteger(side['score']) ?? asInteger(total['runs']);
  const periods = innings.flatMap((inning, index) => {
    const score = asInteger(asRecord(inning[role])['runs']);
    return score === undefined ? [] : [{ period: String(asInteger(inning['num']) ?? index + 1), score }];
  });
  return {
    role,
    score: runs === undefined ? undefined : String(runs),
    period_scores: periods.length > 0 ? periods : undefined,
    is_winner: isFinal ? asBoolean(side['isWinner']) : undefined,
  };
}
