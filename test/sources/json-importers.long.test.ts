import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/domain/feed/parse-message.ts';
import { actionNetworkImporter } from '../../src/sources/action-network/importer.ts';
import { espnImporter } from '../../src/sources/espn/importer.ts';
import type { Importer, ImportFile, ImportOptions } from '../../src/sources/importing/importer.ts';
import { createStartCollector } from '../../src/sources/importing/known-starts.ts';
import { nflverseImporter } from '../../src/sources/nflverse/importer.ts';
import { theOddsApiImporter } from '../../src/sources/the-odds-api/importer.ts';

/** Real files of the three providers, which stand outside the project; without them these tests are skipped. */
const folder = process.env['LEDGERLINE_DATA'];
const SLOW = 300_000;
const ASKED = '2025-06-05T03:00:00Z';

const filesIn = (name: string, pattern = /./): string[] =>
  folder && existsSync(join(folder, name))
    ? readdirSync(join(folder, name))
        .filter((file) => pattern.test(file))
        .map((file) => join(folder, name, file))
    : [];

const open = (path: string): ImportFile => ({
  name: basename(path),
  open: () => (path.endsWith('.gz') ? createReadStream(path).pipe(createGunzip()) : createReadStream(path)),
});

interface Read {
  readonly counts: Record<string, number>;
  readonly notes: Set<string>;
  readonly digest: string;
}

async function read(importer: Importer, path: string, options: ImportOptions = {}): Promise<Read> {
  const counts = { events: 0, finals: 0, odds_messages: 0, prices: 0, splits_messages: 0, splits_markets: 0, all: 0 };
  const notes = new Set<string>();
  const refs = new Set<unknown>();
  const hash = createHash('sha256');
  for await (const item of importer.translate(open(path), options)) {
    hash.update(JSON.stringify(item));
    if ('note' in item) {
      notes.add(item.note.code);
      continue;
    }
    const message = item.message as Record<string, any>;
    const parsed = parseMessage(message);
    if ('rejection' in parsed) throw new Error(`${path}: ${parsed.rejection.message}: ${JSON.stringify(message)}`);
    counts.all += 1;
    if (message['ref'] && !['team', 'player'].includes(message['kind'])) refs.add(message['ref']);
    if (message['status'] === 'final') counts.finals += 1;
    if (message['kind'] === 'odds') {
      counts.odds_messages += 1;
      for (const market of message['markets']) counts.prices += market.outcomes.length;
    }
    if (message['kind'] === 'splits') {
      counts.splits_messages += 1;
      counts.splits_markets += Object.keys(message['markets']).length;
    }
  }
  return { counts: { ...counts, events: refs.size }, notes, digest: hash.digest('hex') };
}

const countJson = (paths: readonly string[], ...options: string[]): Record<string, Record<string, number>> => {
  const script = join(import.meta.dirname, '../system/real-data/counting/count-json.py');
  return JSON.parse(execFileSync('python3', [script, ...options, ...paths], { encoding: 'utf8' }));
};

/** Files that say nothing that a message could say: a page of links, and the answer of an address that has nothing. */
const SILENT: Record<string, string> = {
  'injuries_mlb_team_15.json': 'links_only',
  'injuries_nfl_team_8.json': 'links_only',
  'tennis_atp_players.json': 'nothing_in_answer',
};

describe.skipIf(!folder)('the real files (skipped unless LEDGERLINE_DATA names their folder)', () => {
  it(
    'of Action Network hold what the independent count finds',
    async () => {
      const starts = createStartCollector();
      for (const path of filesIn('nfl', /^nflverse_schedules/)) {
        for await (const item of nflverseImporter.translate(open(path), {})) {
          if ('message' in item) starts.add(item.message);
        }
      }
      const lines = filesIn('nfl', /^action_game_lines/);
      const known = lines.filter((path) => !path.includes('2023'));
      const without = lines.filter((path) => path.includes('2023'));
      const boards = filesIn('ncaaf', /^action_scoreboard/);
      const expected = { ...countJson([...known, ...boards]), ...countJson(without, '--no-starts') };
      for (const path of [...lines, ...boards]) {
        const { all: _, ...counts } = (await read(actionNetworkImporter, path, { starts })).counts;
        expect({ path, ...counts }).toEqual({ path, ...expected[basename(path)] });
      }
    },
    SLOW,
  );

  it(
    'of Action Network count the opening prices too where every start is known',
    async () => {
      const paths = filesIn('nfl', /^action_game_lines_2023/);
      const expected = countJson(paths);
      const starts = { ofRef: () => undefined, ofGame: () => Date.parse('2023-10-01T17:00:00Z') };
      for (const path of paths) {
        const { all: _, ...counts } = (await read(actionNetworkImporter, path, { starts })).counts;
        expect(counts).toEqual(expected[basename(path)]);
      }
    },
    SLOW,
  );

  it(
    'of ESPN and The Odds API all give messages, and the few that say nothing give a note',
    async () => {
      for (const path of filesIn('espn')) {
        const { counts, notes } = await read(espnImporter, path, { at: ASKED });
        const silent = SILENT[basename(path)];
        if (silent) expect({ path, all: counts['all'], notes: [...notes] }).toEqual({ path, all: 0, notes: [silent] });
        else expect({ path, some: counts['all']! > 0 }).toEqual({ path, some: true });
      }
      for (const path of filesIn('odds_api')) {
        expect((await read(theOddsApiImporter, path)).counts['odds_messages']).toBeGreaterThan(0);
      }
    },
    SLOW,
  );

  it(
    'give the same messages every time',
    async () => {
      const some = [
        [espnImporter, filesIn('espn', /tennis_atp_scoreboard|nba_game_summary/)],
        [theOddsApiImporter, filesIn('odds_api')],
        [actionNetworkImporter, filesIn('ncaaf', /^action_scoreboard/)],
      ] as const;
      for (const [importer, paths] of some) {
        for (const path of paths) expect((await read(importer, path)).digest).toBe((await read(importer, path)).digest);
      }
    },
    SLOW,
  );
});
