import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { comparePriceUpdates } from '../../intelligence/prices/closing-lines.ts';
import type { PriceFold, PriceFoldKind } from '../../intelligence/prices/price-fold.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { createConcurrencySlots, createKeyedSequentialQueue } from '../../platform/async/concurrency.ts';
import { sortInTurns } from '../../platform/async/sort-in-turns.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { DocumentHistory } from '../../read-models/as-of/document-history.ts';
import { PriceRecords } from './price-records.ts';
import { priceRule } from './price-rule.ts';

/**
 * Folds of the price updates of events. A fold is kept by the position up to which it has read, and goes on from there,
 * or from what is stored of it: a long history is read once. The same question is worked on once at a time, and whoever asks it meanwhile waits.
 */
export interface PriceFolds {
  /**
   * Evaluates the fold of all updates of an event's main lines that are known now, or were known at a moment. Rejects
   * with errors of the log and of `evaluate`.
   * @param evaluate applies nothing to the fold, and does not keep it; meanwhile the fold stands still
   */
  read<Fold extends PriceFold, Value>(
    eventId: number,
    asOf: AsOf | undefined,
    kind: PriceFoldKind<Fold>,
    evaluate: (fold: Fold) => Awaitable<Value>,
  ): Promise<Value>;
  readonly size: CacheSize;
}

interface KeptFold {
  readonly fold: PriceFold;
  readonly records: PriceRecords;
  /** The revision of the first record that it has not read. */
  next: number;
}

/** Approximate bytes of a fold, and of what it holds of one bookmaker. */
const BYTES = 16_384;
const BYTES_OF_BOOK = 8192;
const MAX_BYTES = 32 * 1024 * 1024;
/** Folds of different questions that are made at once. */
const MAX_AT_ONCE = 2;

/** @param maxBytes approximate memory limit of the kept folds */
export function createPriceFolds(
  { recordsFrom, currentStream, observedFold }: Pick<DocumentHistory, 'recordsFrom' | 'currentStream' | 'observedFold'>,
  maxBytes: number = MAX_BYTES,
): PriceFolds {
  const kept = new LRUCache<string, KeptFold>({
    maxSize: maxBytes,
    sizeCalculation: ({ records }) => BYTES + BYTES_OF_BOOK * records.size,
  });
  const queue = createKeyedSequentialQueue<string>();
  const atOnce = createConcurrencySlots(MAX_AT_ONCE);

  /** The updates of the records from a revision on that count, as they stand in the stream; changes `records`. */
  async function readUpdates(stream: string, from: number, records: PriceRecords, asOf: AsOf | undefined) {
    const updates: PriceUpdate[] = [];
    let isComplete = true;
    let next = from;
    for (;;) {
      const page = await recordsFrom(stream, next, asOf);
      if (page.length === 0) return { updates, isComplete, next };
      next += page.length;
      for (const record of page) {
        if (!isRecordedBy(record, asOf)) continue;
        const update = records.read(record);
        if (update && isObservedBy(update, asOf)) updates.push(update);
        // A repetition of something that is no longer kept.
        isComplete &&= update !== undefined || record.type !== 'PricesReconfirmed';
      }
      await yieldToEventLoop();
    }
  }

  async function applyAll(fold: PriceFold, updates: readonly PriceUpdate[]): Promise<void> {
    for (const update of await sortInTurns(updates, comparePriceUpdates)) {
      fold.apply(update);
      await yieldToEventLoop();
    }
  }

  async function begin(stream: string, asOf: AsOf | undefined, kind: PriceFoldKind<PriceFold>): Promise<KeptFold> {
    const { state: fold, known } = await observedFold(priceRule(kind), [stream], asOf);
    const records = new PriceRecords();
    records.keepNewest();
    return { fold, records, next: known[0]! };
  }

  /** Applies what is new. False if something belongs before what was applied: then the fold is made anew. */
  async function goOn(known: KeptFold, stream: string, asOf: AsOf | undefined): Promise<boolean> {
    const { updates, isComplete, next } = await readUpdates(stream, known.next, known.records, asOf);
    if (!isComplete || updates.some(({ at }) => at <= known.fold.newestMoment)) return false;
    await applyAll(known.fold, updates);
    known.next = next;
    return true;
  }

  async function current(
    question: string,
    stream: string,
    asOf: AsOf | undefined,
    kind: PriceFoldKind<PriceFold>,
  ): Promise<PriceFold> {
    const known = kept.get(question);
    if (known && (await recordsFrom(stream, known.next, asOf)).length === 0) return known.fold;
    return atOnce(async () => {
      // Not kept while it works: a fold that failed halfway is not used again.
      kept.delete(question);
      const now = known && (await goOn(known, stream, asOf)) ? known : await begin(stream, asOf, kind);
      // Histories without records are not kept: there are many unknown ids.
      if (now.next > 0) kept.set(question, now);
      return now.fold;
    });
  }

  return {
    get size() {
      return { bytes: kept.calculatedSize, limit: maxBytes };
    },
    read<Fold extends PriceFold, Value>(
      eventId: number,
      asOf: AsOf | undefined,
      kind: PriceFoldKind<Fold>,
      evaluate: (fold: Fold) => Awaitable<Value>,
    ) {
      const stream = currentStream(streams.odds(eventId), asOf);
      const question = `${stream} ${asOf ? `${asOf.basis} ${asOf.at}` : 'now'} ${kind.name}`;
      return queue.inTurn(question, async () => evaluate((await current(question, stream, asOf, kind)) as Fold));
    },
  };
}

const isRecordedBy = ({ recordedAt }: DomainRecord, asOf: AsOf | undefined): boolean =>
  asOf?.basis !== 'recorded' || Date.parse(recordedAt) <= asOf.at;

const isObservedBy = ({ at }: PriceUpdate, asOf: AsOf | undefined): boolean =>
  asOf?.basis !== 'observed' || at <= asOf.at;
