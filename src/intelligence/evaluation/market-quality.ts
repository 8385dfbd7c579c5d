import { ascending } from 'd3-array';
import {
  type BookSums,
  type MarketSums,
  moveTimes,
  type SourceSums,
} from '../../domain/odds/market-quality/quality-sums.ts';
import { roundTo } from '../prices/rounding.ts';

/** News of one event, by kind: Unix seconds. */
export interface EventNews {
  readonly injury: readonly number[];
  readonly lineup: readonly number[];
}

/** How soon a book moved after news. */
interface Reaction {
  readonly seconds: number | null;
  readonly n: number;
}

interface SourceDifference {
  readonly source: string;
  readonly against: string;
  readonly n: number;
  readonly mean_difference: number;
}

/** How good a bookmaker's market is; null where too little is known. */
export interface BookQuality {
  readonly bookmaker: string;
  readonly n: number;
  readonly best_share: number | null;
  readonly hold: number | null;
  readonly age_seconds: number | null;
  readonly stale_share: number | null;
  readonly outlier_share: number | null;
  readonly lead: { readonly seconds: number | null; readonly n: number; readonly interval: number[] | null };
  readonly edge_half_life_seconds: number | null;
  readonly reaction: { readonly injury: Reaction; readonly lineup: Reaction };
  readonly sources: SourceDifference[];
}

/** Fewer changes, moves, edges or comparisons than this have no measure. */
const LEAST = 10;
/** A book that moves later than this after news did not react to it: seconds. */
export const REACTION_WINDOW = 30 * 60;
/** Two-sided 95 %. */
const NORMAL = 1.96;

type SummedBook = Omit<BookSums, 'movedAt'>;

interface BookTotals {
  n: number;
  readonly sums: SummedBook;
  /** The sums of squares and products of `moves` and `lead` over events, for the interval. */
  readonly spread: { events: number; moves: number; lead: number; both: number };
  readonly reaction: Record<keyof EventNews, { seconds: number; n: number }>;
}

const SUMMED = [
  ...(['offered', 'age', 'stale', 'fresh', 'hold', 'compared', 'best', 'changes', 'outliers'] as const),
  ...(['moves', 'lead', 'edge', 'edgesEnded'] as const),
];

/** Adds up the sums of events, and makes the measures of them. It holds a few numbers for each book, whatever was added. */
export class MarketQualityTotals {
  readonly #books = new Map<string, BookTotals>();
  readonly #sources = new Map<string, SourceSums>();

  /** Adds one event. */
  add({ books, sources }: MarketSums, news: EventNews): void {
    for (const [book, sums] of Object.entries(books)) this.#addBook(book, sums, news);
    for (const { book, source, against, n, difference } of sources) {
      const name = JSON.stringify([book, source, against]);
      const total = this.#sources.get(name) ?? { book, source, against, n: 0, difference: 0 };
      total.n += n;
      total.difference += difference;
      this.#sources.set(name, total);
    }
  }

  #addBook(book: string, added: BookSums, news: EventNews): void {
    const total = this.#books.get(book) ?? newTotals();
    this.#books.set(book, total);
    total.n++;
    for (const name of SUMMED) total.sums[name] += added[name];
    if (added.moves > 0) {
      total.spread.events++;
      total.spread.moves += added.moves ** 2;
      total.spread.lead += added.lead ** 2;
      total.spread.both += added.moves * added.lead;
    }
    for (const kind of ['injury', 'lineup'] as const) {
      for (const at of news[kind]) {
        const moved = moveTimes(added).find((one) => one >= at && one - at <= REACTION_WINDOW);
        if (moved === undefined) continue;
        total.reaction[kind].seconds += moved - at;
        total.reaction[kind].n++;
      }
    }
  }

  /** By bookmaker. */
  measures(): BookQuality[] {
    return [...this.#books]
      .sort(([a], [b]) => ascending(a, b))
      .map(([bookmaker, totals]) => ({ bookmaker, ...measuresOf(totals), sources: this.#sourcesOf(bookmaker) }));
  }

  /** `source` is the one with the lower prices: the largest difference comes first. */
  #sourcesOf(bookmaker: string): SourceDifference[] {
    return [...this.#sources.values()]
      .filter(({ book, n }) => book === bookmaker && n >= LEAST)
      .map(({ source, against, n, difference }) => {
        const mean = difference / n;
        const turned = mean > 0;
        return {
          ...(turned ? { source: against, against: source } : { source, against }),
          n,
          // The same mean, as the other source sees it.
          mean_difference: roundTo(turned ? 1 / (1 + mean) - 1 : mean, 6),
        };
      })
      .sort((a, b) => a.mean_difference - b.mean_difference || ascending(a.source, b.source));
  }
}

const newTotals = (): BookTotals => ({
  n: 0,
  sums: Object.fromEntries(SUMMED.map((name) => [name, 0])) as unknown as BookTotals['sums'],
  spread: { events: 0, moves: 0, lead: 0, both: 0 },
  reaction: { injury: { seconds: 0, n: 0 }, lineup: { seconds: 0, n: 0 } },
});

function measuresOf({ n, sums, spread, reaction }: BookTotals): Omit<BookQuality, 'bookmaker' | 'sources'> {
  return {
    n,
    best_share: ratio(sums.best, sums.compared, 4),
    hold: ratio(sums.hold, sums.fresh, 5),
    age_seconds: ratio(sums.age, sums.offered, 0),
    stale_share: ratio(sums.stale, sums.offered, 4),
    outlier_share: sums.changes < LEAST ? null : ratio(sums.outliers, sums.changes, 5),
    lead: leadOf(sums, spread),
    edge_half_life_seconds: sums.edgesEnded < LEAST ? null : ratio(Math.LN2 * sums.edge, sums.edgesEnded, 0),
    reaction: { injury: meanOf(reaction.injury), lineup: meanOf(reaction.lineup) },
  };
}

const ratio = (sum: number, of: number, decimals: number): number | null =>
  of > 0 ? roundTo(sum / of, decimals) : null;

const meanOf = ({ seconds, n }: { readonly seconds: number; readonly n: number }): Reaction => ({
  seconds: ratio(seconds, n, 0),
  n,
});

/**
 * The mean of a ratio estimator whose clusters are the events, since the moves of one event depend on each other. Its
 * variance is that of the linearised residuals (William G. Cochran, Sampling Techniques, 1977, sections 2.11 and 9A).
 */
function leadOf({ moves, lead }: SummedBook, spread: BookTotals['spread']): BookQuality['lead'] {
  if (moves < LEAST || spread.events < 2) return { seconds: null, n: moves, interval: null };
  const mean = lead / moves;
  const residuals = Math.max(0, spread.lead - 2 * mean * spread.both + mean ** 2 * spread.moves);
  const error = Math.sqrt((residuals * spread.events) / (spread.events - 1)) / moves;
  const interval = [mean - NORMAL * error, mean + NORMAL * error].map((end) => roundTo(end, 1));
  return { seconds: roundTo(mean, 1), n: moves, interval };
}
