import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { run, startServer, temporaryFolder } from './launching.ts';

const linesOf = (messages: readonly unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

describe('the record of a server', () => {
  it('has the numbers of the backtest, also of what is brought in while it runs, and after a restart', async () => {
    const folder = temporaryFolder();
    const messages = messagesOf('nba', gamesOf('nba', 'nba', 240, numbersOf(1)));
    const half = messages.length / 2;
    await run(['ingest', '-', '--data-dir', folder], { input: linesOf(messages.slice(0, half)) });
    const first = await startServer(folder);
    const { key } = first;
    const recordOf = async (url: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${url}/v1/intelligence/record?sport=nba`, { headers });
      expect([answer.status, answer.headers.get('x-credits-used')]).toEqual([200, '0']);
      return (await answer.json()) as any;
    };
    const judged = async () => {
      const { stdout } = await run(['backtest', '--sport', 'nba', '--data-dir', folder]);
      return JSON.parse(stdout.split('\n')[0]!);
    };
    const played = (record: any): number => record.rows.reduce((sum: number, { n }: any) => sum + n, 0);
    expect(played(await recordOf(first.url))).toBe((await judged()).n);

    await run(['ingest', '-', '--data-dir', folder], { input: linesOf(messages.slice(half)) });
    const line = await judged();
    expect(line.n).toBeGreaterThan(120);
    // It rests for half a minute after it has counted.
    await expect.poll(async () => played(await recordOf(first.url)), { timeout: 90_000, interval: 5000 }).toBe(line.n);
    const told = await recordOf(first.url);
    const closes = told.rows.reduce((sum: number, { close }: any) => sum + (close?.n ?? 0), 0);
    expect(closes).toBe(line.close.n);
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });

    const second = await startServer(folder);
    expect(await recordOf(second.url)).toEqual(told);
  }, 240_000);
});
