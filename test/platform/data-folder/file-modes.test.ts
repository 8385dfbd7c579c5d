import { chmodSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOnlyOwners, isWritableByOthers, restrictToOwner } from '../../../src/platform/data-folder/file-modes.ts';
import { temporaryFolder } from '../../server/cli/launching.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

function opened(mode: number): string {
  const folder = realpathSync(temporaryFolder());
  chmodSync(folder, mode);
  return folder;
}
function put(folder: string, name: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, 'x');
  chmodSync(path, mode);
  return path;
}

describe('fault 10: a data folder that was there before', () => {
  it.each([0o755, 0o777, 0o750, 0o2775])(
    'is its owner’s alone, with all that lies in it, whatever it had: %o',
    (mode) => {
      const folder = opened(mode);
      const files = [0o644, 0o666, 0o755, 0o640].map((of) => put(folder, `file-${of}`, of));
      const inner = join(folder, 'inner');
      mkdirSync(inner, { mode: 0o755 });

      expect(restrictToOwner(folder)).toEqual([]);

      expect([folder, inner].map(modeOf)).toEqual([0o700, 0o700]);
      expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o600]);
    },
  );

  it('keeps the modes of files that only the owner can use', () => {
    const folder = opened(0o700);
    const secret = put(folder, 'key-pepper.secret', 0o400);
    expect(restrictToOwner(folder)).toEqual([]);
    expect(modeOf(secret)).toBe(0o400);
  });

  it('changes nothing behind a link', () => {
    const folder = opened(0o777);
    const outside = put(temporaryFolder(), 'outside', 0o644);
    symlinkSync(outside, join(folder, 'ledgerline.db'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'lock.json'));
    expect(restrictToOwner(folder)).toEqual([]);
    expect(modeOf(outside)).toBe(0o644);
  });

  it('names the paths that it cannot change, since another user owns them', () => {
    if (process.getuid?.() !== 0) return;
    const folder = opened(0o755);
    const file = put(folder, 'ledgerline.db', 0o644);
    put(folder, 'key-pepper.secret', 0o600);
    process.seteuid!(65_534);
    try {
      expect(restrictToOwner(folder)).toEqual([folder, file]);
    } finally {
      process.seteuid!(0);
    }
    expect([folder, file].map(modeOf)).toEqual([0o755, 0o644]);
  });

  it.each([
    [0o600, 7, 7, true],
    [0o700, 0, 7, true],
    [0o600, 8, 7, false],
    [0o640, 7, 7, false],
    [0o602, 0, 7, false],
  ])('something of mode %o and of user %d is user %d’s alone: %s', (mode, uid, own, is) => {
    expect(isOnlyOwners({ mode: 0o100000 | mode, uid }, own)).toBe(is);
  });

  it('is writable by others if its group or everybody may write', () => {
    expect([0o700, 0o755, 0o770, 0o707].map((mode) => isWritableByOthers(opened(mode)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});
