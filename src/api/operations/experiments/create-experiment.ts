import { z } from 'zod';
import { canonicalJson } from '../../../domain/primitives/canonical-json.ts';
import { DAY, parseTime } from '../../../domain/primitives/time.ts';
import { readExperimentTerms } from '../../../intelligence/experiments/experiment-terms.ts';
import type { ApiError } from '../../calls/api-errors.ts';
import { badRequest } from '../../calls/api-errors.ts';
import {
  flatCost,
  type Operation,
  type OperationContext,
  replayStoredAnswer,
} from '../../calls/operation/operation.ts';
import { validationError } from '../../calls/operation/operation-input.ts';
import { containsApiKey } from '../../calls/redact-keys.ts';
import { grantedSports, isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import type { NewExperiment } from '../../calls/services/experiment-services.ts';
import { described } from '../shared/parameters.ts';
import { anyJson } from './experiment-schemas.ts';

const time = (description: string) =>
  described(description, { format: 'date-time', pattern: 'Z$', examples: ['2027-01-31T18:00:00Z'] });
const free = (description: string, examples: readonly unknown[]) =>
  anyJson.default(null).meta({ description, examples: [...examples] });

const body = z.object({
  name: free('What it is called: any JSON.', ['Strong edges on totals']),
  policy: free('Which bets are made: any JSON. Understood: `selections`, `stake`, `min_edge`.', [{ min_edge: 0.04 }]),
  cohort: free('Any JSON. Understood: `sport`, `league`, `market`, `tier`, each a value or a list.', [
    { league: 'nba', market: 'totals' },
  ]),
  from: time('When it begins: not in the past. UTC, ISO 8601.'),
  to: time('When it ends and is closed: after `from`, and at most 400 days later.'),
  gates: free(
    'What decides: any JSON. Understood: `min_n` (default 30), `clv_above`, `profit_above`, `hit_rate_above`, `drawdown_below`, `standard_errors`.',
    [{ min_n: 100, clv_above: 0 }],
  ),
  seed: free('Any JSON. The server draws nothing at random; it keeps the seed.', [7]),
});
type Body = z.infer<typeof body>;

const output = z.object({
  id: z.string(),
  hash: z.string().meta({ description: 'SHA-256 of the canonical JSON (RFC 8785) of the seven members.' }),
});

const MAX_BYTES = 8192;
const MAX_DAYS = 400;
const MAX_DEPTH = 16;

export const createExperiment: Operation<unknown, unknown, Body, z.infer<typeof output>> = {
  name: 'create_experiment',
  method: 'POST',
  path: '/v1/experiments',
  tag: 'Experiments',
  summary:
    'Says beforehand what will be judged, and by which gates: published selections of a cohort between two times.',
  hint: 'It can never be changed or deleted; what is not understood is kept, and makes the verdict `inconclusive`.',
  input: { body },
  output,
  status: 201,
  errors: ['bad_request', 'forbidden', 'sport_scope_denied'],
  cost: flatCost(0),
  idempotency: replayStoredAnswer,
  checkUnpaid: (given, context) => void readExperiment(given, context),
  run: async (given, context) =>
    context.experiments.post(context.principal, readExperiment(given, context), context.runId),
};

/** @throws ApiError */
function readExperiment(given: Body, { principal, now }: Pick<OperationContext, 'principal' | 'now'>): NewExperiment {
  const { name, policy, cohort, from, to, gates, seed } = given;
  const [first, last] = [readTime('from', from), readTime('to', to)];
  if (first >= last) throw badRequest('from must lie before to');
  if (last - first > MAX_DAYS * DAY) throw badRequest(`from and to may lie at most ${MAX_DAYS} days apart`);
  if (first < now()) throw refused('from', 'must not lie in the past: an experiment is posted before its first event');
  if (first > now() + MAX_DAYS * DAY) throw refused('from', `must lie within ${MAX_DAYS} days from now`);
  const definition = { name, policy, cohort, from, to, gates, seed };
  for (const [member, value] of Object.entries(definition)) {
    if (isDeeper(value, MAX_DEPTH)) throw refused(member, `must not be nested more than ${MAX_DEPTH} deep`);
  }
  const json = canonicalJson(definition);
  if (Buffer.byteLength(json) > MAX_BYTES) {
    throw validationError([
      { loc: ['body'], msg: `must have at most ${MAX_BYTES} bytes as canonical JSON`, type: 'too_big' },
    ]);
  }
  // It is sealed for good, and an answer shows it to every key of the account.
  if (containsApiKey(json)) {
    throw validationError([{ loc: ['body'], msg: 'must not hold an API key', type: 'invalid_value' }]);
  }
  const { sport } = readExperimentTerms(definition).cohort;
  for (const one of sport ?? []) requireSport(principal, one);
  return { definition, sports: sport ?? (isLimitedToSports(principal) ? grantedSports(principal) : null) };
}

function readTime(name: string, value: string): number {
  const moment = parseTime(value);
  if (moment === null) throw badRequest(`${name} must be a UTC ISO 8601 time with a trailing Z`);
  return moment;
}

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((member) => isDeeper(member, most - 1)));

const refused = (name: string, msg: string): ApiError =>
  validationError([{ loc: ['body', name], msg, type: 'invalid_value' }]);
