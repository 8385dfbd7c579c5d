import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder, writeFolderFile } from '../../platform/data-folder/folder-file.ts';
import { type BackupTarget, MissingBackup } from './backup-target.ts';

const UNFINISHED = '.unfinished';

/** A backup in a folder: on another disk, or of another machine. A file gets its name when it is whole and on disk. */
export function createFolderTarget(root: string): BackupTarget {
  const pathOf = (name: string) => join(root, name);
  const filesIn = (folder: string): readonly string[] => {
    if (!existsSync(pathOf(folder))) return [];
    return readdirSync(pathOf(folder), { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
      .sort();
  };
  const draftOf = (name: string) => `${pathOf(name)}${UNFINISHED}`;
  /** On the disk that has the parent alone: where that disk is not mounted, nothing is made in its place. */
  const makeWithin = (parent: string, folder: string): void => {
    if (existsSync(folder)) return;
    if (!existsSync(parent)) throw new MissingBackup(`${parent} is missing: is its disk there?`);
    makeFolder(root, folder);
  };

  return {
    name: root,
    mayBeAway: true,
    folders: async () => (existsSync(root) ? readdirSync(root).sort() : []),
    names: async (folder, beginning = '') =>
      filesIn(folder).filter((name) => !name.endsWith(UNFINISHED) && name.startsWith(`${folder}/${beginning}`)),
    begin: async (folder) => makeFolder(root, pathOf(folder)),
    draftOf(name) {
      makeWithin(pathOf(name.split('/')[0]!), dirname(pathOf(name)));
      return draftOf(name);
    },
    async publish(name) {
      // It has its name already where only the flush failed before.
      if (existsSync(draftOf(name)) || !existsSync(pathOf(name))) renameSync(draftOf(name), pathOf(name));
      syncFolder(dirname(pathOf(name)));
    },
    async removeDrafts(folder) {
      for (const name of filesIn(folder)) if (name.endsWith(UNFINISHED)) rmSync(pathOf(name), { force: true });
    },
    has: async (name) => existsSync(pathOf(name)),
    fetch: async (name) => ({ file: pathOf(name), release: () => {} }),
    remove: (name) => rm(pathOf(name), { force: true }),
    async create(name, content) {
      const folder = dirname(pathOf(name));
      makeWithin(root, folder);
      // A link is made whole or not at all, also on a disk of the network.
      const draft = `${pathOf(name)}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
      try {
        writeFolderFile(draft, content);
        linkSync(draft, pathOf(name));
        syncFolder(folder);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        rmSync(draft, { force: true });
      }
    },
    async read(name) {
      try {
        return await readFile(pathOf(name), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    removeFolder: (folder) => rm(pathOf(basename(folder)), { recursive: true, force: true }),
  };
}

function makeFolder(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let path = dirname(folder); path.length >= root.length; path = dirname(path)) syncFolder(path);
}
