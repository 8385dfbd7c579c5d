import {
  type AllStreamSubscription,
  type AppendToStreamOptions,
  END,
  EventStoreDBClient,
  type JSONEventData,
  jsonEvent,
  type ReadPosition,
  START,
} from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DOUBLE_KINDS } from '../../../src/server/engines/event-log-double/double-kind.ts';
import { type StartedDouble, startDoubleProcess } from './started-double.ts';

// What EventStoreDB 22.10.5 and 24.6.0 were seen to answer to their own client. The double answers the same.

const MAX_APPEND_BYTES = 1_048_576;

describe.each(DOUBLE_KINDS)("the double of EventStoreDB %s answers the engine's own client", (kind) => {
  let double: StartedDouble;
  let client: EventStoreDBClient;
  beforeAll(async () => {
    double = await startDoubleProcess(kind);
  });
  afterAll(() => double.stop());
  beforeEach(async () => {
    double.forget();
    client = connect();
    // A test before may have started it anew.
    while (
      !(await all().then(
        () => true,
        () => false,
      ))
    );
  });
  afterEach(() => client.dispose());

  /** @param isBatching whether it appends in batches, as it does by itself; the event log does not */
  function connect(isBatching = false): EventStoreDBClient {
    const connected = EventStoreDBClient.connectionString(double.url);
    if (!isBatching) Reflect.set(connected, 'supports', async () => false);
    return connected;
  }
  const uuid = () => crypto.randomUUID();
  const event = (id: string = uuid(), data: object = {}): JSONEventData =>
    jsonEvent({ id, type: 'Noted', data: data as Record<string, never> });
  const events = (count: number) => Array.from({ length: count }, () => event());
  const append = (stream: string, given: JSONEventData[], options: AppendToStreamOptions = {}) =>
    client.appendToStream(stream, given, options);
  const place = (commit: bigint): ReadPosition => ({ commit, prepare: commit });

  async function revisions(
    stream: string,
    direction: 'forwards' | 'backwards' = 'forwards',
    from?: bigint,
    count = 100,
  ) {
    const fromRevision = from ?? (direction === 'forwards' ? START : END);
    const found: number[] = [];
    for await (const { event: one } of client.readStream(stream, { direction, fromRevision, maxCount: count }))
      found.push(Number(one!.revision));
    return found;
  }

  async function all(options: Parameters<EventStoreDBClient['readAll']>[0] = {}) {
    const found: { readonly stream: string; readonly type: string; readonly position: bigint }[] = [];
    for await (const { event: one } of client.readAll({ maxCount: 1000, ...options }))
      found.push({ stream: one!.streamId, type: one!.type, position: one!.position!.commit });
    return found;
  }

  async function read(events: AsyncIterable<unknown>): Promise<void> {
    for await (const _ of events);
  }

  async function failure(work: Promise<unknown>): Promise<{ code?: number; type?: string; message: string }> {
    return work.then(
      () => expect.unreachable('it did not fail'),
      (error: { code?: number; type?: string; message: string }) => error,
    );
  }

  /** What a subscription to the whole log is told, in order, until it fails or `until` is told. */
  function told(fromPosition: ReadPosition, until: string, requiresLeader = false): Promise<string[]> {
    const words: string[] = [];
    const subscription: AllStreamSubscription = client.subscribeToAll({ fromPosition, requiresLeader });
    return new Promise((resolve) => {
      const say = (word: string) => {
        words.push(word);
        if (!word.startsWith(until)) return;
        void subscription.unsubscribe();
        resolve(words);
      };
      subscription.on('confirmation', () => say('confirmed'));
      subscription.on('caughtUp', () => say('caught up'));
      subscription.on('data', ({ event: one }) => say(`event ${one!.streamId}`));
      subscription.on('error', (error) => {
        const { code, type, message } = error as Error & { readonly code?: number; readonly type?: string };
        say(`error ${code} ${type} ${message}`);
      });
    });
  }

  describe('a repeated append', () => {
    it('succeeds, and is told the true position of its last event, after other appends and a kill too', async () => {
      const given = events(3);
      const first = await append('a', given, { expectedRevision: 'no_stream' });
      await append('b', events(2));
      for (const expectedRevision of ['no_stream', 'any', 'stream_exists'] as const)
        expect(await append('a', given, { expectedRevision })).toEqual(first);
      await double.killAndRestart();
      double.control({ notReadyMs: 0 });
      client = connect();
      expect(await append('a', given, { expectedRevision: 'no_stream' })).toEqual(first);
      expect(await revisions('a')).toEqual([0, 1, 2]);
    });

    it('with one more event is refused, whatever it expects', async () => {
      const given = events(4);
      await append('a', given);
      for (const expectedRevision of ['any', 'stream_exists', 'no_stream'] as const) {
        const error = await failure(append('a', [...given, event()], { expectedRevision }));
        expect(error).toMatchObject({ type: 'wrong-expected-version', actualVersion: 3n });
      }
      expect(await revisions('a')).toHaveLength(4);
    });

    it('in another order is known without an expected revision, and refused with one', async () => {
      const [a, b, c] = events(3) as [JSONEventData, JSONEventData, JSONEventData];
      await append('a', [a, b, c]);
      expect(await append('a', [c, a, b])).toMatchObject({ success: true, nextExpectedRevision: 1n });
      expect(await failure(append('a', [b, a, c], { expectedRevision: 'no_stream' }))).toMatchObject({
        type: 'wrong-expected-version',
      });
      expect(await revisions('a')).toHaveLength(3);
    });

    it('is known after hundreds of events', async () => {
      const [first, ...rest] = events(301) as [JSONEventData, ...JSONEventData[]];
      await append('a', [first]);
      await append('a', rest);
      expect(await append('a', [first])).toMatchObject({ success: true, nextExpectedRevision: 0n });
    });

    it('is stored in another stream, and twice if one append holds it twice', async () => {
      const [first] = events(1) as [JSONEventData];
      await append('a', [first]);
      await append('b', [first, first]);
      expect(await revisions('b')).toEqual([0, 1]);
    });
  });

  it('tells a success and a position for an append of no events', async () => {
    const none = await append('a', []);
    expect(none).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(none.position!.commit).toBeGreaterThan(0n);
    await append('a', events(3));
    expect(await append('a', [])).toMatchObject({ success: true, nextExpectedRevision: 2n });
  });

  it('tells nothing of the cause when a name, a type or an id is not one', async () => {
    const nothing = { code: 2, message: expect.stringContaining('Exception was thrown by handler.') };
    expect(await failure(append('', events(1)))).toMatchObject(nothing);
    expect(await failure(append('a', [event('no-uuid')]))).toMatchObject(nothing);
    expect(await failure(append('a', [{ ...event(), type: '' }]))).toMatchObject(nothing);
  });

  describe('the size of an append', () => {
    const ofBytes = (bytes: number) => ({
      ...event(),
      contentType: 'application/octet-stream',
      data: Buffer.alloc(bytes),
    });

    it('counts the data alone, to the byte', async () => {
      for (const isBatched of [true, false]) {
        client = connect(isBatched);
        const whole = { ...ofBytes(MAX_APPEND_BYTES), type: 'x'.repeat(1001), metadata: Buffer.alloc(10_000) };
        await client.appendToStream(`a-${isBatched}`, [whole as never]);
        const more = [ofBytes(MAX_APPEND_BYTES), ofBytes(1)];
        expect(await failure(client.appendToStream('b', more as never))).toMatchObject({
          type: 'maximum-append-size-exceeded',
          maxAppendSize: MAX_APPEND_BYTES,
        });
      }
    });

    it('is refused without its limit when the message is beyond 16 MiB', async () => {
      expect(await failure(client.appendToStream('a', [ofBytes(17_000_000) as never]))).toMatchObject({
        code: 8,
        type: 'unknown',
      });
    });
  });

  it('appends in batches too, and tells a conflict there', async () => {
    client = connect(true);
    expect(await append('a', events(2))).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(await failure(append('a', events(1), { expectedRevision: 0n }))).toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 0n,
      actualVersion: 1n,
    });
  });

  describe('a read', () => {
    it('backwards from beyond the end of a stream begins at its end', async () => {
      await append('a', events(3));
      expect(await revisions('a', 'backwards', 50n, 5)).toEqual([2, 1, 0]);
      expect(await revisions('a', 'backwards', 3n, 2)).toEqual([2, 1]);
    });

    it('of no events fails for a stream, and is never answered for the whole log', async () => {
      await append('a', events(1));
      expect(await failure(revisions('a', 'forwards', 0n, 0))).toMatchObject({ code: 2 });
      const silence = new Promise((resolve) => setTimeout(() => resolve('silent'), 300));
      expect(await Promise.race([all({ maxCount: 0 }), silence])).toBe('silent');
    });

    it('of the whole log fails where no event begins, and backwards from beyond the end', async () => {
      await append('a', events(2));
      const places = (await all()).map(({ position }) => position);
      const [first, last] = [places[0]!, places.at(-1)!];
      const text = kind === '22.10' ? 'Unexpected ReadAllResult: Error' : 'Unexpected ReadAllResult: InvalidPosition';
      const wrong = { code: 2, message: expect.stringContaining(text) };
      expect(await failure(all({ fromPosition: place(first + 1n) }))).toMatchObject(wrong);
      const beyond = place(last + 1_000_000n);
      expect(await failure(all({ fromPosition: beyond, direction: 'backwards' }))).toMatchObject({ code: 2 });
      const skewed = { commit: last, prepare: last + 1n };
      expect(await failure(all({ fromPosition: skewed }))).toMatchObject({ code: 2 });
    });

    it("begins with the engine's own events", async () => {
      await append('a', events(1));
      expect((await all())[0]).toMatchObject({ stream: '$$$scavenges', type: '$metadata' });
    });

    it('that is long does not gather listeners', async () => {
      for (let i = 0; i < 4; i++)
        await append(
          'a',
          Array.from({ length: 500 }, () => event(uuid(), { x: 'x'.repeat(1000) })),
        );
      let count = 0;
      for await (const _ of client.readStream('a'))
        if (++count % 100 === 0) await new Promise((go) => setTimeout(go, 5));
      expect(count).toBe(2000);
      expect(double.output()).not.toContain('MaxListenersExceededWarning');
    });
  });

  describe('a subscription to the whole log', () => {
    it('is told that it has caught up by the newer kind alone', async () => {
      await append('a', events(1));
      const seen = told(START, 'event b');
      await append('b', events(1));
      const words = await seen;
      expect(words[0]).toBe('confirmed');
      // The older kind never tells it, so what would come before the next event does not.
      await new Promise((go) => setTimeout(go, 50));
      const quiet = told(END, kind === '22.10' ? 'event' : 'caught up');
      const pause = setInterval(() => void append('c', events(1)), 50);
      expect(await quiet.finally(() => clearInterval(pause))).toEqual([
        'confirmed',
        kind === '22.10' ? expect.stringMatching(/^event/) : 'caught up',
      ]);
    });

    it('where no event begins fails, in the newer kind after it was confirmed', async () => {
      await append('a', events(2));
      const first = (await all())[0]!.position;
      const words = await told(place(first + 1n), 'error');
      expect(words).toEqual(
        kind === '22.10'
          ? [expect.stringMatching(/^error 2 unknown/)]
          : ['confirmed', expect.stringMatching(/^error 3 .*Trying to read from an invalid position\./)],
      );
    });

    it('beyond the end is confirmed and stays silent', async () => {
      await append('a', events(1));
      expect(await told(place(1_000_000_000n), 'confirmed')).toEqual(['confirmed']);
    });

    it('at a follower is confirmed from the end, and sent to the leader from a place', async () => {
      await append('a', events(1));
      double.control({ notLeader: { times: 1000, host: '127.0.0.1', port: 1 } });
      expect(await told(END, 'confirmed', true)).toEqual(['confirmed']);
      expect((await told(START, 'error', true)).at(-1)).toMatch(/not-leader/);
      client = connect();
      expect(await failure(read(client.readStream('a', { requiresLeader: true })))).toMatchObject({
        type: 'not-leader',
      });
      client = connect();
      // Who does not ask for the leader is answered by the follower.
      expect(await revisions('a')).toEqual([0]);
    });
  });

  it('is not ready for a while after its start', async () => {
    double.control({ notReadyMs: 3_600_000 });
    await double.killAndRestart();
    client = connect();
    const away = { type: 'unavailable', message: expect.stringContaining('Server Is Not Ready') };
    expect(await failure(append('a', events(1)))).toMatchObject(away);
    expect(await failure(revisions('a'))).toMatchObject(away);
    double.control({ notReadyMs: 0 });
    expect(await append('a', events(1))).toMatchObject({ success: true });
  });

  describe('a deleted stream', () => {
    it('is not found, and goes on at the next revision', async () => {
      await append('a', events(3));
      await client.deleteStream('a');
      expect(await failure(revisions('a'))).toMatchObject({ type: 'stream-not-found' });
      expect(await append('a', events(1), { expectedRevision: 'no_stream' })).toMatchObject({
        nextExpectedRevision: 3n,
      });
      expect(await revisions('a')).toEqual([3]);
    });

    it('for ever is refused to readers and writers', async () => {
      await append('a', events(1));
      await client.tombstoneStream('a');
      const gone = { type: 'stream-deleted' };
      expect(await failure(revisions('a'))).toMatchObject(gone);
      expect(await failure(append('a', events(1)))).toMatchObject({ ...gone, code: 9 });
    });
  });

  it('refuses a wrong password, an unknown user, and a user who may not read the whole log', async () => {
    await append('a', events(1));
    const denied = { type: 'access-denied' };
    double.control({ denies: 'password' });
    expect(await failure(revisions('a'))).toMatchObject({ ...denied, code: 16 });
    double.control({ denies: 'user' });
    expect(await failure(append('a', events(1)))).toMatchObject({ ...denied, code: 7 });
    double.control({ denies: 'all' });
    expect(await failure(all())).toMatchObject({ ...denied, code: 7 });
    expect(await revisions('a')).toEqual([0]);
  });
});
