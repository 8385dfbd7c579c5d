import { HONESTY } from '../../../text/slips/house-rules.ts';
import type { BoundLeg } from '../../../text/slips/leg.ts';
import { slipStatus, summaryOf } from '../../../text/slips/summary.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { readAsOf } from '../parameters.ts';
import { bindStructuredLegs } from './bind-structured-legs.ts';
import { bindTextBets } from './bind-text-bets.ts';
import { gradeLegs } from './grade-legs.ts';
import type { SlipBody } from './slip-body.ts';
import type { SlipReading } from './slip-reading.ts';
import type { GradedSlip } from './slip-schemas.ts';

export type SlipContext = SlipReading['context'] & Pick<OperationContext, 'now' | 'baseUrl'>;

/** A slip as it stands, with what a receipt keeps of it. */
export interface SlipGrade {
  /** Without a receipt. */
  readonly answer: GradedSlip;
  readonly bound: readonly BoundLeg[];
  /** Of the events of its legs. */
  readonly sports: readonly string[];
}

/**
 * Grades a slip, without charge or receipt: the operation and the public sheet answer with this.
 * @throws ApiError bad_request for `as_of`, sport_scope_denied
 */
export async function gradeSlip(body: SlipBody, context: SlipContext): Promise<SlipGrade> {
  const asOf = readAsOf(body, context.now);
  const reading: SlipReading = { context, asOf, moment: asOf?.at ?? context.now() };
  const bound = [
    ...(await bindStructuredLegs(body.legs ?? [], reading)),
    ...(body.text ? await bindTextBets(body.text.bets, body.clues ?? {}, reading) : []),
  ];
  const { legs, sports } = await gradeLegs(bound, reading);
  const summary = summaryOf(legs.map(({ result, market }) => ({ result, side: market.side })));
  const answer: GradedSlip = {
    status: slipStatus(summary),
    legs: [...legs],
    summary,
    branding: {
      name: 'Ledgerline',
      url: context.baseUrl(),
      attribution: 'Graded by Ledgerline from an event log, entry by entry.',
    },
    honesty: HONESTY as unknown as GradedSlip['honesty'],
    slip_id: null,
    receipt: null,
  };
  return { answer, bound, sports };
}
