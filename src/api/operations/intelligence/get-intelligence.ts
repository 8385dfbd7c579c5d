import { z } from 'zod';
import { type Intelligence, intelligence } from '../../../read-models/rendering/event-schemas.ts';
import { costWhenAvailable, type Operation } from '../../calls/operation/operation.ts';
import { asOfParameters, eventPath, readAsOf } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { readIntelligence } from './event-intelligence.ts';

const path = eventPath();
const query = z.object(asOfParameters);

export const getIntelligence: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Intelligence> = {
  name: 'get_intelligence',
  method: 'GET',
  path: '/v1/events/{id}/intelligence',
  tag: 'Intelligence',
  summary: 'What one event’s bets are worth: fair probabilities, price gaps, expected value, and facts of both sides.',
  hint: 'The same for whichever bookmaker is asked for. From the start of the event on it stands still.',
  input: { path, query },
  output: intelligence,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    return readIntelligence(context, await readEvent(context, input.id, asOf), asOf);
  },
};
