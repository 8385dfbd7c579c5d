import { createParser } from 'eventsource-parser';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import { type StageSteps, stagesInSteps } from '../calls/pipeline/recording-admission-control.ts';
import { append, scheduled, score } from './match.ts';
import { BASE_URL, type Served, serveStreams } from './serving.ts';
import { openStream } from './sse-client.ts';

let served: Served;
/** Those that the server has as long as it runs. */
let timersOfServer: number;
afterEach(() => served.close());

/** How many timers are left once the server has looked at its read models, 5 s after a commit. */
function settledTimers(): number {
  served.timers.advance(5000);
  return served.timers.size;
}

async function withMatch(steps: Partial<StageSteps> = {}): Promise<void> {
  served = await serveStreams(stagesInSteps(steps));
  await append(served.log, scheduled(1), score(1, [0, 0], { period: '1', clock: '12:00' }));
  await served.project();
  // Some are set once the server has looked around.
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  timersOfServer = settledTimers();
}

/** Stages that write down what happens, and can be waited for. */
function noted() {
  const steps: string[] = [];
  const waiting: { readonly step: string; readonly wake: () => void }[] = [];
  const note = (step: string) => {
    steps.push(step);
    for (const one of waiting) if (one.step === step) one.wake();
  };
  const stages: Partial<StageSteps> = {
    rateLimit: (call) => note(`rate ${call.operation}`),
    enter: () => {
      note('enter');
      return () => note('leave');
    },
    openStream: () => {
      note('open');
      return () => note('over');
    },
    reserve: (call, most) => {
      note(`reserve ${most}`);
      call.creditsRemaining = 41;
      return { charge: (credits) => note(`charge ${credits}`), release: () => note('release') };
    },
  };
  const until = (step: string) =>
    new Promise<void>((wake) => {
      if (steps.includes(step)) wake();
      else waiting.push({ step, wake });
    });
  return { steps, stages, until };
}

