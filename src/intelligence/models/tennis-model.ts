import { DAY } from '../../domain/primitives/time.ts';
import { applyCalibration, type Calibration, newCalibration, updateCalibration } from './calibration.ts';
import { type FirstSetMemory, firstSetForecast, newFirstSetMemory, updateFirstSets } from './first-set.ts';
import { type KeyNumbers, newKeyNumbers, normalWithKeyNumbers, updateKeyNumbers } from './key-numbers.ts';
import { logistic, logit } from './logit.ts';
import {
  type FinishedGame,
  type Fixture,
  type Forecast,
  MIN_SCOPE_GAMES,
  type Model,
  type ModelInput,
  type ModelMemory,
  twoWay,
} from './model.ts';
import { dampenError } from './online-estimates.ts';
import { type Surface, surfaceOf } from './surfaces.ts';

/** Ratings are in units of log odds. */
export interface TennisConstants {
  readonly version: string;
  /** The gain of a player's n-th match is `gain / (n + offset) ** power`, for all surfaces and for one. */
  readonly gain: Gain;
  readonly surfaceGain: Gain;
  /** The weight of the surface's rating in the forecast. */
  readonly surface: number;
  /** The share of an update of one surface that the other surfaces take over. */
  readonly crossing: number;
  /** How much more a match teaches for each game of its margin above the mean margin. */
  readonly byMargin: number;
  /** The factor from the log odds of three sets to those of five. */
  readonly fiveSets: number;
  /** Log odds for a doubling of the other player's rank: for a newcomer's initial rating, and beside the ratings. */
  readonly rank: { readonly newcomer: number; readonly known: number };
  /** The log2 of the rank that is assumed for a player without one. */
  readonly unranked: number;
  /** Log odds that a player loses after `layoff` days without a match. */
  readonly rust: number;
  readonly layoff: number;
  /** Log odds for each match won beyond expectation lately, and the days after which only 1/e of it remains. */
  readonly form: { readonly weight: number; readonly fades: number };
  /** Log odds that a player new to the tour lacks; half of it after ten matches. */
  readonly unproven: number;
  readonly calibration: { readonly weight: number; readonly slope: number; readonly trust: number };
  /** Games by number of sets: the margin for a unit of log odds, and standard deviations. */
  readonly games: { readonly three: GamesOfSets; readonly five: GamesOfSets };
}

interface Gain {
  readonly gain: number;
  readonly offset: number;
  readonly power: number;
}

interface GamesOfSets {
  readonly margin: number;
  readonly marginSd: number;
  readonly total: number;
  /** How much a unit of log odds, for either side, reduces the total. */
  readonly oneSided: number;
  readonly totalSd: number;
}

interface TennisLeagueMemory {
  readonly matches: number;
  readonly calibration: Calibration;
  readonly three: SetKeys;
  readonly five: SetKeys;
  readonly firstSets: FirstSetMemory;
}

interface SetKeys {
  readonly margin: KeyNumbers;
  readonly total: KeyNumbers;
}

interface PlayerMemory {
  readonly matches: number;
  readonly last: number | null;
  readonly rating: number;
  /** Matches won beyond expectation, decayed over time, as of the last match. */
  readonly form: number;
  /** The rating and the number of matches, by surface. */
  readonly surfaces: Readonly<Record<Surface, { readonly rating: number; readonly matches: number }>>;
}

const PROVEN = 10;
const MARGIN_KEYS = 20;
const TOTAL_KEYS = 66;

/** Ratings of players, for all surfaces and for each, drawn to the official ranking while few matches are known. */
export function tennisModel(constants: TennisConstants): Model<TennisLeagueMemory, PlayerMemory> {
  const none = { rating: 0, matches: 0 };
  const keys = { margin: newKeyNumbers(MARGIN_KEYS), total: newKeyNumbers(TOTAL_KEYS) };
  const { weight, slope } = constants.calibration;
  return {
    version: constants.version,
    newLeague: {
      matches: 0,
      calibration: newCalibration(weight, slope),
      three: keys,
      five: keys,
      firstSets: newFirstSetMemory(weight),
    },
    newSide: { matches: 0, last: null, rating: 0, form: 0, surfaces: { hard: none, clay: none, grass: none } },
    sidesOf: ({ home, away }) => [home, away],
    winner: (memory, fixture) => twoWay(winnerOf(constants, memory, fixture)),
    forecast: (memory, fixture) => forecastOf(constants, memory, fixture),
    scope(memory, fixture) {
      const { firstSets } = memory.league;
      if (firstSets.matches < MIN_SCOPE_GAMES) return null;
      const { trust } = constants.calibration;
      return firstSetForecast(firstSets, winnerOf(constants, memory, fixture), fixture.bestOf ?? 3, trust);
    },
    learn: (memory, game) => learnGame(constants, memory, game),
    gamesPlayed: ({ matches }) => matches,
    inputs: inputsOf,
  };
}

