import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Trials } from '../../../src/accounts/trial/open-trials.ts';
import type { DeviceRequest } from '../../../src/api/calls/services/trial-services.ts';
import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import type { TrialsContract } from './trials.contract.ts';
import { createTrialsWorld, outcomeOf, VISITOR, visitorOf } from './trials-world.ts';

type Step =
  | { readonly kind: 'start'; readonly from: number }
  | { readonly kind: 'poll' | 'refuse' | 'look'; readonly which: number; readonly by: number }
  | { readonly kind: 'approve'; readonly which: number; readonly by: number }
  | { readonly kind: 'guess'; readonly by: number }
  | { readonly kind: 'revoke'; readonly by: number }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'restart' | 'sweep' };

const which = fc.nat(5);
const by = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), from: fc.nat(1) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('poll' as const, 'refuse', 'look'), which, by }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('approve' as const), which, by }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('guess' as const), by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), by }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(SECOND, 5 * SECOND, 10 * SECOND, MINUTE, 7 * MINUTE, 15 * MINUTE)
      .map((milliseconds) => ({ kind: 'wait' as const, milliseconds })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'restart' as const }, { kind: 'sweep' as const }) },
);

/** A request as the model has it. */
interface Modelled {
  readonly asked: DeviceRequest;
  readonly endsAt: number;
  state: 'pending' | 'approved' | 'refused' | 'fetched';
  interval: number;
  nextPollAt: number;
  keyId: number | undefined;
}

const MAX_REQUESTS = 6;
/** Of the plan `free`; the owner has one from the beginning. */
const MAX_KEYS = 3;
const MAX_MADE = 13;

/** Programs, people, time and restarts in any order do what a small model says. @param runs how many cases are tried */
export function trialsProperty(name: string, open: () => Promise<TrialsContract>, runs: number): void {
  async function play(steps: readonly Step[]): Promise<void> {
    const contract = await open();
    const world = createTrialsWorld(await contract.store(), { most: { requests: MAX_REQUESTS } });
    const { clock } = world;
    let trials: Trials = world.open();
    const owners = [await world.owner(), await world.owner()];
    const keys: number[][] = [[], []];
    const made = [0, 0];
    const wrong: number[][] = [[], []];
    const requests: Modelled[] = [];
    let started = 0;

    const isOpen = ({ endsAt }: Modelled) => clock.time < endsAt;
    const isLocked = (owner: number) => wrong[owner]!.filter((at) => at > clock.time - 15 * MINUTE).length >= 10;

    /** What a person's act with the code of a request comes to; `act` where it is right. */
    function judge(owner: number, one: Modelled | undefined, act: () => string): string {
      if (isLocked(owner)) return '429';
      if (one && isOpen(one) && one.state === 'pending') return act();
      wrong[owner]!.push(clock.time);
      return '422';
    }

    function approved(owner: number, one: Modelled): string {
      if (made[owner]! >= MAX_MADE) return 'rate_limit_exceeded';
      if (keys[owner]!.length >= MAX_KEYS - 1) return 'key_limit_reached';
      one.state = 'approved';
      made[owner]!++;
      return 'done';
    }

    function polled(one: Modelled): string {
      if (!isOpen(one) || one.state === 'fetched') return 'expired_token';
      if (one.state === 'refused') return 'access_denied';
      if (one.state === 'approved') {
        one.state = 'fetched';
        return keys.some((of) => of.includes(one.keyId!)) ? 'done' : 'access_denied';
      }
      const isTooFast = clock.time < one.nextPollAt;
      if (isTooFast) one.interval = Math.min(one.interval + 5 * SECOND, MINUTE);
      one.nextPollAt = clock.time + one.interval;
      return isTooFast ? 'slow_down' : 'authorization_pending';
    }

    /** Keys that nobody has fetched in time are revoked, and rows of ended requests go. */
    function swept(): void {
      for (const one of requests.filter((request) => !isOpen(request) && request.state === 'approved')) {
        for (const of of keys) if (of.includes(one.keyId!)) of.splice(of.indexOf(one.keyId!), 1);
        one.state = 'fetched';
      }
    }

    for (const one of steps) {
      switch (one.kind) {
        case 'start': {
          const waiting = requests.filter((request) => isOpen(request) && request.state !== 'fetched').length;
          const work = trials.services.start(visitorOf(started++), `agent ${started}`);
          swept();
          if (waiting >= MAX_REQUESTS) {
            expect(await outcomeOf(work)).toBe('service_unavailable');
            break;
          }
          const asked = await work;
          requests.push({
            asked,
            endsAt: clock.time + 15 * MINUTE,
            state: 'pending',
            interval: 5 * SECOND,
            nextPollAt: clock.time,
            keyId: undefined,
          });
          break;
        }
        case 'poll': {
          const found = requests.at(-1 - one.which);
          const code = found?.asked.device_code ?? 'unknown';
          const expected = found ? polled(found) : 'expired_token';
          expect(await outcomeOf(trials.services.finish(VISITOR, code))).toBe(expected);
          break;
        }
        case 'look':
        case 'refuse':
        case 'approve':
        case 'guess': {
          const found = one.kind === 'guess' ? undefined : requests.at(-1 - one.which);
          const code = found?.asked.user_code ?? 'BCDF-GHJK';
          const owner = owners[one.by]!;
          const before = (await world.keysOf(owner)).map(({ id }) => id);
          const expected = judge(one.by, found, () => {
            if (one.kind === 'approve') return approved(one.by, found!);
            if (one.kind === 'refuse') found!.state = 'refused';
            return 'done';
          });
          const { approvals } = trials;
          const grant = { scopes: ['all'], maxCreditsADay: undefined };
          const work =
            one.kind === 'approve'
              ? approvals.approve(owner, code, grant)
              : one.kind === 'refuse'
                ? approvals.refuse(owner, code)
                : approvals.find(owner, code);
          expect(await outcomeOf(work)).toBe(expected);
          const added = (await world.keysOf(owner)).map(({ id }) => id).filter((id) => !before.includes(id));
          expect(added).toHaveLength(one.kind === 'approve' && expected === 'done' ? 1 : 0);
          if (added.length > 0) {
            found!.keyId = added[0]!;
            keys[one.by]!.push(added[0]!);
          }
          break;
        }
        case 'revoke': {
          const id = keys[one.by]!.shift();
          if (id !== undefined) await world.keys.revoke(id, new Date(clock.time).toISOString());
          break;
        }
        case 'wait':
          clock.time += one.milliseconds;
          break;
        case 'restart':
          trials = world.open(await contract.another());
          break;
        case 'sweep':
          await trials.sweep();
          swept();
          break;
      }
      expect(await Promise.all(owners.map(async (owner) => (await world.keysOf(owner)).map(({ id }) => id)))).toEqual(
        keys,
      );
    }
    const rows = await world.database.selectFrom('trial_requests').selectAll().execute();
    expect(rows.length).toBeLessThanOrEqual(steps.length);
    await contract.close();
  }

  it(`trials (${name}): programs, people, time and restarts in any order do what the model says`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), play), {
      numRuns: runs,
    });
  });
}
