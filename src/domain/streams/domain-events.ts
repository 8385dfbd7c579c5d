import type { EventOfKind, PartitionName, RecordOf, StreamKind } from '../event-sourcing/stream-kind.ts';
import type { UpcastStep } from '../event-sourcing/upcast.ts';
import { contractsStream } from './contracts-stream.ts';
import { deductionsStream } from './deductions-stream.ts';
import { identityStream } from './identity-stream.ts';
import { outrightsStream } from './outrights-stream.ts';
import { sportsStream } from './sports-stream.ts';
import {
  boxStream,
  eventStream,
  injuriesStream,
  intelligenceStream,
  lineupStream,
  oddsStream,
  playerStream,
  seasonStream,
  splitsStream,
  teamStream,
} from './stream-definitions.ts';
import { venuesStream } from './venues-stream.ts';

export type {
  BoxContent,
  EventIdentity,
  InjuryOrigin,
  IntelligenceGrounds,
  LineupContent,
  Origin,
} from './stream-definitions.ts';

/**
 * All kinds of streams for data from feeds and for results of the server. Everything below is derived from this list.
 * Accounts have their own events.
 */
const STREAM_KINDS = [
  eventStream,
  oddsStream,
  splitsStream,
  boxStream,
  lineupStream,
  teamStream,
  playerStream,
  injuriesStream,
  seasonStream,
  intelligenceStream,
  identityStream,
  deductionsStream,
  outrightsStream,
  sportsStream,
  venuesStream,
  contractsStream,
] as const;

export type DomainEvent = EventOfKind<(typeof STREAM_KINDS)[number]>;
export type DomainRecord = RecordOf<DomainEvent>;
export type DomainEventType = DomainEvent['type'];
/** `data` of every domain event, by type. */
export type DomainEventData = { [Event in DomainEvent as Event['type']]: Event['data'] };

const kinds: readonly StreamKind[] = STREAM_KINDS;

/** Current versions of the domain events; older ones are upcast when read. */
export const CURRENT_VERSIONS: Readonly<Record<DomainEventType, number>> = Object.assign(
  {},
  ...kinds.map(({ versions }) => versions),
);

/** Upcast steps by event type: from each version to the next. */
export const UPCAST_STEPS: Readonly<Partial<Record<DomainEventType, Readonly<Record<number, UpcastStep>>>>> =
  Object.assign({}, ...kinds.map(({ steps }) => steps ?? {}));

/** The partition of each kind of stream: records of `odds-12` lie in `event-12`. */
export const PARTITIONS_BY_STREAM: ReadonlyMap<string, PartitionName> = new Map(
  kinds.map(({ name, partition }) => [name, partition]),
);

type NameOf = (id: number | string) => string;
const namesOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name): [Name, NameOf] => [name, (id) => `${name}-${id}`])) as Readonly<
    Record<Name, NameOf>
  >;

/** Stream names and partition names. */
export const streams = namesOf(STREAM_KINDS.map(({ name }) => name));
export const partitions: Readonly<Record<PartitionName, NameOf>> = namesOf(kinds.map(({ partition }) => partition));

/** The partition of the records of each type. */
export const PARTITIONS_BY_TYPE: ReadonlyMap<string, PartitionName> = new Map(
  kinds.flatMap(({ partition, versions }) => Object.keys(versions).map((type) => [type, partition] as const)),
);

/** The names of all streams in the partition `PARTITION-ID`. */
export const streamsOfPartition = (partition: PartitionName, id: number | string): readonly string[] =>
  kinds.filter((kind) => kind.partition === partition).map(({ name }) => `${name}-${id}`);
