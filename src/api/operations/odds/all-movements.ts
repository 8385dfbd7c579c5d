import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import {
  addReconfirmation,
  addToHistory,
  type ObservationHistory,
} from '../../../domain/observations/observation-history.ts';
import type { PricesContent } from '../../../domain/odds/bookmaker-prices.ts';
import { type LastPrices, updateLastPrices } from '../../../domain/odds/line-movements.ts';
import { MovementColumns } from '../../../domain/odds/movement-columns.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import { type DomainRecord, streams } from '../../../domain/streams/domain-events.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { renderMovement } from '../../../read-models/rendering/render-odds.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { findSuspectMoves } from './suspect-moves.ts';

type Reader = Pick<OperationContext, 'histories' | 'prices' | 'bookmakers'>;
type RenderedMovement = ReturnType<typeof renderMovement>;

/** Movements in one part. */
const PER_PART = 1000;

/**
 * All movements of an event, in the order of `get_odds_history`, in parts. That operation reads documents, which keep
 * the newest movements of each bookmaker; this reads the log.
 */
export async function* readAllMovements(
  context: Reader,
  event: EventDocument,
  asOf: AsOf,
): AsyncGenerator<readonly RenderedMovement[]> {
  if (hasPlaceholder(event)) return;
  const { books, movements } = await foldMovements(context, event.id, asOf);
  const placeOf = placesOf(books, context.bookmakers.compare);
  const rows = movements.newestFirst((book) => placeOf[book]!);
  const wasSuspect = await findSuspectMoves(context, event, asOf, movements.all());
  for (let start = 0; start < rows.length; start += PER_PART) {
    yield rows.slice(start, start + PER_PART).map((row) => {
      const { book, movement } = movements.at(row);
      const bookmaker = books[book]!;
      return renderMovement(event, bookmaker, movement, wasSuspect(bookmaker, movement, timeOf(movement.at)));
    });
  }
}

function placesOf(books: readonly string[], compare: (a: string, b: string) => number): readonly number[] {
  const places: number[] = [];
  const inOrder = books.map((_, book) => book).sort((a, b) => compare(books[a]!, books[b]!));
  inOrder.forEach((book, place) => {
    places[book] = place;
  });
  return places;
}

/** Nearly all reports of a bookmaker come in the order in which they count. Where one was late, its book is read again. */
async function foldMovements(context: Reader, eventId: number, asOf: AsOf) {
  const books: string[] = [];
  const numbers = new Map<string, number>();
  const lasts: LastPrices[] = [];
  const late = new Set<number>();
  const movements = new MovementColumns();
  for await (const { type, data } of recordsOf(context, eventId, asOf)) {
    if (type !== 'PricesChanged') continue;
    const { bookmaker } = data.content;
    let book = numbers.get(bookmaker);
    if (book === undefined) {
      book = books.push(bookmaker) - 1;
      numbers.set(bookmaker, book);
      lasts.push({});
    }
    if (data.late) late.add(book);
    if (!late.has(book)) addMovements(movements, book, lasts[book]!, timeOf(data.at), data.content);
  }
  if (late.size > 0) {
    movements.remove(late);
    const histories = await readHistories(context, eventId, asOf, new Set([...late].map((book) => books[book]!)));
    for (const [bookmaker, history] of histories) {
      const last: LastPrices = {};
      for (const { at, content } of history) addMovements(movements, numbers.get(bookmaker)!, last, at, content);
    }
  }
  return { books, movements };
}

function addMovements(
  movements: MovementColumns,
  book: number,
  last: LastPrices,
  time: number,
  content: PricesContent,
): void {
  updateLastPrices(last, content, (market, outcome, [from, pointFrom], [to, pointTo]) =>
    movements.add(book, time, { market, outcome, from, to, pointFrom, pointTo }),
  );
}

/** All reports of some bookmakers, in the order in which they count. */
async function readHistories(context: Reader, eventId: number, asOf: AsOf, bookmakers: ReadonlySet<string>) {
  const histories = new Map<string, ObservationHistory<PricesContent>>();
  const historyOf = (bookmaker: string) => {
    const known = histories.get(bookmaker) ?? [];
    histories.set(bookmaker, known);
    return known;
  };
  for await (const { type, data, revision } of recordsOf(context, eventId, asOf)) {
    if (type === 'PricesChanged' && bookmakers.has(data.content.bookmaker)) {
      addToHistory(historyOf(data.content.bookmaker), data, revision);
    } else if (type === 'PricesReconfirmed' && bookmakers.has(data.bookmaker)) {
      addReconfirmation(historyOf(data.bookmaker), data);
    }
  }
  return histories;
}

/** The records of the odds of an event that were known at a moment. */
async function* recordsOf({ histories }: Reader, eventId: number, asOf: AsOf): AsyncGenerator<DomainRecord> {
  const stream = histories.currentStream(streams.odds(eventId), asOf);
  for (let next = 0; ; ) {
    const page = await histories.recordsFrom(stream, next, asOf);
    if (page.length === 0) return;
    next += page.length;
    for (const record of page) {
      const at = asOf.basis === 'recorded' ? Date.parse(record.recordedAt) : timeOf(record.data.at);
      if (at <= asOf.at) yield record;
    }
    await yieldToEventLoop();
  }
}
