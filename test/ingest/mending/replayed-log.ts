import type { MessageNaming } from '../../../src/domain/identities/identity-plan.ts';
import { addToGroup } from '../../../src/domain/primitives/collections.ts';
import {
  type DomainRecord,
  type EventIdentity,
  streamsOfPartition,
} from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { RecordReplay } from '../../../src/ingest/mending/record-replay.ts';
import { RefHomes } from '../../../src/ingest/mending/ref-homes.ts';
import { StreamStates } from '../../../src/ingest/states/stream-states.ts';
import { NOW } from '../../system/properties/world.ts';

export async function readLog(log: EventLog): Promise<DomainRecord[]> {
  return (await log.readAll(null, 100_000)) as unknown as DomainRecord[];
}

const findIn = (records: readonly DomainRecord[]) => async (stream: string, revision: number) =>
  records.find((record) => record.stream === stream && record.revision === revision);

/** What a record says, without the id of the event. */
const said = ({ type, data }: Pick<DomainRecord, 'type' | 'data'>) => {
  const { eventId: _, ...rest } = data as EventIdentity;
  return { type, ...JSON.parse(JSON.stringify(rest)) };
};

/** What the log says of an event, by kind of stream. */
export async function saidOf(id: number, log: Pick<EventLog, 'readStream' | 'replacements'>) {
  const streams = streamsOfPartition('event', id);
  const records = await Promise.all(streams.map((stream) => log.readStream(log.replacements.current(stream))));
  return Object.fromEntries(
    records.map((ofStream, index) => [streams[index]!.split('-')[0]!, saidIn(ofStream as DomainRecord[])]),
  );
}

/** A reconfirmation names its record by the place among those that are not of an act. */
function saidIn(records: readonly DomainRecord[]) {
  const reported = records.filter(({ type }) => type !== 'EventRestated');
  const places = new Map(reported.map(({ revision }, place) => [revision, place]));
  return reported.map((record) => {
    const one = said(record);
    return 'of' in one ? { ...one, of: places.get(one.of) } : one;
  });
}

/** The streams of the events that are told again, in a log of their own. */
export async function replayLog(records: readonly DomainRecord[], ownerOf: (told: MessageNaming) => number) {
  const log = createMemoryLog({ now: () => NOW });
  const states = new StreamStates(log);
  const homes = new RefHomes();
  for (const record of records) if ('eventId' in record.data) homes.note(record, record.data.eventId);
  const replay = new RecordReplay({
    states,
    find: findIn(records),
    ownerOf: (home, sourceRef) => ownerOf(homes.namingOf(home, sourceRef)),
  });
  const pages = new Map<string, DomainRecord[]>();
  for (const record of records) addToGroup(pages, record.recordedAt, record);
  for (const page of pages.values()) {
    await replay.replay(page);
    await log.appendAll(states.takeStaged());
  }
  return { log, waiting: replay.waiting };
}
