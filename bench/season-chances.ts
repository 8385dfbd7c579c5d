import { group } from 'd3-array';
import type { SportSlug } from '../src/domain/catalogue/catalogue.ts';
import { resultWorthOf } from '../src/domain/standings/result-worth.ts';
import { type SeasonFormat, seasonFormatOf } from '../src/domain/standings/season-formats.ts';
import { modelOf } from '../src/intelligence/models/index.ts';
import { gameLeft } from '../src/intelligence/seasons/game-left.ts';
import { seededNumbers } from '../src/intelligence/seasons/random-numbers.ts';
import { type SeasonTeam, seasonChances } from '../src/intelligence/seasons/season-chances.ts';
import { LATE_SHARE, unsureOf } from '../src/intelligence/seasons/season-constants.ts';
import { LeagueMemory } from '../src/intelligence/walk-forward.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { HISTORIES, type History } from './history/index.ts';
import type { PricedGame } from './history/past-game.ts';

const LEAGUES: Readonly<Record<string, string>> = {
  ...{ E0: 'epl', SP1: 'la_liga', D1: 'bundesliga', I1: 'serie_a', F1: 'ligue_1' },
};
/** Seasons of these files whose games are not all there. */
const BROKEN = ['F1 2019'];
const SPORTS = ['soccer', 'nfl', 'nba', 'mlb', 'nhl'];
const SIMULATIONS = 2000;

/** A chance of a third of the season, and whether it came so. */
interface Told {
  readonly what: 'first' | 'last';
  readonly chance: number;
  readonly came: boolean;
}

/** What chances of the end of a season are worth at a third of it, on seasons after those that constants were fitted to. */
export const seasonChancesBenchmark: Benchmark = {
  name: 'season-chances',
  summary: 'chances of title and relegation at a third of real seasons, beside how they ended (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (!data) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const figures: Figure[] = [];
    for (const history of HISTORIES.filter(({ name }) => SPORTS.includes(name)).slice(0, quick ? 1 : undefined)) {
      const games = history.games(data);
      // SEASON_UNSURE tries another number, on the seasons before.
      const tried = process.env['SEASON_UNSURE'];
      if (tried !== undefined) {
        for (const unsure of tried.split(',').map(Number)) {
          say(`${history.name} fitted, ${unsure}: ${describe(measure(history, games, unsure, true).told)}`);
        }
        continue;
      }
      const { told, seasons } = measure(history, games, unsureOf(history.sport), false);
      say(`${history.name}, ${seasons} seasons: ${describe(told)}`);
      for (const bin of binsOf(told)) say(`  told ${bin.mean.toFixed(3)}, came ${bin.came.toFixed(3)}, n ${bin.n}`);
      const { z } = calibrationOf(told);
      figures.push({
        what: `${history.name}: farthest bin of the chances at a third of a season`,
        value: z,
        unit: 'standard errors',
        goal: { of: 'value', bound: 'at most', number: 3 },
      });
    }
    return figures;
  },
};

function measure({ sport, judgedFrom }: History, games: readonly PricedGame[], unsure: number, isFit: boolean) {
  const told: Told[] = [];
  let seasons = 0;
  const leagues = group(games, ({ league }) => league);
  for (const [league, ofLeague] of leagues) {
    const bySeason = [...group(ofLeague, ({ season }) => season)].sort(([a], [b]) => a - b);
    const memory = new LeagueMemory(modelOf(sport, league));
    for (const [index, [year, all]] of bySeason.entries()) {
      const season = regularSeason(
        sport,
        [...all].sort((a, b) => a.startsAt - b.startsAt),
      );
      const third = Math.floor(season.length / 3);
      const isWanted = isFit ? year < judgedFrom && index >= 2 : year >= judgedFrom;
      if (isWanted && !BROKEN.includes(`${league} ${year}`)) {
        // The first third is learned by a copy, which then knows nothing later.
        const then = new LeagueMemory(modelOf(sport, league), structuredClone(memory.toJSON()));
        for (const game of season.slice(0, third)) then.learn(game);
        told.push(...chancesOf({ sport, league, year, season, third, unsure, then }));
        seasons++;
      }
      for (const game of all) memory.learn(game);
    }
  }
  return { told, seasons };
}

/** Games until the teams have played their numbers: what follows are playoffs, which the files do not tell apart. */
function regularSeason(sport: SportSlug, season: readonly PricedGame[]): readonly PricedGame[] {
  const games: Partial<Record<SportSlug, number>> = { nfl: 17, nba: 82, mlb: 163, nhl: 82 };
  const most = games[sport];
  if (most === undefined) return season;
  const played = new Map<string, number>();
  const counts = (team: string) => played.set(team, (played.get(team) ?? 0) + 1).get(team)!;
  return season.filter(({ home, away }) => Math.max(counts(home), counts(away)) <= most);
}

