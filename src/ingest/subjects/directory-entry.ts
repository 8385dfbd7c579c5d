import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { PlayerMessage, TeamMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
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
export async function learnNames(
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
