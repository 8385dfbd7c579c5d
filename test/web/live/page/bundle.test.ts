import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { buildPage } from '../../../../src/server/bin/build-page.mjs';

it.each([
  { page: 'main', script: 38_000, style: 8000 },
  { page: 'odds', script: 24_000, style: 6000 },
  { page: 'event-story', script: 36_000, style: 7000 },
])('what a browser loads of $page stays small', async ({ page, script, style }) => {
  const folder = mkdtempSync(join(tmpdir(), 'll-page-'));
  try {
    await buildPage(build, resolve(import.meta.dirname, '../../../..'), folder);
    const assets = join(folder, 'assets');
    const sizeOf = (page: string, ending: string) =>
      readdirSync(assets)
        .filter((name) => name.startsWith(`${page}-`) && name.endsWith(ending))
        .reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);

    expect(sizeOf(page, '.js')).toBeGreaterThan(10_000);
    expect(sizeOf(page, '.js')).toBeLessThan(script);
    expect(sizeOf(page, '.css')).toBeLessThan(style);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
