import { expect, it } from 'vitest';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { openMendingServer } from '../subjects/mending-server.ts';

const MANY = 250;
const cubsReds = { sport: 'mlb', league: 'mlb' };
const schedule = (ref: string, startsAt: string) => ({
  kind: 'schedule',
  source: 'a',
  at: '2026-09-01T00:00:00Z',
  ...cubsReds,
  ref,
  starts_at: startsAt,
  participants: [
    { role: 'home', name: 'Cubs' },
    { role: 'away', name: 'Reds' },
  ],
});
/** Of one game, a second apart. */
const scores = Array.from({ length: MANY }, (_, second) => ({
  kind: 'score',
  source: 'b',
  ref: 'x',
  at: formatTime(Date.parse('2026-09-10T18:30:00Z') + second * 1000),
  match: { ...cubsReds, starts_at: '2026-09-10T18:00:00Z', home: 'Cubs', away: 'Reds' },
  status: 'inprogress',
  scores: [{ role: 'home', score: String(second) }],
}));

it.each([
  ['one intake', false],
  ['an intake of several', true],
])(
  'more messages than one batch retries, which wait for the same key again, hold no message up, by %s',
  async (_, isShared) => {
    const server = await openMendingServer({ isShared });
    await server.tell(schedule('g1', '2026-09-20T18:00:00Z'));
    await server.tellAll(scores);
    expect(await server.tell(schedule('g2', '2026-09-22T18:00:00Z'))).toEqual(['accepted']);
    expect(await server.size()).toBe(MANY);
    await server.reopen();
    expect(await server.size()).toBe(MANY);
    // The game that they are about.
    expect(await server.tell(schedule('g3', '2026-09-10T18:00:00Z'))).toEqual(['accepted']);
    expect(await server.size()).toBe(0);
    const recorded = (await server.records()).filter(({ type }) => type === 'ScoreChanged');
    expect(recorded.map(({ data }) => (data as { at: string }).at)).toEqual(scores.map(({ at }) => at));
    await server.close();
  },
);
