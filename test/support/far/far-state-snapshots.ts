import type { StateSnapshots } from '../../../src/ingest/states/state-snapshots.ts';
import type { Far } from './far.ts';

/** The deciders' states behind a way that takes its time, and may lose the answer of any call. */
export const farStateSnapshots = (inner: StateSnapshots, far: Far): StateSnapshots => ({
  load: (streams) => far.call('load', () => inner.load(streams)),
  save: (snapshots) => far.call('keep', () => inner.save(snapshots)),
});
