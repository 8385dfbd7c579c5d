import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DataFolderError } from '../../platform/data-folder/folder-paths.ts';

/** The shortest limit of a socket path among operating systems, in bytes (macOS: 104 with the final zero). */
const MAX_SOCKET_PATH = 103;

/**
 * Uses a socket path that may be too long for the system. In that case a temporary link leads to its folder. The link is in a
 * new private folder, so that nobody else can change it, and is removed after the use.
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
