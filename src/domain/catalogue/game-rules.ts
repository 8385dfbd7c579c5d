import { type AddedLeague, installedLeagues, playsLike, sportOfLeague } from './added-leagues.ts';
import type { SportSlug } from './built-in-sports.ts';
import { OVERTIMES, type Overtime, type OwnPoints, type OwnRules } from './own-rules.ts';

/** How games of a sport, or of a league with rules of its own, are played and what of them counts in bets. */
export interface GameRules {
  /** Of what a game is made. Sets have no fixed number. */
  readonly unit: 'period' | 'inning' | 'set';
  /** The regular periods or innings in their order, by the names of messages: `1`, or `1H` where there are two halves. */
  readonly periods: readonly string[];
  /** Whether the clock shows what is left of the period, or what has been played of the game. Null: there is none. */
  readonly clock: 'down' | 'up' | null;
  /** By the clock; null without one. */
  readonly periodMinutes: number | null;
  readonly overtime: Overtime;
  /** Null unless it is timed. */
  readonly overtimeMinutes: number | null;
  /** Minutes of one overtime of the playoffs, where they differ. */
  readonly playoffOvertimeMinutes: number | null;
  /** Whether a game that is still level goes to a shootout or penalties. */
  readonly shootout: boolean;
  /** Whether a game may end level. */
  readonly draws: boolean;
  /** Whether a bet on the whole game counts what is played beyond regular time, and a shootout as a goal of its winner. */
  readonly overtimeCounts: boolean;
  /** What CONFIG says of the points that results give; null: they give what is usual in the sport. */
  readonly points: OwnPoints | null;
}

/** What the rules of a league of a sport may be. */
export interface RulesAllowed {
  readonly periods: readonly number[];
  readonly overtime: readonly Overtime[];
  /** Whether there is a clock, and so minutes of a period. */
  readonly minutes: boolean;
  readonly shootout: boolean;
}
export const MOST_MINUTES = 60;

type Form = Omit<GameRules, 'periods'> & { readonly count: number; readonly allowed: RulesAllowed };

const CLOCKED: RulesAllowed = { periods: [2, 3, 4], overtime: OVERTIMES, minutes: true, shootout: false };
const PERIODS: Omit<Form, 'count' | 'periodMinutes' | 'overtimeMinutes'> = {
  unit: 'period',
  clock: 'down',
  overtime: 'timed',
  playoffOvertimeMinutes: null,
  shootout: false,
  draws: false,
  overtimeCounts: true,
  points: null,
  allowed: CLOCKED,
};
const WITHOUT_CLOCK = { clock: null, periodMinutes: null, overtimeMinutes: null } as const;
const FOOTBALL: Form = { ...PERIODS, count: 4, periodMinutes: 15, overtimeMinutes: 10, draws: true };

const SPORTS: Readonly<Record<SportSlug, Form>> = {
  nfl: FOOTBALL,
  ncaaf: { ...FOOTBALL, overtime: 'untimed', overtimeMinutes: null, draws: false },
  nba: { ...PERIODS, count: 4, periodMinutes: 12, overtimeMinutes: 5 },
  ncaab: { ...PERIODS, count: 2, periodMinutes: 20, overtimeMinutes: 5 },
  nhl: {
    ...PERIODS,
    count: 3,
    periodMinutes: 20,
    overtimeMinutes: 5,
    playoffOvertimeMinutes: 20,
    shootout: true,
    allowed: { ...CLOCKED, shootout: true },
  },
  mlb: {
    ...PERIODS,
    ...WITHOUT_CLOCK,
    unit: 'inning',
    count: 9,
    overtime: 'untimed',
    allowed: { periods: [5, 6, 7, 8, 9], overtime: ['none', 'untimed'], minutes: false, shootout: false },
  },
  tennis: {
    ...PERIODS,
    ...WITHOUT_CLOCK,
    unit: 'set',
    count: 0,
    overtime: 'none',
    allowed: { periods: [], overtime: ['none'], minutes: false, shootout: false },
  },
  soccer: {
    ...PERIODS,
    count: 2,
    clock: 'up',
    periodMinutes: 45,
    overtimeMinutes: 15,
    shootout: true,
    draws: true,
    overtimeCounts: false,
    allowed: { periods: [2], overtime: ['none', 'timed'], minutes: true, shootout: true },
  },
};
/** Of a sport that nobody knows nothing follows from period and clock. */
const UNKNOWN: Form = { ...PERIODS, ...WITHOUT_CLOCK, count: 0, overtime: 'none' };

/** A map, because a sport from outside may be named like a member of every object. */
const forms: ReadonlyMap<string, Form> = new Map(Object.entries(SPORTS));
const formOf = (sport: string): Form => forms.get(playsLike(sport)) ?? UNKNOWN;

