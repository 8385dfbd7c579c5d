import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import {
  type LogArchiver,
  type LogArchiverOptions,
  openLogArchiver,
} from '../../../src/event-log/sqlite/log-archiver.ts';
import { createSequentialQueue } from '../../../src/platform/async/concurrency.ts';

let ids = 0;

/** Waits for no disk, and fails as what fails. */
export const openArchiver = (options: Pick<LogArchiverOptions, 'file' | 'archive'> & Partial<LogArchiverOptions>) =>
  openLogArchiver({
    newId: () => `archive-${++ids}`,
    flush: async () => {},
    failed: (_file, error) => error,
    pause: async () => {},
    ...options,
  });

/** All that the log holds now, whatever its streams are called. @returns how many records were moved */
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

/** A log of which everything lies in the archive before anybody can read it again. */
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
