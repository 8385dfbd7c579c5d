import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { buildPage } from '../../../../src/server/bin/build-page.mjs';

it('the live page and the story of an event stay small: what a browser loads of each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'll-page-'));
  try {
    await buildPage(build, resolve(import.meta.dirname, '../../../..'), folder);
    const assets = join(folder, 'assets');
    const sizeOf = (page: string, ending: string) =>
      readdirSync(assets)
        .filter((name) => name.startsWith(`${page}-`) && name.endsWith(ending))
        .reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0);

    for (const page of ['main', 'event-story']) {
      expect(sizeOf(page, '.js')).toBeGreaterThan(10_000);
      expect(sizeOf(page, '.js')).toBeLessThan(36_000);
      expect(sizeOf(page, '.css')).toBeGreaterThan(500);
      expect(sizeOf(page, '.css')).toBeLessThan(7000);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
