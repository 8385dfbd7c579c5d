import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/settings/config-error.ts';
import { readConfigFile } from '../../../src/platform/settings/config-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'll-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    'a bookmaker whose name is an object that has a length',
    { bookmakers: { x: { length: { toString: 1, valueOf: 1 } } } },
  ],
  ['a plan whose name has a length', { plans: { free: { name: { length: { toString: 1, valueOf: 1 } } } } }],
  ['a list', []],
  ['null', null],
])('a CONFIG file with %s is refused in a line that names it', (_, content) => {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(content));
  expect(() => readConfigFile(file)).toThrow(ConfigError);
  expect(() => readConfigFile(file)).toThrow(file);
});
