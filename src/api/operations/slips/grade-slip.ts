import { formatTime } from '../../../domain/primitives/time.ts';
import { type Operation, replayStoredAnswer } from '../../calls/operation/operation.ts';
import { readAsOf } from '../shared/parameters.ts';
import { checkEventSports } from '../shared/unpaid-checks.ts';
import { type SlipBody, slipBody } from './slip-body.ts';
import { gradeSlipBody as gradeLegs } from './slip-grader.ts';
import { type GradedSlip, gradedSlip } from './slip-schemas.ts';

export const gradeSlip: Operation<unknown, unknown, SlipBody, GradedSlip> = {
  name: 'grade_slip',
  method: 'POST',
  path: '/v1/grade/slip',
  tag: 'Slips',
  summary: 'Grades a bet slip of up to 8 legs, each from the facts in the log, with a receipt.',
  hint: 'Legs come structured, as text, or both; ids of events are in `list_events`, of players in `search_players`.',
  effect: 'reads',
  input: { body: slipBody, bodyInQuery: ['rules'] },
  output: gradedSlip,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: {
    description: '1 credit; free where no leg can be mapped to a bet',
    creditsFor: (_, { status }) => (status === 'unmapped' ? 0 : 1),
    bounds: () => ({ min: 0, max: 1 }),
  },
  sharedLimit: () => 'slip_grading',
  idempotency: replayStoredAnswer,
  checkUnpaid(input, context) {
    readAsOf(input, context.now);
    return checkEventSports(
      (input.legs ?? []).map(({ event_id }) => event_id),
      context,
    );
  },
  async run(input, context) {
    const gradedAt = formatTime(context.now());
    const { answer, bound, sports } = await gradeLegs(input, context);
    if (answer.status === 'unmapped') return answer;
    const { receipt: _, ...result } = answer;
    const grade = { gradedAt, sports, request: input, result, legs: bound };
    const issued = await context.receipts.issue(context.principal, grade, context.runId);
    const { id, position } = issued;
    return { ...(issued.result as typeof result), receipt: { id, graded_at: issued.gradedAt, position } };
  },
};
