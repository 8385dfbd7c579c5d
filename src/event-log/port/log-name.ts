import { createHash } from 'node:crypto';
import type { EventLog } from './event-log.ts';

/** Gives the name of a log: the same in every process that has it open, and another one for another log. Undefined as
 *  long as the log is empty. */
export type ReadLogName = () => Promise<string | undefined>;

const LENGTH = 8;

/** Named by where and when its first record was recorded, which nothing changes: so the name needs no place of its own. */
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
