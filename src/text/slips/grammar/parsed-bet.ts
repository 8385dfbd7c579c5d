import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import type { MatchReadings } from './read-names.ts';
import type { StatBySport } from './stat-words.ts';

type BetKind = 'moneyline' | 'draw' | 'spread' | 'total' | 'team_total' | 'prop';

/** One way to read what a leg bets on, before anybody knows whom its names mean. */
export interface ParsedBet {
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
  readonly stats: StatBySport | null;
  readonly match: MatchReadings | null;
  readonly opponent: string | null;
  /** Why it can be no bet that is settled, whoever is meant; null: it may be one. */
  readonly unsettleableReason: string | null;
}

const NOTHING: Omit<ParsedBet, 'kind'> = {
  sports: null,
  side: null,
  line: null,
  team: null,
  player: null,
  stats: null,
  match: null,
  opponent: null,
  unsettleableReason: null,
};

export const createBet = (kind: BetKind, said: Partial<ParsedBet>): ParsedBet => ({ ...NOTHING, ...said, kind });
