import type { LogRecord, NewRecord } from './record.ts';
import type { UpcastStep } from './upcast.ts';

/** The subject whose records stay in order: a sports event, a team, ... (`event-12`, `team-4`). */
export type PartitionName = 'event' | 'team' | 'player' | 'season' | 'identity';

/** A kind of stream: its event types and its partition. */
export interface StreamKind<Data = any, Name extends string = string> {
  /** The stream of a subject is `NAME-ID`. */
  readonly name: Name;
  /** Records of the stream `NAME-ID` have the partition `PARTITION-ID`, with the same id. */
  readonly partition: PartitionName;
  /** Current versions of its domain events; older ones are upcast when read. */
  readonly versions: Readonly<Record<keyof Data & string, number>>;
  /** Upcast steps by event type: from each version to the next. */
  readonly steps?: { readonly [T in keyof Data & string]?: Readonly<Record<number, UpcastStep>> };
  /** For the type checker only, never set: the `data` of each event type. */
  readonly data?: Data;
}

type EventOf<Data> = { [T in keyof Data & string]: NewRecord<T, Data[T]> }[keyof Data & string];
export type EventOfKind<Kind> = Kind extends StreamKind<infer Data> ? EventOf<Data> : never;
/** The log records of these domain events. */
export type RecordOf<Event> = Event extends NewRecord<infer T, infer D> ? LogRecord<T, D> : never;

export const defineStream =
  <Data>() =>
  <const Name extends string>(kind: Omit<StreamKind<Data, Name>, 'data'>): StreamKind<Data, Name> =>
    kind;

/** Creates a domain event of this stream in its current version. */
export const createEvent = <Data, T extends keyof Data & string>(
  { partition, versions }: StreamKind<Data>,
  id: number,
  type: T,
  data: Data[T],
): NewRecord<T, Data[T]> => ({ type, version: versions[type], data, meta: { partition: `${partition}-${id}` } });
