import { LRUCache } from 'lru-cache';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createKeyedSequentialQueue } from '../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';

/** Records of a page, and of one read: few enough that a read delays nobody. */
export const RECORDS_PER_PAGE = 256;
/** Memory of a record without its data. */
const BYTES_PER_RECORD = 400;

/** Records of streams, recently used ones from memory. The log only grows: a record that was read stays valid. */
export interface RecordPages {
  /** Approximate memory of the records in bytes. */
  readonly bytes: number;
  /**
   * Some records from this revision on, at least one if the stream has any. The end of the stream is always read from
   * the log, so that no answer is older than the log. Rejects with errors of the log.
   */
  recordsFrom(stream: string, revision: number): Promise<readonly DomainRecord[]>;
  /**
   * Undefined if the stream has no such record. Not a promise if the page is in memory: most folds read such records,
   * and waiting for each one would take longer than folding it.
   */
  recordAt(stream: string, revision: number): DomainRecord | undefined | Promise<DomainRecord | undefined>;
}

interface Page {
  /** Records by revision minus the first revision of the page. Grows at the end of the stream. */
  readonly records: DomainRecord[];
  bytes: number;
}

/** @param maxBytes approximate memory limit of the records */
export function createRecordPages(log: Pick<EventLog, 'readStream'>, maxBytes: number): RecordPages {
  const pages = new LRUCache<string, Page>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const reading = createKeyedSequentialQueue<string>();

  async function read(name: string, stream: string, first: number, wanted: number): Promise<readonly DomainRecord[]> {
    // Many readers may begin at the same moment, and each reading holds the event loop.
    await yieldToEventLoop();
    const page = pages.get(name) ?? { records: [], bytes: 0 };
    // Another caller that waited for the same page may have read them.
    if (page.records.length > wanted) return page.records;
    const fromRevision = first + page.records.length;
    const found = await log.readStream(stream, { fromRevision, limit: RECORDS_PER_PAGE - page.records.length });
    for (const record of found as readonly DomainRecord[]) {
      page.records.push(record);
      page.bytes += BYTES_PER_RECORD + memorySize(record.data);
    }
    // Set it again, since it has grown and the cache measures only on `set`. Empty pages are not kept: there are many
    // unknown ids.
    if (found.length > 0) {
      pages.delete(name);
      pages.set(name, page);
    }
    return page.records;
  }

  /** The page of this revision, as far as the stream goes. */
  function pageOf(stream: string, revision: number): readonly DomainRecord[] | Promise<readonly DomainRecord[]> {
    const first = revision - (revision % RECORDS_PER_PAGE);
    const name = `${stream} ${first}`;
    const cached = pages.get(name);
    if (cached && cached.records.length > revision - first) return cached.records;
    // One after another: two concurrent reads would fetch the same records.
    return reading.inTurn(name, () => read(name, stream, first, revision - first));
  }

  return {
    get bytes() {
      return pages.calculatedSize;
    },
    async recordsFrom(stream, revision) {
      return (await pageOf(stream, revision)).slice(revision % RECORDS_PER_PAGE);
    },
    recordAt(stream, revision) {
      const page = pageOf(stream, revision);
      return page instanceof Promise
        ? page.then((records) => records[revision % RECORDS_PER_PAGE])
        : page[revision % RECORDS_PER_PAGE];
    },
  };
}
