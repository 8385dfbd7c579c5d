import { HOUR } from '../primitives/time.ts';
import { playsLike } from './added-leagues.ts';
import type { SportSlug } from './catalogue.ts';

type Roles = readonly ['home', 'away'] | readonly ['player_1', 'player_2'];

/** The differences between sports that matter to the server, beside how they are played: see `game-rules.ts`. */
interface SportRules {
  /** Names of the sides in messages and answers. The first side is always home or player_1. */
  readonly roles: Roles;
  /** The kind of directory entry that plays on a side. */
  readonly entry: 'team' | 'player';
  /** Whether two players may form one side, named `A/B`. */
  readonly hasPairs: boolean;
  /** Whether an event name starts with the home side. American sports start with the away side. */
  readonly homeFirst: boolean;
  /** Whether answers show a clock to clients. Hockey has one, which they never show: see `hidden-clock.ts`. */
  readonly showsClock: boolean;
  /** The result type of a game with play beyond the regular periods. `none`: no such play exists. */
  readonly extraPlay: 'overtime' | 'regulation' | 'none';
  /** Whether a score is one number, or one number per set. */
  readonly score: 'points' | 'sets';
  /**
   * Maximum difference between the start times that two sources give for the same event: milliseconds.
   */
  readonly startWindow: number;
  /** Whether the same two sides may play twice a day. */
  readonly hasDoubleheaders: boolean;
}

const TEAMS: SportRules = {
  roles: ['home', 'away'],
  entry: 'team',
  hasPairs: false,
  homeFirst: false,
  showsClock: true,
  extraPlay: 'overtime',
  score: 'points',
  startWindow: 6 * HOUR,
  hasDoubleheaders: false,
};

const RULES: Readonly<Record<SportSlug, SportRules>> = {
  nfl: TEAMS,
  nba: TEAMS,
  // Extra innings count as regulation.
  mlb: { ...TEAMS, showsClock: false, extraPlay: 'regulation', hasDoubleheaders: true },
  nhl: { ...TEAMS, showsClock: false },
  ncaaf: TEAMS,
  ncaab: TEAMS,
  tennis: {
    roles: ['player_1', 'player_2'],
    entry: 'player',
    hasPairs: true,
    homeFirst: true,
    showsClock: false,
    extraPlay: 'none',
    score: 'sets',
    // Matches of a day start late when earlier ones last long, and move to the next day when it rains.
    startWindow: 36 * HOUR,
    hasDoubleheaders: false,
  },
  soccer: { ...TEAMS, homeFirst: true },
};

/** A map, because a sport from outside may be named like a member of every object. */
const rules: ReadonlyMap<string, SportRules> = new Map(Object.entries(RULES));

/** The rules of a sport; an unknown sport has the rules of most team sports. */
export const rulesOf = (sport: string): SportRules => rules.get(playsLike(sport)) ?? TEAMS;

export const rolesOf = (sport: string): Roles => rulesOf(sport).roles;
export const isTennis = (sport: string): boolean => sport === 'tennis';
/** Soccer moneylines have a draw. */
export const isSoccer = (sport: string): boolean => playsLike(sport) === 'soccer';
