import { z } from 'zod';
import { VENUES_KEY, venues } from '../../../../projections/odds/venues.ts';
import { BOOKMAKER_TYPES } from '../../../domain/catalogue/catalogue.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { readDocument } from '../shared/read-documents.ts';

const bookmaker = z
  .object({
    slug: z.string(),
    name: z.string(),
    type: z.enum(BOOKMAKER_TYPES),
    reference_weight: z.number().meta({ description: 'Of its prices in the fair price; 0: it is compared with it.' }),
  })
  .meta({ id: 'Bookmaker' });
const output = z.object({ bookmakers: z.array(bookmaker), total: z.int() });

export const listBookmakers: Operation<object, object, object, z.infer<typeof output>> = {
  name: 'list_bookmakers',
  method: 'GET',
  path: '/v1/bookmakers',
  tag: 'Catalogue',
  summary: 'Bookmakers, exchanges and prediction markets, with their types and weights',
  hint: 'Gives the slugs that other operations filter by.',
  input: {},
  output,
  cost: flatCost(0),
  cache: () => 300,
  async run(_, context) {
    const sent = await readDocument(context, venues, VENUES_KEY, undefined);
    const bookmakers = context.bookmakers.list(sent?.venues ?? []).map((one) => ({ ...one }));
    return { bookmakers, total: bookmakers.length };
  },
};
