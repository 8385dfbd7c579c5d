import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/calls/api-errors.ts';
import type { Operation } from '../../../../src/api/calls/operation/operation.ts';
import type { AdmissionControl, Call } from '../../../../src/api/calls/pipeline/admission.ts';
import { codeOf, type Served, serve } from '../../http/serving.ts';
import { createThing, getThing, listThings, removeThing } from '../../http/toys.ts';
import { type StageSteps, stagesInSteps } from './recording-admission-control.ts';

let served: Served;
afterEach(() => served.close());

/** Stages that write down what happens. */
function noted(overrides: Partial<StageSteps> = {}): { readonly steps: string[]; readonly stages: AdmissionControl } {
  const steps: string[] = [];
  const note = (step: string) => void steps.push(step);
  const stages = stagesInSteps({
    rateLimit: (call) => note(`rate ${call.operation}`),
    enter: () => {
      note('enter');
      return () => note('leave');
    },
    sharedLimit: (_, name) => {
      note(`shared limit ${name}`);
      return () => note('end of shared limit');
    },
    reserve: (_, most) => {
      note(`reserve ${most}`);
      return { charge: (credits) => note(`charge ${credits}`), release: () => note('release') };
    },
    ...overrides,
  });
  return { steps, stages };
}

const polled: Operation = { ...getThing, sharedLimit: () => 'score_poll' };
const operations = [polled, listThings, createThing, removeThing];

describe('a call', () => {
  it('passes every step in order, and releases what it took', async () => {
    const { steps, stages } = noted();
    served = await serve({ stages, operations });
    await (await served.fetch('/v1/things/5')).text();
    expect(steps).toEqual([
      'rate get_thing',
      'enter',
      'shared limit score_poll',
      'reserve 1',
      'charge 1',
      'leave',
      'end of shared limit',
    ]);
  });

  it('is charged what it costs in the end', async () => {
    const { steps, stages } = noted();
    served = await serve({ stages, operations });
    const tag = (await served.fetch('/v1/things/5')).headers.get('etag')!;
    steps.length = 0;
    await served.fetch('/v1/things/7');
    await served.fetch('/v1/things/5', { headers: { 'if-none-match': tag } });
    expect(steps.filter((step) => step.startsWith('charge'))).toEqual(['charge 0', 'charge 0']);
  });

  it('that fails is not charged', async () => {
    const { steps, stages } = noted();
    served = await serve({ stages, operations });
    for (const path of ['/v1/things/500', '/v1/things/13']) {
      steps.length = 0;
      await served.fetch(path);
      expect(steps.slice(-4)).toEqual(['reserve 1', 'release', 'leave', 'end of shared limit']);
    }
  });

  it('of the wrong form, or one that makes no sense, reserves nothing', async () => {
    const { steps, stages } = noted();
    served = await serve({ stages, operations });
    const { key } = await served.newKey({ scopes: ['nba'] });
    await served.fetch('/v1/things/abc');
    await served.fetch('/v1/things?as_of=never');
    await served.fetch('/v1/things?sport=nfl', { headers: { authorization: `Bearer ${key}` } });
    await served.fetch('/v1/nothing');
    await served.fetch('/v1/things/5', { method: 'PUT' });
    expect(steps.filter((step) => step.startsWith('reserve'))).toEqual([]);
    expect(steps.filter((step) => step === 'enter')).toHaveLength(5);
    expect(steps.filter((step) => step === 'leave')).toHaveLength(5);
  });

  it('that can cost nothing reserves nothing', async () => {
    const { steps, stages } = noted({
      reserve: () => {
        throw new ApiError('insufficient_credits', 'Nothing left.');
      },
    });
    served = await serve({ stages, operations });
    expect((await served.fetch('/v1/things/5', { method: 'DELETE' })).status).toBe(204);
    expect(steps).not.toContain('charge 0');
  });

  it('without a key reaches no step', async () => {
    const { steps, stages } = noted();
    served = await serve({ stages, operations });
    await fetch(`${served.url}/v1/things/5`);
    expect(steps).toEqual([]);
  });

  it('takes its slot before its body is read', async () => {
    const { steps, stages } = noted();
    served = await serve({ stages, operations });
    expect((await served.post('/v1/things', '{')).status).toBe(400);
    expect(steps).toEqual(['rate create_thing', 'enter', 'leave']);
  });
});

describe('what admission control has found out', () => {
  it('stands in the headers', async () => {
    const { stages } = noted({
      rateLimit: (call: Call) => {
        call.window = { limit: 20, remaining: 19, resetAt: 1_772_366_400_001 };
      },
      reserve: (call: Call) => ({
        charge: (credits) => {
          call.creditsRemaining = 100 - credits;
        },
        release: () => {},
      }),
    });
    served = await serve({ stages, operations });
    const { headers } = await served.fetch('/v1/things/5');
    expect(headers.get('x-ratelimit-limit')).toBe('20');
    expect(headers.get('x-ratelimit-remaining')).toBe('19');
    expect(headers.get('x-ratelimit-reset')).toBe('1772366401');
    expect(headers.get('x-credits-remaining')).toBe('99');
    expect((await served.fetch('/v1/nothing')).headers.get('x-ratelimit-limit')).toBe('20');
  });

  it('is sent with a refusal too', async () => {
    const { steps, stages } = noted({
      rateLimit: (call: Call) => {
        call.window = { limit: 20, remaining: 0, resetAt: 0 };
        throw new ApiError('rate_limit_exceeded', 'Too many requests.', { retry_after: 12 });
      },
    });
    served = await serve({ stages, operations });
    const response = await served.fetch('/v1/things/5');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '12']);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(((await response.json()) as any).error.retry_after).toBe(12);
    expect(steps).toEqual([]);
  });

  it('refuses with 402 and the pages to go to', async () => {
    const { steps, stages } = noted({
      reserve: () => {
        throw new ApiError('insufficient_credits', 'Nothing left.', { is_trial_expired: true });
      },
    });
    served = await serve({ stages, operations });
    const response = await served.fetch('/v1/things/5');
    expect(response.status).toBe(402);
    expect(((await response.clone().json()) as any).error).toMatchObject({
      is_trial_expired: true,
      upgrade_url: 'https://sports.example/billing#plans',
      topup_url: 'https://sports.example/billing#credits',
      billing_url: 'https://sports.example/billing',
    });
    expect(await codeOf(response)).toBe('insufficient_credits');
    expect(steps.slice(-2)).toEqual(['leave', 'end of shared limit']);
  });
});
