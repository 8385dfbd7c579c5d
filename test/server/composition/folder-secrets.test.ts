import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findDataFolder, makeDataFolder } from '../../../src/platform/data-folder/data-folder.ts';
import { secretFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { loadOrCreateSecret } from '../../../src/platform/data-folder/folder-secret.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerline-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a secret of fewer than 32 characters, an empty one too, is refused with the name of its file and stays as it is', () => {
  const secret = fc.string({ unit: fc.constantFrom('a', 'B', '7', '_'), maxLength: 40 });
  const name = fc.constantFrom('key-pepper', 'session-secret', 'another');
  fc.assert(
    fc.property(name, secret, fc.constantFrom('', '\n', ' \n'), (of, text, end) => {
      const file = secretFile(folder, of);
      writeFileSync(file, text + end);
      const uses = [
        () => loadOrCreateSecret(folder, of, undefined),
        () => makeDataFolder(folder),
        () => findDataFolder(folder),
      ];
      for (const use of uses) {
        if (text.length < 32) expect(use).toThrow(`${file} holds ${text.length} characters`);
        else expect(use).not.toThrow();
      }
      expect(readFileSync(file, 'utf8')).toBe(text + end);
      rmSync(file);
    }),
  );
});

it('a secret that is not there is made once', () => {
  const made = loadOrCreateSecret(folder, 'key-pepper', undefined);
  expect(made.length).toBeGreaterThanOrEqual(32);
  expect(loadOrCreateSecret(folder, 'key-pepper', undefined)).toBe(made);
  expect(readdirSync(folder)).toEqual(['key-pepper.secret']);
});
