import { type OddsDocument, odds } from '../../../projections/odds/odds.ts';
import type { FeedOutcome } from '../../domain/feed/feed-messages.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { alignOutcome } from '../../ingest/binding/side-swap.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ReadLoggedPrices } from './live-prices.ts';

/** `spreads/1H+` and the like, as documents name markets. */
const NAME = /^([^/+]+)(?:\/([^+]+))?(\+)?$/;

/** Reads a bookmaker's prices from the log, in a source's own terms: as of the newest message about that bookmaker,
 *  from any source. */
export const createLoggedPriceReader =
  (source: string, store: Pick<ReadStore, 'get'>, identities: Pick<Identities, 'findEvent'>): ReadLoggedPrices =>
  async (ref, bookmaker) => {
    const bound = await identities.findEvent(source, ref);
    const found = bound && (await store.get<OddsDocument>(odds.name, String(bound.id)));
    const book = found && ownValue(found.document.books, bookmaker);
    if (!book) return [];
    const { sport } = found.document;
    return Object.entries(book.markets).map(([name, outcomes]) => {
      const [, key = name, scope, alternate] = NAME.exec(name) ?? [];
      const known = outcomes.map(({ player_source: _, ...outcome }) =>
        alignOutcome(outcome as FeedOutcome, sport, bound.swapped),
      );
      const market = { key, ...(scope ? { scope } : {}), ...(alternate ? { alternate: true } : {}), outcomes: known };
      return { at: timeOf(book.capturedAt), market: market as Record<string, unknown> };
    });
  };
