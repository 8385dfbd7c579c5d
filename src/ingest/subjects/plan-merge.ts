import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { streamsOfPartition } from '../../domain/streams/domain-events.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import { type ContentOf, type PlannedAct, refused } from './identity-act.ts';
import { anyRefOf, findThing, type KnownThing, nameOf, scopedEntity } from './identity-things.ts';

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
  const first = await findThing(session, what, from!, sport);
  if (!first) return refused('not_found', 'from', `there is no ${what} ${nameOf(from!)}`);
  const second = await findThing(session, what, into!, sport);
  if (!second) return refused('not_found', 'into', `there is no ${what} ${nameOf(into!)}`);
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
