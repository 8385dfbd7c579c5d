import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LabOptions } from '../../../src/server/lab/run-lab.ts';
import { at, game, type LabWorld, labWorld, moneyline } from './lab-world.ts';
import { atEachChange, startSource } from './programs.ts';

// Two games whose home sides win, at prices that the market has wrong in the morning and right at the start: whoever
// knew either would gain.
let world: LabWorld;
beforeAll(async () => {
  world = await labWorld(
    ['g1', 'g2'].flatMap((ref) => [
      ...game(ref),
      moneyline('09:00:00', 'pinnacle', 200, -240, ref),
      moneyline('09:00:00', 'generous', 400, -700, ref),
      moneyline('12:00:00', 'pinnacle', 150, -180, ref),
      moneyline('17:00:00', 'pinnacle', -200, 170, ref),
      moneyline('17:58:00', 'pinnacle', -300, 250, ref),
    ]),
  );
});
afterAll(() => world.close());

/** What the program writes to the end of the run, as a text. */
async function played(source: string, options: Partial<LabOptions> = {}) {
  const program = startSource(source);
  try {
    return await world.play(program, { books: new Set(['pinnacle']), ...options });
  } finally {
    program.kill();
  }
}

const home = (more: string) =>
  `say({ bet: { event_id: change.event_id, market: 'h2h', outcome: 'home', stake: 10, ${more} } })`;
const HOME_AT_PRICE = `change.type === 'line_move' && change.data.outcome.startsWith('Lions')`;

it('somebody who knew the result would gain', async () => {
  const run = await played(atEachChange(`if (${HOME_AT_PRICE}) ${home('')}`));
  expect(run.profit).toBeGreaterThan(0);
});

it('the closing price: it is in no answer before the close, so that a program that needs it never bets', async () => {
  const run = await played(
    atEachChange(`
      if (${HOME_AT_PRICE}) {
        const summary = await ask('/v1/events/' + change.event_id + '/odds/summary?bookmaker=all');
        const closes = summary.bookmakers.flatMap(({ markets }) => markets).flatMap(({ outcomes }) => outcomes);
        const close = closes.find(({ close }) => close !== null);
        if (close && close.close.price < change.data.price_to) ${home('')};
      }`),
  );
  expect(run).toMatchObject({ asks: expect.any(Number), bets: 0, profit: null });
  expect(run.asks).toBeGreaterThan(0);
});

it('the result: a bet on the winner after the end is refused at every latency', async () => {
  const run = await played(atEachChange(`if (change.type === 'status' && change.data.to === 'final') ${home('')}`));
  expect(run).toMatchObject({ bets: 2, filled: 0, profit: null });
  expect(run.refusals.map(({ reason }) => reason)).toEqual(['event begun', 'event begun']);
  expect(run.latencies.every(({ filled }) => filled === 0)).toBe(true);
});

it('a later price: asking for it ends the run', async () => {
  const source = atEachChange(`await ask('/v1/events/' + change.event_id + '/odds?as_of=${at('17:58:00')}')`);
  await expect(played(source)).rejects.toThrow('for what is later');
});

it('a later price by a small bet: its price is told when it is no longer later', async () => {
  const run = await played(
    atEachChange(`
      globalThis.tried ??= [];
      if (${HOME_AT_PRICE}) say({ bet: { event_id: change.event_id, market: 'h2h', outcome: 'home', stake: 0.01 } });
      for (const { fills } of bets ?? []) for (const fill of fills)
        if (Date.parse(fill.filled_at) > Date.parse(now)) throw new Error('it is told a later price');`),
    { latency: 3_600_000 },
  );
  expect(run.bets).toBeGreaterThan(0);
});

it('an unlisted book: its price is not taken', async () => {
  const run = await played(atEachChange(`if (${HOME_AT_PRICE}) ${home(`book: 'generous'`)}`));
  expect([...new Set(run.refusals.map(({ reason }) => reason))]).toEqual(['not in its books']);
  expect(run).toMatchObject({ filled: 0, profit: null });
});

it('a stale price: neither one that has moved nor an old one is taken', async () => {
  const run = await played(
    atEachChange(`
      globalThis.best ??= new Map();
      if (${HOME_AT_PRICE}) {
        const { event_id, data: { price_to, bookmaker } } = change;
        const old = best.get(event_id);
        if (!old) best.set(event_id, price_to);
        else { ${home('min_price: old')}; ${home(`book: 'generous'`)} }
      }`),
    { books: undefined },
  );
  // In the morning the generous price still stands at its own time, for 75 minutes.
  const late = run.fills.filter(({ placed_at }) => placed_at > at('10:15:00'));
  expect(late).toEqual([]);
  const reasons = run.refusals.map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(['below min_price', 'not on offer']));
});
