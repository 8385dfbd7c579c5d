import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';

/** One line of the archive. */
export interface ArchivedAnswer {
  /** When the response head arrived, or the failure; UTC, ISO 8601. */
  readonly received_at: string;
  /** Without the operator's key. */
  readonly url: string;
  /** Null if no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if no body came, or only a part of it. */
  readonly body: string | null;
}

/** Raw answers of one provider, in one file for each UTC hour of arrival. */
export interface AnswerArchive {
  /** Appends an answer. */
  add(answer: ArchivedAnswer): void;
  /** Compresses the files of past hours. */
  pack(now: number): Promise<void>;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** Bytes of answers that may wait for a slow disk; further answers are dropped. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const PLAIN = /^\d\d\.ndjson$/;

/**
 * @param folder of this provider: `FEED_ARCHIVE/SOURCE`
 * @param onError called with errors; polling goes on without the archive
 */
export function openAnswerArchive(folder: string, onError: (error: unknown) => void): AnswerArchive {
  const inTurn = createSequentialQueue();
  /** Files that this process has written to or checked: their last line is complete. */
  const complete = new Set<string>();
  let waiting = 0;

  async function append(file: string, line: string): Promise<void> {
    if (!complete.has(file)) {
      await mkdir(dirname(file), { recursive: true });
      await cutTornLine(file);
      complete.clear();
      complete.add(file);
    }
    await appendFile(file, line);
  }

  async function packOlder(hour: string): Promise<void> {
    for (const day of await namesIn(folder)) {
      for (const name of await namesIn(join(folder, day))) {
        if (PLAIN.test(name) && `${day}/${name.slice(0, 2)}` < hour) await packFile(join(folder, day, name));
      }
    }
  }

  return {
    add(answer) {
      const file = join(folder, `${hourOf(Date.parse(answer.received_at))}.ndjson`);
      const line = `${JSON.stringify(answer)}\n`;
      if (waiting + line.length > MAX_WAITING_BYTES) {
        onError(new Error('the disk is too slow for the archive: an answer was left out'));
        return;
      }
      waiting += line.length;
      inTurn(() => append(file, line))
        .catch(onError)
        .finally(() => {
          waiting -= line.length;
        });
    },
    pack: (now) => inTurn(() => packOlder(hourOf(now))).catch(onError),
    close: () => inTurn(async () => {}),
  };
}

/** `YYYY-MM-DD/HH`. */
const hourOf = (time: number): string => new Date(time).toISOString().slice(0, 13).replace('T', '/');

/** Empty if there is no such folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** A crash may leave an incomplete last line, and the next answer would be appended to it. */
async function cutTornLine(path: string): Promise<void> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    let end = (await file.stat()).size;
    const block = Buffer.alloc(64 * 1024);
    for (let to = end; to > 0; to -= block.length) {
      const from = Math.max(0, to - block.length);
      await file.read(block, 0, to - from, from);
      const newline = block.lastIndexOf(10, to - from - 1);
      end = newline === -1 ? from : from + newline + 1;
      if (newline !== -1) break;
    }
    await file.truncate(end);
  } finally {
    await file.close();
  }
}

/** Appends a further gzip member if the hour already has a packed file. */
async function packFile(file: string): Promise<void> {
  const [packed, part] = [`${file}.gz`, `${file}.gz.part`];
  await rm(part, { force: true });
  if ((await namesIn(dirname(file))).includes(packed.slice(dirname(file).length + 1))) {
    await pipeline(createReadStream(packed), createWriteStream(part));
  }
  await pipeline(createReadStream(file), createGzip(), createWriteStream(part, { flags: 'a' }));
  await rename(part, packed);
  await rm(file);
}
