import type { SportSlug } from '../../../domain/catalogue.ts';
import type { Match } from './name-texts.ts';
import type { Stats } from './stat-words.ts';

export type BetKind = 'moneyline' | 'draw' | 'spread' | 'total' | 'team_total' | 'prop';

/** One way to read what a leg bets on, before anybody knows whom its names mean. */
export interface Bet {
  readonly kind: BetKind;
  /** The sports that its words leave; null: all. */
  readonly sports: readonly SportSlug[] | null;
  /** Null where a team is the side. */
  readonly side: 'over' | 'under' | 'draw' | null;
  readonly line: number | null;
  /** Whose moneyline, spread or team total it is; the team of the player of a prop. */
  readonly team: string | null;
  readonly player: string | null;
  /** Of a prop. */
  readonly stats: Stats | null;
  readonly match: Match | null;
  readonly opponent: string | null;
  /** Why it can be no bet that is settled, whoever is meant; null: it may be one. */
  readonly lacks: string | null;
}

const NOTHING: Omit<Bet, 'kind'> = {
  sports: null,
  side: null,
  line: null,
  team: null,
  player: null,
  stats: null,
  match: null,
  opponent: null,
  lacks: null,
};

export const bet = (kind: BetKind, said: Partial<Bet>): Bet => ({ ...NOTHING, ...said, kind });
