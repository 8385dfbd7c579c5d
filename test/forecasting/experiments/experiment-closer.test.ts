import { expect, it, onTestFinished } from 'vitest';
import { createEvent } from '../../../src/domain/event-sourcing/stream-kind.ts';
import type { ExperimentClosed } from '../../../src/domain/experiments/experiment-events.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { checkSeals } from '../../../src/domain/proof/check-seals.ts';
import { intelligenceStream } from '../../../src/domain/streams/stream-definitions.ts';
import { createExperimentCloser } from '../../../src/forecasting/experiments/experiment-closer.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { verifySealsOfLog } from '../../../src/read-models/seals/walk-days.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { market, odds, schedule, score } from '../../api/spec/messages.ts';

const FROM = Date.parse('2026-03-01T12:00:00Z');
const NBA = { sport: 'nba', league: 'nba' };
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
const SALT = '00'.repeat(16);

/** A server with an experiment that begins now, and games two hours later. */
async function given(more = {}) {
  const server = await serveAgent({ time: FROM });
  onTestFinished(() => server.close());
  const body = {
    name: 'All of it',
    policy: { selections: 'published', stake: 'flat' },
    cohort: { league: 'nba' },
    from: iso(FROM),
    to: iso(FROM + DAY / 2),
    gates: { min_n: 1, clv_above: 0 },
    seed: null,
    ...more,
  };
  const { body: posted } = await server.post('/v1/experiments', body);
  return { server, id: posted.id as string, show: () => server.get(`/v1/experiments/${posted.id}`) };
}

/** A game whose home side is selected at .5 with +110, closes at about .6, and ends so; null: it does not end. */
async function play(
  server: AgentServer,
  ref: string,
  ends: 'home' | 'away' | 'cancelled' | null,
  { isSelected = true, after = MINUTE } = {},
) {
  const startsAt = FROM + 2 * HOUR;
  server.clock.time = FROM + after;
  const at = iso(server.clock.time);
  await server.feed(schedule(NBA, ref, [`Home ${ref}`, `Away ${ref}`], iso(startsAt), { at }));
  const eventId = await server.eventId('feed', ref);
  if (isSelected) {
    const selection = { line: null, probability: 0.55, fair_probability: 0.5, salt: SALT };
    const published = createEvent(intelligenceStream, eventId, 'IntelligencePublished', {
      ...{ eventId, ...NBA, at, source: 'ledgerline', model_version: 'nba-1.0', has_recommend: null, salt: SALT },
      bets: [{ bet_type: 'ML_P1', tier: 'strong' }],
      grounds: { through: '0', facts: [] },
      selections: [{ bet_type: 'ML_P1', ...selection, best: { book: 'pinnacle', price: 110 } }],
    });
    await server.log.append(`intelligence-${eventId}`, [published], 'none');
  }
  const price = async () => {
    const prices = market('h2h', [
      ['home', -160],
      ['away', 140],
    ]);
    await server.feed(odds(ref, 'pinnacle', [prices], { at: iso(startsAt - 10 * MINUTE) }));
  };
  const end = async () => {
    if (ends === null) return eventId;
    const sides = [{ score: ends === 'home' ? '110' : '90' }, { score: '100' }] as const;
    const told = { at: iso(startsAt + 3 * HOUR) };
    server.clock.time = startsAt + 3 * HOUR;
    await server.feed(
      ends === 'cancelled' ? score(ref, 'cancelled', [{}, {}], told) : score(ref, 'final', sides, told),
    );
    return eventId;
  };
  return { price, end };
}

/** Records the closing prices, and lets the games end. */
async function finish(server: AgentServer, games: readonly Awaited<ReturnType<typeof play>>[]) {
  server.clock.time = FROM + 2 * HOUR - 5 * MINUTE;
  for (const { price } of games) await price();
  server.clock.time = FROM + 2 * HOUR + 2 * MINUTE;
  await server.seals.check();
  const ids: number[] = [];
  for (const { end } of games) ids.push(await end());
  return ids;
}

const closingsOf = async ({ log }: AgentServer, id: string) =>
  (await log.readStream(`experiment-${id}`)).filter(({ type }) => type === 'ExperimentClosed');

