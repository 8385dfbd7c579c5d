import type { NewRecord } from './record.ts';

/** Converts data from one version to the next. Pure: the same input gives the same result for ever. */
export type UpcastStep = (data: any) => unknown;

export interface UpcasterChain {
  /** The current version, which is written. */
  readonly current: number;
  /** Step `n` converts version n to n + 1; one step for each version from 1 to `current` - 1. */
  readonly steps: Readonly<Record<number, UpcastStep>>;
}

type Upcasters = ReadonlyMap<string, UpcasterChain>;

/** This code cannot read the record. The reader must stop: skipping the record would lose a fact. */
export class UnknownEventVersion extends Error {
  readonly code = 'unknown_event_version';
  readonly type: string;
  readonly version: number;
  /** The newest known version; null if the type is unknown. */
  readonly known: number | null;
  constructor(record: NewRecord, known: number | null) {
    super(
      `${describe(record)} is ${record.type} version ${record.version}, but this server knows ` +
        `${known === null ? 'no event of that type' : `versions 1 to ${known} of it`}. ` +
        'Most likely a newer server wrote it: update this server, then start it again.',
    );
    this.name = 'UnknownEventVersion';
    this.type = record.type;
    this.version = record.version;
    this.known = known;
  }
}

/**
 * Checks the current version and the upcast steps of every event type.
 * @throws Error when a step is missing, or starts from a version that needs none
 */
export function defineUpcasters(table: Readonly<Record<string, UpcasterChain>>): Upcasters {
  const upcasters = new Map(Object.entries(table));
  for (const [type, { current, steps }] of upcasters) {
    if (!Number.isSafeInteger(current) || current < 1) {
      throw new Error(`upcasters of ${type}: the current version must be a whole number from 1, not ${current}`);
    }
    for (let version = 1; version < current; version++) {
      if (typeof steps[version] !== 'function') {
        throw new Error(`upcasters of ${type}: the step from version ${version} to ${version + 1} is missing`);
      }
    }
    const extra = Object.keys(steps).find((version) => !(Number(version) >= 1 && Number(version) < current));
    if (extra !== undefined) {
      throw new Error(`upcasters of ${type}: step ${extra} is not one from a version before ${current}`);
    }
  }
  return upcasters;
}

/**
 * The record with data in the current version; the same object if it is current already.
 * @throws UnknownEventVersion
 */
export function upcastRecord<R extends NewRecord>(record: R, upcasters: Upcasters): R {
  const chain = upcasters.get(record.type);
  if (chain === undefined) throw new UnknownEventVersion(record, null);
  if (record.version === chain.current) return record;
  if (!Number.isSafeInteger(record.version) || record.version < 1 || record.version > chain.current) {
    throw new UnknownEventVersion(record, chain.current);
  }
  let data: unknown = record.data;
  for (let version = record.version; version < chain.current; version++) data = chain.steps[version]!(data);
  return { ...record, version: chain.current, data };
}

function describe(record: NewRecord & { position?: unknown; stream?: unknown }): string {
  return record.position === undefined ? 'An event' : `Record ${record.position} of stream ${record.stream}`;
}
