import { eventDecider } from '../../../commands/events/event-decider.ts';
import { bindingKeyOf, type IdentityState } from '../../../commands/identity-decider.ts';
import type { FeedMatch } from '../../domain/feed/feed-messages.ts';
import { sourceRefKey } from '../../domain/identities/identity-plan.ts';
import { areSidesSwappedInMatch } from '../binding/event-binding.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import type { WaitingGroup } from '../identities/identities.ts';
import { type ActRules, type ContentOf, refusal, refused } from './identity-act.ts';
import { anyRefOf, findNamed, refKeyOf, thingOf } from './identity-things.ts';

type Binding = ContentOf<'bind'>;

/** `bind`: what a source calls `ref` is a thing that is known here. The messages that wait for the ref are released. */
export const bindRules: ActRules<Binding> = {
  async plan(session, message) {
    const { what, source_ref: sourceRef, into, sport } = message;
    const thing = await findNamed(session, what!, into!, 'into', sport);
    if ('rejection' in thing) return thing;
    const { source, ref } = sourceRef!;
    const content: Binding = {
      action: 'bind',
      what: what!,
      sourceRef: { source, ref },
      into: thing.id,
      intoRef: await anyRefOf(session, what!, thing),
      sport: thing.sport,
      league: thing.league,
    };
    const bound = await boundTo(session, content);
    if (bound !== undefined && bound !== thing.id)
      return refused('already_bound', 'source_ref', boundText(content, bound));
    if (bound === thing.id && (await hasRecords(session, content))) return 'known';
    const waiting = await waitingFor(session, content);
    const otherLeague = leagueOf(waiting) ?? thing.league;
    if (what === 'event' && otherLeague !== thing.league) {
      return refused('different_league', 'into', `is of ${thing.league}, what waits is of ${otherLeague}`);
    }
    return { content, moved: { records: waiting?.messages ?? 0, refs: 1 } };
  },

  async refuseAgain(session, content, state) {
    const bound = await boundTo(session, content);
    if (bound === undefined || bound === content.into) return undefined;
    const later = findBinding(state, content);
    return later === undefined
      ? refusal('already_bound', 'act', boundText(content, bound))
      : refusal('stands_on', 'act', `act ${later} has bound this ref since`);
  },

  async refuseUndo(session, content, state) {
    const split = findSplit(state, content);
    if (split !== undefined) return refusal('stands_on', 'act', `act ${split} has split this ref off since`);
    if (!(await hasRecords(session, content))) return undefined;
    const { what, into, sourceRef } = content;
    const named = `${sourceRef.source}:${sourceRef.ref}`;
    const text =
      what === 'event'
        ? `${named} has records of event ${into}, with what the bind itself released`
        : `something may have been told of ${what} ${into} as ${named}`;
    return refusal('has_records', 'act', `${text}. \`split ${what} ${named} --into ID\` gives them to another ${what}`);
  },

  async movedBy(session, content, isAgain) {
    const waiting = isAgain ? await waitingFor(session, content) : undefined;
    return { records: waiting?.messages ?? 0, refs: 1 };
  },

  async apply(session, content) {
    const { what, sourceRef, into, sport } = content;
    const { source, ref } = sourceRef;
    if (what === 'event') {
      await session.identities.bindEvent(source, ref, { id: into, swapped: await isSwapped(session, content) });
    } else await session.identities.bindEntity(what, sport, source, ref, into);
    session.noteKnown(refKeyOf(what, sport, sourceRef));
  },

  /** The ref names nothing that is in the log, as after a crash before a new event was appended: it is free. */
  async revert({ identities }, { sourceRef: { source, ref } }) {
    // A ref moves only from a binding that was looked up.
    await identities.findEvent(source, ref);
    const [id] = await identities.allocate('event');
    await identities.bindEvent(source, ref, { id: id!, swapped: false });
  },
};

const boundText = ({ what, sourceRef }: Binding, id: number): string =>
  `${sourceRef.source}:${sourceRef.ref} is ${what} ${id}`;

/** The thing in the log that the ref means now. */
async function boundTo(session: IngestSession, { what, sport, sourceRef }: Binding): Promise<number | undefined> {
  const { source, ref } = sourceRef;
  const { identities } = session;
  const id =
    what === 'event'
      ? (await identities.findEvent(source, ref))?.id
      : await identities.findEntity(what, sport, source, ref);
  return id !== undefined && (await thingOf(session, what, id)) ? id : undefined;
}

/**
 * Whether something was told under the ref. Of events their state knows; of teams and players it is not known, since
 * other streams name them too.
 */
async function hasRecords(session: IngestSession, { what, into, sourceRef }: Binding): Promise<boolean> {
  if (what !== 'event') return true;
  // The event may have been merged since.
  return (
    (await session.states.get(eventDecider, session.meaningOf('event', into))).refs
      .get(sourceRef.source)
      ?.has(sourceRef.ref) === true
  );
}

const waitingFor = ({ identities }: IngestSession, { what, sport, sourceRef }: Binding) =>
  identities.findWaitingGroup(`${sourceRef.source} ${refKeyOf(what, sport, sourceRef)}`);

interface NamingMessage {
  readonly league?: string;
  readonly match?: FeedMatch;
}

function leagueOf(waiting: WaitingGroup | undefined): string | undefined {
  const { league, match } = (waiting?.oldest.message ?? {}) as NamingMessage;
  return match?.league ?? league;
}

/** Whether the source has the sides the other way round, as far as what waits says so. */
async function isSwapped(session: IngestSession, content: Binding): Promise<boolean> {
  const { match } = ((await waitingFor(session, content))?.oldest.message ?? {}) as NamingMessage;
  const state = await session.states.get(eventDecider, content.into);
  return (match && (await areSidesSwappedInMatch(session, match, state))) ?? false;
}

function findBinding({ acts }: IdentityState, content: Binding): number | undefined {
  const key = bindingKeyOf(content);
  const index = acts.findIndex(
    ({ content: other, undoneBy }) => undoneBy === null && other.action === 'bind' && bindingKeyOf(other) === key,
  );
  return index === -1 ? undefined : index + 1;
}

/** The act in force that has given the ref to another event. */
function findSplit({ acts }: IdentityState, { what, sourceRef }: Binding): number | undefined {
  const index = acts.findLastIndex(
    ({ content, undoneBy }) =>
      undoneBy === null &&
      content.action === 'split' &&
      content.what === what &&
      sourceRefKey(content.sourceRef) === sourceRefKey(sourceRef),
  );
  return index === -1 ? undefined : index + 1;
}
