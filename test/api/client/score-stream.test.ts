import { afterEach, describe, expect, it } from 'vitest';
import type { Sleep } from '../../../src/api/client/ambient.ts';
import { createClient, type ScoreSnapshot } from '../../../src/api/client/index.ts';
import { append, scheduled, score } from '../streams/match.ts';
import { type Served, serveStreams } from '../streams/serving.ts';
import { envelope, type Scripted, scriptedClient } from './scripted-fetch.ts';

const SILENCE = 45_000;

/** Waits that are noted and over at once; silences end only when they are told to. */
function waiting() {
  const waits: number[] = [];
  const silences: (() => void)[] = [];
  const sleep: Sleep = (milliseconds) => {
    if (milliseconds === SILENCE) return new Promise((end) => void silences.push(end));
    waits.push(milliseconds);
    return Promise.resolve();
  };
  return { waits, sleep, silences };
}

describe('the score of an event, from the server', () => {
  let served: Served;
  afterEach(() => served.close());

  async function watching(apiKey = 'key-of-all') {
    served = await serveStreams();
    await append(served.log, scheduled(1), score(1, [0, 0]));
    await served.project();
    const requests: { url: string; headers: Headers }[] = [];
    const noted = (url: string, init: RequestInit) => {
      requests.push({ url, headers: new Headers(init.headers as Headers) });
      return fetch(url, init);
    };
    const { waits, sleep } = waiting();
    const options = { baseUrl: served.url, apiKey, maxRetries: 0, fetch: noted as typeof fetch };
    return { client: createClient(options, { sleep }), requests, waits };
  }
  const pointsOf = ({ scores }: ScoreSnapshot) => scores.map((side) => side.score).join('-');
  const nextPoints = async (snapshots: AsyncGenerator<ScoreSnapshot, void>) =>
    pointsOf((await snapshots.next()).value as ScoreSnapshot);

  it('comes as it stands, at every change, and ends with the event; the key is in its header', async () => {
    const { client, requests } = await watching();
    const snapshots = client.streamScores({ id: 1 });
    expect(await nextPoints(snapshots)).toBe('0-0');
    await append(served.log, score(1, [2, 0]));
    expect(await nextPoints(snapshots)).toBe('2-0');
    await append(served.log, score(1, [2, 3], { status: 'final' }));
    expect((await snapshots.next()).value).toMatchObject({ event_id: 1, status: 'final' });
    expect((await snapshots.next()).done).toBe(true);
    expect(requests.map(({ url }) => url)).toEqual([`${served.url}/v1/events/1/stream`]);
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer key-of-all');
  });

  it.each([
    ['the server asks to reconnect', () => served.timers.advance(5 * 60_000)],
    ['the connection breaks', () => served.server.closeAllConnections()],
  ])('goes on after %s, and repeats nothing', async (_, interrupt) => {
    const { client, requests, waits } = await watching();
    const snapshots = client.streamScores({ id: 1 });
    expect(await nextPoints(snapshots)).toBe('0-0');
    const next = nextPoints(snapshots);
    interrupt();
    await expect.poll(() => [requests.length, served.streams.size]).toEqual([2, 1]);
    await append(served.log, score(1, [2, 0]));
    expect(await next).toBe('2-0');
    expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '00000000000000000002']);
    // As long as the server has asked to wait.
    expect(waits).toEqual([3000]);
    await snapshots.return();
    await expect.poll(() => served.streams.size).toBe(0);
  });

  it('throws what the server says of an event that there is not', async () => {
    const { client } = await watching();
    await expect(client.streamScores({ id: 9 }).next()).rejects.toMatchObject({
      name: 'LedgerlineError',
      status: 404,
      code: 'not_found',
      message: 'There is no event 9.',
      error: { code: 'not_found', request_id: expect.any(String) },
    });
  });

  it('throws what refuses its opening', async () => {
    const { client } = await watching('unknown');
    await expect(client.streamScores({ id: 1 }).next()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('leaves the server when the reader goes', async () => {
    const { client } = await watching();
    for await (const snapshot of client.streamScores({ id: 1 })) {
      expect([pointsOf(snapshot), served.streams.size]).toEqual(['0-0', 1]);
      break;
    }
    await expect.poll(() => served.streams.size).toBe(0);
  });

  it('leaves the server when its signal is aborted, with the reason', async () => {
    const { client } = await watching();
    const given = new AbortController();
    const snapshots = client.streamScores({ id: 1 }, { signal: given.signal });
    await snapshots.next();
    const next = snapshots.next();
    const reason = new Error('no longer wanted');
    given.abort(reason);
    await expect(next).rejects.toBe(reason);
    await expect.poll(() => served.streams.size).toBe(0);
  });
});

describe('the score of an event, over bad connections', () => {
  /** An answer of these messages; it stays open where it is told to. */
  const stream =
    (messages: readonly string[], { isOpen = false } = {}): Scripted =>
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const message of messages) controller.enqueue(new TextEncoder().encode(message));
            if (!isOpen) controller.close();
          },
        }),
      );
  const snapshot = (id: number) => `event: score\nid: ${id}\ndata: {"event_id":${id}}\n\n`;
  const DONE = 'event: done\ndata: {"event_id":1}\n\n';

  function watch(script: Scripted[], maxRetries = 2) {
    const { waits, sleep, silences } = waiting();
    const { client, requests } = scriptedClient(script, { maxRetries }, { sleep });
    return { snapshots: client.streamScores({ id: 1 }), waits, requests, silences };
  }
  async function idsOf(snapshots: AsyncIterable<ScoreSnapshot>): Promise<number[]> {
    const ids: number[] = [];
    for await (const { event_id: id } of snapshots) ids.push(id);
    return ids;
  }

  it('goes on after connections that end without a word, however many, while something comes', async () => {
    const { snapshots, waits } = watch([1, 2, 3, 4, 5].map((id) => stream([snapshot(id)])).concat(stream([DONE])), 1);
    expect(await idsOf(snapshots)).toEqual([1, 2, 3, 4, 5]);
    expect(waits).toEqual([500, 500, 500, 500, 500]);
  });

  it('waits longer each time that nothing comes, then gives up', async () => {
    const { snapshots, waits, requests } = watch([stream([]), stream([]), stream([])]);
    await expect(idsOf(snapshots)).rejects.toMatchObject({ status: 0, code: 'network_error' });
    expect([waits, requests.length]).toEqual([[500, 1000], 3]);
  });

  it('tries an opening that fails as any other read', async () => {
    const down = envelope(503, 'service_unavailable', {}, { 'retry-after': '7' });
    const { snapshots, waits } = watch([new TypeError('fetch failed'), down, stream([snapshot(1), DONE])]);
    expect(await idsOf(snapshots)).toEqual([1]);
    expect(waits).toEqual([500, 7000]);
  });

  it('takes messages in pieces, and letters cut in two', async () => {
    const whole = new TextEncoder().encode('event: score\nid: 1\ndata: {"clock":"Zürich – 45’"}\n\n');
    const body = new ReadableStream({
      start(controller) {
        for (const byte of whole) controller.enqueue(Uint8Array.of(byte));
        controller.enqueue(new TextEncoder().encode(DONE));
        controller.close();
      },
    });
    const { snapshots } = watch([() => new Response(body)]);
    expect((await snapshots.next()).value).toEqual({ clock: 'Zürich – 45’' });
  });

  it('passes over keep-alives and messages that it does not know', async () => {
    const { snapshots } = watch([stream([': keep-alive\n\n', 'event: news\ndata: {}\n\n', snapshot(1), DONE])]);
    expect(await idsOf(snapshots)).toEqual([1]);
  });

  it('opens a connection again that has fallen silent', async () => {
    const { snapshots, requests, silences } = watch([
      stream([snapshot(1)], { isOpen: true }),
      stream([snapshot(2), DONE]),
    ]);
    await snapshots.next();
    const next = snapshots.next();
    // One for each piece that is waited for.
    await expect.poll(() => silences.length).toBe(2);
    silences[1]!();
    expect((await next).value).toEqual({ event_id: 2 });
    expect(requests[1]!.headers.get('last-event-id')).toBe('1');
  });

  it('throws an error without an envelope too', async () => {
    const { snapshots } = watch([stream(['event: error\ndata: {}\n\n'])]);
    await expect(idsOf(snapshots)).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});
