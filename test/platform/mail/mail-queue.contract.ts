import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MailQueue } from '../../../src/platform/mail/mail.ts';

export interface OpenedMails {
  readonly kept: MailQueue;
  /** The same, as another process has it. */
  another(): Promise<MailQueue>;
  close(): Promise<void>;
}

const NOW = Date.parse('2026-03-01T12:00:00Z');
const LEASE = 60_000;

/** What every adapter of `KeptMails` must do. `open` gives a new, empty one. */
export function keptMailsContract(name: string, open: () => Promise<OpenedMails>): void {
  describe(`mails that are kept: ${name}`, () => {
    let opened: OpenedMails;
    let kept: MailQueue;
    beforeEach(async () => {
      opened = await open();
      ({ kept } = opened);
    });
    afterEach(() => opened.close());

    const add = (id: string, at = NOW) => kept.add({ id, sealed: `sealed ${id}` }, at);
    const idsOf = async (mails: ReturnType<MailQueue['claim']>) => (await mails).map(({ id }) => id).sort();

    it('are due at once, and given to one claim until it expires', async () => {
      const other = await opened.another();
      expect(await kept.nextDue()).toBeNull();
      await add('a');
      expect(await other.nextDue()).toBe(NOW);
      expect(await kept.claim('first', NOW, LEASE, 5)).toEqual([{ id: 'a', sealed: 'sealed a', failures: 0 }]);
      expect(await kept.nextDue()).toBe(NOW + LEASE);
      expect(await other.claim('second', NOW + LEASE - 1, LEASE, 5)).toEqual([]);
      expect(await idsOf(other.claim('second', NOW + LEASE, LEASE, 5))).toEqual(['a']);
    });

    it('are claimed up to the limit, longest waiting first', async () => {
      await add('later', NOW + 1);
      await add('first', NOW);
      await add('last', NOW + 2);
      expect(await idsOf(kept.claim('one', NOW + 5, LEASE, 2))).toEqual(['first', 'later']);
      expect(await idsOf(kept.claim('two', NOW + 5, LEASE, 2))).toEqual(['last']);
    });

    it('go to one process each, even with claims at the same moment', async () => {
      const processes = [kept, await opened.another()];
      for (let mail = 0; mail < 12; mail++) await add(`m${mail}`);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, index) => processes[index % 2]!.claim(`claim ${index}`, NOW, LEASE, 4)),
      );
      const given = claims.flat().map(({ id }) => id);
      expect(new Set(given).size).toBe(given.length);
      const rest = (await kept.claim('rest', NOW, LEASE, 20)).map(({ id }) => id);
      expect(new Set([...given, ...rest]).size).toBe(12);
      expect(given.length + rest.length).toBe(12);
    });

    it('are due again after a failure, with one failure more, and are deleted when sent', async () => {
      await add('a');
      await kept.claim('first', NOW, LEASE, 5);
      await kept.postpone('a', 'first', NOW + 10_000);
      expect(await kept.nextDue()).toBe(NOW + 10_000);
      expect(await kept.claim('second', NOW + 9999, LEASE, 5)).toEqual([]);
      expect(await kept.claim('second', NOW + 10_000, LEASE, 5)).toMatchObject([{ id: 'a', failures: 1 }]);
      await kept.drop('a');
      expect(await kept.nextDue()).toBeNull();
    });

    it('are not postponed by an expired claim', async () => {
      await add('a');
      await kept.claim('first', NOW, LEASE, 5);
      await kept.claim('second', NOW + LEASE, LEASE, 5);
      await kept.postpone('a', 'first', NOW + LEASE + 1);
      expect(await kept.nextDue()).toBe(NOW + 2 * LEASE);
    });
  });
}
