import type { StateSnapshots } from '../../../src/ingest/states/state-snapshots.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** The deciders' states behind a way that takes its time, and may lose the answer of any call. */
export const createFaultyStateSnapshots = (inner: StateSnapshots, far: FaultyNetwork): StateSnapshots => ({
  load: (streams) => far.call('load', () => inner.load(streams)),
  save: (snapshots) => far.call('keep', () => inner.save(snapshots)),
});
