import type { Fixture } from './fixture.ts';
import type { Fate } from './leagues.ts';
import type { Game, Moment, ScoreFacts } from './moment.ts';
import { randomFor } from './random.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** How often a game is played anew until it goes the way that is wanted. */
const ATTEMPTS = 2000;

export interface Timeline {
  /** Simulated seconds of the day at which play begins, or would have begun. */
  readonly start: number;
  readonly before: Game['before'];
  /** Seconds count from `start`; those before the start are negative. Without play there is no inprogress. */
  readonly moments: readonly Moment[];
  /** A start that is announced anew, and when. */
  readonly moved?: { readonly at: number; readonly startsAt: number };
}

/** What will be told of a fixture, from before its start to its end. Pure. */
export function timelineOf(fixture: Fixture, seed: number): Timeline {
  const { fate, startsAt } = fixture;
  const random = randomFor(seed, fixture.ref, 'timeline');
  const late = random.between(1 * MINUTE, 5 * MINUTE);
  const { before, moments } = playAsWanted(fixture, seed);
  const start = startsAt + late;
  switch (fate) {
    case 'delayed': {
      const wait = random.between(25, 50) * MINUTE;
      return { start: start + wait, before, moments: [{ ...told('delayed'), second: -wait - late }, ...moments] };
    }
    case 'moved': {
      const wait = random.between(30, 70) * MINUTE;
      const moved = { at: startsAt - random.between(0.8, 1.5) * HOUR, startsAt: startsAt + wait };
      return { start: start + wait, before, moments, moved };
    }
    case 'suspended':
      return { start, before, moments: suspended(moments, random.between(0.3, 0.6), random.between(25, 50) * MINUTE) };
    case 'postponed':
      return { start, before, moments: [{ ...told('postponed'), second: -random.between(30, 90) * MINUTE }] };
    case 'cancelled':
      return { start, before, moments: [{ ...told('cancelled'), second: -random.between(30, 120) * MINUTE }] };
    case 'walkover': {
      const winner = random.index(2);
      const sides = [{ is_winner: winner === 0 }, { is_winner: winner === 1 }] as const;
      const score: ScoreFacts = { status: 'walkover', result_type: 'walkover', sides };
      return { start, before, moments: [{ second: -random.between(15, 40) * MINUTE, score, chances: null }] };
    }
    case 'retired':
      return { start, before, moments: retired(moments, random.between(0.45, 0.75), random.index(2)) };
    default:
      return { start, before, moments };
  }
}

const told = (status: ScoreFacts['status']): Omit<Moment, 'second'> => ({ score: { status }, chances: null });

function playAsWanted({ ref, league, sides, fate }: Fixture, seed: number): Game {
  const matchup = {
    strengths: [sides[0].strength, sides[1].strength],
    neutral: league.neutral ?? false,
    knockout: league.knockout ?? false,
  } as const;
  for (let attempt = 1; ; attempt++) {
    const game = league.play(matchup, randomFor(seed, ref, 'game', attempt));
    if (attempt === ATTEMPTS || isWanted(game, fate)) return game;
  }
}

/** Periods in which a game is that did not end in regulation. */
const BEYOND = /^(?:OT\d*|ET\d|(?:Top|Mid|Bot|End) \d\d)$/;
const SHOOTOUT = /^(?:SO|PKs)$/;

function isWanted({ moments }: Game, fate: Fate): boolean {
  const period = moments.at(-1)!.score!.period ?? '';
  if (fate === 'beyond') return BEYOND.test(period);
  return fate === 'shootout' ? SHOOTOUT.test(period) : true;
}

/** Play stops in the middle and is taken up again. @param share of the game after which it stops */
function suspended(moments: readonly Moment[], share: number, wait: number): Moment[] {
  const index = lastScoreBefore(moments, share);
  const stopped = moments[index]!;
  const [before, after] = [moments.slice(0, index + 1), moments.slice(index + 1)];
  const second = stopped.second + 20;
  return [
    ...before,
    { second, score: { ...stopped.score!, status: 'suspended' }, chances: null },
    { ...stopped, second: second + wait },
    ...after.map((moment) => ({ ...moment, second: moment.second + wait + 20 })),
  ];
}

/** One side gives up. @param side that does */
function retired(moments: readonly Moment[], share: number, side: number): Moment[] {
  const index = lastScoreBefore(moments, share);
  const { second, score } = moments[index]!;
  const [first, other] = score!.sides!;
  const sides = [withoutGame(first, side === 1), withoutGame(other, side === 0)] as const;
  const final: ScoreFacts = { ...score!, status: 'final', result_type: 'retired', sides };
  return [...moments.slice(0, index + 1), { second: second + 4 * MINUTE, score: final, chances: null }];
}
const withoutGame = ({ game_score: _, ...side }: NonNullable<ScoreFacts['sides']>[0], is_winner: boolean) => ({
  ...side,
  is_winner,
});

function lastScoreBefore(moments: readonly Moment[], share: number): number {
  const end = moments.at(-1)!.second;
  return moments.findLastIndex(
    ({ second, score }) => second <= share * end && score !== undefined && score.status === 'inprogress',
  );
}
