import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../server/cli/launching.ts';
import { bare } from './api-answers.ts';
import { countLog, type MarketCounts } from './log-counts.ts';
import {
  type Ask,
  clubName,
  data,
  describeWithData,
  gameLineFiles,
  type Imported,
  importAll,
  listEvents,
  peakMemory,
  python,
  resultFiles,
  serve,
} from './real-data-files.ts';
import { answered, type Row } from './row-answers.ts';

const MINUTES = 60_000;
const timeout = 40 * MINUTES;
const ROWS = 200;
/** Rows are drawn of all files, and not all files are read each day. */
const DRAWN = 4 * ROWS;
/** Of the files of a source, those that are imported a second time: 1 for all. */
const AGAIN_EVERY = Number(process.env['AGAIN_EVERY'] ?? 3);

type Counts = Record<string, number>;
/** The league of a file, by its name. */
const LEAGUES: readonly (readonly [RegExp, string])[] = [
  [/^nflverse/, 'nfl'],
  [/_E0_/, 'epl'],
  [/_SP1_/, 'la_liga'],
  [/_D1_/, 'bundesliga'],
  [/_I1_/, 'serie_a'],
  [/_F1_/, 'ligue_1'],
  [/^mls_/, 'mls'],
  [/^ucl/, 'ucl'],
  [/^td_atp_/, 'atp'],
  [/^td_wta_/, 'wta'],
  [/^action_scoreboard/, 'ncaaf'],
  [/^action_game_lines/, 'nfl'],
];
const leagueOf = (file: string): string => LEAGUES.find(([pattern]) => pattern.test(basename(file)))![1];
const sum = (a: Counts | undefined, b: Counts, names: readonly string[]): Counts =>
  Object.fromEntries(names.map((name) => [name, (a?.[name] ?? 0) + (b[name] ?? 0)]));

const EVENTS = ['events', 'finals', 'retired', 'walkovers'] as const;
const MARKETS = ['odds_messages', 'prices', 'splits_messages', 'splits_markets'] as const;

/** What the scripts count: events by league, and prices and splits by source and league. */
function expected(seasonsKnown: ReadonlySet<string>) {
  const events: Record<string, Counts> = {};
  const markets: Record<string, Counts> = {};
  const add = (source: string, file: string, counts: Counts) => {
    const league = leagueOf(file);
    if (!/game_lines/.test(file)) events[league] = sum(events[league], counts, EVENTS);
    const name = `${source} ${league}`;
    markets[name] = sum(markets[name], counts, MARKETS);
  };
  const [nflverse, soccer, tennis, network] = resultFiles();
  const csv = python('count-csv.py', data()) as Record<string, Counts>;
  for (const { source, files } of [nflverse!, soccer!, tennis!]) {
    for (const file of files) add(source, file, csv[file.slice(data().length + 1)]!);
  }
  // Game lines of a season without a schedule wait for it: nothing says when their games begin.
  const waits = gameLineFiles().filter((file) => !seasonsKnown.has(/\d{4}/.exec(basename(file))![0]));
  const placed = python('count-json.py', ...network!.files.filter((file) => !waits.includes(file)));
  for (const [file, counts] of Object.entries(placed as Record<string, Counts>)) add(network!.source, file, counts);
  const waiting = Object.values(python('count-json.py', '--no-starts', ...waits) as Record<string, Counts>);
  const quarantined = waiting.reduce((all, one) => all + one['odds_messages']! + one['splits_messages']!, 0);
  return { events, markets, quarantined };
}

async function countEvents(ask: Ask, leagues: readonly string[]): Promise<Record<string, Counts>> {
  const counts: Record<string, Counts> = {};
  for (const league of leagues) {
    const listed = await listEvents(ask, { league });
    counts[league] = {
      events: new Set(listed.map(({ id }) => id)).size,
      finals: listed.filter(({ status }) => status === 'final').length,
      retired: listed.filter(({ status, result_type }) => status === 'final' && result_type === 'retired').length,
      walkovers: listed.filter(({ status }) => status === 'walkover').length,
    };
  }
  return counts;
}

const figures = (list: readonly Imported[]) =>
  list.map(({ report, ...rest }) => ({ ...rest, received: report['received'] }));

describeWithData('the files of results', () => {
  let parent: string;
  let folder: string;
  beforeAll(() => {
    parent = mkdtempSync(join(tmpdir(), 'll-'));
    folder = join(parent, 'data');
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('are taken whole', { timeout }, async () => {
    const imports: Imported[] = [];
    for (const source of resultFiles()) imports.push(await importAll(folder, source));
    console.log(JSON.stringify({ imports: figures(imports) }));

    for (const { report } of imports) expect(report['rejected']).toBe(0);
  });

  it('are what an independent script counts, and the same again change nothing', { timeout }, async () => {
    const begun = performance.now();
    const server = await serve(folder);
    const projected = (performance.now() - begun) / 1000;

    const { seasons } = await server.ask('/v1/seasons', { sport: 'nfl', current_only: false });
    const should = expected(new Set(seasons.map(({ year }: { year: number }) => String(year))));
    const asked = await countEvents(server.ask, Object.keys(should.events));
    const { head, counts } = await countLog(folder);
    const waiting = (await run(['audit', 'quarantine', '--json', '--data-dir', folder])).stdout;

    expect(asked).toEqual(should.events);
    expect(counts).toEqual(should.markets as unknown as Record<string, MarketCounts>);
    expect(waiting.trim().split('\n').filter(Boolean)).toHaveLength(should.quarantined);

    const again = [];
    for (const { source, files } of resultFiles())
      again.push(await importAll(folder, { source, files: files.filter((_, index) => index % AGAIN_EVERY === 0) }));
    for (const { source, report } of again) {
      const { received, unchanged, accepted, rejected } = report;
      expect({ source, accepted, rejected, unchanged }).toEqual({
        source,
        accepted: 0,
        rejected: 0,
        unchanged: received,
      });
    }
    expect((await server.ask('/v1/health')).log.position).toBe(head);

    console.log(
      JSON.stringify({
        imports_again: figures(again),
        projected_seconds: Math.round(projected),
        server_peak_mib: peakMemory(server.child.pid),
        events: asked,
        markets: counts,
        quarantined: should.quarantined,
        head,
      }),
    );
  });

  it('read back from the API as a plain reader reads random rows', { timeout }, async () => {
    const seed = process.env['SEED'] ?? String(Math.floor(Math.random() * 1e9));
    console.log(JSON.stringify({ seed, rows: ROWS }));
    const files = new Set(resultFiles().flatMap(({ files }) => files.map((file) => file.slice(data().length + 1))));
    const drawn = python('read-rows.py', data(), seed, String(DRAWN)) as Row[];
    const rows = drawn
      .filter(({ file }) => files.has(file))
      .slice(0, ROWS)
      .map(({ names: [home, away], ...row }): Row => {
        return { ...row, names: [clubName(row.league, home), clubName(row.league, away)] } as Row;
      });
    const { ask } = await serve(folder);

    const differences: unknown[] = [];
    for (const row of rows) {
      const { file, row: number, competition, names, ...rest } = row;
      const said = { ...rest, names: names.map(bare) };
      const got = await answered(ask, row);
      try {
        expect(got).toEqual(said);
      } catch {
        differences.push(JSON.stringify({ file, row: number, said, got }));
      }
    }

    expect(rows).toHaveLength(ROWS);
    expect(differences, `seed ${seed}`).toEqual([]);
  });
});
