import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { streamsOfPartition } from '../../domain/streams/domain-events.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import { type ContentOf, type PlannedAct, refused } from './identity-act.ts';
import { anyRefOf, findNamed, type KnownThing, scopedEntity } from './identity-things.ts';

/**
 * A merge of two things of one kind.
 * @param refuse why these two cannot be one; undefined: they can
 */
export async function planMerge(
  session: IngestSession,
  what: IdentitySubject,
  { from, into, sport }: IdentityMessage,
  refuse: (first: KnownThing, second: KnownThing) => Promise<{ readonly rejection: Rejection } | undefined>,
): Promise<PlannedAct<ContentOf<'merge'>>> {
  const first = await findNamed(session, what, from!, 'from', sport);
  if ('rejection' in first) return first;
  const second = await findNamed(session, what, into!, 'into', sport);
  if ('rejection' in second) return second;
  if (from === into) return refused('same', 'into', `${what} ${first.id} cannot be merged into itself`);
  if (first.id === second.id) {
    // `into` was merged into `from`: the other way round there would be nothing left.
    if (typeof into === 'number' && into !== second.id)
      return refused('cycle', 'into', `${what} ${into} was merged into ${first.id}`);
    return 'known';
  }
  const refusal = await refuse(first, second);
  if (refusal) return refusal;
  const [refs] = await session.identities.listRefs([scopedEntity(what, first)]);
  let records = 0;
  for (const stream of streamsOfPartition(what, first.id)) records += await session.states.lengthOf(stream);
  return {
    content: {
      action: 'merge',
      what,
      from: first.id,
      into: second.id,
      fromRef: await anyRefOf(session, what, first),
      intoRef: await anyRefOf(session, what, second),
      sport: second.sport,
      league: second.league ?? first.league,
    },
    moved: { records, refs: refs!.length },
  };
}
