import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsedOauthStates } from '../../../../src/web/account/github/used-oauth-states.ts';

export interface OpenedStates {
  readonly used: UsedOauthStates;
  /** The same, as another process has it. */
  another(): Promise<UsedOauthStates>;
  close(): Promise<void>;
}

const NOW = Date.parse('2026-03-01T12:00:00Z');
const UNTIL = NOW + 600_000;

/** What every adapter of `UsedStates` must do. `open` gives a new, empty one. */
export function usedOauthStatesContract(name: string, open: () => Promise<OpenedStates>): void {
  describe(`states of OAuth: ${name}`, () => {
    let opened: OpenedStates;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('are used once, whichever processes ask at the same moment', async () => {
      const processes = [opened.used, await opened.another()];
      const asked = Array.from({ length: 12 }, (_, index) => processes[index % 2]!.markUsed('state', UNTIL, NOW));
      expect((await Promise.all(asked)).filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await opened.used.markUsed('state', UNTIL, UNTIL - 1)).toBe(false);
    });

    it('are each by itself', async () => {
      expect(await opened.used.markUsed('one', UNTIL, NOW)).toBe(true);
      expect(await (await opened.another()).markUsed('two', UNTIL, NOW)).toBe(true);
    });
  });
}
