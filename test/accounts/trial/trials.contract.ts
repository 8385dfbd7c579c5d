import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Trials } from '../../../src/accounts/trial/open-trials.ts';
import type { Principal } from '../../../src/api/calls/principal.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import {
  createTrialsWorld,
  outcomeOf,
  START,
  type TrialStore,
  type TrialsWorld,
  VISITOR,
  visitorOf,
} from './trials-world.ts';

export interface TrialsContract {
  /** An empty registry. */
  store(): Promise<TrialStore>;
  /** The same one, as another process has it. */
  another(): Promise<TrialStore>;
  close(): Promise<void>;
}

const KEY = /^llk_[0-9A-Za-z]{12}\.[0-9A-Za-z_-]{43}$/;
const GRANT = { scopes: ['all'], maxCreditsADay: undefined };

/** What trials do on every registry. */
export function trialsContract(name: string, open: () => Promise<TrialsContract>): void {
  describe(`trials: ${name}`, () => {
    let contract: TrialsContract;
    let world: TrialsWorld;
    let trials: Trials;
    let owner: Principal;
    beforeEach(async () => {
      contract = await open();
      world = createTrialsWorld(await contract.store(), { most: { requests: 30, anonymous: 5 } });
      trials = world.open();
      owner = await world.owner();
    });
    afterEach(() => contract.close());

    const start = (visitor = VISITOR, clientName = 'my agent') => trials.services.start(visitor, clientName);
    const finish = (code: string) => trials.services.finish(VISITOR, code);
    const approve = (code: string, by = owner, grant: object = {}) =>
      trials.approvals.approve(by, code, { ...GRANT, ...grant });
    const pass = (milliseconds: number) => {
      world.clock.time += milliseconds;
    };
    const rows = async (table: string) => world.database.selectFrom(table).selectAll().execute();

    describe('a request that a person approves', () => {
      it('gives the key of the grant, once, and nothing of it is readable before', async () => {
        const asked = await start();
        expect(asked).toEqual({
          device_code: expect.stringMatching(/^[\w-]{43}$/),
          user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
          verification_uri: 'https://sports.example/device',
          interval: 5,
          expires_in: 900,
        });
        expect(await outcomeOf(finish(asked.device_code))).toBe('authorization_pending');
        await approve(asked.user_code, owner, { scopes: ['nba'], maxCreditsADay: 40 });
        const stored = JSON.stringify([await rows('trial_requests'), await rows('api_keys')]);
        for (const secret of [asked.device_code, asked.user_code, asked.user_code.replace('-', '')])
          expect(stored).not.toContain(secret);
        expect(stored).not.toMatch(/llk_\w{12}\./);
        const got = await finish(asked.device_code);
        expect(got).toMatchObject({
          name: 'my agent',
          key: expect.stringMatching(KEY),
          scopes: ['nba'],
          max_credits_a_day: 40,
          expires_at: null,
        });
        const [made] = await world.keysOf(owner);
        expect(made).toMatchObject({ id: got.id, prefix: got.key.slice(0, 16), maxCreditsADay: 40 });
        expect(await outcomeOf(finish(asked.device_code))).toBe('expired_token');
        expect(await rows('trial_requests')).toEqual([]);
        const { userId } = owner.owner!;
        expect(world.noted.map(({ type, userId: of, path }) => [type, of, path])).toEqual([
          ['key_created', userId, `/api-keys/${got.id}`],
          ['key_revealed', userId, `/api-keys/${got.id}`],
        ]);
      });

      it('is found by its code in any case, with blanks and hyphens or without', async () => {
        const { user_code: code } = await start();
        for (const typed of [code.toLowerCase(), code.replace('-', ''), ` ${code.replace('-', ' – ')} `]) {
          expect(await trials.approvals.find(owner, typed)).toMatchObject({
            userCode: code,
            clientName: 'my agent',
            askedFrom: 'curl, at 192.0.2.1',
            madeAt: START,
            expiresAt: START + 15 * MINUTE,
          });
        }
      });

      it('given ten programs that fetch it at the same moment, then one of them gets it', async () => {
        const { user_code: userCode, device_code: code } = await start();
        await approve(userCode);
        const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(finish(code))));
        expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
        expect(new Set(outcomes)).toEqual(new Set(['done', 'expired_token']));
      });

      it('given five people who approve it at the same moment, then one account has one key', async () => {
        const { user_code: code } = await start();
        const owners = await Promise.all(Array.from({ length: 5 }, () => world.owner()));
        const outcomes = await Promise.all(owners.map((by) => outcomeOf(approve(code, by))));
        expect(outcomes.sort()).toEqual(['422', '422', '422', '422', 'done']);
        expect((await Promise.all(owners.map(world.keysOf))).flat()).toHaveLength(1);
      });

      it('given that another process takes over at each step, then it goes on there', async () => {
        const { user_code: userCode, device_code: code } = await start();
        trials = world.open(await contract.another());
        await approve(userCode);
        trials = world.open(await contract.another());
        expect((await finish(code)).key).toMatch(KEY);
        trials = world.open(await contract.another());
        expect(await outcomeOf(finish(code))).toBe('expired_token');
      });

      it('given that the key is revoked before it is fetched, then it is denied', async () => {
        const { user_code: userCode, device_code: code } = await start();
        await approve(userCode);
        const [made] = await world.keysOf(owner);
        await world.keys.revoke(made!.id, new Date(START).toISOString());
        expect(await outcomeOf(finish(code))).toBe('access_denied');
      });

      it('given that nobody fetches the key in time, then it is revoked', async () => {
        const { user_code: userCode, device_code: code } = await start();
        pass(14 * MINUTE);
        await approve(userCode);
        pass(MINUTE);
        expect(await outcomeOf(finish(code))).toBe('expired_token');
        expect(await world.keysOf(owner)).toHaveLength(1);
        await trials.sweep();
        expect(await world.keysOf(owner)).toEqual([]);
        expect(await rows('trial_requests')).toEqual([]);
      });
    });

    it('given an account with as many keys as its plan allows, then it is refused, and done when there is room', async () => {
      const { user_code: userCode, device_code: code } = await start();
      for (let made = 1; made < 3; made++) await approve((await start()).user_code);
      expect(await outcomeOf(approve(userCode))).toBe('key_limit_reached');
      expect(await outcomeOf(finish(code))).toBe('key_limit_reached');
      expect(await outcomeOf(finish(code))).toBe('slow_down');
      pass(MINUTE);
      expect(await outcomeOf(finish(code))).toBe('key_limit_reached');
      const [one] = await world.keysOf(owner);
      await world.keys.revoke(one!.id, new Date(START).toISOString());
      await approve(userCode);
      expect((await finish(code)).key).toMatch(KEY);
    });

    it('given a person who refuses, then the program is denied until the request ends, and nobody can approve', async () => {
      const { user_code: userCode, device_code: code } = await start();
      expect(await trials.approvals.refuse(owner, userCode)).toMatchObject({ clientName: 'my agent' });
      expect(await outcomeOf(approve(userCode))).toBe('422');
      expect(await outcomeOf(finish(code))).toBe('access_denied');
      expect(await outcomeOf(finish(code))).toBe('access_denied');
      pass(15 * MINUTE);
      expect(await outcomeOf(finish(code))).toBe('expired_token');
      expect(await world.keysOf(owner)).toEqual([]);
    });

    it('given nobody for 900 seconds, then it has expired for both sides', async () => {
      const { user_code: userCode, device_code: code } = await start();
      pass(900 * SECOND - 1);
      expect(await outcomeOf(finish(code))).toBe('authorization_pending');
      expect(await outcomeOf(trials.approvals.find(owner, userCode))).toBe('done');
      pass(1);
      expect(await outcomeOf(finish(code))).toBe('expired_token');
      expect(await outcomeOf(approve(userCode))).toBe('422');
    });

    it('given a code that nobody was given, then it has expired', async () => {
      expect(await outcomeOf(finish('unknown'))).toBe('expired_token');
    });

    it('given a program that polls too fast, then it waits 5 seconds longer from then on, up to 60', async () => {
      const { user_code: userCode, device_code: code } = await start();
      const poll = () => outcomeOf(finish(code));
      expect(await poll()).toBe('authorization_pending');
      pass(5 * SECOND - 1);
      expect(await poll()).toBe('slow_down');
      pass(10 * SECOND - 1);
      expect(await poll()).toBe('slow_down');
      pass(15 * SECOND);
      expect(await poll()).toBe('authorization_pending');
      for (let n = 0; n < 20; n++) expect(await poll()).toBe('slow_down');
      await expect(finish(code)).rejects.toMatchObject({ extras: { retry_after: 60 } });
      await approve(userCode);
      expect(await poll()).toBe('done');
    });

    describe('limits', () => {
      it('20 starts an hour from an address, and from a network of 64 bits', async () => {
        for (let n = 0; n < 20; n++) {
          await start();
          await start({ ...VISITOR, ip: `2001:db8:1:2::${n.toString(16)}` }).catch(() => {});
          pass(MINUTE);
        }
        expect(await outcomeOf(start())).toBe('rate_limit_exceeded');
        expect(await outcomeOf(start({ ...VISITOR, ip: '2001:db8:1:2:ffff::1' }))).toBe('rate_limit_exceeded');
        expect(await outcomeOf(start({ ...VISITOR, ip: '::ffff:192.0.2.1' }))).toBe('rate_limit_exceeded');
        await expect(start()).rejects.toMatchObject({ extras: { retry_after: 40 * 60 } });
        expect(await outcomeOf(start(visitorOf(1)))).toBe('done');
        trials = world.open(await contract.another());
        expect(await outcomeOf(start())).toBe('rate_limit_exceeded');
        pass(40 * MINUTE);
        expect(await outcomeOf(start())).toBe('done');
      });

      it('10 wrong codes in 15 minutes of an account, whatever is wrong with them', async () => {
        const { user_code: code } = await start();
        const wrong = ['BCDF-GHJK', 'x', 'BCDFGHJKL', code.slice(0, 8), '1234-5678'];
        for (let n = 0; n < 10; n++) {
          const act = n % 2 ? approve(wrong[n % 5]!) : trials.approvals.find(owner, wrong[n % 5]!);
          expect(await outcomeOf(act)).toBe('422');
        }
        trials = world.open(await contract.another());
        for (const act of [() => trials.approvals.find(owner, code), () => approve(code)])
          await expect(act()).rejects.toMatchObject({ status: 429, retryAfter: 900 });
        expect(await outcomeOf(trials.approvals.refuse(owner, code))).toBe('429');
        expect(await outcomeOf(trials.approvals.find(await world.owner(), code))).toBe('done');
        pass(15 * MINUTE);
        expect(await outcomeOf(approve((await start()).user_code))).toBe('done');
      });

      it('wrong codes at the same moment are no more than 10 either', async () => {
        const outcomes = await Promise.all(
          Array.from({ length: 25 }, () => outcomeOf(trials.approvals.find(owner, 'BCDF-GHJK'))),
        );
        expect(outcomes.filter((outcome) => outcome === '422')).toHaveLength(10);
        expect(outcomes.filter((outcome) => outcome === '429')).toHaveLength(15);
      });

      it('so many requests of all, and room again when some end', async () => {
        for (let n = 0; n < 30; n++) {
          await start(visitorOf(n));
          pass(SECOND);
        }
        expect(await outcomeOf(start(visitorOf(31)))).toBe('service_unavailable');
        await expect(start(visitorOf(31))).rejects.toMatchObject({ extras: { retry_after: 870 } });
        expect(await rows('trial_requests')).toHaveLength(30);
        pass(870 * SECOND);
        for (let n = 0; n < 40; n++) {
          await start(visitorOf(40 + n)).catch(() => {});
          pass(SECOND);
        }
        expect((await rows('trial_requests')).length).toBeLessThanOrEqual(30);
      });
    });

    describe('an anonymous trial', () => {
      const anonymous = (visitor = VISITOR) => trials.services.startAnonymous(visitor, undefined);

      it('is a key of the plan trial for 24 hours, with an account of its own', async () => {
        const got = await anonymous();
        expect(got).toMatchObject({
          name: 'anonymous trial',
          key: expect.stringMatching(KEY),
          scopes: ['all'],
          expires_at: '2026-03-02T12:00:00Z',
        });
        expect(await world.keys.find(got.id)).toMatchObject({ plan: 'trial' });
      });

      it('given two from an address, then none for 24 hours, and others go on', async () => {
        await anonymous();
        pass(HOUR);
        await anonymous({ ...VISITOR, ip: '::ffff:192.0.2.1' });
        trials = world.open(await contract.another());
        await expect(anonymous()).rejects.toMatchObject({
          code: 'rate_limit_exceeded',
          extras: { retry_after: 23 * 3600 },
        });
        expect(await outcomeOf(anonymous(visitorOf(1)))).toBe('done');
        pass(23 * HOUR - 1);
        expect(await outcomeOf(anonymous())).toBe('rate_limit_exceeded');
        pass(1);
        expect(await outcomeOf(anonymous())).toBe('done');
      });

      it('given a network of 64 bits, then it counts as one address', async () => {
        const of = (host: number) => anonymous({ ...VISITOR, ip: `2001:db8:1:2::${host}` });
        expect([await outcomeOf(of(1)), await outcomeOf(of(2)), await outcomeOf(of(3))]).toEqual([
          'done',
          'done',
          'rate_limit_exceeded',
        ]);
      });

      it('given many at the same moment from an address, then two are made', async () => {
        const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(anonymous())));
        expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(2);
      });

      it('given as many as there may be of all, then it is refused until one has ended', async () => {
        for (let n = 0; n < 5; n++) await anonymous(visitorOf(n));
        expect(await outcomeOf(anonymous())).toBe('service_unavailable');
        pass(DAY);
        await trials.sweep();
        expect(await outcomeOf(anonymous())).toBe('done');
      });

      it('given its end, then its webhooks end and its rows are gone, and of others nothing', async () => {
        const { id } = await anonymous();
        const { accountId } = (await world.keys.find(id))!;
        const link = { account_id: accountId, hash: 'h', path: '/v1/sports', format: 'json', scopes: '["all"]' };
        await world.database
          .insertInto('read_links')
          .values({ ...link, created_at: '2026-03-01T12:00:00.000Z', uses: 0 })
          .execute();
        const leg = { event_id: 1, market_key: 'h2h', side: 'home' };
        const bet = { ...leg, sport: 'nfl', price: 100, stake: 1, book: 'x', placed_at: 0, created_at: 0 };
        await world.database
          .insertInto('bets')
          .values({ ...bet, account_id: accountId })
          .execute();
        await world.database.insertInto('my_books').values({ account_id: accountId, books: '["x"]' }).execute();
        const before = (await rows('accounts')).length;
        pass(DAY);
        await trials.sweep();
        expect(await rows('bets')).toEqual([]);
        expect(await rows('my_books')).toEqual([]);
        expect(world.ended).toEqual([accountId]);
        expect(await world.keys.find(id)).toBeUndefined();
        expect(await rows('accounts')).toHaveLength(before - 1);
        expect([await rows('anonymous_trials'), await rows('read_links')]).toEqual([[], []]);
        expect(await world.keys.list(owner.accountId)).toHaveLength(1);
      });

      it('given an account that staff have put on a plan, then it stays, with its key and its webhooks', async () => {
        const { id } = await anonymous();
        const { accountId } = (await world.keys.find(id))!;
        await world.database.updateTable('accounts').set({ plan: 'payg' }).where('id', '=', accountId).execute();
        await trials.sweep();
        pass(DAY);
        await trials.sweep();
        expect(await world.keys.list(accountId)).toMatchObject([{ expiresAt: null }]);
        expect(world.ended).toEqual([]);
        expect(await rows('anonymous_trials')).toEqual([]);
      });
    });

    it('given an operator who does not allow it, then nobody gets an anonymous trial', async () => {
      const strict = createTrialsWorld(world.store, { isAnonymousAllowed: false }).open();
      expect(await outcomeOf(strict.services.startAnonymous(VISITOR, undefined))).toBe('forbidden');
      expect(await rows('attempts')).toEqual([]);
    });
  });
}