it('given selections that were won, lost, cancelled and not settled, when the time is over, then it closes with all of them', async () => {
  const { server, id, show } = await given();
  const games = [
    await play(server, 'won', 'home'),
    await play(server, 'lost', 'away'),
    await play(server, 'off', 'cancelled'),
    await play(server, 'open', null),
    await play(server, 'unselected', 'home', { isSelected: false }),
  ];
  const [won, lost, off, open] = await finish(server, games);
  expect(await show()).toMatchObject({ state: 'open', selections: [], measures: null });
  server.clock.time = FROM + DAY / 2 + 3 * MINUTE;
  await server.seals.check();
  const shown = await show();
  expect(shown).toMatchObject({
    state: 'closed',
    verdict: 'pass',
    reasons: [],
    until: iso(FROM + DAY / 2),
    left_out: 0,
  });
  expect(shown.selections.map(({ event_id, result, profit }: any) => [event_id, result, profit])).toEqual([
    [won, 'won', 1.1],
    [lost, 'lost', -1],
  ]);
  for (const { close, clv, tier, price } of shown.selections) {
    expect([tier, price]).toEqual(['strong', 110]);
    expect(close).toBeGreaterThan(0.55);
    expect(clv).toBeCloseTo(close / 0.5 - 1, 6);
  }
  expect(shown.exclusions.map(({ event_id, reason }: any) => [event_id, reason])).toEqual([
    [off, 'cancelled'],
    [open, 'not_settled'],
  ]);
  expect(shown.measures).toMatchObject({ n: 2, n_clv: 2, hit_rate: 0.5, profit: 0.05, drawdown: 1 });
  await server.feed();
  expect((await server.get('/v1/experiments')).experiments[0]).toMatchObject({ id, state: 'closed', verdict: 'pass' });
});

it('given two processes and a kill, when both close an experiment at once, then it has one closing, and it never changes', async () => {
  const { server, id, show } = await given();
  await finish(server, [await play(server, 'won', 'home')]);
  server.clock.time = FROM + DAY / 2 + 3 * MINUTE;
  const { log, store } = server;
  const errors: unknown[] = [];
  const closer = (through: typeof log) =>
    createExperimentCloser({ log: through, store, newSalt: () => SALT, onError: (error) => void errors.push(error) });
  const close = (through = log) => closer(through).closeDue(server.clock.time, new AbortController().signal);
  // The process is gone before its append.
  await close({ ...log, readSince: log.readSince, append: async () => Promise.reject(new Error('killed')) });
  expect([errors.length, await closingsOf(server, id)]).toEqual([1, []]);
  await Promise.all([close(), close(), server.seals.check()]);
  const [closing, ...others] = await closingsOf(server, id);
  expect(others).toEqual([]);
  const first = await show();
  // Another result comes: the fact stands.
  await server.feed(score('won', 'final', [{ score: '1' }, { score: '2' }], { at: iso(server.clock.time) }));
  server.clock.time += HOUR;
  await close();
  await server.seals.check();
  expect(await closingsOf(server, id)).toEqual([closing]);
  expect(await show()).toEqual(first);
  expect(errors).toHaveLength(1);
});

it('given an end before its time, when it closes, then later selections do not count', async () => {
  const { server, id, show } = await given();
  const games = [await play(server, 'early', 'home')];
  server.clock.time = FROM + 2 * MINUTE;
  await server.post(`/v1/experiments/${id}/end`, {});
  games.push(await play(server, 'late', 'home', { after: 3 * MINUTE }));
  const [event] = await finish(server, games);
  await server.seals.check();
  const shown = await show();
  expect(shown).toMatchObject({ state: 'closed', ended_at: iso(FROM + 2 * MINUTE), until: iso(FROM + 2 * MINUTE) });
  const all = [...shown.selections, ...shown.exclusions].map(({ event_id }: any) => event_id);
  expect(all).toEqual([event]);
});

it('given members that are not understood, when it closes, then it is inconclusive and says why', async () => {
  const { server, show } = await given({ cohort: { league: 'nba', weather: 'rain' }, gates: { min_n: 1, luck: 1 } });
  await finish(server, [await play(server, 'won', 'home')]);
  server.clock.time = FROM + DAY / 2 + 3 * MINUTE;
  await server.seals.check();
  const { verdict, reasons, measures } = await show();
  expect([verdict, reasons]).toEqual([
    'inconclusive',
    ['cohort.weather is not understood', 'gates.luck is not understood', 'there is no gate'],
  ]);
  expect(measures.n).toBe(1);
});

