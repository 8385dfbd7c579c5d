import type { NewRecord } from './record.ts';

/** Turns the data of one version into the data of the next. Pure: the same data gives the same result for ever. */
export type UpcastStep = (data: any) => unknown;

export interface UpcasterChain {
  /** The version that is written today. */
  readonly current: number;
  /** Step `n` brings version n to n + 1; there is one for each version from 1 to `current` - 1. */
  readonly steps: Readonly<Record<number, UpcastStep>>;
}

type Upcasters = ReadonlyMap<string, UpcasterChain>;

/** A record that this code cannot read. Whoever reads it must stop: passing over it would lose a fact. */
export class UnknownEventVersion extends Error {
  readonly code = 'unknown_event_version';
  readonly type: string;
  readonly version: number;
  /** The newest version known; null when the type itself is not known. */
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
 * Takes every event type with its current version and the steps that lead there.
 * @throws Error when a step is missing, or leads from a version that needs none
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
 * The record with its data in the current version; the very same record when it already is.
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
