import { z } from 'zod';
import { EXCLUSION_REASONS } from '../../../domain/experiments/experiment-events.ts';
import { readExperimentTerms } from '../../../intelligence/experiments/experiment-terms.ts';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import type { Experiment, ListedExperiment } from '../../calls/services/experiment-services.ts';
import { text } from '../shared/parameters.ts';

/** Any JSON, said in a way that the types of clients take: a schema that says nothing becomes an object there. */
export const anyJson = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

type AnyJson = z.infer<typeof anyJson>;
type FreeMember = 'name' | 'policy' | 'cohort' | 'gates' | 'seed';

export const experimentPath = z.object({
  id: text('', { max: 100 }).meta({
    description: 'Id of the experiment.',
    examples: ['ex_0_AAAAAAAAAAAAAAAAAAAAAA'],
  }),
});

const verdict = z.enum(['pass', 'fail', 'inconclusive']);
const json = anyJson.meta({ description: 'As it was posted.' });
const definition = {
  id: z.string(),
  hash: z.string().meta({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the seven posted members.' }),
  posted_at: time,
  name: json,
  policy: json,
  cohort: json,
  from: z.string(),
  to: z.string(),
  gates: json,
  seed: json,
  state: z.enum(['open', 'ended', 'closed']).meta({ description: '`ended` ones are closed within minutes.' }),
  verdict: verdict.nullable().meta({ description: 'Null until it is closed.' }),
};

export const listedExperiment = z.object(definition).meta({ id: 'ListedExperiment' });

const counted = z
  .object({
    event_id: z.int(),
    sport: z.string(),
    league: z.string(),
    market: z.string(),
    bet_type: z.string(),
    line: z.number().nullable(),
    tier: z.string().nullable(),
    selected_at: time,
    probability: z.number(),
    fair_probability: z.number(),
    book: z.string(),
    price: z.number().meta({ description: 'The best price then, in American odds.' }),
    result: z.enum(['won', 'lost']),
    profit: z.number().meta({ description: 'Of a stake of 1 at that price.' }),
    close: z.number().nullable(),
    clv: z.number().nullable().meta({ description: '`close / fair_probability - 1`; null where `no_clv` says why.' }),
    no_clv: z.enum(['no_closing_price', 'line_moved']).nullable(),
  })
  .meta({ id: 'ExperimentSelection' });

const measured = z.number().nullable();
export const experiment = z
  .object({
    ...definition,
    ended_at: time.nullable(),
    closed_at: time.nullable(),
    until: time.nullable().meta({ description: 'Selections before this moment count: `to`, or when it was ended.' }),
    not_understood: z
      .array(z.string())
      .meta({ description: 'Members that the server keeps and does not understand: the verdict is inconclusive.' }),
    reasons: z.array(z.string()).meta({ description: 'Why it is inconclusive.' }),
    measures: z
      .object({
        n: z.int(),
        n_clv: z.int(),
        clv: measured,
        clv_se: measured,
        hit_rate: measured,
        hit_rate_se: measured,
        profit: measured,
        profit_se: measured,
        drawdown: z.number().meta({ description: 'The deepest fall of the summed profit, in stakes.' }),
      })
      .nullable()
      .meta({ description: 'Null until it is closed. `_se` are standard errors.' }),
    gates_measured: z.array(z.object({ gate: z.string(), limit: z.number(), measured, verdict })),
    selections: z.array(counted).meta({ description: 'Every one that counts, in order; empty until it is closed.' }),
    exclusions: z.array(
      z.object({ event_id: z.int(), bet_type: z.string(), selected_at: time, reason: z.enum(EXCLUSION_REASONS) }),
    ),
    left_out: z.int().meta({ description: 'Selections beyond the 1,500 that one keeps.' }),
    seal: z.object({ salt: z.string(), leaf: z.string() }).nullable().meta({
      description: 'Its leaf in the seal of its day, and the salt that proves it; null where the salt is gone.',
    }),
  })
  .meta({ id: 'Experiment' });
export type ExperimentAnswer = z.infer<typeof experiment>;

export function presentListed(one: ListedExperiment): z.infer<typeof listedExperiment> {
  const { id, hash, postedAt: posted_at, from, to, state, verdict } = one;
  // What was posted was such JSON.
  const { name, policy, cohort, gates, seed } = one as unknown as Readonly<Record<FreeMember, AnyJson>>;
  return {
    ...{ id, hash, posted_at, name, policy, cohort, from, to, gates, seed },
    ...{ state, verdict },
  };
}

export function presentExperiment(one: Experiment): ExperimentAnswer {
  const { endedAt, closed, seal } = one;
  return {
    ...presentListed(one),
    ended_at: endedAt,
    closed_at: closed?.at ?? null,
    until: closed?.until ?? null,
    not_understood: [...readExperimentTerms(one).notUnderstood],
    reasons: [...(closed?.reasons ?? [])],
    measures: closed?.measures ?? null,
    gates_measured: [...(closed?.gates ?? [])],
    selections: [...(closed?.selections ?? [])],
    exclusions: [...(closed?.exclusions ?? [])],
    left_out: closed?.left_out ?? 0,
    seal,
  };
}
