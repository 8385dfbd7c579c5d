import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateSnapshot, StateSnapshots } from '../../../src/ingest/states/state-snapshots.ts';

const snapshot = (stream: string, revision: number, text = `${stream} at ${revision}`): StateSnapshot => ({
  stream,
  revision,
  position: BigInt(revision) * 10n,
  version: 1,
  state: Buffer.from(text),
});

/** What every keeper of the deciders' states promises. */
export function stateSnapshotsContract(
  name: string,
  open: () => Promise<{ readonly snapshots: StateSnapshots; close(): Promise<void> }>,
): void {
  describe(`state snapshots: ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    /** What is there of these streams, as text. */
    const texts = async (...streams: string[]) =>
      [...(await opened.snapshots.load(streams))].map(([stream, { revision, position, version, state }]) => [
        stream,
        revision,
        position,
        version,
        Buffer.from(state).toString(),
      ]);

    it('gives what was kept, of the streams asked for', async () => {
      await opened.snapshots.save([snapshot('odds-1', 5), snapshot('odds-2', 6)]);
      expect(await texts('odds-2', 'odds-3')).toEqual([['odds-2', 6, 60n, 1, 'odds-2 at 6']]);
    });

    it('keeps a later one in the place of an earlier one', async () => {
      await opened.snapshots.save([snapshot('odds-1', 5)]);
      await opened.snapshots.save([snapshot('odds-1', 9)]);
      expect(await texts('odds-1')).toEqual([['odds-1', 9, 90n, 1, 'odds-1 at 9']]);
    });

    it('gives nothing of nothing', async () => {
      await opened.snapshots.save([]);
      expect(await texts()).toEqual([]);
    });

    it('gives every byte back', async () => {
      const state = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      await opened.snapshots.save([{ ...snapshot('odds-1', 0), state }]);
      expect(Buffer.from((await opened.snapshots.load(['odds-1'])).get('odds-1')!.state)).toEqual(state);
    });
  });
}
