import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';

type Caches = Readonly<Record<string, () => CacheSize>>;

/** The values of the label `cache` that the version before exported. Delete them with the next version. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  'decider-states': 'deciding-states',
  'decider-histories': 'deciding-histories',
  'intake-identities': 'identities-of-intake',
  'record-feed': 'records-of-topics',
  'document-positions': 'places-of-documents',
  'queued-changes': 'changes-to-tell',
  'stream-revisions': 'known-streams',
};

/** The caches, and those that were renamed under their former name as well, so that dashboards can follow. */
export const withFormerNames = (caches: Caches): Caches =>
  Object.fromEntries(
    Object.entries(caches).flatMap(([name, size]) => {
      const former = FORMER_NAMES[name];
      return former === undefined
        ? [[name, size]]
        : [
            [name, size],
            [former, size],
          ];
    }),
  );
