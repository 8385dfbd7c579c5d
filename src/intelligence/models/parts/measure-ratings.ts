import { DAY } from '../../../domain/primitives/time.ts';
import type { Part, PartMemory } from '../mixture.ts';
import type { FinishedGame, Fixture } from '../model.ts';
import { carryOverSeason, dampenError, type Estimate, updateEstimate } from '../online-estimates.ts';

/** In units of the measure. */
export interface MeasureConstants {
  /** Standard deviations: of one game around what was expected, and of newcomers around their mean. */
  readonly noise: number;
  readonly newcomerSd: number;
  /** The initial rating of a side that is first seen when the league is known. */
  readonly newcomerMean: number;
  /** What a day adds to the variance of a rating. */
  readonly drift: number;
  /** No error counts more than this. */
  readonly bound: number;
  /** Home's advantage before the first game, and the share of an error that it takes over. */
  readonly home: number;
  readonly homeGain: number;
  /** What remains of a rating over a break between seasons, and how much of the long mean replaces the rest. */
  readonly season: { readonly carry: number; readonly longMean: number } | null;
}

interface MeasureOf {
  readonly id: string;
  readonly constants: MeasureConstants;
  /** What home made beyond away, by this measure; null if unknown. */
  measure(game: FinishedGame): number | null;
  /** A side has one rating for each of these names, for example of surfaces. */
  readonly kinds?: readonly string[];
  kindOf?(fixture: Fixture): string;
  /** The factor on the log odds of a fixture, for example for five sets. */
  factor?(fixture: Fixture): number;
}

interface Rated {
  readonly last: number | null;
  readonly rating: Estimate;
  readonly longMean: number;
}

interface MeasureLeague {
  readonly games: number;
  readonly home: number;
}

type MeasureSide = Readonly<Record<string, Rated>>;

const BREAK = 60 * DAY;
const LONG_MEAN_GAIN = 0.3;
/** After this many games the sides of a league are known. */
const KNOWN = 800;
/** The log odds of a normal curve at one standard deviation from even, about. */
const ODDS_OF_DEVIATION = 1.7;
const ONE_KIND = 'all';

/** Ratings of sides by any measure of a game: each an estimate through the noise of games, without covariances. */
export function measureRatings(of: MeasureOf): Part<MeasureLeague, MeasureSide> {
  const { constants, kinds = [ONE_KIND], kindOf = () => ONE_KIND, factor = () => 1 } = of;
  const variance = constants.newcomerSd ** 2;
  const newRated: Rated = { last: null, rating: { mean: 0, variance }, longMean: 0 };
  const expected = ({ league, sides }: PartMemory<MeasureLeague, MeasureSide>, fixture: Fixture) => {
    const kind = kindOf(fixture);
    const [home, away] = sides.map((side) => onDate(constants, league, side[kind]!, fixture.startsAt)) as [
      Rated,
      Rated,
    ];
    return {
      kind,
      home,
      away,
      mean: (fixture.isNeutral ? 0 : league.home) + home.rating.mean - away.rating.mean,
      spread: constants.noise ** 2 + home.rating.variance + away.rating.variance,
    };
  };
  return {
    id: of.id,
    newLeague: { games: 0, home: constants.home },
    newSide: Object.fromEntries(kinds.map((kind) => [kind, newRated])),
    odds(memory, fixture) {
      const { mean, spread } = expected(memory, fixture);
      return (ODDS_OF_DEVIATION * mean * factor(fixture)) / Math.sqrt(spread);
    },
    learn(memory, game) {
      const { league, sides } = memory;
      const { kind, home, away, mean, spread } = expected(memory, game);
      const value = of.measure(game);
      const error = value === null ? 0 : dampenError(value - mean, constants.bound);
      const after = (rated: Rated, sign: 1 | -1): Rated => ({
        ...rated,
        last: game.startsAt,
        rating: value === null ? rated.rating : updateEstimate(rated.rating, error, sign, spread),
      });
      return {
        league: {
          games: league.games + 1,
          home: game.isNeutral ? league.home : league.home + constants.homeGain * error,
        },
        sides: [
          { ...sides[0], [kind]: after(home, 1) },
          { ...sides[1], [kind]: after(away, -1) },
        ],
      };
    },
  };
}

/** A rating after the days or the break since the side's last game. */
function onDate(
  { season, drift, newcomerSd, newcomerMean }: MeasureConstants,
  { games }: MeasureLeague,
  rated: Rated,
  startsAt: number,
): Rated {
  const { last, rating, longMean } = rated;
  const maxVariance = newcomerSd * newcomerSd;
  if (last === null) return games < KNOWN ? rated : { ...rated, rating: { mean: newcomerMean, variance: maxVariance } };
  const away = Math.max(0, startsAt - last);
  if (season === null || away < BREAK)
    return {
      ...rated,
      rating: { mean: rating.mean, variance: Math.min(maxVariance, rating.variance + (drift * away) / DAY) },
    };
  const mean = longMean + LONG_MEAN_GAIN * (rating.mean - longMean);
  return {
    last,
    longMean: mean,
    rating: carryOverSeason(rating, season.carry, season.longMean * mean, maxVariance),
  };
}
