import { z } from 'zod';
import { odds as projection } from '../../../../projections/odds/odds.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { type Odds, odds } from '../../../read-models/rendering/event-schemas.ts';
import { renderOdds } from '../../../read-models/rendering/render-odds.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import { answerTable, jsonText } from '../../calls/operation/table.ts';
import { asOfParameters, bookmakerParameter, boolean, eventPath, readAsOf } from '../shared/parameters.ts';
import { readEventWith } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';

const path = eventPath();
const query = z.object({
  bookmaker: bookmakerParameter,
  include_depth: boolean('Also the order books of exchanges: bids, asks, last price, volume, fee.').default(false),
  ...asOfParameters,
});

/** Cost of an answer with the prices of one or more bookmakers. */
export const costOfAvailableBookmakers: Operation<
  unknown,
  { bookmaker: string },
  unknown,
  { available: boolean }
>['cost'] = {
  description: '1 credit for one bookmaker, 2 for several or all; free while nothing is available',
  creditsFor: ({ bookmaker }, { available }) => (available ? parseBookmakers(bookmaker).cost : 0),
  bounds: ({ bookmaker }) => ({ min: 0, max: parseBookmakers(bookmaker).cost }),
};

const { bookmaker, captured_at, markets } = odds.shape.bookmakers.element.shape;
const { key, label, outcomes } = markets.element.shape;
const { outcome, price, point, ...depth } = outcomes.element.shape;
const table = answerTable(
  z.object({
    event_id: odds.shape.event_id,
    bookmaker,
    bookmaker_captured_at: captured_at,
    market_key: key,
    market_label: label,
    outcome,
    price,
    point,
    ...depth,
    market_fee: jsonText.nullable().optional(),
  }),
  ({ event_id, bookmakers }: Odds) =>
    bookmakers.flatMap((book) =>
      book.markets.flatMap((market) =>
        market.outcomes.map((one) => ({
          event_id,
          bookmaker: book.bookmaker,
          bookmaker_captured_at: book.captured_at,
          market_key: market.key,
          market_label: market.label,
          ...one,
          market_fee: market.fee,
        })),
      ),
    ),
);

export const getOdds: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Odds> = {
  name: 'get_odds',
  method: 'GET',
  path: '/v1/events/{id}/odds',
  tag: 'Odds',
  brief: 'The odds on one event: prices of one bookmaker, several, or all.',
  summary: 'The prices of one bookmaker, several, or all on one event.',
  hint: 'One bookmaker, unless told, is `pinnacle`. How prices moved is in `get_odds_history`.',
  input: { path, query },
  output: odds,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costOfAvailableBookmakers,
  cache: () => 120,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [, prices] = await readEventWith(context, projection, input.id, asOf);
    const depthAt = input.include_depth ? (asOf?.at ?? context.now()) : undefined;
    return renderOdds(input.id, prices, parseBookmakers(input.bookmaker), context.bookmakers, false, depthAt);
  },
};
