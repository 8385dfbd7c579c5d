import type { WantedAct } from '../../web/account/admin/identity-desk.ts';
import { ActRefused, doAct, type MendingParts } from '../mending/do-act.ts';
import { ControlError } from './control-messages.ts';

export const IDENTITIES_ACTIONS = ['act'] as const;
export type IdentitiesActionName = (typeof IDENTITIES_ACTIONS)[number];

/** An act, to be done or only tried. */
export interface ActOrder {
  readonly wanted: WantedAct;
  readonly isTrial: boolean;
}

/**
 * Does an act of the identities command, in the server or in the command. The command has checked the request.
 * @returns the line to print
 * @throws ControlError if it is refused
 */
export async function identitiesAction(parts: MendingParts, request: object): Promise<readonly object[]> {
  const { wanted, isTrial } = request as ActOrder;
  try {
    return [await doAct(parts, wanted, isTrial)];
  } catch (error) {
    throw error instanceof ActRefused ? new ControlError(error.message) : error;
  }
}
