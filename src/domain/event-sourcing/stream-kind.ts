import type { LogRecord, NewRecord } from './record.ts';
import type { UpcastStep } from './upcast.ts';

/** What facts are kept in order together by: a sports event, a team, ... (`event-12`, `team-4`). */
export type PartitionName = 'event' | 'team' | 'player' | 'season';

/** A kind of stream: what may stand in streams of this name, and in which partition. */
export interface StreamKind<Data = any, Name extends string = string> {
  /** Streams are named `NAME-ID`. */
  readonly name: Name;
  /** Records of the stream `NAME-ID` have the partition `PARTITION-ID`: the id is the same. */
  readonly partition: PartitionName;
  /** Present versions of its domain events' shapes; older ones are brought up when they are read. */
  readonly versions: Readonly<Record<keyof Data & string, number>>;
  /** By type: from each version to the next. */
  readonly steps?: { readonly [T in keyof Data & string]?: Readonly<Record<number, UpcastStep>> };
  /** Never there. It tells the compiler of what shape the `data` of its domain events is, by type. */
  readonly data?: Data;
}

/** The domain events of such a table of data. */
type EventOf<Data> = { [T in keyof Data & string]: NewRecord<T, Data[T]> }[keyof Data & string];
export type EventOfKind<Kind> = Kind extends StreamKind<infer Data> ? EventOf<Data> : never;
/** Domain events as they stand in the log. */
export type RecordOf<Event> = Event extends NewRecord<infer T, infer D> ? LogRecord<T, D> : never;

export const defineStream =
  <Data>() =>
  <const Name extends string>(kind: Omit<StreamKind<Data, Name>, 'data'>): StreamKind<Data, Name> =>
    kind;

/** A domain event of this stream, in its present version. */
export const createEvent = <Data, T extends keyof Data & string>(
  { partition, versions }: StreamKind<Data>,
  id: number,
  type: T,
  data: Data[T],
): NewRecord<T, Data[T]> => ({ type, version: versions[type], data, meta: { partition: `${partition}-${id}` } });
