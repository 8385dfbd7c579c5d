import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readlink, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Where folders are made for users who cannot enter those that were asked for; it outlives a restart. */
const COMMON_FOLDER = '/var/tmp';
const LINK = 'home';

/**
 * Who is to run a program that refuses root: the first of these users whom the machine knows. Undefined: this process
 * is not root's, and runs it itself.
 */
export function userInPlaceOfRoot(names: readonly string[]): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of names) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim());
    if (uid && gid && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`none of the users ${names.join(', ')} is known on this machine`);
}

/**
 * A folder that belongs to the user. It is `folder` itself where the user can enter it. Where a folder above it is
 * closed to the user, it lies elsewhere on the machine, and a link in `folder` tells where.
 * @returns its path
 */
export async function folderOf(user: ServerUser, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const link = join(folder, LINK);
  const linked = await readlink(link).catch(() => undefined);
  if (linked !== undefined) {
    const target = await lstat(linked).catch(() => undefined);
    if (target?.isDirectory() && target.uid === user.uid) return linked;
    throw new Error(`${link}: what it points at, ${linked}, is gone: remove the link to begin anew`);
  }
  if (isEnterable(resolve(folder, '..'), user)) return own(folder, user);
  const home = await mkdtemp(join(COMMON_FOLDER, 'ledgerline-'));
  await own(home, user);
  await symlink(home, link);
  return home;
}

async function own(folder: string, { uid, gid }: ServerUser): Promise<string> {
  await chown(folder, uid, gid);
  await chmod(folder, 0o700);
  return folder;
}

const isEnterable = (folder: string, user: ServerUser): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
