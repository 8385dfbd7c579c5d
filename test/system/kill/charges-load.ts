import { expect } from 'vitest';
import { team } from '../../server/cli/launching.ts';
import { seeded } from './generated-feed.ts';

export interface Caller {
  readonly account: number;
  readonly keyId: number;
  readonly key: string;
}

/** An answer that the client has received to its last byte. */
export interface Answer {
  readonly requestId: string;
  readonly caller: Caller;
  readonly status: number;
  /** X-Credits-Used. */
  readonly credits: number;
  /** X-RateLimit-Remaining and X-RateLimit-Limit, where the answer has them. */
  readonly window: { readonly remaining: number; readonly limit: number } | undefined;
  readonly body: string;
  /** Milliseconds: before the request went out, and when its answer was there. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

export const isPaid = ({ status, credits }: Answer): boolean => status === 200 && credits > 0;

interface Request {
  readonly path: string;
  readonly body?: object;
}

/** Rejects where the answer does not arrive whole. */
export async function ask(url: string, caller: Caller, requestId: string, { path, body }: Request): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${caller.key}`,
    'x-request-id': requestId,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const sentAt = Date.now();
  const response = await fetch(
    url + path,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  const text = await response.text();
  const number = (name: string) => Number(response.headers.get(name));
  const window = response.headers.has('x-ratelimit-limit')
    ? { remaining: number('x-ratelimit-remaining'), limit: number('x-ratelimit-limit') }
    : undefined;
  const { status } = response;
  const credits = number('x-credits-used');
  return { requestId, caller, status, credits, window, body: text, sentAt, receivedAt: Date.now() };
}

/** Requests of every price, some of which turn out to be free: no such bookmaker, no splits of tennis, no such event. */
function requestOf(random: () => number, events: readonly number[]): Request {
  const whole = (below: number): number => Math.floor(random() * below);
  const event = events[whole(events.length)]!;
  const kinds: readonly (() => Request)[] = [
    () => ({ path: '/v1/sports' }),
    () => ({ path: `/v1/events?from=2025-01-06&to=2025-01-20&limit=${1 + whole(20)}` }),
    () => ({ path: `/v1/events/${event}` }),
    () => ({ path: `/v1/events/${event}?include_odds=true` }),
    () => ({ path: `/v1/events/${event}/odds` }),
    () => ({ path: `/v1/events/${event}/odds?bookmaker=pinnacle` }),
    () => ({ path: `/v1/events/${event}/odds?bookmaker=nobody` }),
    () => ({ path: `/v1/events/${event}/odds/history?bookmaker=bet365` }),
    () => ({ path: `/v1/events/${event}/splits` }),
    () => ({ path: `/v1/events/${event}/injuries` }),
    () => ({ path: `/v1/events/${event}/score` }),
    // All events of the load are over: the stream tells so and ends.
    () => ({ path: `/v1/events/${event}/stream` }),
    () => ({ path: '/v1/events/999999' }),
    () => {
      const event_ids = Array.from({ length: 1 + whole(6) }, () => events[whole(events.length)]!);
      return { path: '/v1/events/batch', body: { event_ids, include_odds: random() < 0.5 } };
    },
  ];
  return kinds[whole(kinds.length)]!();
}

/** Calls of each key at the same time. */
export const AT_ONCE = 3;

/** Calls without end, until the server is gone. @returns how many requests went out */
export async function callUntilGone(
  url: string,
  callers: readonly Caller[],
  events: readonly number[],
  { seed, name, onAnswer }: { seed: number; name: string; onAnswer: (answer: Answer) => void },
): Promise<number> {
  let sent = 0;
  const callAgain = async (caller: Caller, place: number): Promise<void> => {
    const random = seeded(seed + caller.keyId * AT_ONCE + place);
    for (let n = 0; ; n++) {
      sent++;
      onAnswer(await ask(url, caller, `${name}-${caller.keyId}-${place}-${n}`, requestOf(random, events)));
    }
  };
  await Promise.all(
    callers.flatMap((caller) =>
      Array.from({ length: AT_ONCE }, (_, place) => callAgain(caller, place).catch(unlessGone)),
    ),
  );
  return sent;
}

/** Messages that one body holds. */
const PIECE = 500;

/** Feeds teams that nobody asks for, until the server is gone: there is more in the log than it has projected. */
export async function feedUntilGone(url: string, ingestKey: string, firstRef: number): Promise<void> {
  const headers = { authorization: `Bearer ${ingestKey}`, 'content-type': 'application/x-ndjson' };
  const feed = async () => {
    for (let ref = firstRef; ; ref += PIECE) {
      const body = Array.from({ length: PIECE }, (_, n) => team(ref + n)).join('\n');
      const response = await fetch(`${url}/ingest/v1/messages`, { method: 'POST', headers, body });
      expect(await response.json()).toMatchObject({ accepted: PIECE });
    }
  };
  await feed().catch(unlessGone);
}

function unlessGone(error: Error): void {
  if (!/fetch failed|terminated/.test(error.message)) throw error;
}
