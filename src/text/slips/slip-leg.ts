import type { Leg } from '../../domain/grading/leg.ts';

/** Clues about the names and events that the legs of a text mean. */
export interface SlipClues {
  readonly sport?: string | null | undefined;
  readonly league?: string | null | undefined;
  readonly event_id?: number | null | undefined;
  readonly team_id?: number | null | undefined;
  readonly team_text?: string | null | undefined;
}

/** How a name was resolved: `legs[].resolve` of the answer. */
export interface PlayerResolve {
  /** Null if no player is named. */
  readonly status: 'resolved' | 'ambiguous' | 'not_found' | null;
  readonly player_id: number | null;
  readonly display_name: string | null;
  /** As in answers of the resolver; empty unless ambiguous. */
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
 * A leg with its names resolved. If `leg` is null, the leg is unmapped, and `message` explains in one sentence why it
 * is not a bet that can be settled.
 */
export interface BoundLeg {
  /** `legs[].input` of the answer. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly leg: Leg | null;
  readonly message: string | null;
  /** The members found so far, also for unmapped legs, to show their market. */
  readonly found: Partial<Leg>;
  readonly resolve: PlayerResolve;
  readonly team_resolve: TeamResolve | null;
  readonly event_resolve: EventResolve | null;
  /** The decimal price at which it was taken; absent: unknown. */
  readonly price?: number;
  /** Of a single bet on this leg; absent: there is none. */
  readonly stake?: number;
}

/** A leg that is known by its ids, so that no name has to be resolved. */
export const legOfIds = (leg: Leg): BoundLeg => ({
  input: {},
  leg,
  message: null,
  found: leg,
  resolve: NO_PLAYER,
  team_resolve: null,
  event_resolve: null,
});
