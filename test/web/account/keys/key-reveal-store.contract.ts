import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeyRevealStore } from '../../../../src/web/account/keys/key-reveal-store.ts';

export interface OpenedReveals {
  readonly reveals: KeyRevealStore;
  /** The same, as another process has it. */
  readonly another: KeyRevealStore;
  /** All that stands in the rows, as text. */
  stored(): Promise<string>;
  close(): Promise<void>;
}

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECRET = `llk_${'A'.repeat(12)}.${'a'.repeat(43)}`;
const UNTIL = NOW + 600_000;

/** What every adapter of `KeyReveals` must do. `open` gives a new, empty one. */
export function keyRevealStoreContract(name: string, open: () => Promise<OpenedReveals>): void {
  describe(`secrets until they are shown: ${name}`, () => {
    let opened: OpenedReveals;
    let reveals: KeyRevealStore;
    beforeEach(async () => {
      opened = await open();
      ({ reveals } = opened);
    });
    afterEach(() => opened.close());
    const keep = (more: object = {}) => reveals.save({ keyId: 7, sessionId: 3, secret: SECRET, until: UNTIL, ...more });

    it('are shown once, by whichever process', async () => {
      await keep();
      expect(await opened.another.isAvailable(7, 3, NOW)).toBe(true);
      expect(await opened.another.consume(7, 3, NOW)).toBe(SECRET);
      expect(await reveals.consume(7, 3, NOW)).toBeUndefined();
      expect(await reveals.isAvailable(7, 3, NOW)).toBe(false);
    });

    it('go to one of those who ask at once', async () => {
      await keep();
      const processes = [reveals, opened.another];
      const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => processes[i % 2]!.consume(7, 3, NOW)));
      expect(taken.filter((secret) => secret !== undefined)).toEqual([SECRET]);
    });

    it('are shown to no other session, which does not use them up', async () => {
      await keep();
      expect([await reveals.isAvailable(7, 4, NOW), await reveals.consume(7, 4, NOW)]).toEqual([false, undefined]);
      expect(await reveals.consume(7, 3, NOW)).toBe(SECRET);
    });

    it('are shown until their time, and not from it on', async () => {
      await keep();
      await keep({ keyId: 8 });
      expect(await reveals.consume(7, 3, UNTIL - 1)).toBe(SECRET);
      expect([await reveals.isAvailable(8, 3, UNTIL), await reveals.consume(8, 3, UNTIL)]).toEqual([false, undefined]);
    });

    it('stand encrypted, and not at all once they are shown, dropped, or too old', async () => {
      await keep();
      await keep({ keyId: 8 });
      await keep({ keyId: 9, until: NOW });
      await keep({ keyId: 10 });
      expect(await opened.stored()).toContain('v1.');
      expect(await opened.stored()).not.toContain(SECRET.slice(17));
      await reveals.drop(8);
      await reveals.consume(7, 3, NOW);
      expect(JSON.parse(await opened.stored())).toMatchObject([{ key_id: 10 }]);
    });
  });
}
