/** Bets as slips have them: one leg is one bet on one sports event. */

export const LEG_SIDES = ['home', 'away', 'over', 'under', 'draw'] as const;
export type LegSide = (typeof LEG_SIDES)[number];

/** A leg in full. `market_key` is canonical: `h2h`, `spreads`, `totals`, `team_total`, else the name of a statistic. */
export interface Leg {
  readonly event_id: number;
  readonly market_key: string;
  readonly side: LegSide;
  /** Signed to the side on spreads; null on h2h. */
  readonly line: number | null;
  /** Of a prop, else null. */
  readonly player_id: number | null;
  /** Of a team total; on others only where it was said. */
  readonly team_id: number | null;
}

/** What tells which names and events the legs of a text mean. */
export interface SlipClues {
  readonly sport?: string | null | undefined;
  readonly league?: string | null | undefined;
  readonly event_id?: number | null | undefined;
  readonly team_id?: number | null | undefined;
  readonly team_text?: string | null | undefined;
}

/** How a name was resolved: `legs[].resolve` of the answer. */
export interface PlayerResolve {
  /** Null where no player is named. */
  readonly status: 'resolved' | 'ambiguous' | 'not_found' | null;
  readonly player_id: number | null;
  readonly display_name: string | null;
  /** As the resolver answers them; empty unless ambiguous. */
  readonly candidates: readonly Readonly<Record<string, unknown>>[];
}

/** `legs[].team_resolve`. */
export interface TeamResolve {
  readonly status: 'resolved' | 'ambiguous' | 'not_found';
  readonly team_id: number | null;
  readonly display_name: string | null;
  readonly candidates: readonly Readonly<Record<string, unknown>>[];
}

/** An event that may be meant. */
export interface EventCandidate {
  readonly event_id: number;
  readonly name: string;
  readonly starts_at: string;
}

/** `legs[].event_resolve`. */
export interface EventResolve {
  readonly status: 'resolved' | 'ambiguous' | 'not_found';
  readonly event_id: number | null;
  /** Nearest first, at most 10. */
  readonly candidates: readonly EventCandidate[];
  readonly message: string | null;
}

export const NO_PLAYER: PlayerResolve = { status: null, player_id: null, display_name: null, candidates: [] };

/**
 * A leg with its names resolved. Where `leg` is null, `message` says in one sentence why it means no bet that can be
 * settled: the leg is unmapped.
 */
export interface BoundLeg {
  /** `legs[].input` of the answer. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly leg: Leg | null;
  readonly message: string | null;
  /** As far as it was found, for the market of a leg that is unmapped all the same. */
  readonly found: Partial<Leg>;
  readonly resolve: PlayerResolve;
  readonly team_resolve: TeamResolve | null;
  readonly event_resolve: EventResolve | null;
}
