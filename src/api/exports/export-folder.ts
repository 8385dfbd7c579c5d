import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createUnfinishedFile, UNFINISHED_ENDING } from '../../platform/table-files/unfinished-file.ts';
import type { ExportedFile } from './partition-files.ts';

const MANIFEST = 'manifest.json';
const SCHEMA = 'schema.json';
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

  /** Relative paths of the files of all partitions. */
  function* filesOfExports(): Generator<string> {
    for (const league of foldersIn(path)) {
      for (const year of foldersIn(join(path, league))) {
        const partition = `${league}/${year}`;
        if (!PARTITION.test(partition)) continue;
        for (const name of readdirSync(join(path, partition))) {
          const whole = name.endsWith(UNFINISHED_ENDING) ? name.slice(0, -UNFINISHED_ENDING.length) : name;
          if (PART.test(whole)) yield `${partition}/${name}`;
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
      for (const file of [...filesOfExports()]) if (file.endsWith(UNFINISHED_ENDING)) remove(file);
      for (const name of [MANIFEST, SCHEMA]) rmSync(join(path, name + UNFINISHED_ENDING), { force: true });
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
