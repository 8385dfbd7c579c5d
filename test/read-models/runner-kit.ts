import type { DocumentAtPosition } from '../../src/domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import { createLogFeed } from '../../src/event-log/subscription/log-feed.ts';
import {
  createProjectionRunner,
  type ProjectionRunnerOptions,
} from '../../src/read-models/projector/projection-runner.ts';
import type { ReadStore, StoredDocument } from '../../src/read-models/store/read-store.ts';

/** Appends a record per amount, in one append, and gives the last position. */
export async function count(log: EventLog, key: number | string | undefined, ...amounts: number[]): Promise<bigint> {
  return append(log, ...amounts.map((amount) => ({ type: 'Counted', key, amount })));
}

export async function append(
  log: EventLog,
  ...facts: { type: string; key?: number | string; amount?: number }[]
): Promise<bigint> {
  const events = facts.map(({ type, ...data }) => ({ type, version: 1, data, meta: { partition: 'toy' } }));
  return (await log.append('toys-1', events, 'any')).position!;
}

/** A runner that does not wait between attempts. */
export function runnerOf(
  log: EventLog,
  store: ReadStore,
  projections: readonly Projection[],
  more: Partial<ProjectionRunnerOptions> = {},
) {
  const delay = async (_milliseconds: number, signal: AbortSignal) => {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  };
  return createProjectionRunner({
    log,
    feed: createLogFeed(log),
    store,
    projections,
    batchSize: 7,
    now: () => 0,
    delay,
    ...more,
  });
}

/** What the read model must hold: a pure fold of the whole log, or of the part up to a position. Written out here, for
 *  it is what the rules of `foldOf` are measured by. */
export async function pureFold(
  log: EventLog,
  projection: Projection,
  until?: bigint,
): Promise<StoredDocument<unknown>[]> {
  const all = (await log.readAll(null, 1_000_000)).filter(({ position }) => until === undefined || position <= until);
  const documents = new Map<string, DocumentAtPosition>();
  for (const record of all) {
    const key = projection.types.includes(record.type) ? projection.key(record) : undefined;
    if (key === undefined) continue;
    const document = projection.apply(documents.get(key)?.document, record);
    documents.set(key, { document, position: record.position });
    const rows = projection.tables?.rowsOf(document, record.position) ?? [];
    for (const [table, row] of rows) {
      const before = documents.get(table)?.document;
      documents.set(table, { document: projection.tables!.put(before, table, key, row), position: record.position });
    }
  }
  return [...documents]
    .map(([key, { document, position }]) => ({ key, document, position }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Everything in the active build. */
export async function contents(store: ReadStore, projection: string): Promise<readonly StoredDocument<unknown>[]> {
  return store.scan(projection, (await store.activeGeneration(projection))!, null, 1_000_000);
}

export type StoreMethod = keyof ReadStore;
export type Fault = 'before' | 'after' | undefined;

/** A store whose calls fail as `faultOf` says: before they do anything, or after they have done it. */
export function faultyStore(store: ReadStore, faultOf: (method: StoreMethod) => Fault): ReadStore {
  return new Proxy(store, {
    get(target, method: StoreMethod) {
      return async (...args: unknown[]) => {
        const fault = faultOf(method);
        if (fault === 'before') throw new Error(`${method}: connection lost`);
        const result = await (target[method] as (...args: unknown[]) => Promise<unknown>)(...args);
        if (fault === 'after') throw new Error(`${method}: answer lost`);
        return result;
      };
    },
  });
}

/** Holds up whoever comes to it until it is opened. */
export function gate() {
  let arrive = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const passed = () => {
    arrive();
    return opened;
  };
  return { reached, open, passed };
}
