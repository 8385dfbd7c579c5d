import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createConcurrencySlots } from '../../../src/platform/async/concurrency.ts';
import { type Random, randomOf } from '../../api/fuzz/random.ts';
import {
  type ErrorName,
  type Fault,
  type FileKind,
  faultWith,
  faultyDisk,
  type Operation,
} from '../crash/disk-faults.ts';
import { type Played, playCrashes } from '../crash/play-crashes.ts';
import { prepareFolder } from '../crash/prepared-folder.ts';
import { startReceiver } from '../crash/webhook-receiver.ts';

type Place = readonly [operation: Operation, files: FileKind, from: Fault['from']];

/** What a server does with each kind of file while it starts, and while it works. Whatever is not here it does not do. */
const AT_THE_START = {
  wal: ['write', 'sync', 'name', 'open', 'truncate'],
  database: ['read', 'write', 'sync', 'open', 'truncate'],
  index: ['write', 'name', 'open', 'truncate'],
  journal: ['write', 'sync', 'name', 'open'],
  archive: ['read', 'name', 'open'],
  clock: ['read', 'write', 'sync', 'name', 'open'],
  secret: ['read', 'open'],
  lock: ['read', 'write', 'open'],
  folder: ['sync'],
} as const satisfies Partial<Record<FileKind, readonly Operation[]>>;
const AT_WORK = {
  wal: ['write', 'sync', 'open', 'truncate'],
  database: ['read', 'write', 'sync', 'open', 'truncate'],
  journal: ['write', 'sync', 'name'],
  archive: ['read', 'open'],
  clock: ['write', 'sync', 'name', 'open'],
} as const satisfies Partial<Record<FileKind, readonly Operation[]>>;

const ERRORS: Readonly<Record<Operation, readonly ErrorName[]>> = {
  read: ['EIO'],
  write: ['EIO', 'ENOSPC', 'EDQUOT'],
  sync: ['EIO', 'ENOSPC', 'EDQUOT'],
  name: ['EIO', 'ENOSPC', 'EDQUOT'],
  open: ['EIO', 'EMFILE'],
  truncate: ['EIO', 'ENOSPC'],
};

const placesOf = (from: Fault['from'], kinds: Partial<Record<FileKind, readonly Operation[]>>): Place[] =>
  Object.entries(kinds).flatMap(([files, operations]) =>
    operations.map((operation): Place => [operation, files as FileKind, from]),
  );

/** A disk that is full from the first, second, ... operation on which needs room in such a file. */
const fullFrom = (files: FileKind, error: ErrorName, at: number): Fault =>
  faultWith({ name: 'full', files, operations: ['write', 'name', 'truncate'], at, error, from: 'work' });

const FAULTS: readonly Fault[] = [
  ...[...placesOf('start', AT_THE_START), ...placesOf('work', AT_WORK)].flatMap(([operation, files, from]) =>
    ERRORS[operation].map((error) =>
      // An error of reading stays: what is read once more is not there either.
      faultWith({
        name: 'fail',
        files,
        operations: [operation],
        at: 1,
        error,
        from,
        times: operation === 'read' ? 0 : 1,
      }),
    ),
  ),
  ...(['wal', 'database', 'other'] as const).flatMap((files) =>
    (['ENOSPC', 'EDQUOT'] as const).map((error) => fullFrom(files, error, 1)),
  ),
];

/** CALLS_SEED plays the choice of another day, CALLS_MOST so many of it; CASES=1 plays all, and CALLS_ONLY all with this text in their titles. */
const SEED = Number(process.env['CALLS_SEED'] ?? Math.floor(Date.now() / 86_400_000));
const ONLY = process.env['CALLS_ONLY'];
const MOST = Number(process.env['CALLS_MOST'] ?? 24);

function chosen({ below }: Random): readonly Fault[] {
  const left = FAULTS.filter((fault) => titleOf(fault).includes(ONLY ?? ''));
  const isAll = ONLY !== undefined || Number(process.env['CASES'] ?? 0) >= 1;
  const count = isAll ? left.length : MOST;
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]!);
}

const titleOf = ({ name, operations, files, error, from }: Fault): string =>
  name === 'full'
    ? `no room (${error}) from a change of ${files} on`
    : `${operations.join()} of ${files} with ${error}, ${from === 'start' ? 'at the start' : 'at work'}`;

const textOf = (fault: Fault, { lines, broken }: Played): string => `${titleOf(fault)}: ${lines}: ${broken?.stack}`;

const place = mkdtempSync(join(tmpdir(), 'll-calls-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.skipIf(faultyDisk() === undefined)(
  'a call of the system that fails (this needs Linux and a C compiler)',
  () => {
    it(`ends the server with the name of the file, or costs nothing: seed ${SEED}`, {
      timeout: 3_600_000,
    }, async () => {
      const [receiver, prepared] = [await startReceiver(), await prepareFolder(place)];
      const twoAtOnce = createConcurrencySlots(2);
      const play = (fault: Fault, index: number): Promise<readonly [Fault, Played]> =>
        twoAtOnce(async () => {
          const played = await playCrashes(index, { place, prepared, receiver, faults: () => [fault] });
          if (played.broken) console.error(textOf(fault, played));
          return [fault, played];
        });
      const played = await Promise.all(chosen(randomOf(SEED)).map(play));
      await receiver.close();
      const red = played.filter(([, { broken }]) => broken);
      expect(red.map(([fault, one]) => textOf(fault, one))).toEqual([]);
      // The places in the table are those where such calls come. A slow machine does less in its time.
      const idle = played.filter(([, { lines }]) => lines.some((line) => line.includes('did not come')));
      expect(idle.length, idle.map(([fault]) => titleOf(fault)).join('\n')).toBeLessThanOrEqual(played.length / 8);
    });
  },
);
