import type { Identities, WaitingGroup } from '../../ingest/identities/identities.ts';
import { parseGroupId } from '../../ingest/identities/waiting-groups.ts';

const GROUPS_AT_ONCE = 100;

/** The groups of waiting messages in pages, in the order of their ids. @param source absent: those of all sources */
export async function* waitingGroupPages(
  identities: Pick<Identities, 'listWaitingGroups'>,
  source?: string,
): AsyncGenerator<readonly WaitingGroup[]> {
  // The id of a group begins with its source.
  let after = source === undefined ? null : `${source} `;
  for (;;) {
    const groups = await identities.listWaitingGroups(after, GROUPS_AT_ONCE);
    const own = groups.filter(({ id }) => source === undefined || parseGroupId(id)?.source === source);
    yield own;
    if (groups.length < GROUPS_AT_ONCE || own.length < groups.length) return;
    after = groups.at(-1)!.id;
  }
}
