import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { replaceFolderFile } from '../../platform/data-folder/folder-file.ts';
import { databaseFile, settingsFile } from '../../platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { openTarget } from '../backup/open-target.ts';
import { settingsText } from '../backup/settings-to-store.ts';
import { errorLine } from '../control/error-line.ts';
import type { FollowOrder, FollowThreadInput, FollowThreadOutput } from './follow-thread.ts';
import { createFollower } from './follower.ts';
import { FollowError, openPointWriter } from './point-writer.ts';

/** Between two looks that found nothing. With the time of a backup, a standby is less than 15 seconds behind. */
const EVERY_MS = 2000;
const AGAIN_MS = 5000;

const { folder, address, key, staging } = workerData as FollowThreadInput;
const report = (message: FollowThreadOutput): void => parentPort!.postMessage(message);
const database = openSqliteDatabase({ file: databaseFile(folder), mustExist: true, cacheMib: 16 });
const follower = createFollower({
  target: openTarget(address, staging),
  key: key === undefined ? undefined : Buffer.from(key, 'base64'),
  writer: openPointWriter(database, (settings) => replaceFolderFile(settingsFile(folder), settingsText(settings))),
});
let isStopping = false;
/** Everything is to be brought in, and then nothing more. */
let asked = 0;
let isHolding = false;
let wake = new AbortController();

parentPort!.on('message', (order: FollowOrder) => {
  if (order === 'stop') isStopping = true;
  else if (order === 'go on') isHolding = false;
  else asked = order.catchUp;
  wake.abort();
});

async function wait(milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal: wake.signal }).catch(() => {});
  if (wake.signal.aborted) wake = new AbortController();
}

async function run(): Promise<void> {
  while (!isStopping) {
    if (isHolding && asked === 0) {
      await wait(EVERY_MS);
      continue;
    }
    const catchUp = asked;
    try {
      const hasMore = await follower.step(catchUp > 0);
      report({ place: follower.place(), at: Date.now() });
      if (hasMore) continue;
      if (catchUp > 0) {
        asked = 0;
        isHolding = true;
        report({ caughtUp: catchUp, place: follower.place() });
      } else await wait(EVERY_MS);
    } catch (error) {
      report({ failed: errorLine(error), isOver: error instanceof FollowError, asked: catchUp });
      if (catchUp > 0 && asked === catchUp) asked = 0;
      await wait(AGAIN_MS);
    }
  }
  database.close();
  parentPort!.close();
}

void run();
