import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../api/fuzz/random.ts';

/** Of a file that was written and not flushed since: data at an offset, or a new length. */
interface Change {
  readonly offset: number;
  readonly data: Buffer | undefined;
  /** A flush of it failed: a later flush says nothing of it. */
  isDoubtful: boolean;
}

interface Content {
  bytes: Buffer;
  length: number;
}

interface File {
  readonly onDisk: Content;
  changes: Change[];
  /** The changes that were there when each flush began that has not ended. */
  readonly flushes: Change[][];
}

interface NameChange {
  readonly created: File | undefined;
  apply(names: Map<string, File>): void;
}

const ofNoInterest = /-shm$|^lock\.|\.sock$/;

/** What is in a folder, all of it on disk. */
export function readFolder(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return new Map(
    paths.filter((path) => !ofNoInterest.test(path)).map((path) => [path, readFileSync(join(folder, path))]),
  );
}

/**
 * Makes the folder as a power failure would leave it.
 * @param before what was in it when the process started
 * @param journal what the process has done to it since, as `faulty-disk.c` wrote it down
 */
export function leaveAfterPowerFailure(
  folder: string,
  before: ReadonlyMap<string, Buffer>,
  journal: Buffer,
  random: Random,
): void {
  const names = replay(before, journal, random);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, file] of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), contentAfter(file, random), { mode: 0o600 });
  }
}

const HEAD = 24;
const FOLDER_ITSELF = 1;

function replay(before: ReadonlyMap<string, Buffer>, journal: Buffer, random: Random): Map<string, File> {
  const newFile = (onDisk: Buffer): File => ({
    onDisk: { bytes: onDisk, length: onDisk.length },
    changes: [],
    flushes: [],
  });
  /** As the process saw it, and as it is on disk. */
  const live = new Map([...before].map(([name, bytes]) => [name, newFile(bytes)]));
  const names = new Map(live);
  const numbered = new Map<number, File>();
  let nameChanges: NameChange[] = [];
  const folderFlushes: NameChange[][] = [];
  const change = (nameChange: NameChange) => {
    nameChange.apply(live);
    nameChanges.push(nameChange);
  };
  const settle = (settled: (one: NameChange) => boolean) => {
    for (const one of nameChanges) if (settled(one)) one.apply(names);
    nameChanges = nameChanges.filter((one) => !settled(one));
  };

  for (let at = 0; at + HEAD <= journal.length; ) {
    const what = String.fromCharCode(journal.readUInt32LE(at));
    const number = journal.readUInt32LE(at + 4);
    const offset = Number(journal.readBigUInt64LE(at + 8));
    const end = at + HEAD + Number(journal.readBigUInt64LE(at + 16));
    const data = journal.subarray(at + HEAD, end);
    const [old = '', name = ''] = data.toString().split('\n');
    at = end;
    const file = numbered.get(number);
    if (what === 'c') {
      const created = newFile(Buffer.alloc(0));
      numbered.set(number, created);
      change({ created, apply: (to) => to.set(old, created) });
    } else if (what === 'o') {
      if (!live.has(old)) change({ created: undefined, apply: (to) => to.set(old, newFile(Buffer.alloc(0))) });
      numbered.set(number, live.get(old)!);
    } else if (what === 'w') file!.changes.push({ offset, data, isDoubtful: false });
    else if (what === 't') file!.changes.push({ offset, data: undefined, isDoubtful: false });
    else if (number === FOLDER_ITSELF) {
      if (what === 'b') folderFlushes.push([...nameChanges]);
      const flushed = what === 'b' ? [] : folderFlushes.shift()!;
      if (what === 's') settle((one) => flushed.includes(one));
    } else if (what === 'b') file!.flushes.push([...file!.changes]);
    else if (what === 's' || what === 'f') {
      const flushed = new Set(file!.flushes.shift()!.filter(({ isDoubtful }) => !isDoubtful));
      if (what === 'f') for (const one of flushed) one.isDoubtful = true;
      else {
        for (const one of flushed) apply(file!.onDisk, one);
        file!.changes = file!.changes.filter((one) => !flushed.has(one));
        // With a file its name is on disk, and what happened to names before.
        const upTo = nameChanges.slice(0, nameChanges.findIndex(({ created }) => created === file) + 1);
        settle((one) => upTo.includes(one));
      }
    } else {
      const moved = live.get(old)!;
      change({
        created: undefined,
        apply(to) {
          if (what !== 'l') to.delete(old);
          if (what !== 'u') to.set(name, moved);
        },
      });
    }
  }
  // Names change in order, as the journals of file systems keep them.
  const kept = random.pick([0, nameChanges.length, random.below(nameChanges.length + 1)]);
  for (const one of nameChanges.slice(0, kept)) one.apply(names);
  return names;
}

/** Changes the content, which may have room behind its end. */
function apply(content: Content, { offset, data }: Pick<Change, 'offset' | 'data'>): void {
  const end = data === undefined ? offset : Math.max(content.length, offset + data.length);
  if (end > content.bytes.length) content.bytes = Buffer.concat([content.bytes, Buffer.alloc(end)]);
  // What was behind the end is no content of the file.
  if (end > content.length) content.bytes.fill(0, content.length, end);
  content.length = end;
  data?.copy(content.bytes, offset);
}

const SECTOR = 512;

/** All of what was not flushed, nothing, its beginning, or some of it here and there, with torn writes. */
function contentAfter({ onDisk, changes }: File, { pick, below, chance }: Random): Buffer {
  const way = pick(['all', 'nothing', 'beginning', 'some'] as const);
  const until = way === 'beginning' ? below(changes.length + 1) : way === 'nothing' ? 0 : changes.length;
  for (const [index, one] of changes.entries()) {
    if (one.isDoubtful || way === 'some' ? chance(0.5) : index >= until) continue;
    const length = one.data?.length ?? 0;
    const isTorn = way === 'some' && length > SECTOR && chance(0.2);
    const torn = one.data?.subarray(0, SECTOR * below(Math.floor(length / SECTOR)));
    apply(onDisk, isTorn ? { ...one, data: torn } : one);
  }
  return onDisk.bytes.subarray(0, onDisk.length);
}
