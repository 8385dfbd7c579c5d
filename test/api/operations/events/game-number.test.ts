import { expect, it } from 'vitest';
import { composed } from '../../../support/composed.ts';
import { BOOTSTRAP_KEY } from '../../agent/serving.ts';

const schedule = (ref: string, hour: number, more: object) => ({
  kind: 'schedule',
  source: 'mlb',
  at: '2026-03-01T10:00:00Z',
  sport: 'mlb',
  league: 'mlb',
  ref,
  starts_at: `2026-03-02T${hour}:00:00Z`,
  participants: [
    { role: 'home', ref: `h${ref}`, name: `Home ${ref}` },
    { role: 'away', ref: `a${ref}`, name: `Away ${ref}` },
  ],
  ...more,
});

it('given the number of a game of a doubleheader, event detail serves it; null if nobody said; others are rejected', async () => {
  const server = await composed({ settings: { bootstrapKey: BOOTSTRAP_KEY } });
  await server.core.runner.start();
  const told = [{ game_number: 2 }, {}, { game_number: 4 }, { game_number: '1' }];
  const items = told.map((more, index) => ({ line: index + 1, value: schedule(String(index), 10 + index, more) }));
  const { outcomes } = await server.core.intake.accept(items);
  await server.core.projected();
  const detail = async (id: number): Promise<any> =>
    (await fetch(`${server.url}/v1/events/${id}`, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } })).json();
  expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'rejected', 'rejected']);
  expect(JSON.stringify(outcomes[2])).toContain('game_number');
  expect([(await detail(1)).game_number, (await detail(2)).game_number]).toEqual([2, null]);
  await server.close();
});
