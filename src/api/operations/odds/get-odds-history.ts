import { z } from 'zod';
import { type MovementsDocument, movementsKey, oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { isMainMarketName, WATCHED_MARKETS } from '../../../domain/odds/bookmaker-prices.ts';
import { unpackMovements } from '../../../domain/odds/packed-movements.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { type BookmakerChoice, parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { id, suspect, time } from '../../../read-models/rendering/event-schemas.ts';
import { MARKET_LABELS, renderMovement } from '../../../read-models/rendering/render-odds.ts';
import { notFound } from '../../calls/api-errors.ts';
import type { Operation, OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { asOfParameters, bookmakerParameter, eventPath, limit, oneOf, readAsOf } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { findSuspectMoves } from './suspect-moves.ts';

const path = eventPath();
const query = z.object({
  bookmaker: bookmakerParameter,
  market: oneOf('Market; the main lines by default.', WATCHED_MARKETS).optional(),
  limit: limit({ max: 200, fallback: 50 }),
  ...asOfParameters,
});
const movement = z
  .object({
    bookmaker: z.string(),
    market: z.enum(MARKET_LABELS),
    market_key: z.enum(WATCHED_MARKETS),
    outcome: z.string(),
    price_from: z.int(),
    price_to: z.int(),
    point_from: z.number().nullable(),
    point_to: z.number().nullable(),
    moved_at: time,
    suspect,
  })
  .meta({ id: 'OddsMovement' });
const output = z.object({
  event_id: id,
  movements: z.array(movement),
  total: z.int().meta({ description: 'Movements in this answer.' }),
});

/** Without movements the answer is 404, so an answer is never free. */
export const costOfMovements: Operation<unknown, { bookmaker: string }>['cost'] = {
  description: '1 credit for one bookmaker, 2 for several or all',
  creditsFor: ({ bookmaker }) => parseBookmakers(bookmaker).cost,
  bounds: ({ bookmaker }) => {
    const { cost } = parseBookmakers(bookmaker);
    return { min: cost, max: cost };
  },
};

const table = answerTable(
  z.object({ event_id: id, ...movement.shape }),
  ({ event_id, movements }: z.infer<typeof output>) => movements.map((one) => ({ event_id, ...one })),
);

export const getOddsHistory: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, z.infer<typeof output>> = {
  name: 'get_odds_history',
  method: 'GET',
  path: '/v1/events/{id}/odds/history',
  tag: 'Odds',
  brief: 'How the odds on one event moved: the history of its line, newest first.',
  summary: 'The line movements of one event, newest first.',
  hint: 'For the prices that hold now take `get_odds`.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costOfMovements,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const event = await readEvent(context, input.id, asOf);
    // Without both sides known there are no odds, so no movement can be named.
    const books = hasPlaceholder(event)
      ? []
      : await readBooks(context, input.id, parseBookmakers(input.bookmaker), asOf);
    const moved = books
      .flatMap((book) =>
        unpackMovements(book)
          .filter(({ market }) => (input.market ? market === input.market : isMainMarketName(market)))
          .reverse()
          .map((movement) => ({ bookmaker: book.bookmaker, movement, at: timeOf(movement.at) })),
      )
      .sort((a, b) => b.at - a.at)
      .slice(0, input.limit);
    const wasSuspect = await findSuspectMoves(
      context,
      event,
      asOf,
      moved.map(({ movement }) => movement),
    );
    const movements = moved.map(({ bookmaker, movement, at }) =>
      renderMovement(event, bookmaker, movement, wasSuspect(bookmaker, movement, at)),
    );
    if (movements.length === 0) throw notFound(`No odds movement of event ${input.id} has been recorded.`);
    return { event_id: input.id, movements, total: movements.length };
  },
};

const MAX_BOOKS = 1000;

/** Movements of the chosen bookmakers, sorted by bookmaker. */
async function readBooks(
  context: OperationContext,
  eventId: number,
  choice: BookmakerChoice,
  asOf: AsOf | undefined,
): Promise<MovementsDocument[]> {
  const { name } = oddsMovements;
  let found: (MovementsDocument | undefined)[];
  if (asOf) {
    found = [...(await context.histories.documentsAsOf(oddsMovements, movementsKey(eventId, ''), asOf)).values()];
  } else if (choice.slugs) {
    const keys = choice.slugs.map((slug) => movementsKey(eventId, slug));
    found = (await context.store.getMany<MovementsDocument>(name, keys)).map((stored) => stored?.document);
  } else {
    const stored = await context.store.find<MovementsDocument>(name, {
      where: { event_id: eventId },
      limit: MAX_BOOKS,
    });
    found = stored.map(({ document }) => document);
  }
  return found
    .filter((document) => document !== undefined && choice.includes(document.bookmaker))
    .sort((a, b) => context.bookmakers.compare(a!.bookmaker, b!.bookmaker)) as MovementsDocument[];
}
