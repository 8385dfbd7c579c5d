import { formatTime } from '../../../domain/time.ts';
import { type Operation, repeatsItsAnswer } from '../../calls/operation.ts';
import { judgeEventSports } from '../judging.ts';
import { readAsOf } from '../parameters.ts';
import { type SlipBody, slipBody } from './slip-body.ts';
import { gradeSlip as gradeLegs } from './slip-grading.ts';
import { type GradedSlip, gradedSlip } from './slip-schemas.ts';

export const gradeSlip: Operation<unknown, unknown, SlipBody, GradedSlip> = {
  name: 'grade_slip',
  method: 'POST',
  path: '/v1/grade/slip',
  tag: 'Slips',
  summary: 'Grades a bet slip of up to 8 legs, each from the facts in the log, with a receipt.',
  hint: 'Legs come structured, as text, or both; ids of events are in `list_events`, of players in `search_players`.',
  effect: 'reads',
  input: { body: slipBody },
  output: gradedSlip,
  errors: ['bad_request', 'sport_scope_denied'],
  price: {
    says: '1 credit; free where no leg can be mapped to a bet',
    of: (_, { status }) => (status === 'unmapped' ? 0 : 1),
    bounds: () => ({ min: 0, max: 1 }),
  },
  budget: () => 'slip_grading',
  remembers: repeatsItsAnswer,
  judge(input, context) {
    readAsOf(input, context.now);
    return judgeEventSports(
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
    const issued = await context.receipts.issue(context.principal, grade, context.run);
    const { id, position } = issued;
    return { ...(issued.result as typeof result), receipt: { id, graded_at: issued.gradedAt, position } };
  },
};
