import type { ResultWorth } from '../../domain/standings/result-worth.ts';
import type { Playoffs, SeasonFormat } from '../../domain/standings/season-formats.ts';
import { playOff, type SeriesChances } from './playoff-chances.ts';
import { normalsOf, type RandomNumbers } from './random-numbers.ts';

/** A team at the moment from which the rest of the season is played. */
export interface SeasonTeam {
  /** Points, or shares of wins, less points taken away. */
  readonly points: number;
  readonly difference: number;
  readonly played: number;
  /** Null: unknown. */
  readonly conference: string | null;
  readonly division: string | null;
}

/** A game that is left, with the chances that the model gives it. */
export interface GameLeft {
  /** Indexes of teams. */
  readonly home: number;
  readonly away: number;
  readonly homeWins: number;
  /** 0 in a sport without draws. */
  readonly draw: number;
  /** By how much the winner wins: equally likely margins, at least one. */
  readonly homeMargins: Int16Array;
  readonly awayMargins: Int16Array;
}

export interface SeasonLeft {
  readonly teams: readonly SeasonTeam[];
  readonly games: readonly GameLeft[];
  /** What results are worth, and the share of decided games that go beyond regular time. */
  readonly worth: Pick<ResultWorth, 'win' | 'draw' | 'loss' | 'lateWin' | 'lateLoss'> & { readonly lateShare: number };
  /** Whether teams are ranked by points; else by the share of what could be won. */
  readonly byPoints: boolean;
  /** Whether goal difference separates those that are level; lots are drawn after that. */
  readonly byDifference: boolean;
  readonly format: SeasonFormat | undefined;
  /**
   * How far a team’s strength may be from what the model knows of it, as a standard deviation in log odds. Without it
   * chances of a whole season would be too sure: all games of a team are wrong together.
   */
  readonly unsure: number;
  /** The chance that the first team beats the second one at neither’s home; null where no playoffs are played. */
  readonly series: SeriesChances | null;
}

/** Chances of one team; null where the season decides no such thing, or it is not known what does. */
export interface TeamChances {
  readonly title: number | null;
  readonly playoffs: number | null;
  readonly relegation: number | null;
  readonly promotion: number | null;
  /** Points at the end, or games won. */
  readonly points: number;
}

/** Plays some seasons between two steps, some milliseconds at most. */
const SEASONS_PER_STEP = 50;
/** Above what goals, or a draw of lots, can change. */
const POINT = 10_000;

/**
 * Plays the rest of a season often, and counts how it ends. The same numbers give the same chances.
 *
 * Each time every team gets an offset of its strength, which holds for all of its games; chances `w`, `d`, `l` become
 * those in proportion to `w e^(x/2)`, `d`, `l e^(-x/2)`, where `x` is the offset of home less that of away.
 */
export function* seasonChances(
  season: SeasonLeft,
  simulations: number,
  random: RandomNumbers,
): Generator<void, readonly TeamChances[]> {
  const { teams, format } = season;
  const counts = {
    ...{ title: zeros(teams), playoffs: zeros(teams), relegation: zeros(teams), promotion: zeros(teams) },
    points: zeros(teams),
  };
  const conferences = groupsOf(season);
  const decidesPlayoffs = format?.playoffs != null && conferences !== null;
  const decidesWinner =
    decidesPlayoffs && season.series !== null && conferences.length === (format.playoffs!.of === 'table' ? 1 : 2);
  const everybody = all(teams);
  const needsTable =
    format !== undefined &&
    (format.isTitleOfTable || format.relegated !== null || format.promoted !== null || format.playoffs?.of === 'table');
  const end = new SeasonEnd(season, random);
  for (let done = 0; done < simulations; done++) {
    if (done % SEASONS_PER_STEP === 0 && done > 0) yield;
    end.play();
    for (let team = 0; team < teams.length; team++) counts.points[team]! += end.points[team]!;
    const order = needsTable ? end.rank(everybody) : [];
    if (format?.isTitleOfTable) counts.title[order[0]!]! += 1;
    for (const team of order.slice(order.length - (format?.relegated ?? 0))) counts.relegation[team]! += 1;
    for (const team of order.slice(0, format?.promoted ?? 0)) counts.promotion[team]! += 1;
    if (!decidesPlayoffs) continue;
    const finalists = conferences.map((members) => {
      // Who goes up at once plays no more.
      const ranked = format.playoffs!.of === 'table' ? order.slice(format.promoted ?? 0) : end.rank(members);
      const seeds = seedsOf(ranked, teams, format.playoffs!, season.series, random);
      for (const team of seeds) counts.playoffs[team]! += 1;
      return season.series && playOff(seeds, format.playoffs!.bestOf, season.series, random);
    });
    if (!decidesWinner) continue;
    const last = format.playoffs!.bestOf.at(-1)!;
    const winner = playOff(finalists as number[], [last], season.series!, random);
    counts[format.isTitleOfTable ? 'promotion' : 'title'][winner]! += 1;
  }
  const share = (sums: Float64Array, team: number, isKnown: boolean) => (isKnown ? sums[team]! / simulations : null);
  const knowsTitle = format?.isTitleOfTable === true || decidesWinner;
  const knowsPromotion = format?.promoted != null && (format.playoffs === null || decidesWinner);
  return teams.map((_, team) => ({
    title: share(counts.title, team, knowsTitle),
    playoffs: share(counts.playoffs, team, decidesPlayoffs),
    relegation: share(counts.relegation, team, format?.relegated != null),
    promotion: share(counts.promotion, team, knowsPromotion),
    points: counts.points[team]! / simulations,
  }));
}

