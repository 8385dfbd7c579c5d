import { type BoundLeg, NO_PLAYER } from '../../../text/slips/leg.ts';

/** A bet of a text with its names resolved, as far as they are. */
export type BoundBet = Omit<BoundLeg, 'input'>;

/** @param message why it means no bet that can be settled */
export const unbound = (message: string): BoundBet => ({
  leg: null,
  message,
  found: {},
  resolve: NO_PLAYER,
  team_resolve: null,
  event_resolve: null,
});