function inputsOf(
  memory: ModelMemory<TennisLeagueMemory, PlayerMemory>,
  fixture: Fixture,
): ModelInput<TennisLeagueMemory, PlayerMemory>[] {
  const none = { rating: 0, matches: 0 };
  const ratings = (['p1', 'p2'] as const).map((role, index) => {
    const unrated = { rating: 0, surfaces: { hard: none, clay: none, grass: none } };
    const sides = memory.sides.map((side, i) => (i === index ? { ...side, ...unrated } : side));
    return { id: `${role}_rating`, value: memory.sides[index]!.rating, memory: { ...memory, sides }, fixture };
  });
  const ranks = (['home', 'away'] as const).flatMap((side, index) => {
    const value = fixture.ranks[side];
    if (value === null) return [];
    return [
      { id: `p${index + 1}_rank`, value, memory, fixture: { ...fixture, ranks: { ...fixture.ranks, [side]: null } } },
    ];
  });
  return [...ratings, ...ranks];
}

function oddsOf(
  constants: TennisConstants,
  { sides }: ModelMemory<TennisLeagueMemory, PlayerMemory>,
  fixture: Fixture,
): number {
  const surface = surfaceOf(fixture);
  const [one, two] = startsOf(constants, sides, fixture);
  const ratingOf = (player: PlayerMemory): number => {
    const { rating, surfaces, last, matches } = player;
    const blended =
      surface === null ? rating : (1 - constants.surface) * rating + constants.surface * surfaces[surface].rating;
    const isRusty = last !== null && fixture.startsAt - last >= constants.layoff * DAY;
    const known =
      constants.form.weight * formOn(constants, player, fixture.startsAt) - constants.unproven / (1 + matches / PROVEN);
    return blended + known - (isRusty ? constants.rust : 0);
  };
  const ranked =
    constants.rank.known * (strengthOf(constants, fixture.ranks.home) - strengthOf(constants, fixture.ranks.away));
  const odds = ratingOf(one) - ratingOf(two) + ranked;
  return (fixture.bestOf ?? 3) > 3 ? odds * constants.fiveSets : odds;
}

/** How many doublings of rank above a player without a rank. */
const strengthOf = ({ unranked }: TennisConstants, rank: number | null): number =>
  rank === null ? 0 : Math.max(0, unranked - Math.log(rank) / Math.LN2);

/** A new player starts from the rank, or as unranked if only the other player has a rank. Without any rank, from 0. */
function startsOf(
  constants: TennisConstants,
  sides: readonly PlayerMemory[],
  { ranks }: Fixture,
): readonly [PlayerMemory, PlayerMemory] {
  const isRanked = ranks.home !== null || ranks.away !== null;
  const start = (player: PlayerMemory, rank: number | null): PlayerMemory => {
    if (player.matches > 0 || !isRanked) return player;
    const rating = constants.rank.newcomer * (strengthOf(constants, rank) - MIDDLE);
    const unplayed = { rating, matches: 0 };
    return { ...player, rating, surfaces: { hard: unplayed, clay: unplayed, grass: unplayed } };
  };
  return [start(sides[0]!, ranks.home), start(sides[1]!, ranks.away)];
}

/** The strength of rank 64. With it as the middle, ratings from before ranks were known stay comparable. */
const MIDDLE = 3;
const LIMIT = 6;
const clamped = (odds: number): number => Math.min(LIMIT, Math.max(-LIMIT, odds));

function curvesOf(constants: TennisConstants, fixture: Fixture, odds: number) {
  const games = (fixture.bestOf ?? 3) > 3 ? constants.games.five : constants.games.three;
  const min = (fixture.bestOf ?? 3) > 3 ? 18 : 12;
  return {
    margin: { mean: games.margin * dampenError(odds, 3), sd: games.marginSd, min: -Infinity, isSymmetric: true },
    total: {
      mean: games.total - games.oneSided * Math.abs(dampenError(odds, 3)),
      sd: games.totalSd,
      min,
      isSymmetric: false,
    },
  };
}

