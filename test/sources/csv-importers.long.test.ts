import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/domain/feed/parse-message.ts';
import { footballDataImporter } from '../../src/sources/football-data/importer.ts';
import type { Importer } from '../../src/sources/importing/importer.ts';
import { nflverseImporter } from '../../src/sources/nflverse/importer.ts';
import { tennisDataImporter } from '../../src/sources/tennis-data/importer.ts';

/** Real files of the three providers, which stand outside the project; without them these tests are skipped. */
const folder = process.env['LEDGERLINE_DATA'];
const SLOW = 300_000;

interface Counts {
  events: number;
  finals: number;
  retired: number;
  walkovers: number;
  prices: number;
  odds_messages: number;
}

async function* translate(importer: Importer, path: string) {
  const raw = createReadStream(join(folder!, path));
  const bytes = path.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  for await (const item of importer.translate({ name: basename(path), open: () => bytes }, {})) {
    if ('message' in item) yield item.message as Record<string, any>;
  }
}

async function count(importer: Importer, path: string): Promise<Counts> {
  const events = new Set<string>();
  const counts = { finals: 0, retired: 0, walkovers: 0, prices: 0, odds_messages: 0 };
  for await (const message of translate(importer, path)) {
    const parsed = parseMessage(message);
    if ('rejection' in parsed) throw new Error(`${path}: ${parsed.rejection.message}: ${JSON.stringify(message)}`);
    if (message['kind'] === 'schedule') events.add(message['ref']);
    if (message['kind'] === 'odds') {
      counts.odds_messages += 1;
      for (const market of message['markets']) counts.prices += market.outcomes.length;
    }
    if (message['status'] === 'final') counts.finals += 1;
    if (message['status'] === 'walkover') counts.walkovers += 1;
    if (message['result_type'] === 'retired') counts.retired += 1;
  }
  return { events: events.size, ...counts };
}

async function digest(importer: Importer, path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const message of translate(importer, path)) hash.update(JSON.stringify(message));
  return hash.digest('hex');
}

describe.skipIf(!folder)('the real files (skipped unless LEDGERLINE_DATA names their folder)', () => {
  let expected: Record<string, Counts> = {};
  beforeAll(() => {
    const script = join(import.meta.dirname, '../system/real-data/counting/count-csv.py');
    expected = JSON.parse(execFileSync('python3', [script, folder!], { encoding: 'utf8' }));
  }, SLOW);

  it.each([
    ['nfl/', nflverseImporter],
    ['soccer/', footballDataImporter],
    ['tennis/', tennisDataImporter],
  ] as const)(
    'of %s hold what the independent count finds, in messages that the contract takes',
    async (prefix, importer) => {
      const paths = Object.keys(expected).filter((path) => path.startsWith(prefix));
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths) expect({ path, ...(await count(importer, path)) }).toEqual({ path, ...expected[path] });
    },
    SLOW,
  );

  it('give the same messages every time', async () => {
    const [path] = Object.keys(expected).filter((name) => name.startsWith('nfl/'));
    expect(await digest(nflverseImporter, path!)).toBe(await digest(nflverseImporter, path!));
  });
});
