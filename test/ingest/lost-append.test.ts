import { expect, it } from 'vitest';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/pipeline/feed-intake.ts';
import { openSqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../src/server/composition/registry.ts';
import { temporaryFolder } from '../event-log/temporary-folder.ts';

const { path } = temporaryFolder();
const AT = '2025-01-01T00:00:00Z';
const of = { sport: 'nba', league: 'nba', starts_at: '2025-01-02T00:00:00Z' };
const sides = { home: 'Boston Celtics', away: 'Miami Heat' };
const participants = Object.entries(sides).map(([role, name]) => ({ role, name }));
const schedule = { kind: 'schedule', source: 'one', at: AT, ref: 'a', ...of, participants };
const odds = {
  kind: 'odds',
  source: 'two',
  at: AT,
  ref: 'b',
  match: { ...of, ...sides },
  bookmaker: 'pinnacle',
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
};

it('a name that was bound by match before an append was lost is told to the log by the next message', async () => {
  const inner = createMemoryLog();
  let lost = false;
  const log: EventLog = {
    ...inner,
    appendAll: (appends) => (lost ? Promise.reject(new Error('the power is gone')) : inner.appendAll(appends)),
  };
  const registry = await openRegistry(openSqliteDatabase({ file: path('registry.db') }));
  const take = async (message: object) => {
    // A process of its own each time: what the one before held in memory is gone.
    const identities = await SqlIdentities.open(registry);
    const options = {
      log,
      identities,
      now: () => Date.parse('2025-01-03T00:00:00Z'),
      pause: async () => {},
      random: () => 0,
    };
    return (await new FeedIntake(options).accept([{ line: 1, value: message }])).outcomes;
  };
  await take(schedule);

  lost = true;
  await expect(take(odds)).rejects.toThrow('the power is gone');
  lost = false;
  await take(odds);

  const types = (await log.readAll(null, 100)).map(({ type }) => type);
  expect(types).toContain('PricesChanged');
  expect(types.filter((type) => type === 'EventBound')).toHaveLength(1);
  expect(await take(odds)).toMatchObject([{ status: 'unchanged' }]);
  await registry.destroy();
});
