import { copyFileSync, fstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../../src/accounts/journal/journaled-sink.ts';
import { walPathOf } from '../../../src/event-log/sqlite/wal-file.ts';
import { databaseFile, journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import type { Random } from '../../api/fuzz/random.ts';
import { composed } from '../../support/composed.ts';

/** Bytes of each file that only grows, in the order of `filesOf`. */
type Lengths = readonly number[];

/** A moment at which the power may fail. */
export interface Moment {
  readonly what: string;
  /** What is on disk for certain. */
  readonly onDisk: Lengths;
  /** What was written, of which the end may be lost. */
  readonly written: Lengths;
  /** How many of the acknowledgements a client has by then. */
  readonly acknowledged: number;
}

export type Acknowledged =
  | { readonly kind: 'message'; readonly ref: number }
  | { readonly kind: 'charge'; readonly requestId: string; readonly credits: number };

export interface Run {
  readonly moments: readonly Moment[];
  readonly acknowledged: readonly Acknowledged[];
  /** The folder as it would be after a power failure at this moment. */
  image(moment: Moment, folder: string, random: Random): void;
}

const INGEST_KEY = 'the-key-of-the-door';
const filesOf = (folder: string): readonly string[] => [walPathOf(databaseFile(folder)), ...journalFiles(folder)];
export const teamOf = (ref: number) => ({
  kind: 'team',
  source: 'test',
  at: '2026-01-01T00:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  ref: `t${ref}`,
  name: `Team ${ref}`,
  abbreviation: `T${ref}`,
});

const HEAD = 16;
/** Where the entries of a journal end: behind them there is nothing, for it has room from the start. */
function endOfEntries(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    const length = Number.parseInt(bytes.toString('latin1', at + 8, at + HEAD), 16);
    if (!(length > 0)) return at;
    at += HEAD + length;
  }
}

/**
 * Has clients feed a server and call it, and notes at each flush and at each answer what is on disk by then: of each file
 * what was there when a flush began that has ended. Nothing is moved out of the write-ahead file meanwhile, so that every
 * file only grows.
 */
export async function playRun(
  folder: string,
  { random, requests }: { random: Random; requests: number },
): Promise<Run> {
  mkdirSync(folder, { recursive: true });
  const files = filesOf(folder);
  const lengthOf = (file: string, index: number) =>
    index === 0 ? statSync(file).size : endOfEntries(readFileSync(file));
  const lengths = (): Lengths => files.map(lengthOf);
  const moments: Moment[] = [];
  const acknowledged: Acknowledged[] = [];
  let onDisk: Lengths | undefined;
  const note = (what: string) => {
    if (onDisk) moments.push({ what, onDisk, written: lengths(), acknowledged: acknowledged.length });
  };

  const server = await composed({
    folder,
    settings: { ingestKey: INGEST_KEY },
    around: (ports) => ({ ...ports, journal: openJournal<ChargesEntry>(journalFiles(folder), undefined, ports.disk) }),
    environment: {
      async flush(descriptor) {
        const { ino } = fstatSync(descriptor);
        const flushed = files.findIndex((file) => statSync(file).ino === ino);
        const begun = onDisk && lengths()[flushed]!;
        note('a flush begins');
        // Others go on meanwhile.
        for (let turns = random.below(4); turns >= 0; turns--) await new Promise(setImmediate);
        if (begun !== undefined) onDisk = onDisk!.map((length, file) => (file === flushed ? begun : length));
        note('a flush ends');
      },
    },
  });
  await server.core.runner.start();
  const keys = await Promise.all([1, 2, 3].map((n) => server.newKey({ name: `k${n}`, plan: 'enterprise' })));
  const database = join(folder, 'database-at-the-start');
  copyFileSync(databaseFile(folder), database);
  onDisk = lengths();

  let ref = 0;
  async function feed(): Promise<void> {
    while (ref < requests) {
      const own = Array.from({ length: 1 + random.below(3) }, () => ++ref);
      const response = await fetch(`${server.url}/ingest/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(own.map(teamOf)),
      });
      if (response.status !== 200) throw new Error(await response.text());
      acknowledged.push(...own.map((one) => ({ kind: 'message' as const, ref: one })));
      note('messages are acknowledged');
    }
  }
  let calls = 0;
  async function call(key: string): Promise<void> {
    while (calls < requests) {
      const requestId = `call-${++calls}`;
      const headers = { authorization: `Bearer ${key}`, 'x-request-id': requestId };
      const response = await fetch(`${server.url}/v1/sports`, { headers });
      await response.text();
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const credits = Number(response.headers.get('x-credits-used'));
      acknowledged.push({ kind: 'charge', requestId, credits });
      note('a call is answered');
    }
  }
  await Promise.all([feed(), feed(), ...keys.map(({ key }) => call(key))]);
  const last = files.map((file) => readFileSync(file));
  if (!readFileSync(database).equals(readFileSync(databaseFile(folder)))) throw new Error('pages were moved');
  await server.close();

  return {
    moments,
    acknowledged,
    image({ onDisk: safe, written }, to, chance) {
      mkdirSync(to, { recursive: true });
      copyFileSync(database, databaseFile(to));
      filesOf(to).forEach((file, index) => {
        const bytes = withEnd(last[index]!.subarray(0, written[index]), safe[index]!, chance);
        // A journal has its room from the start.
        const room = index === 0 ? 0 : Math.max(0, last[index]!.length - bytes.length);
        writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(room)]));
      });
    },
  };
}

const PAGE = 4096;

/** What a power failure leaves of a file's end that was not flushed: all of it, nothing, a part, or pages here and there. */
function withEnd(bytes: Buffer, safe: number, { below, chance, pick }: Random): Buffer {
  switch (pick(['all', 'nothing', 'a part', 'pages'] as const)) {
    case 'all':
      return bytes;
    case 'nothing':
      return bytes.subarray(0, safe);
    case 'a part':
      return bytes.subarray(0, safe + below(bytes.length - safe + 1));
    case 'pages': {
      const torn = Buffer.from(bytes);
      for (let at = safe; at < torn.length; ) {
        const end = Math.min(torn.length, (Math.floor(at / PAGE) + 1) * PAGE);
        if (chance(0.5)) torn.fill(0, at, end);
        at = end;
      }
      return torn;
    }
  }
}
