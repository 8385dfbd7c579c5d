/** A game as everybody knows it, in plain members: what the statistics of an event are made of. */
export type Side = 'home' | 'away';
export const SIDES: readonly Side[] = ['home', 'away'];
export const otherSide = (side: Side): Side => (side === 'home' ? 'away' : 'home');

/** One for each side. In tennis `home` is player_1. */
export type Both<T> = Readonly<Record<Side, T>>;

/** Who plays, with what the directory says of him now. */
export interface Contestant {
  /** Id of the team or player in the directory; null where it holds none. */
  readonly id: number | null;
  readonly name: string;
  readonly abbreviation: string | null;
  readonly country_code: string | null;
  readonly image_url: string | null;
  readonly fifa_rank: number | null;
  readonly conference: string | null;
  readonly ranking: number | null;
  readonly ranking_points: number | null;
}

export interface PeriodScore {
  readonly period: string;
  readonly score: number;
}

export interface BoxRow {
  readonly player_id: number | null;
  readonly name: string;
  readonly side: Side;
  readonly starter?: boolean;
  readonly dnp?: boolean;
  readonly stats: Readonly<Record<string, number>>;
}

export interface Box {
  readonly final: boolean;
  readonly teams: Partial<Both<Readonly<Record<string, number>>>>;
  readonly players: readonly BoxRow[];
}

export interface LineupPlayer {
  readonly ref?: string;
  readonly name: string;
  readonly position?: string;
  readonly jersey?: string | number;
  readonly formation_place?: string | number;
  readonly starter: boolean;
}

export interface LineupSide {
  readonly formation?: string;
  readonly players: readonly LineupPlayer[];
}

export interface Game {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  /** Year of the season. */
  readonly season: number;
  readonly phase: 'preseason' | 'regular_season' | 'playoffs' | null;
  readonly starts_at: string;
  /** Earliest `at` of a message that says final. */
  readonly ended_at: string | null;
  readonly status: string;
  readonly home: Contestant;
  readonly away: Contestant;
  readonly scores: Both<string | null>;
  readonly period_scores: Both<readonly PeriodScore[]>;
  readonly result_type: string | null;
  /** The side whose `is_winner` is true. */
  readonly winner: Side | null;
  readonly neutral_site: boolean;
  readonly surface: string | null;
  readonly round: string | null;
  readonly draw_type: string | null;
  readonly box: Box | null;
  readonly lineup: Partial<Both<LineupSide>>;
}

export const startOf = ({ starts_at }: Game): number => Date.parse(starts_at);

/** The side on which the team or player stands; undefined where it does not play. */
export const sideOf = (game: Game, id: number): Side | undefined => SIDES.find((side) => game[side].id === id);

/** A stat that the box states of a side. */
export function boxStat({ box }: Game, side: Side, stat: string): number | undefined {
  const stats = box?.teams[side];
  return stats && Object.hasOwn(stats, stat) ? stats[stat] : undefined;
}
