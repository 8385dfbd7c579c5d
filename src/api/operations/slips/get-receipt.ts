import { z } from 'zod';
import { isSettledLeg, LEG_RESULTS } from '../../../domain/grading/leg-result.ts';
import { AS_OF_BASES } from '../../../read-models/as-of/as-of.ts';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { notFound } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { text } from '../shared/parameters.ts';
import { gradeReceiptAgain } from './grade-receipt-again.ts';
import type { SlipBody } from './slip-body.ts';
import type { GradedLegs } from './slip-grader.ts';
import { type GradedLeg, type GradedSlip, groundSchema, positionSchema } from './slip-schemas.ts';

const path = z.object({
  id: text('', { max: 100 }).meta({ description: 'Id of the receipt.', examples: ['gr_1'] }),
});
const result = z.enum([...LEG_RESULTS, 'half_won', 'half_lost']).nullable();
const output = z.object({
  id: z.string(),
  graded_at: time,
  position: positionSchema,
  as_of: z.string().nullable(),
  as_of_basis: z.enum(AS_OF_BASES),
  request: z.record(z.string(), z.unknown()).meta({ description: 'The slip as it was understood.' }),
  // Not typed as an answer: older versions may have answered in another shape, and a typed one would make the tool's
  // description longer.
  result: z.record(z.string(), z.unknown()).meta({ description: 'The answer as `grade_slip` gave it.' }),
  seal: z.object({ salt: z.string(), leaf: z.string() }).nullable().meta({
    description: 'Its leaf in the seal of its day, and the salt that proves it; null where it was not sealed.',
  }),
  superseded: z.boolean().meta({ description: 'Graded now, a leg that was settled has another result.' }),
  superseded_by: z
    .object({
      recorded_at: time,
      legs: z.array(
        z.object({
          leg: z.int().meta({ description: 'From 0.' }),
          from: result,
          to: result,
          facts: z.array(groundSchema).meta({ description: 'The entries of the log that changed it.' }),
        }),
      ),
    })
    .nullable(),
});
type Output = z.infer<typeof output>;

export const getReceipt: Operation<z.infer<typeof path>, unknown, unknown, Output> = {
  name: 'get_grade_receipt',
  method: 'GET',
  path: '/v1/grade/receipts/{id}',
  tag: 'Slips',
  summary: 'The receipt of a graded slip: what was asked and answered, and whether corrections have superseded it.',
  input: { path },
  output,
  errors: ['not_found', 'sport_scope_denied'],
  cost: flatCost(0),
  async run({ id }, context) {
    const receipt = await context.receipts.read(context.principal, id);
    if (!receipt) throw notFound('There is no such receipt.');
    for (const sport of receipt.sports) requireSport(context.principal, sport);
    const { gradedAt: graded_at, position } = receipt;
    const request = receipt.request as SlipBody;
    const answer = receipt.result as Omit<GradedSlip, 'receipt'>;
    const superseded_by = findSupersededLegs(answer.legs, await gradeReceiptAgain(receipt, context));
    return {
      id,
      graded_at,
      position,
      as_of: request.as_of ?? null,
      as_of_basis: request.as_of_basis,
      request: request as Output['request'],
      result: { ...answer, receipt: { id, graded_at, position } },
      seal: receipt.seal,
      superseded: superseded_by !== null,
      superseded_by: superseded_by as Output['superseded_by'],
    };
  },
};

type ShownResult = GradedLeg['result'] | 'half_won' | 'half_lost';

/** Of a quarter line whose halves end differently: which half won. */
const shownResult = ({ result, result_detail }: Pick<GradedLeg, 'result' | 'result_detail'>): ShownResult =>
  result_detail === 'half_won' || result_detail === 'half_lost' ? result_detail : result;

/** How settled legs have changed. */
export interface SupersededLegs {
  /** When the newest record that changed one of them was recorded. */
  readonly recorded_at: string;
  readonly legs: readonly {
    /** From 0. */
    readonly leg: number;
    readonly from: ShownResult;
    readonly to: ShownResult;
    /** The records that changed it. */
    readonly facts: GradedLeg['facts'];
  }[];
}

/** Null if every leg that was settled still has its result. @param graded its legs as graded first */
export function findSupersededLegs(
  graded: readonly GradedLeg[],
  { legs: present, grounds }: GradedLegs,
): SupersededLegs | null {
  const legs = graded.flatMap((before, leg) => {
    const [from, to] = [shownResult(before), shownResult(present[leg]!)];
    if (!isSettledLeg(before.result) || to === from) return [];
    const { facts: rested } = before;
    const known = new Set(rested.map(({ position }) => position));
    const changed = grounds[leg]!.filter(({ position }) => !known.has(position));
    return changed.length > 0 ? [{ leg, from, to, facts: changed }] : [];
  });
  if (legs.length === 0) return null;
  const times = legs.flatMap(({ facts }) => facts.map(({ recorded_at }) => recorded_at));
  return { recorded_at: times.sort().at(-1)!, legs };
}
