import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Launched, launch, reportOf, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { season } from './season.ts';

/** LOAD_MIB sets the size of the file: 1024 for the proof, far less in the gate. */
const MIB = Number(process.env['LOAD_MIB'] ?? 64);
const timeout = 120_000 + MIB * 5000;
/** Shortly after the start: the database has grown by this much, three times as much as was taken in. A twentieth of
 *  the file, and of a small one enough that everything is at work. */
const SHORTLY_MIB = Math.max(64, 0.05 * MIB * 3);
const ALLOWED_MIB = 300;

/**
 * Memory of a process's own in MiB: what it has taken for heap, buffers and threads (RssAnon), without the pages of
 * files that the system maps or keeps. Undefined when the process is gone or the system does not tell.
 */
function ownMemory(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Writes days of a season until the file is as large as asked for. @returns its lines */
async function writeSeason(file: string, bytes: number): Promise<number> {
  const stream = createWriteStream(file);
  let lines = 0;
  let written = 0;
  for (const text of season(7)) {
    if (written >= bytes) break;
    written += Buffer.byteLength(text);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return lines;
}

interface Watched {
  /** MiB, shortly after the start. */
  readonly early: number;
  readonly peak: number;
  /** After each tenth of the time. */
  readonly tenths: readonly number[];
}

/** Samples a process's memory each second while a command takes a file in. */
async function watch(pid: number | undefined, ingest: Launched, hasBegun: () => boolean): Promise<Watched> {
  let running = true;
  void ingest.ended.then(() => {
    running = false;
  });
  let early: number | undefined;
  const samples: number[] = [];
  while (running) {
    const memory = ownMemory(pid);
    if (memory !== undefined) samples.push(memory);
    if (memory !== undefined && hasBegun()) early ??= memory;
    await Promise.race([delay(1000), ingest.ended]);
  }
  const tenths = Array.from({ length: 10 }, (_, n) => samples[Math.ceil((samples.length * (n + 1)) / 10) - 1]!);
  return { early: early ?? Number.NaN, peak: Math.max(...samples), tenths };
}

/** How far a database has grown tells how far the ingest has come. */
const bytesOf = (folder: string): number => {
  const size = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return size('ledgerline.db') + size('ledgerline.db-wal');
};

describe.skipIf(ownMemory(process.pid) === undefined)(`an ingest of ${MIB} MiB holds its memory`, () => {
  async function expectFlat(name: string, pid: (command: Launched) => number | undefined, folder: string) {
    const file = join(temporaryFolder(), 'season.ndjson');
    const lines = await writeSeason(file, MIB * 1024 * 1024);
    const before = bytesOf(folder);
    const began = performance.now();
    const command = launch(['ingest', '--data-dir', folder, file]);
    command.child.stdin.end();
    const hasBegun = () => bytesOf(folder) - before > SHORTLY_MIB * 1024 * 1024;
    const { early, peak, tenths } = await watch(pid(command), command, hasBegun);
    const ended = await command.ended;
    const seconds = Math.round((performance.now() - began) / 1000);
    const [first, most, ...course] = [early, peak, ...tenths].map(Math.round);
    console.log(JSON.stringify({ name, mebibytes: MIB, messages: lines, seconds, early: first, peak: most, course }));
    expect(ended).toMatchObject({ code: 0 });
    expect(reportOf(ended)).toMatchObject({ received: lines, rejected: 0, quarantined: 0 });
    expect(peak - early, `${peak} MiB at most, ${early} MiB shortly after the start`).toBeLessThan(ALLOWED_MIB);
  }

  it('without a server', { timeout }, async () => {
    await expectFlat('command alone', ({ child }) => child.pid, join(temporaryFolder(), 'data'));
  });

  it('through a server, which projects it meanwhile', { timeout }, async () => {
    const folder = join(temporaryFolder(), 'data');
    const server = await startServer(folder);
    await expectFlat('server', () => server.child.pid, folder);
    expect(server.child.exitCode).toBeNull();
  });
});
