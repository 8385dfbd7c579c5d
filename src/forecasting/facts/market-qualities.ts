import { LRUCache } from 'lru-cache';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { type CacheSize, memorySize } from '../../domain/primitives/size-in-memory.ts';
import { SECOND } from '../../domain/primitives/time.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createConcurrencySlots, createKeyedSequentialQueue } from '../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type FoldStoring, type SealedParts, sealedParts } from '../../read-models/as-of/sealed-parts.ts';
import { type ClosingViews, type EventMarketSums, MarketQualityFold } from './market-quality-fold.ts';

/** How good the markets of one event were before its start. */
export interface EventMarketQuality {
  readonly markets: EventMarketSums;
  /** What each book said of the moneyline at the start. */
  readonly views: ClosingViews;
  /** When a lineup was told before the start, the newest last: Unix seconds. */
  readonly lineups: readonly number[];
}

/**
 * How good the markets of events were. An event is folded from the log when it is first asked for, and its sums are
 * kept. Each question reads whether the log has more since, so an answer is never older than the log.
 */
export interface MarketQualities {
  /** Of an event that has started. Rejects with errors of the log. */
  of(event: Pick<EventDocument, 'id' | 'sport' | 'event'>): Promise<EventMarketQuality>;
  readonly size: CacheSize;
}

interface MarketQualitiesParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  /** Where the sums are stored; absent: they are kept in memory alone. */
  readonly storing?: FoldStoring | undefined;
  /** Approximate memory limit of the sums. */
  readonly maxBytes?: number;
}

interface Kept {
  readonly closesAt: number;
  /** Of the streams of prices and of lineups: how many records are in it. */
  readonly known: readonly [prices: number, lineups: number];
  /** How many records of prices it had when it was stored last; 0: it never was. */
  readonly stored: number;
  readonly quality: EventMarketQuality;
}

/** Sums made in another way have another version. */
const VERSION = '5';
const PLACE = 0;
/** Records in one read: few enough that a read delays nobody. */
const PAGE = 256;
/** Sums are stored again when so many records had to be looked at to see that they still hold. */
const STORE_AGAIN_AFTER = 512;
/** Reports of lineups that are kept. */
const MAX_LINEUPS = 8;
const MAX_BYTES = 16 * 1024 * 1024;
/** Events that are folded at once. */
const MAX_AT_ONCE = 2;

export function createMarketQualities({ log, storing, maxBytes = MAX_BYTES }: MarketQualitiesParts): MarketQualities {
  const cached = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation: memorySize });
  const queue = createKeyedSequentialQueue<string>();
  const atOnce = createConcurrencySlots(MAX_AT_ONCE);

  /** Calls `visit` for the records of a stream from a revision on. @returns how many the stream has */
  async function readFrom(stream: string, revision: number, visit: (record: DomainRecord) => void): Promise<number> {
    for (let next = revision; ; ) {
      const page = (await log.readStream(stream, { fromRevision: next, limit: PAGE })) as readonly DomainRecord[];
      for (const record of page) {
        visit(record);
        await yieldToEventLoop();
      }
      next += page.length;
      if (page.length < PAGE) return next;
    }
  }

  async function fold(sport: string, closesAt: number, [prices, lineup]: readonly [string, string]): Promise<Kept> {
    const sums = new MarketQualityFold({ sport, closesAt });
    const lineups: number[] = [];
    const known = [
      await readFrom(prices, 0, (record) => sums.apply(record)),
      await readFrom(lineup, 0, ({ type, data }) => {
        const at = timeOf(data.at);
        if (type === 'LineupChanged' && at < closesAt) lineups.push(Math.floor(at / SECOND));
      }),
    ] as const;
    const quality = {
      markets: sums.end(),
      views: sums.views(),
      lineups: lineups.sort((a, b) => a - b).slice(-MAX_LINEUPS),
    };
    return { closesAt, known, stored: 0, quality };
  }

  /** What is kept as far as the log goes now; undefined if it does not hold any more. */
  async function upToDate(kept: Kept, names: readonly [string, string]): Promise<Kept | undefined> {
    let holds = true;
    const look = ({ data }: DomainRecord) => {
      holds &&= timeOf(data.at) >= kept.closesAt;
    };
    const known = [
      await readFrom(names[0], kept.known[0], look),
      await readFrom(names[1], kept.known[1], look),
    ] as const;
    return holds ? { ...kept, known } : undefined;
  }

  async function current(event: Pick<EventDocument, 'id' | 'sport' | 'event'>): Promise<EventMarketQuality> {
    const closesAt = marketsCloseAt(event.event);
    const names = [streams.odds(event.id), streams.lineup(event.id)].map((stream) =>
      log.replacements.current(stream),
    ) as [string, string];
    const name = `market-quality ${names.join(' ')}`;
    return queue.inTurn(name, async () => {
      const parts = storing && sealedParts(storing, name, VERSION);
      const inMemory = cached.get(name);
      const kept = inMemory ?? (parts && (await readStored(parts)));
      const valid = kept?.closesAt === closesAt ? await upToDate(kept, names) : undefined;
      const now = valid ?? (await atOnce(() => fold(event.sport, closesAt, names)));
      const isNews = now.known[0] - now.stored > (now.stored === 0 ? 0 : STORE_AGAIN_AFTER);
      const next = isNews ? { ...now, stored: now.known[0] } : now;
      if (isNews) await parts?.write([partOf(next)], []);
      cached.set(name, next);
      return next.quality;
    });
  }

  return {
    of: current,
    get size() {
      return { bytes: cached.calculatedSize, limit: maxBytes };
    },
  };
}

const partOf = (kept: Kept) => ({ place: PLACE, note: '', content: Buffer.from(JSON.stringify(kept)) });

async function readStored(parts: SealedParts): Promise<Kept | undefined> {
  const content = (await parts.read([{ place: PLACE, note: '' }])).get(PLACE);
  return content && (JSON.parse(content.toString()) as Kept);
}
