import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { composed } from '../../support/composed.ts';
import { FIGURES, limitOfAddress, limitTables } from './limits-page.ts';

const PAGE = resolve(import.meta.dirname, '../../../docs/limits.md');
const ANEW = 'UPDATE_LIMITS=1 npx vitest run --project unit test/api/limits/limits-page.test.ts';

/** The paths of a server on which everything is switched on. */
async function allPaths(): Promise<readonly string[]> {
  const server = await composed({ settings: { livePage: true, gradeSheet: true, ingestKey: 'key' } });
  await server.close();
  return server.server.paths;
}

it('docs/limits.md says how often every route may be called', async () => {
  const text = readFileSync(PAGE, 'utf8');
  const page = Object.entries(limitTables(operations, await allPaths())).reduce(
    (made, [name, rows]) =>
      made.replace(
        new RegExp(`(<!-- ${name} -->\n\n(?:\\|[^\n]*\n){2})[^]*?(\n<!-- end of ${name} -->)`),
        (_, begin, end) => `${begin}${rows}\n${end}`,
      ),
    text,
  );
  if (process.env['UPDATE_LIMITS']) writeFileSync(PAGE, page);
  else expect(text, `docs/limits.md is out of date; write it anew with ${ANEW}`).toBe(page);
  for (const figure of Object.values(FIGURES)) expect(page).toContain(` ${figure} `);
  expect(page).toContain('| `/live/events/{id}/probabilities` | 120 |');
});

it('a route below a path that needs a key, and that is no call, has no limit', () => {
  expect(() => limitTables(operations, ['/v1/new'])).toThrow('nothing limits /v1/new');
  expect(limitOfAddress('/new')).toBe(1200);
});