describe('an open stream', () => {
  it('has the headers of one', async () => {
    const { stages } = noted();
    await withMatch(stages);
    const { status, headers } = await served.open(1, { authorization: 'Bearer key-of-all', 'x-request-id': 'mine' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'x-accel-buffering': 'no',
      'x-credits-used': '1',
      'x-credits-remaining': '41',
      'x-request-id': 'mine',
    });
  });

  it('begins with the current score, then gives every change until the event is over', async () => {
    await withMatch();
    const client = await served.open(1);
    const polled = await (await served.fetch('/v1/events/1/score')).json();
    const first = await client.next();
    const id = String(await served.log.head()).padStart(20, '0');
    expect(first).toEqual({ event: 'score', id, data: polled });
    expect(first.data).toMatchObject({
      event_id: 1,
      status: 'inprogress',
      period_label: '1st Quarter',
      clock: '12:00',
    });
    expect(client.retry).toBe(3000);
    await append(served.log, score(1, [2, 0]), score(1, [2, 0], { clock: '11:00' }), score(1, [2, 3]));
    await append(served.log, score(1, [2, 3], { status: 'final' }));
    const rest = await client.rest();
    expect(
      rest.map(({ event, data }) => (event === 'score' ? data.scores.map((side: any) => side.score) : event)),
    ).toEqual([['2', '0'], ['2', '0'], ['2', '3'], ['2', '3'], 'done', 'end']);
    expect(rest.at(-2)!.data).toEqual({ event_id: 1 });
    expect(rest.at(-3)!.data).toMatchObject({ status: 'final', scores: [{ is_winner: false }, { is_winner: true }] });
  });

  it.each(['final', 'walkover', 'cancelled'] as const)('of an event that is %s gives it and ends', async (status) => {
    served = await serveStreams();
    await append(served.log, scheduled(1), score(1, null, { status }));
    const messages = await (await served.open(1)).rest();
    expect(messages.map(({ event }) => event)).toEqual(['score', 'done', 'end']);
    expect(messages[0]!.data.status).toBe(status);
    expect(served.streams.size).toBe(0);
  });

  it('begins anew whatever the client received last', async () => {
    await withMatch();
    for (const last of ['00000000000000000002', 'nonsense', '99999999999999999999']) {
      const client = await served.open(1, { authorization: 'Bearer key-of-all', 'last-event-id': last });
      expect((await client.next()).event).toBe('score');
    }
  });

  it('is kept alive, and ends after 5 minutes', async () => {
    await withMatch();
    const client = await served.open(1);
    await client.next();
    served.timers.advance(15_000);
    expect(await client.next()).toEqual({ event: 'comment', data: 'keep-alive' });
    served.timers.advance(285_000);
    const [last, end] = (await client.rest()).filter(({ event }) => event !== 'comment');
    expect(last).toEqual({
      event: 'reconnect',
      id: undefined,
      data: { event_id: 1, reason: 'max_stream_duration', max_seconds: 300 },
    });
    expect(end!.event).toBe('end');
  });

  it('does not outlive its key by more than 10 seconds', async () => {
    await withMatch();
    const revoked = await served.open(1, { authorization: 'Bearer other-key-of-all', 'x-request-id': 'mine' });
    const inQuery = await openStream(`${served.url}/v1/events/1/stream?api_key=other-key-of-all`);
    const other = await served.open(1);
    for (const client of [revoked, inQuery, other]) await client.next();
    served.revoke('other-key-of-all');
    served.timers.advance(9999);
    expect(served.streams.size).toBe(3);
    served.timers.advance(1);
    for (const client of [revoked, inQuery]) {
      const [last, end] = await client.rest();
      expect(last).toMatchObject({ event: 'error', data: { error: { code: 'unauthorized', status: 401 } } });
      expect(end!.event).toBe('end');
    }
    expect(revoked.received.at(-2)!.data.error.request_id).toBe('mine');
    served.timers.advance(5000);
    expect(await other.next()).toEqual({ event: 'comment', data: 'keep-alive' });
    served.revoke('key-of-all');
    served.timers.advance(10_000);
    expect((await other.rest()).find(({ event }) => event === 'error')).toBeDefined();
    expect(served.streams.size).toBe(0);
  });

  it('goes on while the validity of its key cannot be checked', async () => {
    await withMatch();
    const client = await served.open(1);
    await client.next();
    served.breakRegistry();
    served.timers.advance(15_000);
    expect(await client.next()).toEqual({ event: 'comment', data: 'keep-alive' });
    expect(served.streams.size).toBe(1);
  });

  it('accepts its key in the query, if there is none in the header', async () => {
    await withMatch();
    expect((await openStream(`${served.url}/v1/events/1/stream?api_key=key-of-all`)).status).toBe(200);
    const wrongHeader = { authorization: 'Bearer wrong' };
    expect((await openStream(`${served.url}/v1/events/1/stream?api_key=key-of-all`, wrongHeader)).status).toBe(401);
    const rightHeader = { authorization: 'Bearer key-of-all' };
    expect((await openStream(`${served.url}/v1/events/1/stream?api_key=wrong`, rightHeader)).status).toBe(200);
    expect((await openStream(`${served.url}/v1/events/1/stream?api_key=wrong`)).status).toBe(401);
    expect((await openStream(`${served.url}/v1/events/1/stream?api_key=key-of-all&api_key=wrong`)).status).toBe(401);
  });

  it('answers HEAD with its headers alone', async () => {
    await withMatch();
    const response = await served.fetch('/v1/events/1/stream', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await response.text()).toBe('');
    expect(served.hub.watchedEvents).toBe(0);
  });
});

const timersOfStreams = (): number => settledTimers() - timersOfServer;

