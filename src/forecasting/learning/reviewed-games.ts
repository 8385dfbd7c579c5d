import { type MainQuotesDocument, mainQuotes } from '../../../projections/odds/main-quotes.ts';
import { type EventDocument, events, startSortKey } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { settledResultOf } from '../../intelligence/facts/settled-result.ts';
import { winningOutcome } from '../../intelligence/forecasts/market-forecast.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { MarketQualities } from '../facts/market-qualities.ts';
import type { ReviewedGame } from './weights-by-month.ts';

export interface ReviewedGamesParts {
  readonly store: Pick<ReadStore, 'find' | 'getMany'>;
  readonly marketQualities: Pick<MarketQualities, 'of'>;
}

interface Choice {
  readonly sport: string;
  /** Of the start: milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Awaited between small pieces of work. Rejects to end them. */
  readonly pause: () => Promise<void>;
}

const PAGE = 50;
/** Fewer books say nothing of each other. */
const LEAST_BOOKS = 2;

/** The finished games of a sport of which two books or more said something at the start, in the order of their starts. */
export async function* reviewedGames(
  parts: ReviewedGamesParts,
  { sport, from, until, pause }: Choice,
): AsyncGenerator<ReviewedGame> {
  const { store } = parts;
  const query = {
    where: { sport, status: 'final' },
    range: { field: 'starts_at', from, to: until - 1 },
    order: { field: 'starts_at', direction: 'asc' },
    limit: PAGE,
  } as const;
  for await (const page of findPages<EventDocument>(store, events.name, query, startSortKey)) {
    await pause();
    // Years of results may have no prices. Their logs need not be read.
    const quotes = await store.getMany<MainQuotesDocument>(
      mainQuotes.name,
      page.map(({ document }) => String(document.id)),
    );
    for (const [index, { document }] of page.entries()) {
      await pause();
      if (Object.keys(quotes[index]?.document.books ?? {}).length < LEAST_BOOKS) continue;
      const game = await reviewed(parts, document);
      if (game) yield game;
    }
  }
}

async function reviewed(
  { marketQualities }: ReviewedGamesParts,
  document: EventDocument,
): Promise<ReviewedGame | undefined> {
  const result = settledResultOf(document);
  const outcome = result && winningOutcome(document.sport, 'h2h', null, result);
  if (outcome === null) return undefined;
  const { views } = await marketQualities.of(document);
  if (Object.keys(views).length < LEAST_BOOKS) return undefined;
  return { startsAt: timeOf(document.event.schedule!.starts_at), outcome, views };
}
