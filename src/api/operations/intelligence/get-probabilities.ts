import { z } from 'zod';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { type EventProbabilities, eventProbabilities } from '../../../read-models/rendering/probabilities-schema.ts';
import { renderProbabilities } from '../../../read-models/rendering/render-probabilities.ts';
import { costWhenAvailable, type Operation } from '../../calls/operation/operation.ts';
import { asOfParameters, eventPath, readAsOf } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { type IntelligenceReader, readQuotedBets } from './event-intelligence.ts';

const path = eventPath();
const query = z.object(asOfParameters);

export const getProbabilities: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, EventProbabilities> = {
  name: 'get_probabilities',
  method: 'GET',
  path: '/v1/events/{id}/probabilities',
  tag: 'Intelligence',
  summary:
    'How likely each outcome of one event is now, while it is played, beside the forecast from before its start.',
  hint: 'From the server’s own forecast, the score and the time left; no price of the game counts.',
  input: { path, query },
  output: eventProbabilities,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    return readProbabilities(context, await readEvent(context, input.id, asOf), asOf, input.as_of ?? null);
  },
};

/** @param told the `as_of` of the query */
async function readProbabilities(
  context: IntelligenceReader,
  event: EventDocument,
  asOf: AsOf | undefined,
  told: string | null,
): Promise<EventProbabilities> {
  const { quoted } = await readQuotedBets(context, event, asOf, asOf?.at ?? context.now());
  // The first bet of a spread is home's.
  const lineOf = (market: RegExp) => quoted?.bets.find(({ token }) => market.test(token.bet_type))?.market.line ?? null;
  const lines = { spread: lineOf(/^SPREAD_/), total: lineOf(/^OVER$/) };
  return renderProbabilities(event, quoted?.modelForecast ?? null, lines, told);
}
