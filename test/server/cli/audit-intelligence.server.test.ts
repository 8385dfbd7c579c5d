import { expect, it } from 'vitest';
import { serveAgent } from '../../api/agent/serving.ts';
import { game, moneyline } from '../../intelligence/price-messages.ts';
import { PEPPER } from '../../support/composed.ts';
import { run, temporaryFolder } from './launching.ts';

it('what was published of an event stands in its audit, and replay leaves it out', async () => {
  const folder = temporaryFolder();
  const server = await serveAgent({ file: folder, time: Date.parse('2026-03-01T12:00:00Z'), publishes: true });
  await server.feed(game('g1'), moneyline('pinnacle', -150, 130, '11:50'));
  await server.published();
  const { bets } = await server.get('/v1/events/1/intelligence', server.key);
  await server.close();

  const table = await run(['audit', 'event', '1', '--data-dir', folder]);
  expect(table.stdout).toMatch(/2026-03-01T11:50:00Z +ledgerline +IntelligencePublished +\{"eventId":1/);
  const json = await run(['audit', 'event', '1', '--json', '--data-dir', folder]);
  const records = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const published = records.find(({ type }) => type === 'IntelligencePublished');
  expect(published).toMatchObject({ observed_at: '2026-03-01T11:50:00Z', stream: 'intelligence-1' });
  expect(published.data.bets).toEqual(bets.slice(0, 2));
  const facts = records.filter(({ type }) => type === 'PricesChanged').map(({ position }) => position);
  expect(published.data.grounds.facts).toEqual(facts);

  const replayed = await run(['replay', '--data-dir', folder]);
  expect(replayed.stdout).not.toContain('ledgerline');
  expect(
    replayed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind),
  ).toEqual(expect.arrayContaining(['schedule', 'odds']));
  const verified = await run(['verify', '--data-dir', folder], { env: { KEY_PEPPER: PEPPER } });
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^intelligence: 1 documents/m)]);
});