const keysOf = ({ three, five }: TennisLeagueMemory, { bestOf }: Fixture): SetKeys =>
  (bestOf ?? 3) > 3 ? five : three;

/** The probability that home wins the match. */
function winnerOf(
  constants: TennisConstants,
  memory: ModelMemory<TennisLeagueMemory, PlayerMemory>,
  fixture: Fixture,
): number {
  const raw = logistic(clamped(oddsOf(constants, memory, fixture)));
  return applyCalibration(memory.league.calibration, raw, constants.calibration.trust);
}

function forecastOf(
  constants: TennisConstants,
  memory: ModelMemory<TennisLeagueMemory, PlayerMemory>,
  fixture: Fixture,
): Forecast {
  const home = winnerOf(constants, memory, fixture);
  const curves = curvesOf(constants, fixture, logit(home));
  const keys = keysOf(memory.league, fixture);
  return {
    ...twoWay(home),
    margin: normalWithKeyNumbers(keys.margin, curves.margin),
    total: normalWithKeyNumbers(keys.total, curves.total),
  };
}

function learnGame(
  constants: TennisConstants,
  memory: ModelMemory<TennisLeagueMemory, PlayerMemory>,
  game: FinishedGame,
) {
  const { league } = memory;
  const surface = surfaceOf(game);
  const [one, two] = startsOf(constants, memory.sides, game);
  const raw = logistic(clamped(oddsOf(constants, memory, game)));
  const outcome = game.winner === 'home' ? 1 : 0;
  const won = (game.score.home - game.score.away) * (outcome === 1 ? 1 : -1);
  const weight = 1 + constants.byMargin * (dampenError(won, 12) - 4.5);
  const error = (outcome - raw) * weight;
  const after = (player: PlayerMemory, sign: 1 | -1): PlayerMemory => ({
    matches: player.matches + 1,
    last: game.startsAt,
    rating: player.rating + sign * error * gainOf(constants.gain, player.matches),
    form: formOn(constants, player, game.startsAt) + sign * (outcome - raw),
    surfaces: surface === null ? player.surfaces : surfacesAfter(constants, player, surface, sign * error),
  });
  const predicted = applyCalibration(league.calibration, raw, constants.calibration.trust);
  const curves = curvesOf(constants, game, logit(predicted));
  const keys = keysOf(league, game);
  const keysNow: SetKeys = {
    margin: updateKeyNumbers(keys.margin, curves.margin, game.score.home - game.score.away),
    total: updateKeyNumbers(keys.total, curves.total, game.score.home + game.score.away),
  };
  return {
    league: {
      matches: league.matches + 1,
      calibration: updateCalibration(league.calibration, {
        p: raw,
        outcome,
        hasShift: false,
      }),
      three: (game.bestOf ?? 3) > 3 ? league.three : keysNow,
      five: (game.bestOf ?? 3) > 3 ? keysNow : league.five,
      firstSets: game.scope
        ? updateFirstSets(league.firstSets, predicted, game.bestOf ?? 3, game.scope)
        : league.firstSets,
    },
    sides: [after(one, 1), after(two, -1)],
  };
}

/** A match decays the former form at least as much as one day. */
function formOn({ form: { fades } }: TennisConstants, { form, last }: PlayerMemory, startsAt: number): number {
  const days = last === null ? 0 : (startsAt - last) / DAY;
  return form * Math.exp(-Math.max(1, days) / fades);
}

// With exp and log, see logit.ts: the engine's power function is no more exact, and may change.
const gainOf = ({ gain, offset, power }: Gain, matches: number): number =>
  gain * Math.exp(-power * Math.log(matches + offset));

function surfacesAfter(constants: TennisConstants, { surfaces }: PlayerMemory, played: Surface, error: number) {
  const { matches } = surfaces[played];
  const step = error * gainOf(constants.surfaceGain, matches);
  const after = (surface: Surface) => ({
    rating: surfaces[surface].rating + (surface === played ? step : constants.crossing * step),
    matches: surfaces[surface].matches + (surface === played ? 1 : 0),
  });
  return { hard: after('hard'), clay: after('clay'), grass: after('grass') };
}
