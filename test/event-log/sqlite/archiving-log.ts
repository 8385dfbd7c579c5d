import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import {
  type LogArchiver,
  type LogArchiverOptions,
  openLogArchiver,
} from '../../../src/event-log/sqlite/log-archiver.ts';
import { createSequentialQueue } from '../../../src/platform/async/concurrency.ts';

let ids = 0;

/** An archiver that waits for no disk and passes errors on. */
export const openArchiver = (options: Pick<LogArchiverOptions, 'file' | 'archive'> & Partial<LogArchiverOptions>) =>
  openLogArchiver({
    newId: () => `archive-${++ids}`,
    flush: async () => {},
    failed: (_file, error) => error,
    pause: async () => {},
    ...options,
  });

/** Archives everything that the log holds now. @returns the number of records that were moved */
export async function archiveAll(archiver: LogArchiver): Promise<number> {
  let records = 0;
  for (let after: number | null = 0; after !== null; ) {
    const { streams, next } = archiver.streamsAfter(after, '');
    for (let isPart = true; isPart; ) {
      const moved = await archiver.move(streams.map(({ name }) => name));
      records += moved.records;
      ({ isPart } = moved);
    }
    after = next;
  }
  return records;
}

/** A log whose records are all archived before they can be read again. */
export async function archivingLog(
  log: EventLog,
  files: Pick<LogArchiverOptions, 'file' | 'archive'>,
): Promise<EventLog> {
  const archiver = await openArchiver(files);
  const oneAtATime = createSequentialQueue();
  let isClosed = false;
  const archived = async <T>(appended: Promise<T>): Promise<T> => {
    const result = await appended;
    await oneAtATime(async () => void (isClosed || (await archiveAll(archiver))));
    return result;
  };
  return {
    ...log,
    append: (...given) => archived(log.append(...given)),
    appendAll: (...given) => archived(log.appendAll(...given)),
    async close() {
      await oneAtATime(async () => {
        if (!isClosed) archiver.close();
        isClosed = true;
      });
      await log.close();
    },
  };
}
