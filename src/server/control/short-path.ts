import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DataFolderError } from '../../platform/data-folder/folder-paths.ts';

/** The least that operating systems take as a socket's path, in bytes (macOS: 104 with the closing zero). */
const MAX_SOCKET_PATH = 103;

/**
 * Uses a path that may be longer than a socket's may be. A link of this moment leads to its folder then: it lies in a
 * new folder of this user's alone, so that nobody else can lead it elsewhere, and is gone when the use has ended.
 * @param path of a socket, absolute
 */
export async function byShortPath<T>(path: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return use(path);
  const own = newFolder();
  try {
    const link = join(own, 'd');
    symlinkSync(dirname(path), link);
    const short = join(link, basename(path));
    if (Buffer.byteLength(short) > MAX_SOCKET_PATH) {
      throw new DataFolderError(`${path} is too long for a socket, and so is ${short}: set TMPDIR to a short path`);
    }
    return await use(short);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function newFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'll-'));
  } catch (error) {
    throw new DataFolderError(`no link to the control socket can be made: ${(error as Error).message}`);
  }
}
