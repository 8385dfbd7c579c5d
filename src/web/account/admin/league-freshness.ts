import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { FeedAges } from '../../../api/calls/feed-age.ts';
import { SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { renderEventDetail } from '../../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';

/** How new what is known of a league is. Times are ISO 8601; null: nothing is known. */
export interface LeagueFreshness {
  readonly league: string;
  /** Of the feed; null if none is meant to come. */
  readonly feed: { readonly seconds: number; readonly isDown: boolean } | null;
  /** When the newest fact about the game that started last was recorded. */
  readonly newestFact: string | null;
  /** The start of the next game, from which on facts are expected. */
  readonly expectedNext: string | null;
}

interface FreshnessParts {
  readonly store: Pick<DocumentReader, 'find'>;
  readonly feedAges: FeedAges;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The leagues of the catalogue of which a game is known, in its order. */
export async function readLeagueFreshness({ store, feedAges, now }: FreshnessParts): Promise<LeagueFreshness[]> {
  const at = now();
  const nearest = async (league: string, bound: 'from' | 'to'): Promise<EventDocument | undefined> => {
    const direction = bound === 'from' ? 'asc' : 'desc';
    const [found] = await store.find<EventDocument>(events.name, {
      where: { league },
      range: { field: 'starts_at', [bound]: at },
      order: { field: 'starts_at', direction },
      limit: 1,
    });
    return found?.document;
  };
  const found: LeagueFreshness[] = [];
  for (const { slug } of SPORTS.flatMap(({ leagues }) => leagues)) {
    const [last, next] = await Promise.all([nearest(slug, 'to'), nearest(slug, 'from')]);
    if (!last && !next) continue;
    found.push({
      league: slug,
      feed: feedAges.ofLeague(slug),
      newestFact: last ? renderEventDetail(last, at).updated_at : null,
      expectedNext: next?.event.schedule?.starts_at ?? null,
    });
  }
  return found;
}
