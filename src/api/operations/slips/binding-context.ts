import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { type BoundLeg, NO_PLAYER } from '../../../text/slips/slip-leg.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';

/** The context in which the bets of a slip are resolved. */
export interface BindingContext {
  readonly context: Pick<OperationContext, 'store' | 'histories' | 'principal'>;
  /** Only events known at this moment count; names always come from the current directory. */
  readonly asOf: AsOf | undefined;
  /** The moment to which dates are relative, in milliseconds: that of `asOf`, else now. */
  readonly moment: number;
  /** The name of the rule set by which legs settle; absent: the default. */
  readonly rules?: string | undefined;
}

/** A bet of a text, with its names resolved as far as possible. */
export type BoundBet = Omit<BoundLeg, 'input'>;

/** @param message why the bet cannot be settled */
export const unboundBet = (message: string): BoundBet => ({
  leg: null,
  message,
  found: {},
  resolve: NO_PLAYER,
  team_resolve: null,
  event_resolve: null,
});

/** Limits for the names and events of all legs of a text. */
export interface BindingScope {
  readonly sports: readonly SportSlug[];
  /** League of the events; null: any. */
  readonly league: string | null;
  /** One of these is the team of the leg, or plays in its match; null: any. */
  readonly teamIds: readonly number[] | null;
  /** The event of the clue; null without one. */
  readonly event: EventDocument | null;
}

/** Narrows the scope to the sports that the words of a bet allow. */
export const narrowScope = (scope: BindingScope, sports: readonly SportSlug[] | null): BindingScope =>
  sports === null ? scope : { ...scope, sports: scope.sports.filter((sport) => sports.includes(sport)) };

/** Whether one of the clue's teams fits. */
export const fitsTeams = ({ teamIds }: BindingScope, fits: (id: number) => boolean): boolean =>
  teamIds === null || teamIds.some(fits);
