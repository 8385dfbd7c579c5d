import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { upcast } from '../../domain/upcasters.ts';
import { openSqliteLog } from '../../event-log/sqlite/sqlite-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { countTrackRecord } from '../../forecasting/track-record/count-track-record.ts';
import { archiveFile } from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase, watchDiskErrors } from '../../platform/sqlite/sqlite-database.ts';
import { readBookmakers } from '../composition/open-reference-weights.ts';
import { errorLine } from '../control/error-line.ts';
import type { RecordThreadInput, RecordThreadOutput } from './record-thread.ts';

const stopping = new AbortController();
parentPort!.once('message', () => stopping.abort(new Error('the count was ended')));

// Lower the priority, since calls come first. Linux applies this to the thread, other systems to the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

/** Counts the track record once, from a log to which another thread may append meanwhile. */
async function count({ file, until, ...settings }: RecordThreadInput): Promise<RecordThreadOutput> {
  let broken: RecordThreadOutput | undefined;
  const watch = (of: string) =>
    watchDiskErrors(({ message, code }) => {
      broken = { broken: of, message, code };
    });
  const opened: { close(): unknown }[] = [];
  try {
    const database = openSqliteDatabase({ file, readonly: true, watch: watch(file) });
    opened.push(database);
    const log = openSqliteLog({ database, archive: archiveFile(dirname(file)), readonly: true, upcast, watch });
    opened.push(log);
    await readReplacements(log);
    const { bookmakers } = await readBookmakers(log, { bookmakers: {}, ...settings });
    const weightOf = bookmakers.sharpWeight;
    return { counted: await countTrackRecord(log, { until, weightOf, signal: stopping.signal }) };
  } catch (error) {
    return broken ?? { failure: errorLine(error) };
  } finally {
    for (const one of opened.reverse()) await one.close();
  }
}

parentPort!.postMessage(await count(workerData as RecordThreadInput));
// Otherwise the open port would keep the thread alive.
parentPort!.close();
