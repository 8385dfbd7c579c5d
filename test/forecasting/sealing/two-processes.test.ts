import { expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createExperimentCloser } from '../../../src/forecasting/experiments/experiment-closer.ts';
import { createMarketQualities } from '../../../src/forecasting/facts/market-qualities.ts';
import { createClosingRecorder } from '../../../src/forecasting/sealing/closing-recorder.ts';
import { createDaySealer } from '../../../src/forecasting/sealing/day-sealer.ts';
import { createSealService } from '../../../src/forecasting/sealing/seal-service.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { market, odds, schedule } from '../../api/spec/messages.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

/** One of several processes over the log and the read models of a server, and how often it asks them. */
function processOf({ log, store, clock }: AgentServer) {
  const asked = { log: 0, store: 0 };
  const errors: unknown[] = [];
  const stamped: string[] = [];
  const counted = <Port extends object>(port: Port, name: keyof typeof asked): Port =>
    new Proxy(port, {
      get(target, member) {
        const value = Reflect.get(target, member) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          asked[name] += 1;
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  const ports = { log: counted(log as EventLog, 'log'), store: counted(store, 'store') };
  const newSalt = () => '00'.repeat(16);
  const service = createSealService({
    closings: createClosingRecorder({
      ...ports,
      marketQualities: createMarketQualities(ports),
      weightOf: () => 1,
      newSalt,
      onQualityFailed: (error) => void errors.push(error),
    }),
    experiments: createExperimentCloser({ ...ports, newSalt, onError: (error) => void errors.push(error) }),
    sealer: createDaySealer(ports.log),
    stamp: async ({ date }) => void stamped.push(date),
    gate: { isOpen: true },
    now: () => clock.time,
    setTimer: () => () => {},
    onError: (error) => void errors.push(error),
  });
  return { service, asked, errors, stamped };
}

async function given() {
  const server = await serveAgent({ time: START });
  onTestFinished(() => server.close());
  const said = { name: 1, policy: null, cohort: null, gates: { min_n: 1, clv_above: 0 }, seed: null };
  const { body } = await server.post('/v1/experiments', { ...said, from: iso(START), to: iso(START + HOUR) });
  for (const ref of ['a', 'b', 'c']) {
    const sides = [`Home ${ref}`, `Away ${ref}`] as const;
    const at = iso(START);
    await server.feed(schedule({ sport: 'nba', league: 'nba' }, ref, [...sides], iso(START + HOUR), { at }));
    const prices = market('h2h', [
      ['home', -160],
      ['away', 140],
    ]);
    await server.feed(odds(ref, 'pinnacle', [prices], { at }));
  }
  const count = async () => {
    const types: string[] = [];
    for await (const page of server.log.readAllFrom(null)) {
      for (const { type, stream } of page) if (/^(closing|experiment|seals)(-|$)/.test(stream)) types.push(type);
    }
    return types.sort();
  };
  return { server, id: body.id as string, count };
}

it('given two processes over one log, when both do what is due at once, then each fact stands there once, and no error', async () => {
  const { server, count } = await given();
  const both = [processOf(server), processOf(server)];
  const check = () => Promise.all(both.map(({ service }) => service.check()));
  server.clock.time = START + HOUR + 3 * MINUTE;
  await check();
  expect(await count()).toEqual([...Array<string>(3).fill('ClosingRecorded'), 'ExperimentClosed']);
  server.clock.time = START + 2 * DAY;
  await check();
  await check();
  const seals = [];
  for await (const { date } of createSealReader(server.log).all()) seals.push(date);
  expect(seals).toEqual(['2026-03-01', '2026-03-02']);
  expect(both.flatMap(({ stamped }) => stamped).sort()).toEqual(seals);
  expect(both.flatMap(({ errors }) => errors)).toEqual([]);
});

it('given that everything due is done, when it is checked again and again, then it asks the read models twice and the log never', async () => {
  const { server } = await given();
  const { service, asked } = processOf(server);
  server.clock.time = START + HOUR + 3 * MINUTE;
  await service.check();
  // Until it is projected, a closed experiment still looks open.
  await server.feed();
  await service.check();
  const before = { ...asked };
  for (let minute = 0; minute < 10; minute++) {
    server.clock.time += MINUTE;
    await service.check();
  }
  expect({ log: asked.log - before.log, store: (asked.store - before.store) / 10 }).toEqual({ log: 0, store: 2 });
});
