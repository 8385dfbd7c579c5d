import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { probeFile } from './paths.ts';

const { ENOSPC, EDQUOT, EFBIG } = constants.errno;
/** By number: Node has no name for a quota that is used up. */
const NO_ROOM: ReadonlySet<unknown> = new Set([ENOSPC, EDQUOT, EFBIG].map((errno) => -errno));

/** Whether the system refused to write for want of room: the disk is full, or a quota or a limit of sizes is reached. */
export const isNoRoom = (error: unknown): boolean => NO_ROOM.has((error as { readonly errno?: unknown } | null)?.errno);

/**
 * Tries whether a file of this folder that is `length` bytes long can have so many bytes more. It is tried with a file of
 * its own, which has a hole in place of the rest, and is gone again when this returns.
 * @throws what else keeps it from being written
 */
export function hasRoomFor(folder: string, length: number, bytes: number): boolean {
  const file = probeFile(folder);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'w', 0o600);
    const piece = Buffer.alloc(bytes);
    for (let done = 0; done < bytes; ) done += writeSync(descriptor, piece, done, bytes - done, length + done);
    return true;
  } catch (error) {
    if (isNoRoom(error)) return false;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    rmSync(file, { force: true });
  }
}
