import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createUnfinishedFile, parseUnfinished } from '../../platform/table-files/unfinished-file.ts';
import type { ExportedFile } from './partition-files.ts';

const MANIFEST = 'manifest.json';
const SCHEMA = 'schema.json';
const OWN = [MANIFEST, SCHEMA];
/** Files that an export has made, by their names; nothing else is ever removed. */
const PARTITION = /^league=[^/]+\/year=[^/]+$/;
const PART = /^part-\d+\.(?:parquet|csv|ndjson)$/;

/** The folder of one table. */
export interface ExportFolder {
  readonly path: string;
  /** Removes what an export that was interrupted has left, where it is no whole file. */
  clear(): void;
  /** Replaces what an earlier export has told, and removes its files that are not among these. */
  finish(files: readonly ExportedFile[], manifest: object, schema: object): void;
}

/** @throws Error if the folder cannot be made */
export function openExportFolder(path: string): ExportFolder {
  mkdirSync(path, { recursive: true });

  /** Relative paths of the files of all partitions, but for those on which another process works. */
  function* filesOfExports(): Generator<string> {
    for (const league of foldersIn(path)) {
      for (const year of foldersIn(join(path, league))) {
        const partition = `${league}/${year}`;
        if (!PARTITION.test(partition)) continue;
        for (const name of readdirSync(join(path, partition))) {
          const unfinished = parseUnfinished(name);
          const isOthers = unfinished !== undefined && !unfinished.isAbandoned;
          if (PART.test(unfinished?.whole ?? name) && !isOthers) yield `${partition}/${name}`;
        }
      }
    }
  }

  function remove(file: string): void {
    rmSync(join(path, file), { force: true });
    const [league, year] = file.split('/') as [string, string];
    removeIfEmpty(join(path, league, year));
    removeIfEmpty(join(path, league));
  }

  return {
    path,
    clear() {
      for (const file of [...filesOfExports()]) if (parseUnfinished(basename(file))) remove(file);
      for (const name of readdirSync(path)) {
        const unfinished = parseUnfinished(name);
        if (unfinished?.isAbandoned && OWN.includes(unfinished.whole)) rmSync(join(path, name), { force: true });
      }
    },
    finish(files, manifest, schema) {
      const kept = new Set(files.map((file) => file.path));
      for (const file of [...filesOfExports()]) if (!kept.has(file)) remove(file);
      writeWhole(join(path, SCHEMA), schema);
      writeWhole(join(path, MANIFEST), manifest);
    },
  };
}

const foldersIn = (path: string): string[] =>
  readdirSync(path).filter((name) => name.includes('=') && statSync(join(path, name)).isDirectory());

function removeIfEmpty(path: string): void {
  if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path);
}

function writeWhole(path: string, content: object): void {
  const file = createUnfinishedFile(path);
  file.write(Buffer.from(`${JSON.stringify(content, null, 2)}\n`));
  file.end();
  file.publish();
}