it('given the answer of an experiment that is closed, when its result is another one than was sealed, then it is found', async () => {
  const { server, show } = await given();
  await finish(server, [await play(server, 'won', 'home')]);
  server.clock.time = FROM + DAY / 2 + 3 * MINUTE;
  await server.seals.check();
  const shown = await show();
  server.clock.time = FROM + 2 * DAY;
  await server.seals.check();
  const files: any[] = [];
  for await (const { date } of createSealReader(server.log).all())
    files.push(await (await fetch(`${server.url}/record/seals/${date}.json`)).json());
  const isOfResult = (file: any) => file.leaves.some(({ content }: any) => content?.kind === 'experiment_result');
  const faultsOf = (answer: object, given: readonly unknown[] = files) =>
    checkSeals([...given, answer].map((value, index) => ({ name: `${index}`, value }))).faults.map(({ says }) => says);

  expect(shown.verdict).toBe('pass');
  expect(faultsOf(shown)).toEqual([]);
  for (const [name, value] of Object.entries({
    verdict: 'fail',
    selections: [],
    left_out: 3,
    gates_measured: [],
    measures: { ...shown.measures, n: 2 },
    until: iso(FROM + MINUTE),
  }))
    expect(faultsOf({ ...shown, [name]: value })).toEqual([expect.stringContaining(`was changed: ${name} `)]);
  const leaves = files.flatMap((file: any) => file.leaves).filter(({ content }: any) => content?.id === shown.id);
  expect(leaves.map(({ content }: any) => content.definition_hash)).toEqual([shown.hash]);
  const ofAnother = faultsOf({ ...shown, name: 'another', hash: 'f'.repeat(64) });
  expect(ofAnother).toContain('was changed: hash is not the definition_hash that was sealed of its result');
  expect(faultsOf({ ...shown, state: 'open', verdict: null, closed_at: null })).toHaveLength(1);
  const without = files.map((file: any) =>
    isOfResult(file) ? { ...file, leaves: file.leaves.map(({ hash }: any) => ({ hash })) } : file,
  );
  expect(faultsOf(shown, without)).toEqual([expect.stringContaining('its result stands in none of the days')]);
});

it('given a sealed result, when one number of it is changed, then the file and the log are found to be changed', async () => {
  const { server } = await given();
  await finish(server, [await play(server, 'won', 'home')]);
  server.clock.time = FROM + DAY / 2 + 3 * MINUTE;
  await server.seals.check();
  server.clock.time = FROM + 2 * DAY;
  await server.seals.check();
  const seals = [];
  for await (const seal of createSealReader(server.log).all()) seals.push(seal);
  const files = await Promise.all(
    seals.map(async ({ date }) => (await fetch(`${server.url}/record/seals/${date}.json`)).text()),
  );
  const faultsOf = (texts: readonly string[]) =>
    checkSeals(texts.map((text, index) => ({ name: `day ${index}`, value: JSON.parse(text) }))).faults;
  expect(files.join()).toContain('"kind":"experiment_result"');
  expect(faultsOf(files)).toEqual([]);
  const forged = files.map((text) => text.replace('"verdict":"pass"', '"verdict":"fail"'));
  expect(faultsOf(forged)[0]).toMatchObject({ path: expect.stringMatching(/verdict$/) });

  const altered = {
    ...server.log,
    async *readAllFrom(...given: Parameters<typeof server.log.readAllFrom>) {
      for await (const page of server.log.readAllFrom(...given)) yield page.map(alter);
    },
    async *readSince(...given: Parameters<typeof server.log.readSince>) {
      for await (const page of server.log.readSince(...given)) yield page.map(alter);
    },
  };
  const differences = async (log: typeof server.log) =>
    (await verifySealsOfLog(log, createSealReader(server.log).all())).differences;
  expect(await differences(server.log)).toEqual([]);
  expect(await differences(altered)).toHaveLength(1);
});

const alter = <Record extends { readonly type: string; readonly data: unknown }>(record: Record): Record =>
  record.type === 'ExperimentClosed'
    ? { ...record, data: { ...(record.data as ExperimentClosed), verdict: 'fail' } }
    : record;
