import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { averagedFields, averagedStatisticsOf } from '../../../domain/statistics/averaged-box.ts';
import type { SideGame } from './standings.ts';
import { average, share, sum, WINDOWS } from './statistics-numbers.ts';

/** The statistics of both sides' box scores in a game, by `ratedFields` of the sport; null where a box does not state
 *  them. */
export interface RatedGame extends SideGame {
  readonly own: readonly (number | null)[] | null;
  readonly other: readonly (number | null)[] | null;
}

interface Rates {
  readonly source: 'event_stats_avg';
  readonly window: 'l5' | 'season';
  readonly window_size?: 5;
  readonly games: number;
  readonly field_games: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}

interface Rate {
  readonly name: string;
  /** The value of a game; null if not stated. */
  readonly of: (game: RatedGame) => number | null;
}

const ownStat =
  (field: number) =>
  (game: RatedGame): number | null =>
    game.own?.[field] ?? null;
const opponentStat =
  (field: number) =>
  (game: RatedGame): number | null =>
    game.other?.[field] ?? null;

/** Rates that follow from the score. */
const FROM_SCORE: Readonly<Record<string, Rate['of']>> = {
  sets_won: ({ scored }) => scored,
  sets_lost: ({ conceded }) => conceded,
  games_won: ({ game, side }) => game.games?.[side] ?? null,
  games_lost: ({ game, side }) => game.games?.[side === 0 ? 1 : 0] ?? null,
};

function scoreRates(name: string): readonly Rate[] {
  const of = FROM_SCORE[name];
  if (of) return [{ name, of }];
  return [
    { name: `${name}_for`, of: ({ scored }) => scored },
    { name: `${name}_against`, of: ({ conceded }) => conceded },
  ];
}

function ratesOfSport(sport: string): readonly Rate[] {
  const { fromScore, bothSides } = averagedStatisticsOf(sport);
  return [
    ...fromScore.flatMap(scoreRates),
    ...averagedFields(sport).flatMap((name, field) =>
      bothSides.includes(name)
        ? [
            { name: `${name}_for`, of: ownStat(field) },
            { name: `${name}_against`, of: opponentStat(field) },
          ]
        : [{ name, of: ownStat(field) }],
    ),
  ];
}

const RATES = new Map(SPORT_SLUGS.map((sport): [string, readonly Rate[]] => [sport, ratesOfSport(sport)]));

const SAVES = averagedFields('soccer').indexOf('saves');
const ON_TARGET = averagedFields('soccer').indexOf('shots_on_target');

/** The share of shots on target that were saved, over the games that state both numbers. */
function saveRate(games: readonly RatedGame[]): { readonly value: number | null; readonly games: number } {
  const stated = games.flatMap((game) => {
    const [saves, shots] = [ownStat(SAVES)(game), opponentStat(ON_TARGET)(game)];
    return saves === null || shots === null ? [] : [{ saves, shots }];
  });
  const shots = sum(stated.map((one) => one.shots));
  return { value: share(sum(stated.map(({ saves }) => saves)), shots), games: stated.length };
}

/** Means over some games, each over the games that state the value. @param games newest first */
export function ratesOf(sport: string, window: 'l5' | 'season', games: readonly RatedGame[]): Rates {
  const within = window === 'l5' ? games.slice(0, WINDOWS.rates_l5) : games;
  const means: Record<string, number | null> = {};
  const samples: Record<string, number> = {};
  for (const { name, of } of RATES.get(playsLike(sport))!) {
    const values = within.map(of).filter((value) => value !== null);
    means[name] = average(sum(values), values.length);
    samples[name] = values.length;
  }
  if (playsLike(sport) === 'soccer') {
    const saved = saveRate(within);
    means['save_rate'] = saved.value;
    samples['save_rate'] = saved.games;
  }
  return {
    source: 'event_stats_avg',
    window,
    ...(window === 'l5' ? { window_size: WINDOWS.rates_l5 } : {}),
    games: within.length,
    ...means,
    field_games: samples,
  };
}
