import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nflGames } from '../../../bench/history/football.ts';
import { computeMeasures } from '../../../src/intelligence/evaluation/forecast-measures.ts';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { walkForward } from '../../../src/intelligence/walk-forward.ts';
import { messagesOf } from '../../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { data, describeWithData } from '../../system/real-data/real-data-files.ts';
import { run, startServer, temporaryFolder } from './launching.ts';

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A data folder with 200 games of the NFL, each with prices. */
async function season(): Promise<string> {
  const folder = temporaryFolder();
  const messages = messagesOf('nfl', gamesOf('nfl', 'nfl', 200, numbersOf(1)));
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const ended = await run(['ingest', '-', '--data-dir', folder], { input });
  expect(ended).toMatchObject({ code: 0 });
  return folder;
}

describe('backtest', () => {
  it('prints a line for each sport and market, and the same bytes again, beside a server too', async () => {
    const folder = await season();
    const [one, two] = ['one', 'two'].map((name) => join(folder, `${name}.ndjson`)) as [string, string];
    const first = await run(['backtest', '--data-dir', folder, '--games', one]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const lines = linesOf(first.stdout);
    expect(lines).toHaveLength(24);
    const [nfl] = lines;
    expect(Object.keys(nfl)).toEqual(
      'sport market model_version from to n log_loss brier slope intercept close paired blend blend_paired blend_weight selections published'.split(
        ' ',
      ),
    );
    expect(nfl).toMatchObject({ sport: 'nfl', market: 'h2h', published: false });
    expect(nfl.n).toBeGreaterThan(60);
    const games = linesOf(readFileSync(one, 'utf8'));
    expect(games.filter(({ market }) => market === 'h2h')).toHaveLength(nfl.n);
    const priced = games.filter(({ market, close }) => market === 'h2h' && close !== null);
    const lossOf = (member: string) => (game: any) => -Math.log(game[member][game.outcome]);
    const differences = priced.map((game) => lossOf('probabilities')(game) - lossOf('close')(game));
    const difference = differences.reduce((sum, one) => sum + one, 0) / priced.length;
    expect([nfl.close.n, nfl.paired.n]).toEqual([priced.length, priced.length]);
    expect(nfl.paired.difference).toBeCloseTo(difference, 12);
    const starts = games.map(({ starts_at }) => starts_at);
    expect(starts).toEqual(starts.toSorted());

    await startServer(folder);
    const second = await run(['backtest', '--data-dir', folder, '--games', two]);
    expect(second.stdout).toBe(first.stdout);
    expect(readFileSync(two)).toEqual(readFileSync(one));
  }, 120_000);

  it('adds lines for first halves, five innings and first sets when asked', async () => {
    const folder = await season();
    const [plain, more] = [
      await run(['backtest', '--data-dir', folder, '--sport', 'nfl']),
      await run(['backtest', '--data-dir', folder, '--sport', 'nfl', '--periods']),
    ].map(({ stdout }) => linesOf(stdout));
    expect(more!.slice(0, 3)).toEqual(plain);
    expect(more!.slice(3).map(({ market }) => market)).toEqual([
      'first_half_h2h',
      'first_half_spreads',
      'first_half_totals',
    ]);
    expect(more![3].n).toBeGreaterThan(60);
    const hockey = await run(['backtest', '--data-dir', folder, '--sport', 'nhl', '--periods']);
    expect(linesOf(hockey.stdout)).toHaveLength(3);
  }, 120_000);

  it('evaluates the models without their parts when asked', async () => {
    const folder = await season();
    const [whole, bare] = [
      await run(['backtest', '--data-dir', folder, '--sport', 'nfl']),
      await run(['backtest', '--data-dir', folder, '--sport', 'nfl', '--without', 'all']),
    ].map(({ stdout }) => linesOf(stdout)[0]);
    expect(bare.n).toBe(whole.n);
    expect(bare.log_loss).not.toBe(whole.log_loss);
  }, 120_000);

  it('takes one sport and dates', async () => {
    const folder = await season();
    const dates = ['--from', '2015-09-01', '--to', '2015-10-15'];
    const lines = linesOf((await run(['backtest', '--data-dir', folder, '--sport', 'nfl', ...dates])).stdout);
    expect(lines.map(({ market }) => market)).toEqual(['h2h', 'spreads', 'totals']);
    const [h2h] = lines;
    expect(h2h.n).toBeGreaterThan(0);
    expect([h2h.from >= '2015-09-01', h2h.to <= '2015-10-15']).toEqual([true, true]);
  }, 60_000);

  it.each([
    { args: ['--sport', 'cricket'], code: 2, says: 'there is no sport cricket; there are nfl, nba' },
    { args: ['--without', 'bent_margin,x'], code: 2, says: 'there is no part x; there are bent_margin' },
    { args: ['--from', '2025-02-30'], code: 2, says: '--from 2025-02-30 is no date such as 2025-01-31' },
    { args: ['--from', '2025-02-02', '--to', '2025-02-01'], code: 2, says: '--from must not be after --to' },
    { args: ['nfl'], code: 2, says: 'backtest takes no nfl' },
    { args: [], code: 1, says: 'data folder' },
  ])('refuses $args in one line', async ({ args, code, says }) => {
    const ended = await run(['backtest', ...args, '--data-dir', join(temporaryFolder(), 'none')]);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('says in one line that the file of games cannot be written', async () => {
    const folder = await season();
    const ended = await run(['backtest', '--data-dir', folder, '--games', join(folder, 'no', 'such', 'folder')]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(/^\S*no\/such\/folder cannot be written: .*\n$/);
  }, 60_000);
});

describeWithData('a backtest of real games', () => {
  it('is near what the benchmark of the models has of the same seasons', async () => {
    const folder = temporaryFolder();
    const file = data('nfl', 'nflverse_schedules_2016_2025.csv.gz');
    expect((await run(['import', 'nflverse', file, '--data-dir', folder])).code).toBe(0);
    const [h2h, spreads, totals] = linesOf((await run(['backtest', '--sport', 'nfl', '--data-dir', folder])).stdout);

    const games = nflGames(data()).filter(({ season: year }) => year >= 2016);
    const walked = [...walkForward(games, (league) => modelOf('nfl', league))];
    const judged = walked.filter(({ game, earlier }) => earlier >= 100 && game.close !== null && game.winner !== null);
    const outcomes = judged.map(({ game }) => (game.winner === 'home' ? 0 : 1));
    const ours = computeMeasures(
      judged.map(({ forecast }, i) => ({ probabilities: [forecast.home, forecast.away], outcome: outcomes[i]! })),
    );
    const close = computeMeasures(judged.map(({ game }, i) => ({ probabilities: game.close!, outcome: outcomes[i]! })));

    expect(Math.abs(h2h.close.n - close.n)).toBeLessThan(20);
    expect(Math.abs(h2h.log_loss - ours.log_loss!)).toBeLessThan(0.003);
    expect(Math.abs(h2h.close.log_loss - close.log_loss!)).toBeLessThan(0.001);
    expect(Math.abs(h2h.brier - ours.brier!)).toBeLessThan(0.002);
    // A close of spreads and totals is near an even chance.
    for (const { n, close: line } of [spreads, totals]) {
      expect(n).toBeGreaterThan(1500);
      expect(Math.abs(line.log_loss - Math.log(2))).toBeLessThan(0.003);
    }
  }, 300_000);
});
