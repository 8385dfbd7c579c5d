import { addToGroup } from '../../domain/primitives/collections.ts';
import { compareByArrival, type QuarantinedMessage, type WaitingGroup } from './identities.ts';
import { type EntityKind, formatIdentityKey, parseIdentityKey } from './identity-key.ts';

/** What the messages of a group wait for. `ref` is null where they name none. */
export interface WaitedFor {
  readonly source: string;
  /** The key that all of them wait for. */
  readonly key: string;
  readonly what: EntityKind | null;
  readonly ref: string | null;
}

type Grouped = Pick<QuarantinedMessage, 'message' | 'keys'>;

/** The id of the group of a message; undefined if it was dismissed. */
export function groupIdOf({ message, keys }: Grouped): string | undefined {
  if (isDismissed(keys)) return undefined;
  const { source } = message as { source?: unknown };
  const own = keys.find((text) => {
    const key = parseIdentityKey(text);
    return (key?.what === 'event' || key?.what === 'ref') && key.source === source;
  });
  return `${typeof source === 'string' ? source : ''} ${own ?? keys[0] ?? ''}`;
}

/** Undefined if the text is no id of a group. A source is a slug, so the first space ends it. */
export function parseGroupId(id: string): WaitedFor | undefined {
  const space = id.indexOf(' ');
  const key = id.slice(space + 1);
  const parsed = space < 1 ? undefined : parseIdentityKey(key);
  if (!parsed) return undefined;
  const source = id.slice(0, space);
  if (parsed.what === 'event') return { source, key, what: 'event', ref: parsed.ref };
  if (parsed.what === 'contract') return { source, key, what: 'event', ref: parsed.contract };
  if (parsed.what === 'ref') return { source, key, what: parsed.kind, ref: parsed.ref };
  return { source, key, what: parsed.what === 'name' ? parsed.kind : 'event', ref: null };
}

/** A dismissed message waits only for the end of its dismissal. */
export const isDismissed = ([first = '']: readonly string[]): boolean => first.startsWith(DISMISSED_PREFIX);
export const DISMISSED_PREFIX = 'dismissed|';
export const dismissedKey = (act: number): string => formatIdentityKey({ what: 'dismissed', act });

/** Groups messages in memory, by id. */
export function groupMessages(messages: readonly QuarantinedMessage[]): WaitingGroup[] {
  const groups = new Map<string, QuarantinedMessage[]>();
  for (const message of messages.toSorted(compareByArrival)) {
    const id = groupIdOf(message);
    if (id !== undefined) addToGroup(groups, id, message);
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, all]) => summarizeGroup(id, all));
}

/** @param messages oldest first, at least one */
export function summarizeGroup(id: string, messages: readonly QuarantinedMessage[]): WaitingGroup {
  const kinds: Record<string, number> = {};
  for (const { message } of messages) kinds[kindOf(message)] = (kinds[kindOf(message)] ?? 0) + 1;
  return {
    id,
    messages: messages.length,
    kinds,
    firstAt: messages[0]!.receivedAt,
    lastAt: messages.at(-1)!.receivedAt,
    oldest: messages[0]!,
  };
}

export const kindOf = (message: unknown): string => String((message as { kind?: unknown }).kind);
