import { type EventDocument, events, startSortKey } from '../../../projections/sports-events/events.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { THREE_WAY } from '../../domain/odds/three-way.ts';
import { canonicalJson } from '../../domain/primitives/canonical-json.ts';
import { formatTime, HOUR, MINUTE } from '../../domain/primitives/time.ts';
import {
  type ClosingContent,
  type ClosingRecord,
  closingStream,
  createClosingRecorded,
} from '../../domain/proof/closing-events.ts';
import type { NewSalt } from '../../domain/proof/sealed-leaf.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import { ConflictError, type EventLog } from '../../event-log/port/event-log.ts';
import { ClosingLines } from '../../intelligence/prices/closing-lines.ts';
import { PriceSummary } from '../../intelligence/prices/price-summary.ts';
import { outcomesOf, QUOTED_MARKETS } from '../../intelligence/prices/quotes.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { readPrices } from '../facts/log-facts.ts';
import type { MarketQualities } from '../facts/market-qualities.ts';

export interface ClosingRecorderParts {
  readonly log: EventLog;
  readonly store: Pick<ReadStore, 'find'>;
  /** Makes what it keeps of an event, so that no caller waits for it later. */
  readonly marketQualities: Pick<MarketQualities, 'of'>;
  readonly weightOf: SharpWeight;
  readonly newSalt: NewSalt;
  /** The quality of an event's markets could not be made: it is made when it is asked for. */
  readonly onQualityFailed: (error: unknown, eventId: number) => void;
}

/** Records the closing prices of events that have started. */
export interface ClosingRecorder {
  /** @param now milliseconds */
  recordDue(now: number, signal: AbortSignal): Promise<void>;
}

/** A little later everything that was seen before the start has come, as a rule. */
const FIRST_AFTER = MINUTE;
/** What comes within a day still corrects the closing prices. */
const AGAIN_AFTER = 24 * HOUR;
/** Events that started longer ago are passed over: a server that was off so long has not seen their prices close. */
const LOOK_BACK = 48 * HOUR;
const PAGE = 100;

export function createClosingRecorder(parts: ClosingRecorderParts): ClosingRecorder {
  const { log, store, marketQualities, weightOf, newSalt, onQualityFailed } = parts;
  /** The events of the last two days that need nothing until they are a day old, or at all, with their starts. */
  const done = new Map<number, { readonly startsAt: number; readonly isFinal: boolean }>();

  async function recordOne({ id, sport, league, event }: EventDocument, now: number): Promise<void> {
    const closesAt = marketsCloseAt(event);
    const content = await readClosing(log, { eventId: id, sport, league, closesAt }, weightOf);
    if (!content) return;
    const stream = closingStream(id);
    const [last] = (await log.readStream(stream, {
      direction: 'backwards',
      limit: 1,
    })) as readonly ClosingRecord[];
    if (last && isSame(last, content)) return;
    const recorded = createClosingRecorded({ ...content, at: formatTime(now), salt: newSalt() });
    try {
      await log.append(stream, [recorded], last ? last.revision : 'none');
    } catch (error) {
      // Another process has recorded them just now, from the same log. Without this one event would hold up the others.
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  return {
    async recordDue(now, signal) {
      for (const [id, { startsAt }] of done) if (startsAt < now - LOOK_BACK) done.delete(id);
      const query = {
        range: { field: 'starts_at', from: now - LOOK_BACK, to: now - FIRST_AFTER },
        order: { field: 'starts_at', direction: 'asc' },
        limit: PAGE,
      } as const;
      for await (const page of findPages<EventDocument>(store, events.name, query, startSortKey)) {
        for (const { document } of page) {
          signal.throwIfAborted();
          const closesAt = marketsCloseAt(document.event);
          const isFinal = now - closesAt >= AGAIN_AFTER;
          const known = done.get(document.id);
          if (known && known.startsAt === closesAt && (known.isFinal || !isFinal)) continue;
          await recordOne(document, now);
          done.set(document.id, { startsAt: closesAt, isFinal });
          await marketQualities.of(document).catch((error: unknown) => onQualityFailed(error, document.id));
        }
      }
    },
  };
}

function isSame({ data }: ClosingRecord, content: ClosingContent): boolean {
  const { at: _, salt: __, ...known } = data;
  return canonicalJson(known) === canonicalJson(content);
}

/** The closing prices of an event as the log has them now; null if no price was on offer at the start. */
async function readClosing(
  log: EventLog,
  event: Omit<ClosingContent, 'consensus' | 'prices' | 'closesAt'> & { readonly closesAt: number },
  weightOf: SharpWeight,
): Promise<ClosingContent | null> {
  const { eventId, sport, league, closesAt } = event;
  const hasDraw = isSoccer(sport);
  const lines = new ClosingLines({ closesAt, sport, weightOf });
  const summary = new PriceSummary(closesAt);
  for (const update of await readPrices(log, eventId, closesAt)) {
    lines.apply(update);
    summary.apply(update);
  }
  const consensus = lines.lines(closesAt).flatMap(({ market, line, close }) => {
    if (!close || market === THREE_WAY) return [];
    const sides = outcomesOf(market, hasDraw).map((side, index) => [side, close[index]!] as const);
    return [{ market, line, probabilities: Object.fromEntries(sides) }];
  });
  const prices = [...summary.books].flatMap(([bookmaker, { stories }]) =>
    QUOTED_MARKETS.flatMap((market) =>
      [...stories[market]].flatMap(([outcome, { close }]) =>
        close ? [{ bookmaker, market, outcome, ...close, at: formatTime(close.at) }] : [],
      ),
    ),
  );
  if (prices.length === 0) return null;
  // In one order, whatever the order in which the prices came.
  prices.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { eventId, sport, league, closesAt: formatTime(closesAt), consensus, prices };
}

const keyOf = ({ bookmaker, market, outcome }: ClosingContent['prices'][number]): string =>
  `${bookmaker} ${market} ${outcome}`;
