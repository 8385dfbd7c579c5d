import { describe, expect, it } from 'vitest';
import { corrections } from '../../projections/sports-events/corrections.ts';
import { type EventDocument, events } from '../../projections/sports-events/events.ts';
import { createScoreHub } from '../../src/api/streams/score-hub.ts';
import { createLogFeed } from '../../src/event-log/subscription/log-feed.ts';
import { createDocumentHistory } from '../../src/read-models/as-of/document-history.ts';
import { createRecordMapper } from '../../src/read-models/change-feed/record-mapper.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import { createChangeSource } from '../../src/webhooks/change-source.ts';
import { type RestatedWorld, restatedWorld, type Step } from './restated-log.ts';
import { contents, runnerOf } from './runner-kit.ts';

const scheduled = (ref: number): Step => ({ kind: 'schedule', ref, value: ref });
/** Of 90 and more to 93; final where it is odd. */
const score = (ref: number, value: number): Step => ({ kind: 'score', ref, value });

async function given(...all: readonly Step[]): Promise<RestatedWorld> {
  const world = restatedWorld();
  for (const step of all) await world.take(step);
  return world;
}

const told = async ({ log }: RestatedWorld) =>
  createRecordMapper({ log, store: createMemoryStore() })(await log.readAll(null, 1000), () => true);
const shortly = (changes: Awaited<ReturnType<typeof told>>) =>
  changes
    .filter(({ eventType }) => eventType !== 'identity')
    .map(({ eventType, eventId, data }) => [eventType, eventId, data['to'] ?? (data['scores'] as any)?.[0].score]);

describe('an act that gives an event the reports of another source', () => {
  it('given a final score that changes with it, then that is told once, and nothing that was told before', async () => {
    const world = await given(scheduled(1), scheduled(2), score(1, 1), score(2, 3));
    const before = await told(world);
    await world.take({ ref: 2, into: 1, isLost: true });
    expect(await told(world)).toEqual(before);
    await world.take({ ref: 2, into: 1 });
    const after = await told(world);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(shortly(after.slice(before.length))).toEqual([['score', 1, '93']]);
    await world.take({ ref: 2, into: 2 });
    expect(shortly((await told(world)).slice(after.length))).toEqual([['score', 1, '91']]);
  });

  it('given prices afterwards, then their moves follow those of the present streams', async () => {
    const price = (ref: number, value: number): Step => ({ kind: 'prices', ref, value });
    const world = await given(scheduled(1), scheduled(2), price(1, 0), price(2, 2), { ref: 2, into: 4 });
    const before = (await told(world)).length;
    await world.take(price(2, 4));
    const moves = (await told(world)).slice(before);
    expect(new Set(moves.map(({ eventType, eventId }) => `${eventType} ${eventId}`))).toEqual(new Set(['line_move 4']));
  });

  it('given prices afterwards, then alerts tell what they open and what they are worth, and of which game', async () => {
    const price = (ref: number, value: number): Step => ({ kind: 'prices', ref, value });
    const world = await given(scheduled(1), scheduled(2), price(2, 2), { ref: 2, into: 4 }, price(2, 41));
    const { log } = world;
    const bookmakers = { nameOf: (key: string) => key, sharpWeight: () => 1 };
    const source = createChangeSource({ log, store: createMemoryStore(), bookmakers });
    const changes = await source.mapRecords(await log.readAll(null, 1000), () => true);
    const alerts = changes.filter(({ eventId, eventType }) => eventId === 4 && eventType !== 'identity');
    expect(new Set(alerts.map(({ eventType }) => eventType))).toEqual(new Set(['new_price', 'arbitrage']));
    const head = (await log.head())!;
    for (const alert of alerts) expect(await source.subjectOf(alert, head)).toMatchObject({ name: 'Team 6 at Team 3' });
  });

  it('given a moment before the act, then what was recorded by then is what the former streams say', async () => {
    const world = await given(scheduled(1), scheduled(2), score(1, 1), score(2, 3), { ref: 2, into: 1 });
    const { data } = (await world.log.readStream('identity-1'))[0]!;
    const acted = Date.parse((data as { at: string }).at);
    const histories = createDocumentHistory(world.log);
    const scoreOf = async (id: string, at: number, basis: 'recorded' | 'observed') => {
      const document = (await histories.documentsAsOf<EventDocument>(events, id, { at, basis })).get(id);
      return document?.event.sides[0].score;
    };
    expect(await scoreOf('1', acted - 1, 'recorded')).toBe('91');
    expect(await scoreOf('2', acted - 1, 'recorded')).toBe('93');
    expect(await scoreOf('1', acted, 'recorded')).toBe('93');
    expect(await scoreOf('2', acted, 'recorded')).toBeUndefined();
    expect(await scoreOf('1', acted - 1, 'observed')).toBe('93');
    expect(await scoreOf('2', acted - 1, 'observed')).toBeUndefined();
  });

  it('given a final score that changes with it, then that is a correction with a reason, and earlier ones stay', async () => {
    const world = await given(scheduled(1), scheduled(2), score(1, 1), score(1, 5), score(2, 3));
    const store = createMemoryStore();
    const runner = runnerOf(world.log, store, [corrections]);
    await runner.start();
    await runner.caughtUp();
    const rows = async () =>
      (await contents(store, corrections.name)).flatMap(({ document }: any) => (document.event_id ? [document] : []));
    const before = await rows();
    expect(before).not.toEqual([]);
    await world.take({ ref: 2, into: 1 });
    await runner.waitFor((await world.log.head())!);
    const added = (await rows()).filter(({ id }) => !before.some((one) => one.id === id));
    expect((await rows()).filter(({ id }) => before.some((one) => one.id === id))).toEqual(before);
    const score95 = { field: 'score', before: { home: '95', away: '93' }, after: { home: '93', away: '93' } };
    expect(added).toContainEqual(
      expect.objectContaining({ ...score95, event_id: 1, source: 'operator', reason: 'identity' }),
    );
    expect(new Set(added.map(({ event_id, reason }) => `${event_id} ${reason}`))).toEqual(new Set(['1 identity']));
    await runner.stop();
  });

  it('given an open score stream, then it tells the other score once, and goes on with the present stream', async () => {
    const world = await given(scheduled(1), scheduled(2), score(1, 0), score(2, 2));
    const errors: unknown[] = [];
    const store = createMemoryStore();
    await store.prepare(events, 'v4');
    const setTimer = (callback: () => void, milliseconds: number) => {
      const timer = setTimeout(callback, Math.min(milliseconds, 5));
      return () => clearTimeout(timer);
    };
    const hub = createScoreHub({
      log: world.log,
      feed: createLogFeed(world.log),
      store,
      setTimer,
      onError: (error) => errors.push(error),
    });
    const seen: string[] = [];
    const held = (await hub.subscribe(1))!;
    held.join({
      changed: ({ bytes }) => seen.push(JSON.parse(/data: (.*)/.exec(bytes.toString())![1]!).scores[0].score),
      failed: () => seen.push('failed'),
    });
    const see = async (...wanted: string[]) => {
      for (let left = 200; left > 0 && seen.length < wanted.length; left--) await new Promise((r) => setTimeout(r, 5));
      expect(seen).toEqual(wanted);
    };
    await world.take({ ref: 2, into: 1, isLost: true });
    await world.take({ ref: 2, into: 1 });
    await see('92');
    await world.take(score(2, 4));
    await see('92', '94');
    await world.take({ ref: 1, into: 4 });
    await world.take(score(2, 6));
    await see('92', '94', '96');
    expect(errors).toEqual([]);
    held.release();
    await hub.close();
  });
});
