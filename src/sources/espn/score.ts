import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import {
  asBoolean,
  asInteger,
  asNumber,
  asRecord,
  asRecords,
  asText,
  type JsonObject,
} from '../parsing/json-values.ts';
import { periodName } from '../parsing/period-names.ts';
import { playElapsed } from '../parsing/play-elapsed.ts';
import { noteClock } from '../provider-base/hidden-clock.ts';
import type { AnswerContext, Competition } from './competition.ts';
import type { EspnSide } from './sides.ts';

const WITH_SCORES = ['inprogress', 'suspended', 'final'];

/** When the state of a match was known: at the operator's time, or else at its start plus the play since then. */
export function stateTime(competition: Competition, context: AnswerContext): string {
  if (context.at !== undefined) return context.at;
  const { startsAt, status, playoffs, sides } = competition;
  if (!status || !WITH_SCORES.includes(status.status)) return formatTime(startsAt);
  const games = sides.flatMap((side) => linesOf(side).map((line) => line.value)).reduce((sum, value) => sum + value, 0);
  const { number: period, period: name, clock } = status;
  const over = status.status === 'final';
  return formatTime(
    startsAt +
      playElapsed({ sport: context.sport, league: context.league, playoffs, over, period, name, clock, games }),
  );
}

/** The `score` message; undefined before the start, when ESPN shows zeros that are no score. */
export function scoreOf(competition: Competition, context: AnswerContext): JsonObject | undefined {
  const { status, ref, sides } = competition;
  if (!status || status.status === 'scheduled') return undefined;
  const message = { kind: 'score', source: 'espn', at: stateTime(competition, context), ref, status: status.status };
  if (status.status === 'walkover') {
    const winners = sides.map(({ role, given }) => ({ role, is_winner: winnerOf(given) }));
    return { ...message, result_type: status.resultType, scores: winners };
  }
  if (!WITH_SCORES.includes(status.status)) return message;
  const score = {
    ...message,
    period: status.period ?? lastInning(competition, context),
    // Some sports show no clock, even if ESPN gives one.
    clock: rulesOf(context.sport).showsClock ? status.clock : undefined,
    result_type: status.resultType,
    scores: sides.map((side) => sideScore(side, competition, context)),
  };
  if (status.status !== 'final') noteClock(score, hiddenClock(competition, context));
  return score;
}

/** A clock for the order of answers, in sports whose scores show none. */
function hiddenClock({ given, status }: Competition, { sport }: AnswerContext): string | undefined {
  if (playsLike(sport) === 'nhl') return status?.clock;
  const outs = playsLike(sport) === 'mlb' ? asInteger(asRecord(given['situation'])['outs']) : undefined;
  return outs === undefined ? undefined : `${outs} out`;
}

const winnerOf = (given: JsonObject): boolean | undefined => asBoolean(given['winner']);

/** A finished baseball game states only its number of innings. The scores by inning show which side batted last. */
function lastInning({ sides, status }: Competition, { sport }: AnswerContext): string | undefined {
  if (playsLike(sport) !== 'mlb' || status?.status !== 'final' || !status.number) return undefined;
  return `${linesOf(sides[0]).length >= status.number ? 'End' : 'Mid'} ${status.number}`;
}

interface Line {
  readonly number: number;
  readonly value: number;
  readonly tiebreak: number | undefined;
}

function linesOf({ given }: EspnSide): Line[] {
  return asRecords(given['linescores']).flatMap((line, index) => {
    const value = asInteger(line['value']) ?? asInteger(line['displayValue']);
    if (value === undefined) return [];
    const tiebreak = asInteger(line['tiebreak']);
    return [{ number: asInteger(line['period']) ?? index + 1, value, tiebreak }];
  });
}

function sideScore(side: EspnSide, competition: Competition, context: AnswerContext): JsonObject {
  const { sport } = context;
  const { playoffs, status } = competition;
  const lines = linesOf(side);
  const periods = lines.flatMap(({ number, value, tiebreak }) => {
    const period = sport === 'tennis' ? `S${number}` : periodName(context, number, playoffs);
    return period === undefined ? [] : [{ period, score: value, ...(tiebreak === undefined ? {} : { tiebreak }) }];
  });
  const shootout = asInteger(side.given['shootoutScore']);
  if (playsLike(sport) === 'soccer' && shootout !== undefined && !periods.some(({ period }) => period === 'PKs')) {
    periods.push({ period: 'PKs', score: shootout });
  }
  const over = status?.status === 'final';
  return {
    role: side.role,
    score: sport === 'tennis' ? lines.map(({ value }) => value).join(' ') || undefined : pointsOf(side.given['score']),
    period_scores: periods.length > 0 ? periods : undefined,
    is_winner: over ? winnerOf(side.given) : undefined,
    regulation_score: playsLike(sport) === 'soccer' && over ? regulationScore(side, competition, lines) : undefined,
  };
}

const pointsOf = (given: unknown): string | undefined => asText(given) ?? asText(asRecord(given)['displayValue']);

const FULL_TIME = 5400;

/**
 * Soccer's score after extra time includes extra time, but bets are settled on 90 minutes. So count the goals of both
 * halves, from the scores by half or from the goals themselves. A goal counts for the team that it is credited to;
 * stoppage time counts as the 90th minute.
 */
function regulationScore(side: EspnSide, competition: Competition, lines: readonly Line[]): number | undefined {
  if (competition.status?.resultType === 'regulation' || competition.status?.resultType === undefined) return undefined;
  if (lines.length >= 2) return lines[0]!.value + lines[1]!.value;
  const goals = asRecords(competition.given['details']).filter(
    (detail) => detail['scoringPlay'] === true && detail['shootout'] !== true,
  );
  if (goals.length === 0 || goals.some((goal) => asNumber(asRecord(goal['clock'])['value']) === undefined)) {
    return undefined;
  }
  const own = asText(side.given['id']);
  return goals.filter(
    (goal) => asText(asRecord(goal['team'])['id']) === own && asNumber(asRecord(goal['clock'])['value'])! <= FULL_TIME,
  ).length;
}
