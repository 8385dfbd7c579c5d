import type { Position } from '../../domain/event-sourcing/position.ts';
import type { IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { type DomainRecord, streamsOfPartition } from '../../domain/streams/domain-events.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import { streamsInOrder } from '../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { appendInChunks } from '../states/append-in-chunks.ts';
import { StreamStates } from '../states/stream-states.ts';
import { RecordReplay } from './record-replay.ts';
import { RefHomes } from './ref-homes.ts';

/** Events whose messages are replayed, and the events that result. */
export interface Mending {
  readonly plan: Pick<IdentityPlan, 'ownerOf'>;
  /** The events that the messages were bound to at first: all that ever had an id of one of the events that change. */
  readonly affected: readonly {
    readonly eventId: number;
    readonly publicId: number;
  }[];
  /** For each event that results a new id, under which nothing has been recorded. */
  readonly results: readonly { readonly eventId: number; readonly publicId: number }[];
}

export interface ReplayResult {
  /** Records that were written. */
  readonly records: number;
  /** What waits for a schedule of its event, by the new id. It belongs into the quarantine. */
  readonly waiting: ReadonlyMap<number, readonly DomainRecord[]>;
}

/**
 * Writes the records of the events that result, from all that the log holds up to `through`. A reader of the log sees
 * them as records of new events: nothing yet says that these take the place of others.
 * @throws ConflictError when a new id has records already
 */
export async function replayEvents(
  log: Pick<EventLog, 'readStream' | 'appendAll' | 'maxAppendBytes'>,
  { plan, affected, results }: Mending,
  options: { readonly through: Position; readonly pageSize?: number },
): Promise<ReplayResult> {
  const publicIds = new Map(affected.map(({ eventId, publicId }) => [eventId, publicId]));
  const newIds = new Map(results.map(({ eventId, publicId }) => [publicId, eventId]));
  const { homes, sides } = await readNames(log, publicIds, options);
  const states = new StreamStates(log);
  const replay = new RecordReplay({
    states,
    find: async (stream, revision) =>
      (await log.readStream(stream, { fromRevision: revision, limit: 1 }))[0] as DomainRecord | undefined,
    ownerOf: (eventId, sourceRef) => newIds.get(plan.ownerOf(homes.namingOf(publicIds.get(eventId)!, sourceRef))),
  });
  const streams = [...publicIds.keys()].flatMap((id) => streamsOfPartition('event', id));
  let records = 0;
  for await (const page of streamsInOrder(log, [...streams, ...sides], options)) {
    await replay.replay(page as readonly DomainRecord[]);
    const appends = states.takeStaged();
    requireAllAppended(await appendInChunks(log, appends));
    records += appends.reduce((sum, { events }) => sum + events.length, 0);
    await yieldToEventLoop();
  }
  return { records, waiting: replay.waiting };
}

/** Where each ref was first used, and the streams of the teams and players that are sides of the events. */
async function readNames(
  log: Pick<EventLog, 'readStream'>,
  publicIds: ReadonlyMap<number, number>,
  options: { readonly through: Position; readonly pageSize?: number },
): Promise<{ homes: RefHomes; sides: readonly string[] }> {
  const homes = new RefHomes();
  const sides = new Set<string>();
  const streams = [...publicIds.keys()].map((id) => `event-${id}`);
  for await (const page of streamsInOrder(log, streams, options)) {
    for (const record of page as readonly DomainRecord[]) {
      if (!('eventId' in record.data)) continue;
      homes.note(record, publicIds.get(record.data.eventId)!);
      if (record.type !== 'EventScheduled') continue;
      for (const { key, id } of record.data.content.sides) if (id !== null) sides.add(key.replace(':', '-'));
    }
    await yieldToEventLoop();
  }
  return { homes, sides: [...sides] };
}
