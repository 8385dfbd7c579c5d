import { HOUR } from '../primitives/time.ts';
import type { SportSlug } from './catalogue.ts';

type Roles = readonly ['home', 'away'] | readonly ['player_1', 'player_2'];

/** In what the sports differ, as far as the server is concerned. */
interface SportRules {
  /** What messages and answers call the sides. The first is home, or player_1, wherever sides have an order. */
  readonly roles: Roles;
  /** Who stands on a side: an entry of the directory of this kind. */
  readonly entry: 'team' | 'player';
  /** Whether two may play as one side, named `A/B`. */
  readonly hasPairs: boolean;
  /** Whether the first side is also the first in the event's name. American sports name the guests first. */
  readonly homeFirst: boolean;
  /** Whether the time of play tells where an event stands. */
  readonly hasClock: boolean;
  /** What people call a period that is known by its number alone; null where they do not. */
  readonly periodWord: 'Quarter' | 'Period' | null;
  /** What play beyond the regular periods makes of a result. `none`: there is no such play. */
  readonly extraPlay: 'overtime' | 'regulation' | 'none';
  /** Whether a side's score is one number, or one for each set. */
  readonly score: 'points' | 'sets';
  /** How far the starts that two sources give of one and the same event may lie apart: milliseconds. */
  readonly startWindow: number;
}

const TEAMS: SportRules = {
  roles: ['home', 'away'],
  entry: 'team',
  hasPairs: false,
  homeFirst: false,
  hasClock: true,
  periodWord: null,
  extraPlay: 'overtime',
  score: 'points',
  startWindow: 6 * HOUR,
};

const RULES: Readonly<Record<SportSlug, SportRules>> = {
  nfl: { ...TEAMS, periodWord: 'Quarter' },
  nba: { ...TEAMS, periodWord: 'Quarter' },
  // Extra innings are no overtime of their own.
  mlb: { ...TEAMS, hasClock: false, extraPlay: 'regulation' },
  nhl: { ...TEAMS, hasClock: false, periodWord: 'Period' },
  ncaaf: { ...TEAMS, periodWord: 'Quarter' },
  ncaab: TEAMS,
  tennis: {
    roles: ['player_1', 'player_2'],
    entry: 'player',
    hasPairs: true,
    homeFirst: true,
    hasClock: false,
    periodWord: null,
    extraPlay: 'none',
    score: 'sets',
    // A day's programme moves with its matches, and to the next day when it rains.
    startWindow: 36 * HOUR,
  },
  soccer: { ...TEAMS, homeFirst: true },
};

/** A map, for a sport may have a name that every object has. */
const rules: ReadonlyMap<string, SportRules> = new Map(Object.entries(RULES));

/** The rules of a sport; those of most team sports for one that this server does not know. */
export const rulesOf = (sport: string): SportRules => rules.get(sport) ?? TEAMS;

export const rolesOf = (sport: string): Roles => rulesOf(sport).roles;
export const isTennis = (sport: string): boolean => sport === 'tennis';
/** Whose moneyline has a draw. */
export const isSoccer = (sport: string): boolean => sport === 'soccer';
