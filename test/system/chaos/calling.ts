import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Caller } from '../kill/charges-load.ts';
import { seeded } from '../kill/generated-feed.ts';

/** What a client asks for. */
interface Asked {
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** What a client knows of its call. */
export interface Called {
  readonly requestId: string;
  readonly caller: Caller;
  readonly asked: Asked;
  /** Undefined where no answer came whole. */
  readonly status: number | undefined;
  /** X-Credits-Used; undefined where nobody told: the ledger knows. */
  readonly credits: number | undefined;
  readonly retryAfter: number | undefined;
  readonly body: string;
  readonly milliseconds: number;
}

const PATIENCE = 35_000;

export async function call(url: string, caller: Caller, requestId: string, asked: Asked): Promise<Called> {
  const { path, body, idempotencyKey } = asked;
  const headers = {
    authorization: `Bearer ${caller.key}`,
    'x-request-id': requestId,
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  const begun = performance.now();
  const common = () => ({ requestId, caller, asked, milliseconds: performance.now() - begun });
  try {
    const answer = await fetch(url + path, {
      headers,
      signal: AbortSignal.timeout(PATIENCE),
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const number = (name: string) => (answer.headers.has(name) ? Number(answer.headers.get(name)) : undefined);
    const known = { credits: number('x-credits-used'), retryAfter: number('retry-after') };
    return { ...common(), ...known, status: answer.status, body: text };
  } catch {
    return { ...common(), status: undefined, credits: undefined, retryAfter: undefined, body: '' };
  }
}

/** Requests of several prices. */
function askedOf(random: () => number, events: readonly number[]): Asked {
  const whole = (below: number): number => Math.floor(random() * below);
  const event = events[whole(events.length)]!;
  const kinds: readonly (() => Asked)[] = [
    () => ({ path: `/v1/events?limit=${1 + whole(20)}` }),
    () => ({ path: `/v1/events/${event}` }),
    () => ({ path: `/v1/events/${event}?include_odds=true` }),
    () => ({ path: `/v1/events/${event}/odds?bookmaker=all` }),
    () => ({ path: `/v1/events/${event}/odds/history` }),
    () => ({ path: `/v1/events/${event}/splits` }),
    () => ({ path: `/v1/events/${event}/injuries` }),
    () => ({ path: '/v1/events/999999' }),
    () => ({ path: '/v1/events/batch', body: { event_ids: [event, events[whole(events.length)]!] } }),
  ];
  return kinds[whole(kinds.length)]!();
}

const slipOf = (event: number): object => ({ legs: [{ event_id: event, market_key: 'h2h', side: 'home' }] });

export interface CallingParts {
  readonly url: string;
  readonly callers: readonly Caller[];
  readonly events: readonly number[];
  readonly seed: number;
  /** Between two calls, milliseconds at most. */
  readonly pauseMs: number;
  readonly onCalled: (called: Called) => void;
  readonly signal: AbortSignal;
}

/** Each key calls twice at a time, and has slips graded under an Idempotency-Key, until the signal. */
export async function calling(parts: CallingParts): Promise<void> {
  const { url, callers, events, seed, pauseMs, onCalled, signal } = parts;
  const one = async (caller: Caller, place: number): Promise<void> => {
    const random = seeded(seed + caller.keyId * 10 + place);
    for (let n = 0; !signal.aborted; n++) {
      onCalled(await call(url, caller, `c-${caller.keyId}-${place}-${n}`, askedOf(random, events)));
      await delay(random() * pauseMs);
    }
  };
  const slips = async (caller: Caller): Promise<void> => {
    const random = seeded(seed + caller.keyId * 10 + 9);
    for (let n = 0; !signal.aborted; n++) {
      const idempotencyKey = `slip-${caller.keyId}-${n}`;
      const asked = {
        path: '/v1/grade/slip',
        body: slipOf(events[Math.floor(random() * events.length)]!),
        idempotencyKey,
      };
      // Repeated until it is answered, and once more.
      for (let tries = 0, answered = 0; answered < 2 && tries < 100 && !signal.aborted; tries++) {
        const called = await call(url, caller, `${idempotencyKey}-${tries}`, asked);
        onCalled(called);
        if (called.status === 200) answered++;
        else await delay(200);
      }
      await delay(random() * pauseMs * 4);
    }
  };
  await Promise.all(callers.flatMap((caller) => [one(caller, 0), one(caller, 1), slips(caller)]));
}

/** What an answer may be, whatever is away. */
export function expectKnownAnswer({ status, credits, retryAfter, body, asked }: Called): void {
  if (status === undefined) return;
  expect([200, 404, 429, 503], `${asked.path} ${body}`).toContain(status);
  if (status !== 503) return;
  expect(JSON.parse(body).error.code, body).toBe('service_unavailable');
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(30);
  expect([0, undefined]).toContain(credits);
}
