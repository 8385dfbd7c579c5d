import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../../src/api/operations/index.ts';
import { createLabAsks, isAskable } from '../../../src/server/lab/lab-asks.ts';
import { at, game, type LabWorld, labWorld, moneyline } from './lab-world.ts';

let world: LabWorld;
beforeAll(async () => {
  world = await labWorld([
    ...game(),
    moneyline('12:00:00', 'pinnacle', -150, 130),
    moneyline('13:00:00', 'pinnacle', -170, 140),
  ]);
});
afterAll(() => world.close());

const now = Date.parse(at('12:30:00'));
const ask = async (path: string) => JSON.parse(await world.lab.answer(path, now));

it('is answered as the API would have answered at the moment', async () => {
  const odds = await ask('/v1/events/1/odds');
  expect(odds.bookmakers[0].markets[0].outcomes.map(({ price }: any) => price)).toEqual([-150, 130]);
  expect(await ask('/v1/events/1/score')).toMatchObject({ status: 'scheduled' });
  const [h2h] = (await ask('/v1/events/1/odds/summary')).bookmakers[0].markets;
  expect(h2h.outcomes[0]).toMatchObject({ current: { price: -150 }, close: null });
  expect(await ask('/v1/events/1?fields=status')).toEqual({ status: 'scheduled' });
});

it('an earlier moment may be named, a later one ends the run', async () => {
  expect(await ask(`/v1/events/1/odds?as_of=${at('11:00:00')}`)).toMatchObject({ available: false });
  await expect(ask(`/v1/events/1/odds?as_of=${at('12:30:01')}`)).rejects.toThrow(
    `the program asked at ${at('12:30:00')} for what is later: /v1/events/1/odds?as_of=${at('12:30:01')}`,
  );
});

it.each([
  ['/v1/events/99', 'not_found'],
  ['/v1/nothing', 'not_found'],
  ['/healthz', 'not_found'],
  ['/v1/events/1/odds?as_of=yesterday', 'bad_request'],
  ['/v1/events/1/odds?as_of_basis=guessed', 'validation_error'],
])('%s is answered with %s', async (path, code) => {
  expect(await ask(path)).toMatchObject({ error: { code } });
});

it('given a price that was recorded before its source observed it, then no basis brings it before that', async () => {
  const ahead = await labWorld([game()[0]!, moneyline('12:00:00', 'pinnacle', -150, 130)], Date.parse(at('11:58:00')));
  try {
    const path = '/v1/events/1/odds';
    const before = Date.parse(at('11:59:00'));
    for (const named of ['', '?as_of_basis=observed']) {
      expect(JSON.parse(await ahead.lab.answer(path + named, before))).toMatchObject({ available: false });
    }
    for (const named of ['?as_of_basis=recorded', `?as_of_basis=recorded&as_of=${at('11:58:30')}`]) {
      expect(JSON.parse(await ahead.lab.answer(path + named, before))).toMatchObject({
        error: { code: 'bad_request', message: expect.stringMatching(/^as_of_basis must be observed/) },
      });
    }
  } finally {
    await ahead.close();
  }
});

const reads = operations.filter(
  ({ method, path, streaming }) => method === 'GET' && path.startsWith('/v1/') && !streaming,
);

it.each(reads.filter((one) => !isAskable(one)).map(({ path }) => path))(
  '%s, which takes no as_of, is refused and reads nothing',
  async (path) => {
    const nothing: any = new Proxy({}, { get: (_, name) => (name === 'isEmpty' ? true : fail(String(name))) });
    const answer = createLabAsks(operations, { replacements: nothing } as never);
    const said = JSON.parse(await answer(path.replace(/\{\w+\}/, '1'), now));
    expect(said.error.code).toMatch(/^(bad_request|validation_error)$/);
    expect(said.error.message).toMatch(/takes no as_of|required|must/);
  },
);

const fail = (name: string): never => {
  throw new Error(`it read ${name}`);
};

it('every read of one event can be asked but the streams', () => {
  const ofEvents = reads.filter(({ path }) => path.startsWith('/v1/events/{id}'));
  expect(ofEvents.filter((one) => !isAskable(one)).map(({ name }) => name)).toEqual([]);
});
