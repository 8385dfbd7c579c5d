import { findLeague, type SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { randomFor } from '../simulation/random.ts';
import { CLUBS, NICKNAMES, personName, TENNIS_PLAYERS, TOWNS } from './invented-names.ts';
import { SQUADS } from './squads.ts';

/** A team, or a tennis player. */
export interface Competitor {
  /** The demo's own id of the competitor. */
  readonly ref: string;
  readonly league: string;
  readonly name: string;
  /** Null for tennis players, like the other members that belong to a town. */
  readonly abbreviation: string | null;
  readonly shortName: string | null;
  readonly town: string | null;
  readonly timezone: string | null;
  /** ISO alpha-3; null for a competitor without a country. */
  readonly country: string | null;
  /** Approximately a standard normal deviate: 0 is the average of the league. */
  readonly strength: number;
  /** The players, one for each position of the sport's squad. */
  readonly players: readonly { readonly ref: string; readonly name: string; readonly position: string }[];
}

/** @param number of the team among those of its sport: names of people are unique within a sport */
function squadOf(ref: string, league: string, number: number): Competitor['players'] {
  const squad = SQUADS[sportOfLeague(league)];
  return squad.map(({ position }, index) => ({
    ref: `${ref}-p${index + 1}`,
    name: personName(number * squad.length + index),
    position,
  }));
}

const strengthOf = (ref: string): number => Math.max(-2, Math.min(2, randomFor('strength', ref).normal(0, 0.9)));
const refOf = (league: string, name: string): string =>
  `${league}-${name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')}`;

function townTeams(league: keyof typeof NICKNAMES): Competitor[] {
  return NICKNAMES[league].map((nickname, index) => {
    const { name: town, abbreviation, timezone } = TOWNS[index]!;
    const name = `${town} ${nickname}`;
    const ref = refOf(league, name);
    return {
      ref,
      league,
      name,
      abbreviation,
      shortName: league === 'mls' ? town : nickname,
      town,
      timezone,
      country: 'USA',
      strength: strengthOf(ref),
      players: squadOf(ref, league, index),
    };
  });
}

/** @param before number of soccer teams in the leagues before this one */
function clubs(league: string, before: number): Competitor[] {
  const { country, timezone, clubs: rows } = CLUBS[league]!;
  return rows.map(([name, town, abbreviation], index) => {
    const ref = refOf(league, name);
    return {
      ref,
      league,
      name,
      abbreviation,
      shortName: town,
      town,
      timezone,
      country: country || null,
      strength: strengthOf(ref),
      players: squadOf(ref, league, before + index),
    };
  });
}

const tennisPlayers = (league: 'atp' | 'wta'): Competitor[] =>
  TENNIS_PLAYERS[league].map(({ name, country }, index, all) => ({
    ref: refOf(league, name),
    league,
    name,
    abbreviation: null,
    shortName: null,
    town: null,
    timezone: null,
    country,
    // Best first, and not far apart.
    strength: 1.2 - (2.4 * index) / (all.length - 1),
    players: [],
  }));

const ownSides = new Map<string, readonly Competitor[]>([
  ...(['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'mls'] as const).map(
    (league) => [league, townTeams(league)] as const,
  ),
  ...Object.keys(CLUBS).map((league, index) => [league, clubs(league, NICKNAMES.mls.length * (index + 1))] as const),
  ...(['atp', 'wta'] as const).map((league) => [league, tennisPlayers(league)] as const),
]);

const EUROPEAN = ['epl', 'la_liga', 'serie_a', 'bundesliga', 'ligue_1'];

/** Number of clubs of each European league that play in the Champions League. Their own league leaves them out, so that
 *  no club plays twice a day. */
const IN_CHAMPIONS_LEAGUE = 2;

/** The competitors of a league. */
export function competitorsOf(league: string): readonly Competitor[] {
  if (league === 'ucl') return EUROPEAN.flatMap((own) => ownSides.get(own)!.slice(-IN_CHAMPIONS_LEAGUE));
  const own = ownSides.get(league)!;
  return EUROPEAN.includes(league) ? own.slice(0, -IN_CHAMPIONS_LEAGUE) : own;
}

/** All competitors, each once. */
export const allCompetitors = (): readonly Competitor[] => [...ownSides.values()].flat();

export function sportOfLeague(league: string): SportSlug {
  return findLeague(league)!.sport;
}