describe('an opening', () => {
  it('passes all steps, takes no slot of calls in flight, and releases its own at the end', async () => {
    const { steps, stages, until } = noted();
    await withMatch(stages);
    const client = await served.open(1);
    await client.next();
    expect(steps).toEqual(['rate stream_scores', 'open', 'reserve 1', 'charge 1']);
    client.leave();
    await until('over');
    expect([served.streams.size, served.hub.watchedEvents, served.hub.isFollowing]).toEqual([0, 0, false]);
    expect(timersOfStreams()).toBe(0);
  });

  it('releases everything too when the client disconnects during the opening', async () => {
    const { stages, until, steps } = noted();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const reserve: StageSteps['reserve'] = async () => {
      steps.push('waits');
      gone.leave();
      await held;
      return { charge: () => {}, release: () => {} };
    };
    await withMatch({ ...stages, reserve });
    const noticed = new Promise<void>((resolve) => {
      served.server.once('connection', (socket) => socket.once('close', () => resolve()));
    });
    const controller = new AbortController();
    const gone = { leave: () => controller.abort() };
    const request = served.fetch('/v1/events/1/stream', { signal: controller.signal });
    await expect(request).rejects.toThrow();
    await noticed;
    goOn();
    await until('over');
    expect([served.streams.size, served.hub.watchedEvents, timersOfStreams()]).toEqual([0, 0, 0]);
  });

  it('of an unknown event is a stream of one error, and free', async () => {
    const { steps, stages, until } = noted();
    await withMatch(stages);
    const client = await served.open(99, { authorization: 'Bearer key-of-all', 'x-request-id': 'mine' });
    expect([client.status, client.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(client.headers['x-credits-used']).toBe('0');
    const message = 'There is no event 99.';
    const doc_url = `${BASE_URL}/docs/errors/not_found`;
    expect(await client.rest()).toEqual([
      {
        event: 'error',
        id: undefined,
        data: { error: { code: 'not_found', message, status: 404, doc_url, request_id: 'mine' }, detail: message },
      },
      { event: 'end' },
    ]);
    await until('over');
    expect(steps.slice(-2)).toEqual(['release', 'over']);
  });

  const refused = async (path: string, init: Parameters<Served['fetch']>[1] = {}) => {
    const response = await served.fetch(path, init);
    const { error } = (await response.json()) as any;
    expect(response.headers.get('x-credits-used')).toBe('0');
    expect(response.headers.get('content-type')).toContain('application/json');
    return [response.status, error.code, response.headers.get('allow')];
  };

  it('that is refused gets JSON', async () => {
    await withMatch();
    const other = { authorization: 'Bearer key-of-nfl' };
    expect(await refused('/v1/events/1/stream', { headers: { authorization: '' } })).toEqual([
      401,
      'unauthorized',
      null,
    ]);
    expect(await refused('/v1/events/1/stream', { headers: other })).toEqual([403, 'sport_scope_denied', null]);
    expect(await refused('/v1/events/one/stream')).toEqual([422, 'validation_error', null]);
    expect(await refused('/v1/events/1/stream', { method: 'POST' })).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
    expect([served.hub.watchedEvents, served.streams.size]).toEqual([0, 0]);
  });

  it('is refused like any other call', async () => {
    const refusals: ApiError[] = [
      new ApiError('insufficient_credits', 'Nothing left.'),
      new ApiError('rate_limit_exceeded', 'Too many.', { retry_after: 3 }),
      new ApiError('stream_limit_exceeded', 'Too many.', { retry_after: 3 }),
    ];
    let refusal = refusals[0]!;
    const throwing = (code: string) => () => {
      if (refusal.code === code) throw refusal;
    };
    await withMatch({
      reserve: () => {
        throwing('insufficient_credits')();
        return { charge: () => {}, release: () => {} };
      },
      rateLimit: throwing('rate_limit_exceeded'),
      openStream: () => {
        throwing('stream_limit_exceeded')();
        return () => {};
      },
    });
    for (const one of refusals) {
      refusal = one;
      expect(await refused('/v1/events/1/stream')).toEqual([one.status, one.code, null]);
    }
    expect(served.hub.watchedEvents).toBe(0);
  });

  it('that fails does not reveal why, and is free', async () => {
    const { steps, stages } = noted();
    await withMatch(stages);
    await served.log.close();
    expect(await refused('/v1/events/1/stream?api_key=secret')).toEqual([500, 'internal_error', null]);
    expect(steps.slice(-2)).toEqual(['release', 'over']);
    expect(JSON.stringify(served.logged)).not.toContain('secret');
  });
});

describe('many readers', () => {
  it('of one event get the same bytes, rendered once', async () => {
    await withMatch();
    const clients = await Promise.all(Array.from({ length: 200 }, () => served.open(1)));
    await Promise.all(clients.map((client) => client.next()));
    expect(served.renders()).toBe(1);
    await append(served.log, score(1, [1, 0]), score(1, [1, 0], { status: 'final' }));
    await Promise.all(clients.map((client) => client.rest()));
    expect(served.renders()).toBe(3);
    expect(new Set(clients.map((client) => client.text())).size).toBe(1);
    expect([served.streams.size, served.hub.watchedEvents]).toEqual([0, 0]);
  });
});

describe('a reader that does not read', () => {
  /** One change is large, so that few of them fill what the system holds for a connection. */
  const LARGE = 'N'.repeat(200_000);
  const CHANGES = 150;

  async function withStalled() {
    const { stages, until } = noted();
    served = await serveStreams(stagesInSteps(stages));
    await append(served.log, scheduled(1, [LARGE, 'Away']));
    const stalled = await served.open(1);
    stalled.pause();
    const reader = await served.open(1);
    await reader.next();
    for (let i = 1; i <= CHANGES; i++) {
      await append(served.log, score(1, [i, 0]));
      await reader.next();
    }
    return { stalled, reader, until };
  }

  it('misses what it was too slow for, and gets the newest', async () => {
    const { stalled, reader } = await withStalled();
    stalled.resume();
    let last = await stalled.next();
    while (last.data.scores[0].score !== String(CHANGES)) last = await stalled.next();
    expect(stalled.received.length).toBeLessThan(CHANGES);
    expect(reader.received.length).toBe(CHANGES + 1);
    await append(served.log, score(1, [0, 0], { status: 'final' }));
    expect((await stalled.rest()).map(({ event }) => event)).toEqual(['score', 'done', 'end']);
  });

  it('is cut after 30 s', async () => {
    const { stalled, until } = await withStalled();
    served.timers.advance(30_000);
    await until('over');
    expect(served.streams.size).toBe(1);
    stalled.resume();
    expect((await stalled.rest()).at(-1)!.event).toBe('cut');
  });
});

describe('when the server stops', () => {
  it('every stream is asked to reconnect, and ends', async () => {
    await withMatch();
    await append(served.log, scheduled(2));
    const clients = await Promise.all([served.open(1), served.open(1), served.open(2)]);
    await Promise.all(clients.map((client) => client.next()));
    await served.streams.close();
    for (const [i, client] of clients.entries()) {
      const data = { event_id: i < 2 ? 1 : 2, reason: 'server_shutdown', max_seconds: 300 };
      expect((await client.rest()).map(({ event, data: told }) => [event, told])).toEqual([
        ['reconnect', data],
        ['end', undefined],
      ]);
    }
    expect([served.streams.size, served.hub.isFollowing, timersOfStreams()]).toEqual([0, false, 0]);
  });

  it('a stream that is just opening is asked too', async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let reached = () => {};
    const reserving = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await withMatch({
      async reserve() {
        reached();
        await held;
        return { charge: () => {}, release: () => {} };
      },
    });
    const opening = served.open(1);
    await reserving;
    const closed = served.streams.close();
    goOn();
    expect((await (await opening).rest()).map(({ event }) => event)).toEqual(['score', 'reconnect', 'end']);
    await closed;
  });

  // No log of a cluster takes a record of 30 MB.
  it.skipIf(process.env['PROFILE'] === 'cluster')(
    'one that takes nothing is not waited for longer than 3 s',
    async () => {
      served = await serveStreams();
      await append(served.log, scheduled(1, ['N'.repeat(30_000_000), 'Away']));
      const stalled = await served.open(1);
      stalled.pause();
      const closed = served.streams.close();
      served.timers.advance(3000);
      await closed;
      stalled.resume();
      expect((await stalled.rest()).at(-1)!.event).toBe('cut');
    },
  );
});

it('what goes out can be read by any parser', async () => {
  await withMatch();
  const client = await served.open(1);
  await client.next();
  const errors: unknown[] = [];
  createParser({ onError: (error) => errors.push(error) }).feed(client.text());
  expect(errors).toEqual([]);
});