/** @param sport a built-in one */
export const rulesAllowed = (sport: SportSlug): RulesAllowed => SPORTS[sport].allowed;

/** What comes of rules before any league is installed. @param sport a built-in one */
export const rulesWith = (sport: SportSlug, own: OwnRules): GameRules => withOwnRules(SPORTS[sport], own);

const HALVES = ['1H', '2H'];
const namesOf = (unit: GameRules['unit'], count: number): readonly string[] =>
  unit === 'period' && count === 2 ? HALVES : Array.from({ length: count }, (_, index) => String(index + 1));

/**
 * The rules of a sport with what a league has otherwise. A league without an overtime may end level, unless it is told
 * otherwise; an overtime that is told to be timed has the minutes of the sport.
 */
function withOwnRules({ count, allowed: _, ...usual }: Form, own: OwnRules): GameRules {
  const { overtime = usual.overtime, periods: regular = count, shootout = usual.shootout } = own;
  const minutes = own.overtime_minutes ?? usual.overtimeMinutes;
  const hasOwnMinutes = own.overtime_minutes !== undefined;
  const isAlwaysDecided = overtime !== 'none' || shootout;
  return {
    ...usual,
    periods: namesOf(usual.unit, regular),
    periodMinutes: own.period_minutes ?? usual.periodMinutes,
    overtime,
    overtimeMinutes: overtime === 'timed' ? (minutes ?? DEFAULT_OVERTIME) : null,
    playoffOvertimeMinutes: overtime === 'timed' && !hasOwnMinutes ? usual.playoffOvertimeMinutes : null,
    shootout,
    draws: own.draws ?? (isAlwaysDecided ? usual.draws : true),
    points: own.points ?? null,
  };
}

/** Of a sport whose overtime has no minutes. */
const DEFAULT_OVERTIME = 10;

/** Where a game is played: without the league, the rules of the sport. */
export interface PlayedIn {
  readonly sport: string;
  readonly league?: string | undefined;
}

const ofSports = new Map<string, GameRules>();
const ofLeagues = new Map<string, GameRules>();

/** Of a sport of the catalogue. What is not in it is not kept, since nobody bounds the names from outside. */
function sportRules(sport: string): GameRules {
  const known = ofSports.get(playsLike(sport));
  if (known) return known;
  const made = withOwnRules(formOf(sport), NOTHING);
  if (forms.has(playsLike(sport))) ofSports.set(playsLike(sport), made);
  return made;
}
const NOTHING: OwnRules = {};

/** The rules by which a game is played: those that CONFIG has for its league, else those of its sport. */
export function gameRulesOf({ sport, league }: PlayedIn): GameRules {
  const own = league === undefined ? undefined : ownRulesOf(league);
  if (!own || league === undefined) return sportRules(sport);
  const known = ofLeagues.get(league);
  if (known) return known;
  const made = withOwnRules(formOf(own.sport), own.rules);
  ofLeagues.set(league, made);
  return made;
}

/** Whether CONFIG has rules for a league. */
export const hasOwnRules = (league: string): boolean => ownRulesOf(league) !== undefined;

function ownRulesOf(league: string): { readonly sport: SportSlug; readonly rules: OwnRules } | undefined {
  const leagues = installedLeagues();
  const added: AddedLeague | undefined = Object.hasOwn(leagues, league) ? leagues[league] : undefined;
  return added?.rules && { sport: sportOfLeague(added), rules: added.rules };
}

/** All leagues of a sport that play otherwise than it does. */
export const ownRulesIn = (sport: string): readonly GameRules[] =>
  Object.entries(installedLeagues()).flatMap(([league, added]) =>
    added.rules && sportOfLeague(added) === sport ? [gameRulesOf({ sport, league })] : [],
  );

/** What CONFIG says of the rules of leagues, by slug. */
export const allOwnRules = (): readonly (readonly [league: string, OwnRules])[] =>
  Object.entries(installedLeagues()).flatMap(([league, { rules }]) => (rules ? [[league, rules] as const] : []));

/** How long the regular time of a game is beside that of its sport: 1 without rules of its own. */
export function shareOfUsualLength(game: PlayedIn): number {
  const [own, usual] = [gameRulesOf(game), sportRules(game.sport)];
  const lengthOf = ({ periods, periodMinutes }: GameRules) => periods.length * (periodMinutes ?? 1);
  return lengthOf(usual) === 0 ? 1 : lengthOf(own) / lengthOf(usual);
}

/** Whether its halves are made of two quarters each. */
export const hasQuarters = ({ unit, periods }: GameRules): boolean => unit === 'period' && periods.length === 4;

/** The word for a period known by its number only; null if there is none. */
export function periodWordOf({ unit, periods }: GameRules): 'Quarter' | 'Period' | null {
  if (unit !== 'period' || periods.length < 3) return null;
  return periods.length === 4 ? 'Quarter' : 'Period';
}
