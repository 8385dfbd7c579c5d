import type { AsOf } from '../../as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { type BoundLeg, NO_PLAYER, type SlipClues } from '../../slips/leg.ts';
import type { TextBet } from '../../slips/text/slip-text.ts';

/** What the bets of a text are bound in. */
export interface SlipReading {
  readonly context: Pick<OperationContext, 'store' | 'histories' | 'principal'>;
  /** Events are those that were known then; names are always those of today's directory. */
  readonly asOf: AsOf | undefined;
  /** The moment from which dates count, in milliseconds: that of `asOf`, else now. */
  readonly moment: number;
}

/**
 * Finds whom and which events the bets of a text mean, in the same order. What lies outside the caller's sports is not
 * found. Never throws for what a text says: a bet that cannot be bound is a leg without `leg`.
 */
export async function bindTextBets(
  bets: readonly TextBet[],
  _clues: SlipClues,
  _reading: SlipReading,
): Promise<readonly BoundLeg[]> {
  return bets.map(({ input }) => ({
    input: { ...input },
    leg: null,
    message: 'The text says no bet that is understood.',
    found: {},
    resolve: NO_PLAYER,
    team_resolve: null,
    event_resolve: null,
  }));
}
