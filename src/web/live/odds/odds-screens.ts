import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { OddsRow, ScreenMarket } from '../answers/odds-screen-answers.ts';
import { readPricedEvents } from '../board/board-cache.ts';
import type { BoardChange } from '../board/board-changes.ts';
import { type BoardHub, createBoardHub } from '../board/board-hub.ts';
import { createEventCache, type EventCache, newestPosition } from '../board/event-cache.ts';
import { renderOddsRow } from './odds-row.ts';

interface OddsScreensParts {
  readonly store: Pick<DocumentReader, 'find' | 'getMany'>;
  readonly bookmakers: Bookmakers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

/** One market on the odds screens of all days. */
interface MarketScreen {
  readonly cache: EventCache<Omit<OddsRow, 'position'>>;
  readonly hub: BoardHub;
}

/** The rows of the odds screen and who follows them, by market. */
export interface OddsScreens {
  of(market: ScreenMarket): MarketScreen;
  applyChanges(changes: readonly BoardChange[]): void;
  readonly size: CacheSize;
  close(): void;
}

/** Characters of cached JSON of one market. A row with 17 bookmakers has 4000. */
const MAX_CACHED_CHARACTERS = 4_000_000;

export function createOddsScreens(parts: OddsScreensParts): OddsScreens {
  const { store, bookmakers, now, steadyNow, setTimer, onError } = parts;
  const screens = new Map<ScreenMarket, MarketScreen>();

  function create(market: ScreenMarket): MarketScreen {
    const cache = createEventCache<Omit<OddsRow, 'position'>>({
      maxCharacters: MAX_CACHED_CHARACTERS,
      now,
      render: async (ids) =>
        (await readPricedEvents(store, bookmakers, ids)).map(({ event, prices, movements }) => ({
          ...renderOddsRow({ event: event.document, odds: prices?.document, movements: movements?.document }, market, {
            bookmakers,
            now: now(),
          }),
          position: newestPosition(event.position, prices?.position, movements?.position),
        })),
    });
    return { cache, hub: createBoardHub({ name: 'odds', store, cache, now: steadyNow, setTimer, onError }) };
  }

  return {
    of(market) {
      const screen = screens.get(market) ?? create(market);
      screens.set(market, screen);
      return screen;
    },
    applyChanges(changes) {
      for (const { cache, hub } of screens.values()) {
        cache.invalidate(changes.map(({ eventId }) => eventId));
        hub.applyChanges(changes);
      }
    },
    get size() {
      const sizes = [...screens.values()].map(({ cache }) => cache.size);
      return {
        bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
        limit: sizes.length * 2 * MAX_CACHED_CHARACTERS,
      };
    },
    close() {
      for (const { hub } of screens.values()) hub.close();
    },
  };
}
