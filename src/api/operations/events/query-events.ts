import { z } from 'zod';
import { EVENT_STATUSES, SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { equivalentRequest, type QueryReading, readQuery } from '../../../text/query/read-query.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { readToolArguments } from '../../calls/operation/tool-arguments.ts';
import { requireSport } from '../../calls/scopes.ts';
import { integer } from '../shared/parameters.ts';
import { eventsTable } from './event-tables.ts';
import { eventPage, listEvents } from './list-events.ts';

const MAX_CHARACTERS = 500;

const body = z.object({
  query: z
    .string({ error: 'must be a string' })
    .refine((value) => !isLongerThan(value, MAX_CHARACTERS), {
      error: `must have at most ${MAX_CHARACTERS} characters`,
      abort: true,
    })
    .refine((value) => /\S/.test(value), 'must not be empty or blank')
    .meta({
      description: 'What to look for: words for a sport, a status, days and a number, in any order.',
      minLength: 1,
      maxLength: MAX_CHARACTERS,
      pattern: '\\S',
      examples: ['live nba games', 'next 5 soccer games this week'],
    }),
  limit: integer('How many to answer at most, whatever the text says.', { min: 1, max: 100 }).optional(),
});
type Body = z.infer<typeof body>;

const date = (description: string) => z.string().meta({ format: 'date', description }).nullable();

const output = z.object({
  query: z.string().meta({ description: 'As sent.' }),
  interpreted: z
    .object({
      sport: z.enum(SPORT_SLUGS).nullable(),
      status: z.enum(EVENT_STATUSES).nullable(),
      date: date('One UTC date.'),
      from: date('First UTC date.'),
      to: date('Last UTC date.'),
      limit: z.int().nullable(),
    })
    .meta({ description: 'What was understood; null: nothing was said.' }),
  unrecognized_terms: z
    .array(z.string())
    .meta({ description: 'The words that were not understood, in lower case, each once.' }),
  equivalent_request: z.string().meta({
    description: 'The request with the same answer, to be followed for further pages.',
    examples: ['GET /v1/events?sport=nba&status=inprogress&limit=5'],
  }),
  ...eventPage.shape,
});

export const queryEvents: Operation<object, object, Body, z.infer<typeof output>> = {
  name: 'query_events',
  method: 'POST',
  path: '/v1/query',
  tag: 'Events',
  summary: 'Events that a short English text asks for, read by fixed rules; what is not understood is told.',
  hint: 'Who knows what to filter by takes `list_events`; teams, players and leagues are not understood.',
  effect: 'reads',
  input: { body },
  output,
  table: eventsTable,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  check(input, context) {
    const { sport } = read(input, context).interpreted;
    if (sport !== null) requireSport(context.principal, sport);
  },
  checkUnpaid: (input, context) => listEvents.checkUnpaid!(toListInput(read(input, context)), context),
  async run(input, context) {
    const reading = read(input, context);
    const page = await listEvents.run(toListInput(reading), context);
    return {
      query: input.query,
      interpreted: reading.interpreted,
      unrecognized_terms: [...reading.unrecognized],
      equivalent_request: equivalentRequest(reading.interpreted),
      ...page,
    };
  },
};

function read({ query, limit }: Body, { now }: OperationContext): QueryReading {
  const { interpreted, unrecognized } = readQuery(query, now());
  return { interpreted: { ...interpreted, limit: limit ?? interpreted.limit }, unrecognized };
}

/** The input of the equivalent request, with the defaults of `list_events`. */
const toListInput = ({ interpreted }: QueryReading) => readToolArguments(listEvents, interpreted).input;

/** In code points, as JSON Schema counts. */
function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max || text.length > 2 * max) return text.length > max;
  return [...text].length > max;
}