interface Third {
  readonly sport: SportSlug;
  readonly league: string;
  readonly year: number;
  readonly season: readonly PricedGame[];
  readonly third: number;
  readonly unsure: number;
  readonly then: LeagueMemory<any, any>;
}

function chancesOf({ sport, league, year, season, third, unsure, then }: Third): Told[] {
  const names = [...new Set(season.flatMap(({ home, away }) => [home, away]))].sort();
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const worth = resultWorthOf({ sport });
  const known = tableOf(names, season.slice(0, third), worth);
  // Where a table decides no title, its first team and its last third stand for that.
  const third_ = Math.floor(names.length / 3);
  const format: SeasonFormat = seasonFormatOf(LEAGUES[league] ?? '', year) ?? {
    isTitleOfTable: true,
    relegated: third_,
    promoted: null,
    playoffs: null,
    doubleRoundOf: null,
    games: 0,
  };
  const games = season
    .slice(third)
    .map((game) => gameLeft(indexOf.get(game.home)!, indexOf.get(game.away)!, then.forecast(game)));
  const rest = { teams: known, games, worth: { ...worth, lateShare: LATE_SHARE }, byPoints: worth.hasPoints };
  const left = { ...rest, byDifference: true, format, unsure, series: null };
  const simulated = seasonChances(left, SIMULATIONS, seededNumbers(year));
  let step = simulated.next();
  while (!step.done) step = simulated.next();
  const end = tableOf(names, season, worth);
  const order = names.map((_, index) => index).sort((a, b) => keyOf(end[b]!) - keyOf(end[a]!));
  const last = new Set(order.slice(order.length - format.relegated!));
  return step.value.flatMap(({ title, relegation }, team): Told[] => [
    { what: 'first', chance: title!, came: team === order[0] },
    { what: 'last', chance: relegation!, came: last.has(team) },
  ]);
}

const keyOf = ({ points, played, difference }: SeasonTeam) => (points / played) * 1e4 + difference / 1e3;

function tableOf(names: readonly string[], games: readonly PricedGame[], worth: ReturnType<typeof resultWorthOf>) {
  const teams = new Map(
    names.map((name) => [name, { points: 0, difference: 0, played: 0, conference: null, division: null }]),
  );
  for (const { home, away, winner, score } of games) {
    for (const [name, side, other] of [
      [home, 'home', 'away'],
      [away, 'away', 'home'],
    ] as const) {
      const team = teams.get(name)!;
      team.points += winner === side ? worth.win : winner === null ? worth.draw : 0;
      team.difference += score[side] - score[other];
      team.played += 1;
    }
  }
  return [...teams.values()];
}

const BINS = [0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.01];

function binsOf(told: readonly Told[]) {
  return BINS.slice(1).flatMap((to, index) => {
    const within = told.filter(({ chance }) => chance >= BINS[index]! && chance < to);
    if (within.length === 0) return [];
    const mean = within.reduce((sum, { chance }) => sum + chance, 0) / within.length;
    return [{ mean, came: within.filter(({ came }) => came).length / within.length, n: within.length, within }];
  });
}

/** The Brier score, the log loss, and how far the farthest bin of at least ten chances is off, in standard errors. */
function calibrationOf(told: readonly Told[]) {
  const brier = told.reduce((sum, { chance, came }) => sum + (chance - Number(came)) ** 2, 0) / told.length;
  const bounded = (chance: number) => Math.min(1 - 1 / SIMULATIONS, Math.max(1 / SIMULATIONS, chance));
  const loss = told.reduce((sum, { chance, came }) => sum - Math.log(bounded(came ? chance : 1 - chance)), 0);
  const z = binsOf(told)
    .filter(({ n }) => n >= 10)
    .map(({ mean, came, n, within }) => {
      const variance = within.reduce((sum, { chance }) => sum + bounded(chance) * (1 - bounded(chance)), 0);
      return (Math.abs(came - mean) * n) / Math.sqrt(variance);
    });
  return { brier, loss: loss / told.length, z: Math.max(...z) };
}

function describe(told: readonly Told[]): string {
  const { brier, loss, z } = calibrationOf(told);
  return `${told.length} chances, Brier ${brier.toFixed(4)}, log loss ${loss.toFixed(4)}, farthest bin ${z.toFixed(2)} standard errors`;
}
