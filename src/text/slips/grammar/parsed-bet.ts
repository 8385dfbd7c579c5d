import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import type { LegScope } from '../../../domain/grading/leg-scope.ts';
import type { MatchReadings } from './read-names.ts';
import type { StatBySport } from './stat-words.ts';

type BetKind = 'moneyline' | 'draw' | 'three_way' | 'spread' | 'total' | 'team_total' | 'prop';

/** One reading of the bet of a leg, before its names are resolved. */
export interface ParsedBet {
  readonly kind: BetKind;
  /** The sports possible by its words; null: all. */
  readonly sports: readonly SportSlug[] | null;
  /** Null if the side is a team. */
  readonly side: 'over' | 'under' | 'draw' | null;
  readonly line: number | null;
  /** The team of a moneyline, of the whole game or of regular time, spread or team total; for props the player's team. */
  readonly team: string | null;
  readonly player: string | null;
  /** For props only. */
  readonly stats: StatBySport | null;
  readonly match: MatchReadings | null;
  readonly opponent: string | null;
  /** The part of the event that it is on; null: all of it. */
  readonly scope: LegScope | null;
  /** Why it can never be settled, whoever is meant; null: it may be. */
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
  scope: null,
  unsettleableReason: null,
};

export const createBet = (kind: BetKind, members: Partial<ParsedBet>): ParsedBet => ({ ...NOTHING, ...members, kind });
