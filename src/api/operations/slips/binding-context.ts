import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { type BoundLeg, NO_PLAYER } from '../../../text/slips/slip-leg.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';

/** What the bets of a slip are bound in. */
export interface BindingContext {
  readonly context: Pick<OperationContext, 'store' | 'histories' | 'principal'>;
  /** Events are those that were known then; names are always those of today's directory. */
  readonly asOf: AsOf | undefined;
  /** The moment from which dates count, in milliseconds: that of `asOf`, else now. */
  readonly moment: number;
}

/** A bet of a text with its names resolved, as far as they are. */
export type BoundBet = Omit<BoundLeg, 'input'>;

/** @param message why it means no bet that can be settled */
export const unboundBet = (message: string): BoundBet => ({
  leg: null,
  message,
  found: {},
  resolve: NO_PLAYER,
  team_resolve: null,
  event_resolve: null,
});

/** In what the names and events of all legs of a text are looked for. */
export interface BindingScope {
  readonly sports: readonly SportSlug[];
  /** Of the events; null: any. */
  readonly league: string | null;
  /** One of these is the team of the leg, or plays in its match; null: any. */
  readonly teamIds: readonly number[] | null;
  /** The event of the clue; null where none is given. */
  readonly event: EventDocument | null;
}

/** The sports that are left by the words of a bet too. */
export const narrowScope = (scope: BindingScope, sports: readonly SportSlug[] | null): BindingScope =>
  sports === null ? scope : { ...scope, sports: scope.sports.filter((sport) => sports.includes(sport)) };

/** Whether one of the teams of the clue fits. */
export const fitsTeams = ({ teamIds }: BindingScope, fits: (id: number) => boolean): boolean =>
  teamIds === null || teamIds.some(fits);
