import { isReplayed } from '../../domain/event-sourcing/record.ts';
import { connectedEvents, rootMove } from '../../domain/identities/connected-events.ts';
import { planOf } from '../../domain/identities/identity-plan.ts';
import { sourceRefOf } from '../../domain/identities/source-ref-of.ts';
import { identityActsOf, type NumberedAct } from '../../domain/identities/stream-replacements.ts';
import { type DomainRecord, streamsOfPartition } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { StreamsInOrder } from '../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { RefHomes } from './ref-homes.ts';

/**
 * How many records an act gives to another event than before: of an undo also those that were told since the act that
 * it takes back. Reads all that was ever told of the events, in pages.
 * @param before the acts before it
 */
export async function countMoved(
  log: Pick<EventLog, 'readStream' | 'replacements' | 'head'>,
  before: readonly NumberedAct[],
  act: NumberedAct,
): Promise<number> {
  const after = [...before, act];
  const root = rootMove(after, act);
  if (!root) return 0;
  const events = connectedEvents(after, [root.from, root.into]);
  const [planBefore, planAfter] = [planOf(identityActsOf(before, 'event')), planOf(identityActsOf(after, 'event'))];
  const homes = new RefHomes();
  const records = new StreamsInOrder(log);
  records.add(events.flatMap((id) => streamsOfPartition('event', id).flatMap((one) => log.replacements.allOf(one))));
  const head = await log.head();
  let count = 0;
  for await (const page of head === null ? [] : records.pagesThrough(head)) {
    for (const record of page as readonly DomainRecord[]) {
      if (isReplayed(record) || record.type === 'EventRestated' || !('eventId' in record.data)) continue;
      const home = record.data.eventId;
      homes.note(record, home);
      const naming = homes.namingOf(home, sourceRefOf(record));
      if (planBefore.ownerOf(naming) !== planAfter.ownerOf(naming)) count++;
    }
    await yieldToEventLoop();
  }
  return count;
}
