import type { DirectoryCommand, ProfileFrom } from '../../../commands/directory-decider.ts';
import type { DirectoryRank } from '../../domain/directory/directory-entries.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { PlayerMessage, TeamMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { DomainEvent } from '../../domain/streams/domain-events.ts';
import { describeInEvents } from '../binding/event-descriptions.ts';
import {
  type HandlingResult,
  type IngestSession,
  identityKeyOf,
  quarantined,
  unclearName,
} from '../binding/ingest-session.ts';
import type { EntryKind as Kind } from '../binding/pending-descriptions.ts';
import type { MessageLookups } from './subject.ts';

/** The lookups of a message about an entry. */
export const entryLookups = (kind: Kind, decider: StreamDecider): MessageLookups<TeamMessage | PlayerMessage> => ({
  addHints({ sport, source, ref, ...message }, hints) {
    hints.entities.push({ kind, scope: sport, source, ref });
    const name = message.kind === 'team' ? message.name : message.full_name;
    hints.names.push({ kind, scope: sport, name: normalizeName(name) });
  },
  async streamsOf({ identities }, { sport, source, ref }) {
    const id = await identities.findEntity(kind, sport, source, ref);
    return id === undefined ? [] : [[decider, id]];
  },
});

/** The entry that a message describes; no id: a new one. Or why the message waits. */
export type FoundEntry = { readonly id: number | undefined } | (HandlingResult & { cause: unknown });

/** @param ref the source's own name of the entry: a person may say which one it means */
export const quarantineAmbiguous = (
  kind: Kind,
  { sport, source, ref }: { readonly sport: string; readonly source: string; readonly ref: string },
  name: string,
  ids: readonly number[],
) =>
  quarantined(
    unclearName(kind, sport, name, ids, [
      identityKeyOf.name(kind, sport, normalizeName(name)),
      identityKeyOf.entity(kind, sport, source, ref),
    ]),
  );

/** Entries of this name for which the source has no other ref: one source has one ref for one thing. */
export async function findUnclaimed(
  session: IngestSession,
  kind: Kind,
  sport: string,
  source: string,
  name: string,
): Promise<number[]> {
  const ids: number[] = [];
  for (const id of await session.identities.findByName(kind, sport, normalizeName(name))) {
    if (!(await session.identities.hasRefOf(kind, sport, source, id))) ids.push(id);
  }
  return ids;
}

/** The id of the entry, with the ref of the source bound to it. Allocates a new id if there is none. */
export async function ensureEntry(
  session: IngestSession,
  kind: Kind,
  sport: string,
  source: string,
  ref: string | undefined,
  found: number | undefined,
): Promise<number> {
  const id = found ?? (await session.identities.allocate(kind))[0]!;
  if (found === undefined) session.states.markNew(kind, id);
  if (ref !== undefined && (await session.identities.findEntity(kind, sport, source, ref)) !== id) {
    await session.identities.bindEntity(kind, sport, source, ref, id);
    session.noteKnown(identityKeyOf.entity(kind, sport, source, ref));
  }
  return id;
}

/**
 * Reports every name and ref of the entry as known, also names that were known before: after a crash between the
 * identities and the log they are known, but the messages that wait for them were not retried.
 */
async function learnNames(
  session: IngestSession,
  kind: Kind,
  { id, sport, source, ref }: { id: number; sport: string; source: string; ref?: string },
  names: readonly (string | undefined)[],
): Promise<void> {
  for (const name of names) {
    if (name === undefined) continue;
    const normalized = normalizeName(name);
    await session.identities.addName(kind, sport, normalized, id);
    session.noteKnown(identityKeyOf.name(kind, sport, normalized));
  }
  if (ref !== undefined) session.noteKnown(identityKeyOf.entity(kind, sport, source, ref));
}

/** What differs between descriptions of teams and of players. */
interface DescribedEntry<Content> {
  readonly kind: Kind;
  readonly decider: StreamDecider<{ readonly standings: readonly ProfileFrom[] }, DirectoryCommand<Content>>;
  /** The names that the description uses. */
  readonly names: readonly (string | undefined)[];
  /** Whether such an entry is a side of events. */
  readonly isSide: boolean;
}

/** Stages the description of an entry by a source, its names, and the changes in its events. */
export async function describeEntry<Content extends { readonly rank: DirectoryRank }>(
  session: IngestSession,
  { kind, decider, names, isSide }: DescribedEntry<Content>,
  fact: DirectoryCommand<Content>,
): Promise<readonly DomainEvent[]> {
  const state = await session.states.get(decider, fact.id);
  const before = state.standings;
  const events = await session.states.decideWithoutStaging(decider, fact.id, fact);
  // A message that changes nothing, such as a later schedule, may still use a name that nobody has used before.
  await learnNames(session, kind, fact, names);
  const side = { kind, id: fact.id, source: fact.source } as const;
  if (events.length === 0) {
    // The source may have sent it before without getting an answer: some descriptions may be missing.
    if (fact.content.rank === 'described' && isSide) session.pendingDescriptions.addSide(side);
    return events;
  }
  session.states.stage(decider, fact.id, events);
  await describeInEvents(session, side, before, state.standings);
  return events;
}
