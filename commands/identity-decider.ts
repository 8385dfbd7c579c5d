import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { OPERATOR } from '../src/domain/feed/identity-message.ts';
import { normalizeName } from '../src/domain/primitives/name-normalization.ts';
import {
  type ActContent,
  IDENTITY_STREAM_ID,
  identityStream,
  type Moved,
  type StreamReplacement,
} from '../src/domain/streams/identity-stream.ts';

type IdentityEvent = EventOfKind<typeof identityStream>;

/** An act on identities, checked and with ids. */
export interface ActCommand {
  readonly at: string;
  readonly content: ActContent;
  readonly moved: Moved;
  readonly replacement?: StreamReplacement;
  readonly note: string | null;
  readonly by: string | null;
}

export interface KnownAct {
  readonly at: string;
  readonly content: ActContent;
  readonly moved: Moved;
  /** The act that takes it back; null: it is in force. */
  undoneBy: number | null;
}

/** What one act gave up of a group of waiting messages. */
export interface Dismissal {
  readonly act: number;
  /**
   * The act gave up what was received after this: an earlier dismissal, in force at that time, had given up what came
   * before. Null: all that was received until the act.
   */
  readonly after: string | null;
}

export interface IdentityState {
  /** The act with the id n is at n - 1. */
  acts: KnownAct[];
  /** The dismissals of each group of waiting messages, also those that were taken back. */
  dismissals: Map<string, Dismissal[]>;
}

/** An act other than an undo. */
export type FirstAct = Exclude<ActContent, { readonly action: 'undo' }>;

export const actOf = ({ acts }: IdentityState, act: number): KnownAct | undefined => acts[act - 1];

/** The acts with their ids, as far as they say what belongs to what. */
export const numberedActs = ({ acts }: IdentityState): { readonly act: number; readonly content: ActContent }[] =>
  acts.map(({ content }, index) => ({ act: index + 1, content }));

/**
 * The act in force that says the same. Dismissals never do: each is of what waits at its time. A contract may have been
 * bound otherwise since, so there only an act of the same time counts: it is the same act.
 */
export function findActInForce(
  { acts }: IdentityState,
  { at, content }: Pick<ActCommand, 'at' | 'content'>,
): number | undefined {
  const key = keyOf(content);
  if (key === undefined) return undefined;
  const isContract = content.action === 'bind' && content.side !== undefined;
  const index = acts.findIndex(
    (act) => act.undoneBy === null && keyOf(act.content) === key && (!isContract || act.at === at),
  );
  return index === -1 ? undefined : index + 1;
}

function keyOf(content: ActContent): string | undefined {
  switch (content.action) {
    case 'bind':
      return JSON.stringify([bindingKeyOf(content), content.into, ...(content.side ? [content.side] : [])]);
    case 'alias':
      return JSON.stringify(['alias', content.what, content.id, normalizeName(content.name)]);
    // Whether these are known depends on what their events are now.
    case 'merge':
    case 'split':
    case 'dismiss':
      return undefined;
    case 'undo':
      return `undo ${content.undoes}`;
  }
}

/** The same for all acts that bind the same ref. */
export const bindingKeyOf = ({ what, sport, sourceRef }: ActContent & { readonly action: 'bind' }): string =>
  JSON.stringify([what, what === 'event' ? '' : sport, sourceRef.source, sourceRef.ref]);

/**
 * What an act comes to: an undo of an undo comes to the act that both are about.
 * @returns that act, and whether it is in force once this act is
 */
export function effectOf({ acts }: IdentityState, act: number): { readonly root: number; readonly applies: boolean } {
  let root = act;
  let applies = true;
  for (let { content } = acts[act - 1]!; content.action === 'undo'; { content } = acts[root - 1]!) {
    root = content.undoes;
    applies = !applies;
  }
  return { root, applies };
}

/** What an act is about in the end: an undo is about the act that it comes to. */
export const firstActOf = (state: IdentityState, content: ActContent): FirstAct =>
  (content.action === 'undo' ? actOf(state, effectOf(state, content.undoes).root)!.content : content) as FirstAct;

/** The dismissal in force of a group of messages that were received at this time. */
export function findDismissal(state: IdentityState, group: string, receivedAt: string): number | undefined {
  const received = Date.parse(receivedAt);
  return dismissalsInForce(state, group).find(
    ({ after, until }) => received <= Date.parse(until) && (after === null || received > Date.parse(after)),
  )?.act;
}

function dismissalsInForce(state: IdentityState, group: string): readonly (Dismissal & { readonly until: string })[] {
  return (state.dismissals.get(group) ?? []).flatMap(({ act, after }) => {
    const { content, undoneBy } = state.acts[act - 1]!;
    return undoneBy === null && content.action === 'dismiss' ? [{ act, after, until: content.until }] : [];
  });
}

function noteDismissal(state: IdentityState, group: string, act: number): void {
  const after = dismissalsInForce(state, group).at(-1)?.until ?? null;
  state.dismissals.set(group, [...(state.dismissals.get(group) ?? []), { act, after }]);
}

function takeBack(state: IdentityState, act: number, by: number): void {
  const known = state.acts[act - 1]!;
  known.undoneBy = by;
  if (known.content.action === 'undo') restore(state, known.content.undoes);
}

function restore(state: IdentityState, act: number): void {
  const known = state.acts[act - 1]!;
  known.undoneBy = null;
  if (known.content.action === 'undo') takeBack(state, known.content.undoes, act);
}

/**
 * Decides on the acts of people (stream `identity-1`). Whether an act is possible is checked before
 * (`planAct` in `src/ingest/subjects/identity-subject.ts`): that depends on other streams and on what waits.
 */
export const identityDecider: StreamDecider<IdentityState, ActCommand, IdentityEvent> = {
  stream: identityStream,
  initial: () => ({ acts: [], dismissals: new Map() }),
  decide({ at, content, moved, replacement, note, by }, state) {
    if (findActInForce(state, { at, content }) !== undefined) return [];
    const data = {
      at,
      source: OPERATOR,
      act: state.acts.length + 1,
      content,
      moved,
      ...(replacement ? { replacement } : {}),
      note,
      by,
    } as const;
    return [createEvent(identityStream, IDENTITY_STREAM_ID, 'IdentityActed', data)];
  },
  evolve(state, { data: { act, at, content, moved } }) {
    if (content.action === 'dismiss') for (const group of content.groups) noteDismissal(state, group, act);
    state.acts.push({ at, content, moved, undoneBy: null });
    if (content.action === 'undo') takeBack(state, content.undoes, act);
    return state;
  },
  affectsOtherStreams: true,
  stateVersion: 2,
};
