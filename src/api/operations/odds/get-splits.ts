import { z } from 'zod';
import { splits as projection } from '../../../../projections/odds/splits.ts';
import { type EventSplits, newSplits, type SplitMarkets, type SplitSide } from '../../../domain/odds/betting-splits.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { costWhenAvailable, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { asOfParameters, eventPath, readAsOf } from '../shared/parameters.ts';
import { readEventWith } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';

const path = eventPath();
const query = z.object(asOfParameters);
const percents = { bets_pct: z.int(), handle_pct: z.int() };
const priced = z.object({ ...percents, price: z.int().nullable() }).meta({ id: 'MoneylineSplit' });
const lined = z.object({ ...percents, line: z.number().nullable() }).meta({ id: 'LineSplit' });
const markets = {
  moneyline: z.object({ home: priced, away: priced }).partial().optional(),
  spread: z.object({ home: lined, away: lined }).partial().optional(),
  total: z.object({ over: lined, under: lined }).partial().optional(),
};
const output = z
  .object({
    event_id: id,
    available: z.boolean(),
    captured_at: time.nullable(),
    consensus: z.object(markets),
    bookmakers: z.array(z.object({ bookmaker: z.string(), name: z.string(), ...markets })),
  })
  .meta({ id: 'Splits' });
type Splits = z.infer<typeof output>;

const table = answerTable(
  z.object({
    event_id: id,
    captured_at: time.nullable(),
    bookmaker: z.string().nullable(),
    bookmaker_name: z.string().nullable(),
    market: z.enum(['moneyline', 'spread', 'total']),
    side: z.enum(['home', 'away', 'over', 'under']),
    ...percents,
    price: priced.shape.price.optional(),
    line: lined.shape.line.optional(),
  }),
  sidesOf,
);

const MARKETS = ['moneyline', 'spread', 'total'] as const;
const SIDES = ['home', 'away', 'over', 'under'] as const;

/** One row a side; those of the consensus have no bookmaker. */
function sidesOf({ event_id, captured_at, consensus, bookmakers }: Splits) {
  const books = [{ bookmaker: null, name: null, ...consensus }, ...bookmakers];
  return books.flatMap(({ bookmaker, name, ...markets }) =>
    MARKETS.flatMap((market) => {
      const sides: Partial<Record<Side, z.infer<typeof priced> | z.infer<typeof lined>>> = markets[market] ?? {};
      const head = { event_id, captured_at, bookmaker, bookmaker_name: name, market };
      return SIDES.flatMap((side) => (sides[side] ? [{ ...head, side, ...sides[side] }] : []));
    }),
  );
}
type Side = (typeof SIDES)[number];

export const getSplits: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Splits> = {
  name: 'get_splits',
  method: 'GET',
  path: '/v1/events/{id}/splits',
  tag: 'Odds',
  summary: 'How the public bets on one event: shares of bets and of money.',
  hint: 'What the prices themselves are is in `get_odds`.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => 120,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [, splits] = await readEventWith(context, projection, input.id, asOf);
    return render(input.id, splits ?? newSplits(), context.bookmakers);
  },
};

function render(
  eventId: number,
  { capturedAt, consensus, books }: EventSplits,
  { nameOf, compare }: Bookmakers,
): Splits {
  const bookmakers = Object.keys(books)
    .sort(compare)
    .map((bookmaker) => ({ bookmaker, markets: renderMarkets(books[bookmaker]!) }))
    .filter(({ markets }) => Object.keys(markets).length > 0)
    .map(({ bookmaker, markets }) => ({ bookmaker, name: nameOf(bookmaker), ...markets }));
  const rendered = renderMarkets(consensus);
  const available = bookmakers.length > 0 || Object.keys(rendered).length > 0;
  return { event_id: eventId, available, captured_at: available ? capturedAt : null, consensus: rendered, bookmakers };
}

const withPrice = ({ bets_pct, handle_pct, price }: SplitSide) => ({
  bets_pct,
  handle_pct,
  price: price ?? null,
});
const withLine = ({ bets_pct, handle_pct, line }: SplitSide) => ({ bets_pct, handle_pct, line: line ?? null });

/** Only markets with data. */
function renderMarkets({ moneyline, spread, total }: SplitMarkets): Splits['consensus'] {
  return {
    ...(moneyline?.home || moneyline?.away ? { moneyline: renderSides(moneyline, ['home', 'away'], withPrice) } : {}),
    ...(spread?.home || spread?.away ? { spread: renderSides(spread, ['home', 'away'], withLine) } : {}),
    ...(total?.over || total?.under ? { total: renderSides(total, ['over', 'under'], withLine) } : {}),
  };
}

function renderSides<Side extends string, Rendered>(
  market: Partial<Record<Side, SplitSide>>,
  sides: readonly Side[],
  render: (side: SplitSide) => Rendered,
): Partial<Record<Side, Rendered>> {
  const rendered: Partial<Record<Side, Rendered>> = {};
  for (const side of sides) {
    const split = market[side];
    if (split) rendered[side] = render(split);
  }
  return rendered;
}
