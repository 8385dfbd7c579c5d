import {
  createFold,
  type DocumentAtPosition,
  type DocumentFold,
} from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { PartitionName } from '../../../domain/event-sourcing/stream-kind.ts';
import { replacementStream } from '../../../domain/identities/stream-replacements.ts';
import { type DomainEventData, PARTITIONS_BY_TYPE, streamsOfPartition } from '../../../domain/streams/domain-events.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { StreamsInOrder } from '../../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { type TableRowWrite, tableRowsOf } from './table-rows.ts';

/** From this record on, an event, a team or a player has other streams. */
export type RestatedRecord = { [Type in RestatedType]: LogRecord<Type, DomainEventData[Type]> }[RestatedType];
type RestatedType = 'EventRestated' | 'TeamRestated' | 'PlayerRestated';
/** From this record on, an event has other streams. */
export type EventRestatedRecord = Extract<RestatedRecord, { readonly type: 'EventRestated' }>;

export const RESTATED_TYPES: readonly RestatedType[] = ['EventRestated', 'TeamRestated', 'PlayerRestated'];
export const isRestated = (record: LogRecord): record is RestatedRecord =>
  RESTATED_TYPES.some((type) => type === record.type);
export const isEventRestated = (record: LogRecord): record is EventRestatedRecord => record.type === 'EventRestated';

/** The kinds of things whose records give the documents of a projection: it must follow when they are restated. */
export const restatedKindsOf = ({ types }: Projection): ReadonlySet<PartitionName> =>
  new Set(types.flatMap((type) => PARTITIONS_BY_TYPE.get(type) ?? []));

/** The kind of the thing that is restated. */
export const restatedKindOf = ({ type }: RestatedRecord): PartitionName => PARTITIONS_BY_TYPE.get(type)!;

/** What a restated thing means for one projection. */
export interface Restatement {
  /** The keys of all documents that the thing had or has. */
  readonly keys: ReadonlySet<string>;
  /** By key: what the present streams give. */
  readonly documents: ReadonlyMap<string, unknown>;
  /** By table, then by key of the document: the row; undefined: the thing has it no longer. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** The error of the projection that ended the fold. */
  readonly error?: unknown;
}

/**
 * Reads the former and the present streams of the thing once, for all these projections.
 * @returns one restatement for each projection, in their order
 * @throws what the log throws, or the reason of the signal
 */
export async function readRestatements(
  log: Pick<EventLog, 'readStream'>,
  projections: readonly Projection[],
  restated: RestatedRecord,
  signal: AbortSignal,
): Promise<readonly Restatement[]> {
  const { data, position } = restated;
  const { suffix, previous } = data;
  const folds = projections.map((projection) => new RestatementFold(projection));
  const plain = streamsOfPartition(restatedKindOf(restated), restatedIdOf(data));
  for (const [ofStreams, isPresent] of [
    [previous, false],
    [suffix, true],
  ] as const) {
    const records = new StreamsInOrder(log);
    records.add(plain.map((stream) => replacementStream(stream, ofStreams)));
    for await (const page of records.pagesThrough(position)) {
      signal.throwIfAborted();
      for (const record of page) {
        for (const fold of folds) fold.add(record, isPresent);
        await yieldToEventLoop();
      }
    }
  }
  return folds;
}

function restatedIdOf(data: RestatedRecord['data']): number {
  if ('eventId' in data) return data.eventId;
  return 'teamId' in data ? data.teamId : data.playerId;
}

class RestatementFold implements Restatement {
  readonly keys = new Set<string>();
  readonly documents = new Map<string, unknown>();
  readonly rows = new Map<string, Map<string, unknown>>();
  error: unknown;
  readonly #projection: Projection;
  readonly #fold: DocumentFold;
  /** Only tables need the former documents: these say which rows are there. */
  readonly #former: Map<string, unknown> | undefined;

  constructor(projection: Projection) {
    this.#projection = projection;
    this.#fold = createFold(projection);
    if (projection.tables && !projection.restate) this.#former = new Map();
  }

  add(record: LogRecord, isPresent: boolean): void {
    if (this.error !== undefined) return;
    try {
      this.#add(record, isPresent);
    } catch (error) {
      this.error = error;
    }
  }

  #add(record: LogRecord, isPresent: boolean): void {
    const key = this.#fold.keyOf(record);
    if (key === undefined) return;
    this.keys.add(key);
    const documents = isPresent ? this.documents : this.#former;
    if (!documents) return;
    const document = this.#fold.applyInto(documents, record);
    if (this.#projection.restate) return;
    for (const row of tableRowsOf(this.#projection, key, document, record)) {
      noteRow(this.rows, isPresent ? row : { ...row, row: undefined });
    }
  }
}

function noteRow(rows: Map<string, Map<string, unknown>>, { table, key, row }: TableRowWrite): void {
  const ofTable = rows.get(table) ?? new Map<string, unknown>();
  rows.set(table, ofTable.set(key, row));
}

/**
 * The documents and tables that a restatement changes, at its position; undefined: there is none any more.
 * @param load the documents of these keys as they were before, which this function may change
 */
export async function restatedDocuments(
  projection: Projection,
  { keys, documents, rows: known }: Restatement,
  restated: RestatedRecord,
  load: (keys: ReadonlySet<string>) => Promise<ReadonlyMap<string, DocumentAtPosition>>,
): Promise<Map<string, DocumentAtPosition | undefined>> {
  const { position } = restated;
  const changed = new Map<string, DocumentAtPosition | undefined>();
  const rows = new Map([...known].map(([table, ofTable]) => [table, new Map(ofTable)]));
  const isDone = (before: DocumentAtPosition | undefined) =>
    before !== undefined && !isBefore(before.position, position);
  const change = (key: string, document: unknown, isStored: boolean) => {
    if (document !== undefined) changed.set(key, { document, position });
    else if (isStored) changed.set(key, undefined);
  };
  if (projection.restate) {
    const stored = await load(keys);
    for (const key of keys) {
      const before = stored.get(key);
      let document = before?.document;
      if (!isDone(before)) {
        document = projection.restate(document, documents.get(key), restated);
        change(key, document, before !== undefined);
      }
      // Also of a document that a crash left ahead of its tables.
      if (document !== undefined)
        for (const row of tableRowsOf(projection, key, document, restated)) noteRow(rows, row);
    }
  } else for (const key of keys) change(key, documents.get(key), true);
  const tables = await load(new Set(rows.keys()));
  for (const [table, ofTable] of rows) {
    const before = tables.get(table);
    if (isDone(before)) continue;
    let document = before?.document;
    for (const [key, row] of ofTable) {
      if (row !== undefined) document = projection.tables!.put(document, table, key, row);
      else if (document !== undefined) document = projection.tables!.remove!(document, key);
    }
    change(table, document, before !== undefined);
  }
  return changed;
}
