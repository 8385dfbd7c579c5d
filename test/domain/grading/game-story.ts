import type { Leg } from '../../../src/domain/grading/leg.ts';
import type { LegScope } from '../../../src/domain/grading/leg-scope.ts';
import { newSportsEvent, type SportsEvent } from '../../../src/domain/sports-events/sports-event.ts';

type Pair = readonly [home: number, away: number];

/** How a game went, as people tell it; the facts of the log are made from it. */
export interface Story {
  readonly sport: string;
  /** What each side made in each period, inning, half or set. */
  readonly periods: readonly Pair[];
  /** What each side made beyond regular time; absent: nothing was played. */
  readonly overtime?: Pair;
  /** Index of the winner of a shootout. */
  readonly shootout?: 0 | 1;
  readonly status?: 'final' | 'cancelled' | 'walkover' | 'suspended';
  /** Minutes that were left in the last period when it was given up. */
  readonly minutesLeft?: number;
  readonly hoursLate?: number;
  readonly hasOtherPitcher?: boolean;
  /** Index of the tennis player who goes through since the other retired. */
  readonly retiredFor?: 0 | 1;
}

/** The names of periods, by sport. */
const NAMES: Readonly<Record<string, readonly string[]>> = { soccer: ['1H', '2H'], ncaab: ['1H', '2H'] };
const START = '2026-03-01T18:00:00Z';
const hoursAfter = (hours: number): string => new Date(Date.parse(START) + hours * 3_600_000).toISOString();

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The event of a story, and what else its legs are settled by. */
export function factsOf(story: Story) {
  const { sport, periods, overtime, shootout, status = 'final', minutesLeft, hoursLate = 0, retiredFor } = story;
  const isTennis = sport === 'tennis';
  const overtimeName = sport === 'mlb' ? '10' : sport === 'soccer' ? 'ET' : 'OT';
  const sideOf = (index: 0 | 1): SportsEvent['sides'][0] => {
    const own = periods.map((points) => points[index]);
    if (isTennis)
      return { score: own.join(' '), ...(retiredFor === undefined ? {} : { is_winner: retiredFor === index }) };
    const extra = overtime ? [{ period: overtimeName, score: overtime[index] }] : [];
    return {
      score: String(sum(own) + (overtime?.[index] ?? 0) + Number(shootout === index)),
      period_scores: [...own.map((score, index) => ({ period: nameOf(index), score })), ...extra],
    };
  };
  const nameOf = (index: number) => NAMES[sport]?.[index] ?? String(index + 1);
  const clock = minutesLeft === undefined ? {} : { period: nameOf(periods.length - 1), clock: `${minutesLeft}:00` };
  const result_type =
    retiredFor !== undefined
      ? 'retired'
      : shootout !== undefined
        ? 'shootout'
        : overtime && sport !== 'mlb'
          ? 'overtime'
          : 'regulation';
  const starts = [
    { at: hoursAfter(-200), starts_at: START },
    ...(hoursLate > 0 ? [{ at: hoursAfter(-1), starts_at: hoursAfter(hoursLate) }] : []),
  ];
  const event: SportsEvent = {
    ...newSportsEvent(),
    status,
    starts,
    schedule: { starts_at: starts.at(-1)!.starts_at } as SportsEvent['schedule'],
    result_type,
    overAt: status === 'suspended' ? null : hoursAfter(hoursLate + 3),
    ...clock,
    sides: status === 'walkover' ? [{}, {}] : [sideOf(0), sideOf(1)],
  };
  return { sport, league: sport, event, teamIds: [1, 2] as const, hasOtherPitcher: story.hasOtherPitcher ?? false };
}

export const legOf = (
  market_key: string,
  side: Leg['side'],
  line: number | null = null,
  more: { readonly team_id?: number; readonly scope?: LegScope } = {},
): Leg => ({ event_id: 1, market_key, side, line, player_id: null, team_id: null, ...more });
