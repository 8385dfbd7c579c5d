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
    learnt_weights: z
      .array(
        z.object({
          sport: z.string(),
          weight: z.number(),
          date: z.string().meta({ description: 'The day from which it is in force.' }),
        }),
      )
      .meta({
        description: 'What counts in the place of reference_weight, by sport; empty unless weights are learnt.',
      }),
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
    const bookmakers = context.bookmakers.list(sent?.venues ?? [], context.now()).map((one) => ({
      ...one,
      learnt_weights: [...one.learnt_weights],
    }));
    return { bookmakers, total: bookmakers.length };
  },
};
