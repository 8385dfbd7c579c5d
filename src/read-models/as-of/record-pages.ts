import { LRUCache } from 'lru-cache';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createKeyedSequentialQueue } from '../../platform/async/concurrency.ts';

/** Records of a page, and of one read: few enough that reading them holds nobody up. */
export const RECORDS_PER_PAGE = 256;
/** Of a record without its data. */
const BYTES_PER_RECORD = 400;

/** Records of streams, those that were asked for lately from memory. The log only grows: what was read stays right. */
export interface RecordPages {
  /** About how much memory the records take. */
  readonly bytes: number;
  /**
   * Some records from this revision on, at least one where the stream has any there. What is at the stream's end is
   * asked of the log, so that no answer is older than the log. Rejects with errors of the log.
   */
  recordsFrom(stream: string, revision: number): Promise<readonly DomainRecord[]>;
  /** Undefined where the stream has no such record. No promise where its page is in memory: most folds read such ones,
   *  and waiting for each record would take longer than folding it. */
  recordAt(stream: string, revision: number): DomainRecord | undefined | Promise<DomainRecord | undefined>;
}

interface Page {
  /** At the index that is their revision less that of the first. Grows at the stream's end. */
  readonly records: DomainRecord[];
  bytes: number;
}

/** @param maxBytes about how much memory the records may take */
export function createRecordPages(log: Pick<EventLog, 'readStream'>, maxBytes: number): RecordPages {
  const pages = new LRUCache<string, Page>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  const reading = createKeyedSequentialQueue<string>();

  async function read(name: string, stream: string, first: number, wanted: number): Promise<readonly DomainRecord[]> {
    const page = pages.get(name) ?? { records: [], bytes: 0 };
    // Another one who waited for the same page may have brought them.
    if (page.records.length > wanted) return page.records;
    const fromRevision = first + page.records.length;
    const found = await log.readStream(stream, { fromRevision, limit: RECORDS_PER_PAGE - page.records.length });
    for (const record of found as readonly DomainRecord[]) {
      page.records.push(record);
      page.bytes += BYTES_PER_RECORD + memorySize(record.data);
    }
    // Anew, for it has grown, and only what is new is measured. Of unknown ids there are many: an empty page is not kept.
    if (found.length > 0) {
      pages.delete(name);
      pages.set(name, page);
    }
    return page.records;
  }

  /** The page that holds this revision, as far as the stream goes. */
  function pageOf(stream: string, revision: number): readonly DomainRecord[] | Promise<readonly DomainRecord[]> {
    const first = revision - (revision % RECORDS_PER_PAGE);
    const name = `${stream} ${first}`;
    const known = pages.get(name);
    if (known && known.records.length > revision - first) return known.records;
    // One after another: the reads of two at once would bring the same records.
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
