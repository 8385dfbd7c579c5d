import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readlink, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** Where folders are created for users who cannot enter the requested folder. It survives a restart. */
const COMMON_FOLDER = '/var/tmp';
const LINK = 'home';

/**
 * The user who runs a program that refuses root: the first of these users that exists. Undefined: this process is not root's,
 * and runs the program itself.
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
 * A folder that belongs to the user. It is `folder` itself if the user can enter it. Otherwise it is elsewhere on the
 * machine, and a link in `folder` points there.
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