const zeros = (teams: readonly unknown[]) => new Float64Array(teams.length);
const all = (teams: readonly unknown[]) => teams.map((_, index) => index);

/**
 * The teams that have playoffs of their own: all of them, or those of each conference. Null unless it is known of every
 * team which conference is its own, and its division where that counts.
 */
function groupsOf({ teams, format }: SeasonLeft): readonly number[][] | null {
  if (format?.playoffs?.of === 'table') {
    const { places, hasPlayIn } = format.playoffs;
    return teams.length >= (format.promoted ?? 0) + places + (hasPlayIn ? 2 : 0) ? [all(teams)] : null;
  }
  const needsDivision = (format?.playoffs?.ofDivision ?? 0) > 0;
  const groups = new Map<string, number[]>();
  for (const [index, { conference, division }] of teams.entries()) {
    if (conference === null || (needsDivision && division === null)) return null;
    groups.set(conference, [...(groups.get(conference) ?? []), index]);
  }
  const { places = 0, hasPlayIn = false } = format?.playoffs ?? {};
  const needed = places + (hasPlayIn ? 2 : 0);
  return [...groups.values()].every((members) => members.length >= needed) ? [...groups.values()] : null;
}

/** One end of the season after another. */
class SeasonEnd {
  readonly points: Float64Array;
  readonly #season: SeasonLeft;
  readonly #random: RandomNumbers;
  readonly #normal: () => number;
  readonly #differences: Float64Array;
  readonly #strengths: Float64Array;
  readonly #keys: Float64Array;
  /** Games at the end of the season. */
  readonly #played: Float64Array;

  constructor(season: SeasonLeft, random: RandomNumbers) {
    this.#season = season;
    this.#random = random;
    this.#normal = normalsOf(random);
    const { teams, games } = season;
    this.points = zeros(teams);
    this.#differences = zeros(teams);
    this.#strengths = zeros(teams);
    this.#keys = zeros(teams);
    this.#played = Float64Array.from(teams, ({ played }) => played);
    for (const { home, away } of games) {
      this.#played[home]! += 1;
      this.#played[away]! += 1;
    }
  }

  play(): void {
    const { teams, games, worth, unsure, byPoints, byDifference } = this.#season;
    const { points } = this;
    const [differences, strengths, random] = [this.#differences, this.#strengths, this.#random];
    const hasLate = worth.lateWin !== worth.win || worth.lateLoss !== worth.loss;
    for (let team = 0; team < teams.length; team++) {
      points[team] = teams[team]!.points;
      differences[team] = teams[team]!.difference;
      // Half of the offset: see `seasonChances`.
      strengths[team] = Math.exp((unsure * this.#normal()) / 2);
    }
    for (const { home, away, homeWins, draw, homeMargins, awayMargins } of games) {
      const tilt = strengths[home]! / strengths[away]!;
      const won = homeWins * tilt;
      const lost = (1 - homeWins - draw) / tilt;
      let at = random() * (won + draw + lost);
      if (at < won) {
        // What is left of the number chooses the margin.
        const margin = homeMargins[Math.floor((at / won) * homeMargins.length)]!;
        const isLate = hasLate && random() < worth.lateShare;
        points[home]! += isLate ? worth.lateWin : worth.win;
        points[away]! += isLate ? worth.lateLoss : worth.loss;
        differences[home]! += margin;
        differences[away]! -= margin;
        continue;
      }
      at -= won;
      if (at < draw) {
        points[home]! += worth.draw;
        points[away]! += worth.draw;
        continue;
      }
      const left = Math.min((at - draw) / lost, 1 - Number.EPSILON);
      const margin = awayMargins[Math.floor(left * awayMargins.length)]!;
      const isLate = hasLate && random() < worth.lateShare;
      points[away]! += isLate ? worth.lateWin : worth.win;
      points[home]! += isLate ? worth.lateLoss : worth.loss;
      differences[away]! += margin;
      differences[home]! -= margin;
    }
    for (let team = 0; team < teams.length; team++) {
      const first = byPoints ? points[team]! : (points[team]! / Math.max(1, this.#played[team]!)) * 1000;
      this.#keys[team] = first * POINT + (byDifference ? differences[team]! : 0) + random() / 2;
    }
  }

  /** These teams from the first place on. */
  rank(members: readonly number[]): number[] {
    return [...members].sort((a, b) => this.#keys[b]! - this.#keys[a]!);
  }
}

/** Who reaches the playoffs, the best seed first. @param order all teams of the conference, from the first place on */
function seedsOf(
  order: readonly number[],
  teams: readonly SeasonTeam[],
  { places, ofDivision, hasPlayIn }: Playoffs,
  series: SeriesChances | null,
  random: RandomNumbers,
): number[] {
  if (hasPlayIn && series) {
    const winnerOf = (first: number, second: number) => (random() < series(first, second) ? first : second);
    const sure = order.slice(0, places - 2);
    const [seventh, eighth, ninth, tenth] = order.slice(places - 2) as [number, number, number, number];
    const first = winnerOf(seventh, eighth);
    const last = winnerOf(first === seventh ? eighth : seventh, winnerOf(ninth, tenth));
    return [...sure, first, last];
  }
  if (ofDivision === 0) return order.slice(0, places);
  const taken = new Map<string, number>();
  const leaders = order.filter((team) => {
    const division = teams[team]!.division!;
    const before = taken.get(division) ?? 0;
    taken.set(division, before + 1);
    return before < ofDivision;
  });
  const others = order.filter((team) => !leaders.includes(team));
  return [...leaders, ...others].slice(0, places);
}
