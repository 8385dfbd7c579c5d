import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/calls/api-errors.ts';
import { type AdmissionControl, type Call, unlimitedAdmission } from '../../../../src/api/calls/pipeline/admission.ts';
import {
  type AdmittedCall,
  type CallOutcome,
  createPipeline,
  type IncomingCall,
} from '../../../../src/api/calls/pipeline/pipeline.ts';
import type { Principal } from '../../../../src/api/calls/principal.ts';
import { answerFactsOf, factHeaders } from '../../../../src/api/http/responder.ts';
import { StreamReplacements } from '../../../../src/domain/identities/stream-replacements.ts';
import type { Awaitable } from '../../../../src/platform/async/awaitable.ts';

const principal: Principal = { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: false };
const arrival: IncomingCall = { key: 'key', requestId: 'r', operation: 'do_it' };
const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));

/** A pipeline that writes down what happens to a call. */
function noted(given: <T>(value: T) => Awaitable<T> = (value) => value, fails?: string) {
  const steps: string[] = [];
  function step<T>(name: string, value: T): Awaitable<T> {
    steps.push(name);
    if (fails === name) throw new ApiError('forbidden', name);
    return given(value);
  }
  const admissionControl: AdmissionControl = {
    countMessage: () => undefined,
    reserveSlot: ({ keyId }) => step(`enter ${keyId}`, () => void steps.push('leave')),
    admit: (call, kind) =>
      step(`admit ${kind} ${call.operation}`, { ...unlimitedAdmission, release: () => void steps.push('release') }),
    finish: (_, status) => void steps.push(`done ${status}`),
  };
  const authenticate = (key: string | undefined) => step(`authenticate ${key}`, principal);
  const context = { now: () => 7, replacements: new StreamReplacements() } as never;
  let waiting = 0;
  const background = { requestStarted: () => void waiting++, requestEnded: () => void waiting-- };
  const pipeline = createPipeline({ authenticate, admissionControl, context, background });
  const ask = (asked: IncomingCall = arrival) =>
    pipeline.handleCall<CallOutcome>(
      asked,
      (_: AdmittedCall) => step('work', { statusCode: 201 }),
      (error, call: Call | undefined) => {
        steps.push(`refuse ${(error as Error).message} of ${call?.requestId}`);
        return { statusCode: 403 };
      },
    );
  return { steps, ask, waiting: () => waiting };
}

describe.each([
  ['at once', <T>(value: T) => value],
  ['in their time', later],
])('a call whose steps answer %s', (_, given: <T>(value: T) => Awaitable<T>) => {
  it('is authenticated, admitted, answered and closed, in this order', async () => {
    const { steps, ask } = noted(given);
    expect(await ask()).toEqual({ statusCode: 201 });
    expect(steps).toEqual(['authenticate key', 'admit answer do_it', 'work', 'release', 'done 201']);
  });

  it('may be one that opens a stream', async () => {
    const { steps, ask } = noted(given);
    await ask({ ...arrival, kind: 'stream' });
    expect(steps[1]).toBe('admit stream do_it');
  });

  it('occupies nothing if the caller is unknown', async () => {
    const { steps, ask } = noted(given, 'authenticate key');
    expect(await ask()).toEqual({ statusCode: 403 });
    expect(steps).toEqual(['authenticate key', 'refuse authenticate key of undefined']);
  });

  it('has nothing to release if it is not admitted', async () => {
    const { steps, ask } = noted(given, 'admit answer do_it');
    await ask();
    expect(steps.slice(1)).toEqual(['admit answer do_it', 'refuse admit answer do_it of r', 'done 403']);
  });

  it('releases what it holds, after it is refused, if its work fails', async () => {
    const { steps, ask } = noted(given, 'work');
    await ask();
    expect(steps.slice(2)).toEqual(['work', 'refuse work of r', 'release', 'done 403']);
  });
});

describe('background work', () => {
  it('is held back from the arrival of the first call to the end of the last one', async () => {
    const { ask, waiting } = noted(later);
    const calls = [ask(), ask()];
    expect(waiting()).toBe(2);
    await Promise.all(calls);
    expect(waiting()).toBe(0);
  });

  it.each(['authenticate key', 'admit answer do_it', 'work'])(
    'goes on after a call that fails at %s',
    async (fails) => {
      const { ask, waiting } = noted(later, fails);
      await ask();
      expect(waiting()).toBe(0);
    },
  );

  it('is not held back by a stream, which is open for long', async () => {
    const { ask, waiting } = noted(later);
    const open = ask({ ...arrival, kind: 'stream' });
    expect(waiting()).toBe(0);
    await open;
    expect(waiting()).toBe(0);
  });
});

it('a call whose steps are synchronous is finished before anything else runs', () => {
  const { steps, ask } = noted();
  void ask();
  expect(steps).toEqual(['authenticate key', 'admit answer do_it', 'work', 'release', 'done 201']);
});

describe('the facts of an answer', () => {
  const call: Call = { requestId: 'r', principal, operation: 'do_it', startedAt: 7 };

  it('of an unknown caller are few', () => {
    const facts = answerFactsOf({ requestId: 'r' }, false);
    expect(facts).toEqual({
      requestId: 'r',
      credits: 0,
      creditsRemaining: undefined,
      window: undefined,
      isReplayed: false,
      isSimulated: false,
      mergedInto: [],
    });
    expect(factHeaders(facts)).toEqual(['X-Request-Id', 'r', 'X-Credits-Used', '0']);
  });

  it('come from admission control, and HTTP shows all of them', () => {
    const window = { limit: 20, remaining: 19, resetAt: 1001 };
    const facts = answerFactsOf(
      { requestId: 'r', call: { ...call, window, creditsRemaining: 97 }, credits: 3, isReplayed: true },
      true,
    );
    expect(facts).toEqual({
      requestId: 'r',
      credits: 3,
      creditsRemaining: 97,
      window,
      isReplayed: true,
      isSimulated: true,
      mergedInto: [],
    });
    expect(factHeaders(facts)).toEqual([
      ...['X-Request-Id', 'r', 'X-Credits-Used', '3'],
      ...['X-RateLimit-Limit', '20', 'X-RateLimit-Remaining', '19', 'X-RateLimit-Reset', '2'],
      ...['X-Credits-Remaining', '97', 'X-Simulated', 'true', 'Idempotency-Replayed', 'true'],
    ]);
  });
});
