import type { BoundLeg } from '../../../text/slips/slip-leg.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import type { Receipt } from '../../calls/services/receipt-services.ts';
import { toPresentLegs } from './present-legs.ts';
import type { SlipBody } from './slip-body.ts';
import { type GradedLegs, gradeLegs } from './slip-grader.ts';

/**
 * The legs of a receipt by the facts known now. Their names stay as they were resolved at the first grading: these never
 * change, but merged events do.
 * @throws ApiError sport_scope_denied
 */
export async function gradeReceiptAgain(receipt: Receipt, context: OperationContext): Promise<GradedLegs> {
  const request = receipt.request as SlipBody;
  const boundAt = request.as_of !== undefined && request.as_of_basis === 'recorded' ? request.as_of : receipt.gradedAt;
  const bound = await toPresentLegs(receipt.legs as readonly BoundLeg[], Date.parse(boundAt), context);
  // No `asOf`: the facts known now.
  const reading = { context, asOf: undefined, moment: context.now(), rules: request.rules ?? undefined };
  return gradeLegs(bound, reading, true);
}
