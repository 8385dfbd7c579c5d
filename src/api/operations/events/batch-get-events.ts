import { z } from 'zod';
import { type OddsDocument, odds } from '../../../../projections/odds/odds.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { type EventDetail, eventDetail } from '../../../read-models/rendering/event-schemas.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { asOfParameters, bookmakerParameter, boolean, entityId, readAsOf } from '../shared/parameters.ts';
import { readDocuments } from '../shared/read-documents.ts';
import { checkEventSports } from '../shared/unpaid-checks.ts';
import { eventDetailsTable } from './event-tables.ts';
import { creditsOf, maxCreditsOf, renderEventWithAddOns } from './event-with-addons.ts';

const MAX_EVENTS = 25;

const body = z.object({
  event_ids: z
    .array(entityId('Id of an event.'), { error: 'must be an array of integers' })
    .min(1, 'must hold at least 1 id')
    .max(MAX_EVENTS, `must hold at most ${MAX_EVENTS} ids`)
    .meta({ description: 'Ids of the events, in the order wanted.' }),
  include_odds: boolean('Adds the odds.').default(false),
  include_intelligence: boolean('Adds the intelligence.').default(false),
  bookmaker: bookmakerParameter,
  ...asOfParameters,
});
const output = z.object({
  events: z.array(eventDetail),
  not_found: z.array(z.int()).meta({ description: 'Ids of no event.' }),
  total: z.int(),
});

export const batchGetEvents: Operation<unknown, unknown, z.infer<typeof body>, z.infer<typeof output>> = {
  name: 'batch_get_events',
  method: 'POST',
  path: '/v1/events/batch',
  tag: 'Events',
  summary: 'Up to 25 events at once, each billed once; unknown ids are free.',
  hint: 'Takes the place of many `get_event`; `not_found` names the unknown ids.',
  effect: 'reads',
  input: { body },
  output,
  table: eventDetailsTable,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: {
    description: 'The sum of its events; an id given twice is billed once, unknown ids are free',
    creditsFor: (_, { events: found }) => found.reduce((sum, detail) => sum + creditsOf(detail), 0),
    bounds: (input) => ({ min: 0, max: new Set(input.event_ids).size * maxCreditsOf(input) }),
  },
  checkUnpaid(input, context) {
    readAsOf(input, context.now);
    return checkEventSports(input.event_ids, context);
  },
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const ids = [...new Set(input.event_ids)];
    const projections = input.include_odds ? [events, odds] : [events];
    const [documents, prices] = await readDocuments(context, projections, ids.map(String), asOf);
    const known = ids.flatMap((id, index) => {
      const event = documents![index] as EventDocument | undefined;
      return event?.event.schedule ? [{ id, event, prices: prices?.[index] as OddsDocument | undefined }] : [];
    });
    for (const { event } of known) requireSport(context.principal, event.sport);
    const found: EventDetail[] = [];
    for (const { event, prices: own } of known) {
      found.push(await renderEventWithAddOns(event, own, input, asOf, context));
      await yieldToEventLoop();
    }
    const knownIds = new Set(known.map(({ id }) => id));
    return { events: found, not_found: ids.filter((id) => !knownIds.has(id)), total: found.length };
  },
};
