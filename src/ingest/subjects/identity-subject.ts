import {
  type ActCommand,
  actOf,
  effectOf,
  type FirstAct,
  firstActOf,
  type IdentityState,
  identityDecider,
} from '../../../commands/identity-decider.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import { type ActContent, IDENTITY_STREAM_ID, type Moved } from '../../domain/streams/identity-stream.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession } from '../binding/ingest-session.ts';
import { type ActRules, type PlannedAct, refused } from './identity-act.ts';
import { aliasRules } from './identity-alias.ts';
import { bindRules } from './identity-bind.ts';
import { bindContractRules } from './identity-bind-contract.ts';
import { dismissRules } from './identity-dismiss.ts';
import { isMove, mergeRules, splitRules } from './identity-moves.ts';
import { defineSubject, type MessageLookups, type ReplayedMessage } from './subject.ts';

const RULES: { readonly [Action in FirstAct['action']]: ActRules<any> } = {
  merge: mergeRules,
  split: splitRules,
  bind: bindRules,
  alias: aliasRules,
  dismiss: dismissRules,
};

/** A contract of a prediction market is bound with its side. */
const rulesFor = (action: FirstAct['action'], side: unknown): ActRules<any> =>
  side === undefined ? RULES[action] : bindContractRules;
const rulesOfAct = (content: FirstAct): ActRules<any> =>
  rulesFor(content.action, content.action === 'bind' ? content.side : undefined);

/** An `identity` message: an operator mends an identity. What is refused does nothing. */
async function handleIdentity(session: IngestSession, message: IdentityMessage): Promise<HandlingResult> {
  const { states } = session;
  const state = await states.get(identityDecider, IDENTITY_STREAM_ID);
  const { at } = message;
  const planned = await planAct(session, message, state);
  if (planned === 'known') return { status: 'unchanged' };
  if ('rejection' in planned) return { status: 'rejected', rejection: planned.rejection };
  // The intake takes such a message out of its batch, unless its text is escaped in a way that hides its kind.
  if (movesRecords(planned.content, state) && !session.isTrial)
    return { status: 'rejected', ...refused('unsupported', 'kind', 'write it without escapes') };
  const events = await states.decide(identityDecider, IDENTITY_STREAM_ID, commandOf(message, planned));
  if (events.length > 0) {
    const stamp = { act: state.acts.length, at };
    const { root, applies } = effectOf(state, stamp.act);
    const { content } = actOf(state, root)!;
    const rules = rulesOfAct(content as FirstAct);
    await (applies ? rules.apply(session, content, stamp) : rules.revert(session, content, stamp, root));
  }
  return acceptedIfAny(events);
}

/** What a message asks for. */
export async function planAct(
  session: IngestSession,
  message: IdentityMessage,
  state: IdentityState,
): Promise<PlannedAct<ActContent>> {
  const { action } = message;
  return action === 'undo'
    ? planUndo(session, message, state)
    : rulesFor(action, message.side).plan(session, message, state);
}

export function commandOf(
  { at, note, by }: IdentityMessage,
  { content, moved }: { readonly content: ActContent; readonly moved: Moved },
): ActCommand {
  return { at, content, moved, note: note ? note : null, by: by ?? null };
}

/** Whether an act moves records from thing to thing, so that it takes its time. */
export const movesRecords = (content: ActContent, state: IdentityState): boolean => isMove(firstActOf(state, content));

/** `undo`: an act never was, from now on. An undo may be undone. */
async function planUndo(
  session: IngestSession,
  message: IdentityMessage,
  state: IdentityState,
): Promise<PlannedAct<ActContent>> {
  const act = findAct(message, state);
  const known = act === undefined ? undefined : actOf(state, act);
  if (act === undefined || !known) return refused('not_found', 'act', 'there is no such act');
  if (known.undoneBy !== null) return 'known';
  const { root, applies } = effectOf(state, act);
  const { content, moved } = actOf(state, root)! as { content: FirstAct; moved: Moved };
  const rules = rulesOfAct(content);
  const rejection = applies
    ? await rules.refuseUndo(session, content, state)
    : await rules.refuseAgain(session, content, state);
  if (rejection) return { rejection };
  const undone = { at: known.at, action: known.content.action };
  return {
    content: { action: 'undo', undoes: act, undone, root: content.action },
    moved: (await rules.movedBy?.(session, content, !applies)) ?? moved,
  };
}

/** The act that an `undo` names. */
export const findAct = ({ act }: IdentityMessage, state: IdentityState): number | undefined =>
  typeof act === 'number' ? act : act && findByTime(state, act);

/** The last act of this time and action. */
function findByTime({ acts }: IdentityState, { at, action }: { readonly at: string; readonly action: string }) {
  const index = acts.findLastIndex((act) => act.at === at && act.content.action === action);
  return index === -1 ? undefined : index + 1;
}

/** Acts are few: each looks up what it needs. */
const lookups: MessageLookups<IdentityMessage> = {
  addHints: () => {},
  streamsOf: async () => [[identityDecider, IDENTITY_STREAM_ID]],
};

export const identitySubject = defineSubject({
  decider: identityDecider,
  messages: { identity: { handle: handleIdentity, lookups } },
  replay: {
    IdentityActed({ data: { at, source, content, note, by } }): ReplayedMessage | undefined {
      const { action } = content;
      const said = { ...(note === null ? {} : { note }), ...(by === null ? {} : { by }) };
      const head = { kind: 'identity', source, at, action, ...said } as const;
      // One source may have the same ref in two sports.
      const sportOf = (act: { readonly what: IdentitySubject; readonly sport: string }) =>
        act.what === 'event' ? {} : { sport: act.sport };
      switch (content.action) {
        case 'merge':
          return {
            ...head,
            what: content.what,
            ...sportOf(content),
            from: content.fromRef ?? content.from,
            into: content.intoRef ?? content.into,
          };
        case 'split': {
          const isNew = content.what === 'event' ? content.intoRef === null : content.isNew === true;
          const into = isNew ? {} : { into: content.intoRef ?? content.into };
          return { ...head, what: content.what, ...sportOf(content), source_ref: content.sourceRef, ...into };
        }
        case 'bind':
          return {
            ...head,
            what: content.what,
            ...sportOf(content),
            source_ref: content.sourceRef,
            into: content.intoRef ?? content.into,
            ...(content.side ? { side: content.side } : {}),
          };
        case 'alias':
          return {
            ...head,
            what: content.what,
            ...sportOf(content),
            id: content.idRef ?? content.id,
            name: content.name,
          };
        case 'dismiss':
          // What waits is not in the log, so it does not wait on the other server.
          return undefined;
        case 'undo':
          return content.root === 'dismiss' ? undefined : { ...head, act: content.undone };
      }
    },
  },
});
