import type { IdentityState } from '../../../commands/identity-decider.ts';
import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import { IDENTITY_SUBJECTS, type IdentitySubject } from '../../domain/feed/identity-message.ts';
import { formatTime } from '../../domain/primitives/time.ts';

import { dismissedKey, parseGroupId } from '../identities/waiting-groups.ts';
import { type ActRules, type ContentOf, refused } from './identity-act.ts';
import { refKeyOf } from './identity-things.ts';

type Dismissal = ContentOf<'dismiss'>;

/**
 * `dismiss`: messages that wait are given up. They stay in the quarantine and point to the act (`dismissedKey`), but
 * wait for nothing but its end. The same step that retries messages moves them there, some at a time.
 */
export const dismissRules: ActRules<Dismissal> = {
  async plan(session, message, state) {
    const named = groupsOf(message);
    if (!named) return refused('not_found', 'waiting', 'there is no such group of waiting messages');
    const groups: string[] = [];
    let records = 0;
    for (const group of named.groups) {
      const waiting = await session.identities.findWaitingGroup(group);
      // Messages of this batch are staged, and count as a group only once they are flushed.
      const isStaged = (await session.identities.findQuarantineKeys([parseGroupId(group)!.key])).size > 0;
      if (!waiting && !isStaged) continue;
      groups.push(group);
      records += waiting?.messages ?? 0;
    }
    if (groups.length === 0) {
      const path = message.waiting === undefined ? 'source_ref' : 'waiting';
      return isDismissedBefore(state, named.groups) ? 'known' : refused('not_found', path, 'no message waits for it');
    }
    const { what, sourceRef } = named;
    const until = formatTime(session.now());
    return { content: { action: 'dismiss', what, sourceRef, groups, until }, moved: { records, refs: 0 } };
  },

  refuseAgain: async () => undefined,
  refuseUndo: async () => undefined,

  async apply(session, { groups }) {
    for (const group of groups) session.noteKnown(parseGroupId(group)!.key);
  },

  async revert(session, _, __, root) {
    session.noteKnown(dismissedKey(root));
  },
};

const isDismissedBefore = ({ acts, dismissals }: IdentityState, groups: readonly string[]): boolean =>
  groups.some((group) => dismissals.get(group)?.some(({ act }) => acts[act - 1]!.undoneBy === null));

/** The groups that a message names: one, or one for each sport in which the source may have the ref. */
function groupsOf({ waiting, what, source_ref }: IdentityMessage) {
  if (waiting !== undefined) {
    const found = parseGroupId(waiting);
    if (!found) return undefined;
    const { source, ref } = found;
    const subject = isSubject(found.what) ? found.what : null;
    return { what: subject, sourceRef: ref === null ? null : { source, ref }, groups: [waiting] };
  }
  const { source, ref } = source_ref!;
  const sports = what === 'event' ? [''] : SPORT_SLUGS;
  const groups = sports.map((sport) => `${source} ${refKeyOf(what!, sport, { source, ref })}`);
  return { what: what!, sourceRef: { source, ref }, groups };
}

const isSubject = (text: string | null): text is IdentitySubject =>
  (IDENTITY_SUBJECTS as readonly (string | null)[]).includes(text);
