import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDataFolder, makeDataFolder } from '../../../src/platform/data-folder/data-folder.ts';
import { beginRestore, isRestorable } from '../../../src/server/backup/restore-draft.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../cli/launching.ts';

const FILES = { 'ledgerline.db': 'rows', 'ledgerline.db-wal': '', 'key-pepper.secret': 'p'.repeat(40) };
/** Of the system: nobody. */
const NOBODY = 65_534;

function restore(folder: string, onStep?: () => void, files: Readonly<Record<string, string>> = FILES): void {
  const draft = beginRestore(folder, { onStep });
  try {
    mkdirSync(draft.staging);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(draft.path, name), content);
    draft.finish();
  } finally {
    draft.discard();
  }
}

const contentsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.startsWith('lock.'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

describe('a folder that is restored', () => {
  it('keeps what it is: given a mount point, when it is restored, then it holds the files', ({ skip }) => {
    const disk = smallDisk(2);
    skip(!disk, 'this user may not mount');
    restore(disk!);
    expect(contentsOf(disk!)).toEqual(FILES);
  });

  it('needs no rights beside it: given a folder under one that its user may not write to, then it holds the files', ({
    skip,
  }) => {
    const above = join(temporaryFolder(), 'above');
    const folder = join(above, 'data');
    mkdirSync(folder, { recursive: true });
    const isRoot = process.getuid?.() === 0;
    skip(isRoot && !process.seteuid, 'root may write everywhere, and this thread cannot be another user');
    if (!isRoot) chmodSync(above, 0o500);
    else {
      chownSync(folder, NOBODY, NOBODY);
      // Its own parent is a folder that nobody else may enter.
      chmodSync(join(above, '..'), 0o711);
      process.seteuid!(NOBODY);
    }
    try {
      expect(() => mkdirSync(join(above, 'other'))).toThrow(/EACCES/);
      restore(folder);
      expect(contentsOf(folder)).toEqual(FILES);
      expect(() => restore(join(above, 'missing'))).toThrow(/cannot be made: EACCES/);
    } finally {
      if (isRoot) process.seteuid!(0);
      else chmodSync(above, 0o700);
    }
  });

  it('is refused by every start after a kill at any step, and restored by the next try', () => {
    const root = temporaryFolder();
    const folder = join(root, 'data');
    mkdirSync(folder);
    const images: string[] = [];
    restore(folder, () => {
      const image = join(root, `killed-${images.length}`);
      cpSync(folder, image, { recursive: true, filter: (path) => !path.endsWith('lock.db') });
      images.push(image);
    });
    const whole = images.pop()!;
    expect(contentsOf(whole)).toEqual(FILES);
    expect(findDataFolder(whole)).toBe(whole);
    expect(images.length).toBeGreaterThan(6);
    const later = { 'ledgerline.db': 'other rows', 'settings.json': '{}' };
    for (const image of images) {
      for (const open of [findDataFolder, makeDataFolder]) expect(() => open(image)).toThrow(/run restore again/);
      expect(isRestorable(image)).toBe(true);
      restore(image, undefined, later);
      expect(contentsOf(image)).toEqual(later);
      expect(findDataFolder(image)).toBe(image);
    }
  });

  it('is what it was where the disk is full, and restored when there is room', ({ skip }) => {
    const disk = smallDisk(1);
    skip(!disk, 'this user may not mount');
    const mode = statSync(disk!).mode;
    expect(() => restore(disk!, undefined, { ...FILES, 'ledgerline.db': 'x'.repeat(3 << 20) })).toThrow(/ENOSPC/);
    expect([readdirSync(disk!), statSync(disk!).mode]).toEqual([[], mode]);
    restore(disk!);
    expect(contentsOf(disk!)).toEqual(FILES);
  });

  it('is missing again where it was missing and nothing could be restored', () => {
    const folder = join(temporaryFolder(), 'data');
    const draft = beginRestore(folder);
    expect(() => beginRestore(folder)).toThrow(/is in use by restore/);
    draft.discard();
    expect(existsSync(folder)).toBe(false);
  });

  it('loses no file of somebody else', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect(() => restore(folder)).toThrow(/is not empty: name a new folder/);
    rmSync(join(folder, 'notes.txt'));
    beginRestore(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    // As after a kill.
    rmSync(join(folder, 'lock.db'));
    expect(() => restore(folder)).toThrow(/is not empty: name a new folder/);
    expect(contentsOf(folder)).toEqual({ 'notes.txt': 'mine' });
  });

  it('may be the root of a new file system', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'lost+found'));
    restore(folder);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([...Object.keys(FILES), 'lost+found']));
  });
});
