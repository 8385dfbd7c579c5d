import type { Position } from '../../domain/event-sourcing/position.ts';
import { isReplayed, type LogRecord } from '../../domain/event-sourcing/record.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EventLog } from '../port/event-log.ts';

interface OpenStream {
  readonly stream: string;
  /** The revision after the last one read. */
  fromRevision: number;
  /** Read and not yet returned. */
  page: readonly LogRecord[];
  next: number;
  isAtEnd: boolean;
}

interface Head {
  readonly it: OpenStream;
  readonly record: LogRecord;
}

/** Records read at once from each stream. */
const PAGE = 256;
const NOTHING: readonly LogRecord[] = [];
/** Pages of one recorded time that are joined. */
const MAX_JOINED = 8;

/**
 * The records of some streams in the order of the log, in pages. A batch is written stream by stream, so that the log
 * does not say in which order its messages on two events came: those of one recorded time are taken in the order of
 * their own times, as two sources that report at once would have brought them. Records of one recorded time stay in one page, unless
 * they are more than eight pages.
 */
export class StreamsInOrder {
  readonly #log: Pick<EventLog, 'readStream'>;
  readonly #pageSize: number;
  readonly #open = new Map<string, OpenStream>();

  constructor(log: Pick<EventLog, 'readStream'>, pageSize: number = PAGE) {
    this.#log = log;
    this.#pageSize = pageSize;
  }

  /** Adds streams; those that it has already go on where they are. */
  add(streams: Iterable<string>): void {
    for (const stream of streams) {
      if (!this.#open.has(stream))
        this.#open.set(stream, { stream, fromRevision: 0, page: [], next: 0, isAtEnd: false });
    }
  }

  /** The records up to a position that were not returned yet. May be called again, with a later position. */
  async *pagesThrough(position: Position): AsyncGenerator<readonly LogRecord[]> {
    for (const it of this.#open.values()) it.isAtEnd = false;
    let page: LogRecord[] = [];
    for (;;) {
      const heads = new Map<string, Head>();
      for (const it of this.#open.values()) {
        const record = await this.#headOf(it, position);
        if (!record) continue;
        const { partition } = record.meta;
        const other = heads.get(partition);
        if (!other || wasRecordedBefore(record, other.record)) heads.set(partition, { it, record });
      }
      let first: Head | undefined;
      for (const head of heads.values()) if (!first || comesBefore(head.record, first.record)) first = head;
      const isFull = page.length >= this.#pageSize && page.at(-1)!.recordedAt !== first?.record.recordedAt;
      if (page.length > 0 && (!first || isFull || page.length >= MAX_JOINED * this.#pageSize)) {
        yield page;
        page = [];
      }
      if (!first) return;
      page.push(first.record);
      first.it.next++;
    }
  }

  async #headOf(it: OpenStream, through: Position): Promise<LogRecord | undefined> {
    if (it.next === it.page.length && !it.isAtEnd) {
      const { fromRevision } = it;
      it.page = await this.#log.readStream(it.stream, { fromRevision, limit: this.#pageSize });
      it.next = 0;
      it.isAtEnd = it.page.length < this.#pageSize;
      it.fromRevision = fromRevision + it.page.length;
      // Many streams may be read before the first page is whole.
      await yieldToEventLoop();
    }
    // Many streams may be open at their ends.
    if (it.isAtEnd && it.next === it.page.length) it.page = NOTHING;
    if (it.page === NOTHING) it.next = 0;
    const record = it.page[it.next];
    return record && record.position <= through ? record : undefined;
  }
}

/** What was replayed lies in the log stream by stream: the times of the first recording order it. */
export function wasRecordedBefore(one: LogRecord, other: LogRecord): boolean {
  if (one.recordedAt !== other.recordedAt && (isReplayed(one) || isReplayed(other)))
    return Date.parse(one.recordedAt) < Date.parse(other.recordedAt);
  return one.position < other.position;
}

/** Whether a record of another thing is taken first. */
export function comesBefore(one: LogRecord, other: LogRecord): boolean {
  if (one.recordedAt === other.recordedAt) {
    const [at, otherAt] = [timeOfReport(one), timeOfReport(other)];
    if (at !== otherAt) return at < otherAt;
  }
  return wasRecordedBefore(one, other);
}

const timeOfReport = ({ data }: LogRecord): number => timeOf((data as { readonly at: string }).at);
