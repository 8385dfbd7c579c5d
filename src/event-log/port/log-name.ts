import { createHash } from 'node:crypto';
import type { EventLog } from './event-log.ts';

/**
 * Returns the name of the log. The name is the same in every process, and differs between logs. Undefined while the log
 * is empty.
 */
export type ReadLogName = () => Promise<string | undefined>;

const LENGTH = 8;

/** The name is a hash of the log's first record. That record never changes, so the name need not be stored. */
export function createLogNameReader(log: Pick<EventLog, 'readAll'>): ReadLogName {
  let name: string | undefined;
  return async () => {
    if (name === undefined) {
      const [first] = await log.readAll(null, 1);
      if (!first) return undefined;
      const { position, stream, type, recordedAt, meta } = first;
      const text = JSON.stringify([String(position), stream, type, recordedAt, meta.partition, meta.id]);
      name = createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
    }
    return name;
  };
}
