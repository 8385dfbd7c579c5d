import { setImmediate } from 'node:timers/promises';
import type { DomainRecord } from '../domain/domain-events.ts';
import type { EventLog } from '../log/event-log.ts';
import { createOneAtATime } from '../time/one-at-a-time.ts';
import type { OrderedFold } from './ordered-fold.ts';

/** Records that are read in one go: between them other requests are served. */
const PAGE = 500;
/** Of a record without its data. */
const BYTES_OF_RECORD = 400;

/** One stream's records as far as they were read, and the folds that were made of them. */
export class KeptStream {
  /** At the index that is their revision. */
  readonly records: DomainRecord[] = [];
  /** By projection and basis. A fold of several streams is kept with the last of them. */
  readonly folds = new Map<string, OrderedFold<unknown>>();
  readonly #name: string;
  readonly #log: Pick<EventLog, 'readStream'>;
  #recordBytes = 0;
  readonly #oneAtATime = createOneAtATime();

  constructor(name: string, log: Pick<EventLog, 'readStream'>) {
    this.#name = name;
    this.#log = log;
  }

  /** About how much memory it holds. */
  get bytes(): number {
    let bytes = this.#recordBytes;
    for (const fold of this.folds.values()) bytes += fold.bytes;
    return bytes;
  }

  /** Resolves when all that the log holds of the stream now is at hand. Rejects with errors of the log. */
  extend(): Promise<void> {
    // One after another: the reads of two at once would bring the same records.
    return this.#oneAtATime(() => this.#read());
  }

  async #read(): Promise<void> {
    for (;;) {
      const fromRevision = this.records.length;
      const page = await this.#log.readStream(this.#name, { fromRevision, limit: PAGE });
      for (const record of page as readonly DomainRecord[]) {
        this.records.push(record);
        this.#recordBytes += BYTES_OF_RECORD + bytesOf(record.data);
      }
      if (page.length < PAGE) return;
      await setImmediate();
    }
  }
}

/** About how much memory a value of JSON takes. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 32;
  if (Array.isArray(value)) for (const one of value) bytes += 8 + bytesOf(one);
  else for (const name in value) bytes += 8 + bytesOf((value as Record<string, unknown>)[name]);
  return bytes;
}
