import { fdatasync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { projections } from '../../../projections/index.ts';
import { upcast } from '../../domain/upcasters.ts';
import { openSqliteLog } from '../../event-log/sqlite/sqlite-log.ts';
import { createLogFeed } from '../../event-log/subscription/log-feed.ts';
import { realTimer } from '../../platform/async/timer.ts';
import { archiveFile } from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { createProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import { openSqliteStore } from '../../read-models/store/sqlite/sqlite-store.ts';
import { createDiskGuard } from '../composition/disk-guard.ts';
import { silentLog } from '../composition/environment.ts';
import { errorLine } from '../control/error-line.ts';
import type { ProjectionThreadInput, ProjectionThreadOutput } from './projection-thread.ts';

/** Commits are not announced across threads, so this thread polls. */
const LOOK_EVERY_MS = 50;
/** Smaller caches than a server's, since documents from files mostly change once; and short transactions, since the other
 *  thread waits for them. */
const SIZES = { batchSize: 1000, cacheDocuments: 2000 };

/** Projects what another thread appends, until that thread says that it is done. */
async function project({ file }: ProjectionThreadInput): Promise<void> {
  const port = parentPort!;
  const say = (message: ProjectionThreadOutput) => port.postMessage(message);
  let giveUp = (_error: unknown): void => {};
  // A command must end; a server would keep trying.
  const lacksRoom = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  lacksRoom.catch(() => {});
  const disk = createDiskGuard(file, {
    flush: promisify(fdatasync),
    end: (broken, error) =>
      say({ broken, message: (error as Error).message, code: (error as { readonly code?: string }).code }),
    pace: { setTimer: realTimer },
    logger: { ...silentLog, error: ({ err }) => giveUp(err) },
  });
  const { watch } = disk;
  const database = openSqliteDatabase({ file, readonly: true, watch: watch() });
  const log = openSqliteLog({ database, archive: archiveFile(dirname(file)), readonly: true, upcast, watch });
  const store = openSqliteStore({ file, mustExist: true, watch: disk.watch() });
  const setTimer: typeof realTimer = (callback, milliseconds) =>
    realTimer(callback, Math.min(milliseconds, LOOK_EVERY_MS));
  const runner = createProjectionRunner({
    log,
    feed: createLogFeed(log),
    store,
    projections,
    now: Date.now,
    setTimer,
    ...SIZES,
  });
  try {
    const stopRequested = new Promise<void>((resolve) => port.once('message', () => resolve()));
    await runner.start();
    await stopRequested;
    const head = await log.head();
    if (head !== null) await Promise.race([runner.waitFor(head), lacksRoom]);
    say({ done: true });
  } catch (error) {
    say({ failure: errorLine(error) });
  } finally {
    disk.close();
    await runner.stop();
    await store.close();
    await log.close();
    database.close();
    port.close();
  }
}

await project(workerData as ProjectionThreadInput);
