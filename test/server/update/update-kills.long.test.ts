import { existsSync, rmSync, statSync } from 'node:fs';
import Database from 'libsql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseFile, undoneFile, updateFile, versionFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { applyUpdate } from '../../../src/server/update/apply-update.ts';
import { takeBack } from '../../../src/server/update/take-back.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { configOf, imageOf, ingest, kept, makeEarlierFolder } from './earlier-folder.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
/** How many of the moments are gone on from: each is a whole update. */
const TRIED = process.env['CASES'] === '1' ? Number.POSITIVE_INFINITY : 4;
const place = temporaryFolder();
const earlier = place.path('earlier');
let copies = 0;
const copy = (of = earlier): string => imageOf(of, place.path(`copy-${copies++}`));
const update = (folder: string) => applyUpdate({ config: configOf(folder), now: NOW, isOneWay: false });
const back = (folder: string) => takeBack({ config: configOf(folder) });

beforeAll(() => makeEarlierFolder(earlier));

/** Copies the folder after every statement that has changed one of its files: each copy is what a kill then leaves. */
async function imagesOf(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const images: string[] = [];
  let last = '';
  const look = (): void => {
    const state = [databaseFile(folder), `${databaseFile(folder)}-wal`, updateFile, versionFile, undoneFile]
      .map((file) => statSync(typeof file === 'string' ? file : file(folder), { throwIfNoEntry: false }))
      .map((stats) => `${stats?.size} ${stats?.mtimeMs}`)
      .join();
    if (state !== last) images.push(copy(folder));
    last = state;
  };
  const { exec, prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database.Database, sql: string) {
    const result = exec.call(this, sql);
    look();
    return result;
  });
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql: string) {
    look();
    return prepare.call(this, sql);
  });
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
  }
  if (images.length <= TRIED) return images;
  return Array.from({ length: TRIED }, (_, i) => images[Math.round((i * (images.length - 1)) / (TRIED - 1))]!);
}

describe('a process that is killed', () => {
  it('in an update leaves a folder that the next one finishes, and that can be taken back', async () => {
    const folder = copy();
    const before = kept(folder);
    const images = await imagesOf(folder, () => update(folder));
    const after = kept(folder);
    expect(images.length).toBeGreaterThanOrEqual(4);
    for (const image of images) {
      await update(image);
      expect(kept(image)).toEqual(after);
      await back(image);
      expect(kept(image)).toEqual(before);
      rmSync(image, { recursive: true });
    }
  }, 600_000);

  it('on the way back leaves a folder that the next call takes back', async () => {
    const folder = copy();
    await update(folder);
    await ingest(folder, 'kc', 'buf', 'mia');
    const images = await imagesOf(folder, () => back(folder));
    const after = kept(folder);
    expect(images.length).toBeGreaterThanOrEqual(4);
    for (const image of images) {
      if (existsSync(updateFile(image))) await back(image);
      expect(kept(image)).toEqual(after);
      rmSync(image, { recursive: true });
    }
  }, 600_000);
});
