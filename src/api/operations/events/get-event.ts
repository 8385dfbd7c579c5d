import { z } from 'zod';
import { odds } from '../../../../projections/odds/odds.ts';
import { type EventDetail, eventDetail } from '../../../read-models/rendering/event-schemas.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import { asOfParameters, bookmakerParameter, boolean, eventPath, readAsOf } from '../shared/parameters.ts';
import { readEvent, readEventWith } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { creditsOf, detailCacheSeconds, maxCreditsOf, renderEventWithAddOns } from './event-with-addons.ts';

const path = eventPath();
const query = z.object({
  include_odds: boolean('Adds the odds; one credit more when there are any.').default(false),
  include_intelligence: boolean('Adds the intelligence; one credit more when there is any.').default(false),
  include_alts: boolean('With `include_odds`: adds alternate spread and total rungs.').default(false),
  bookmaker: bookmakerParameter,
  ...asOfParameters,
});

export const getEvent: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, EventDetail> = {
  name: 'get_event',
  method: 'GET',
  path: '/v1/events/{id}',
  tag: 'Events',
  summary: 'One event, with its score; its odds and intelligence on request.',
  hint: 'For several events `batch_get_events` is one call; for the score alone take `get_live_score`.',
  input: { path, query },
  output: eventDetail,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: {
    description: '1 credit, and 1 for each of `include_odds` and `include_intelligence` whose data is available',
    creditsFor: (_, detail) => creditsOf(detail),
    bounds: (input) => ({ min: 1, max: maxCreditsOf(input) }),
  },
  cache: (_, detail, now) => detailCacheSeconds(detail, now),
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    if (!input.include_odds)
      return renderEventWithAddOns(await readEvent(context, input.id, asOf), undefined, input, asOf, context);
    const [event, prices] = await readEventWith(context, odds, input.id, asOf);
    return renderEventWithAddOns(event, prices, input, asOf, context);
  },
};
