import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from '../architecture/imports.ts';

const files = filesBelow('test').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const isTest = (file: string): boolean => file.endsWith('.test.ts');

it('a test file that tries a part of its cases is one that `npm run test:servers` runs with all of them', () => {
  const asking = files.filter(
    ({ file, text }) => isTest(file) && /\b(?:cases|STRIDE|runs|FUZZ_RUNS)\b[^;]* from '\./.test(text),
  );
  expect(asking.length).toBeGreaterThan(10);
  expect(asking.map(({ file }) => file).filter((file) => !file.endsWith('.property.test.ts'))).toEqual([]);
});

it('helpers that ask for a part of the cases are the ones known here', () => {
  const asking = files.filter(({ file, text }) => !isTest(file) && /\/cases\.ts'/.test(text));
  expect(asking.map(({ file }) => basename(file)).sort()).toEqual(['random.ts', 'runs.ts']);
});

it('no helper leaves a hook at its top: files that share a process load a helper once, and only the first had the hook', () => {
  const hooked = files.filter(({ file, text }) => !isTest(file) && /^(?:before|after)(?:Each|All)\(/m.test(text));
  expect(hooked.map(({ file }) => file)).toEqual([]);
});
