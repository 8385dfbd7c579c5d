/** What has an id of the server's own. Ids count up from 1 for each kind. */
export type EntityKind = 'event' | 'team' | 'player' | 'venue' | 'competition';

/** Something that a source can name before the server knows it: messages wait until it is known. */
export type IdentityKey =
  | { readonly what: 'event'; readonly source: string; readonly ref: string }
  | {
      readonly what: 'ref';
      readonly kind: EntityKind;
      readonly scope: string;
      readonly source: string;
      readonly ref: string;
    }
  | { readonly what: 'name'; readonly kind: EntityKind; readonly scope: string; readonly name: string }
  | { readonly what: 'pair'; readonly pair: string };

/** How a key is written in `waiting_keys`, where data folders hold it: the texts never change. */
export function formatIdentityKey(key: IdentityKey): string {
  switch (key.what) {
    case 'event':
      return `event|${key.source}|${key.ref}`;
    case 'ref':
      return `ref|${key.kind}|${key.scope}|${key.source}|${key.ref}`;
    case 'name':
      return `name|${key.kind}|${key.scope}|${key.name}`;
    case 'pair':
      return `pair|${key.pair}`;
  }
}

/** Kinds, scopes and sources are slugs; only the last part of a text may hold a bar. */
export function parseIdentityKey(text: string): IdentityKey | undefined {
  const bar = text.indexOf('|');
  const rest = text.slice(bar + 1);
  switch (bar === -1 ? '' : text.slice(0, bar)) {
    case 'event': {
      const parts = split(rest, 2);
      return parts && { what: 'event', source: parts[0]!, ref: parts[1]! };
    }
    case 'ref': {
      const parts = split(rest, 4);
      const [kind, scope, source, ref] = parts ?? [];
      return isKind(kind) ? { what: 'ref', kind, scope: scope!, source: source!, ref: ref! } : undefined;
    }
    case 'name': {
      const parts = split(rest, 3);
      const [kind, scope, name] = parts ?? [];
      return isKind(kind) ? { what: 'name', kind, scope: scope!, name: name! } : undefined;
    }
    case 'pair':
      return { what: 'pair', pair: rest };
    default:
      return undefined;
  }
}

export type RefKey = Extract<IdentityKey, { what: 'event' | 'ref' }>;
type NameKey = Extract<IdentityKey, { what: 'name' }>;

/** How the row of a source's own name for something is written: as data folders hold it in `external_ids`. */
export const formatRefRowKey = (key: RefKey): string =>
  key.what === 'event' ? `event||${key.source}|${key.ref}` : `${key.kind}|${key.scope}|${key.source}|${key.ref}`;

/** The key of a ref that may name a thing of this kind and scope. */
export const toRefKey = (kind: EntityKind, scope: string, source: string, ref: string): RefKey =>
  kind === 'event' ? { what: 'event', source, ref } : { what: 'ref', kind, scope, source, ref };

export function parseRefRowKey(row: string): RefKey | undefined {
  const [kind, scope, source, ref] = split(row, 4) ?? [];
  if (!isKind(kind)) return undefined;
  if (kind === 'event') return { what: 'event', source: source!, ref: ref! };
  return { what: 'ref', kind, scope: scope!, source: source!, ref: ref! };
}

/** The first text behind the rows of all refs that a source has for things of one kind and scope. */
export function firstKeyAfterSource(key: RefKey): string {
  const row = formatRefRowKey({ ...key, ref: '' });
  // The character that follows the bar.
  return `${row.slice(0, -1)}}`;
}

/** How the row of a name is written, in `names`. */
export const formatNameRowKey = ({ kind, scope, name }: Omit<NameKey, 'what'>): string => `${kind}|${scope}|${name}`;

export function parseNameRowKey(row: string): NameKey | undefined {
  const [kind, scope, name] = split(row, 3) ?? [];
  return isKind(kind) ? { what: 'name', kind, scope: scope!, name: name! } : undefined;
}

/** By this the refs are found that a source has for one thing. */
export const formatOwnerKey = (kind: EntityKind, scope: string, source: string, id: number): string =>
  `${kind}|${scope}|${source}|#${id}`;

const KINDS: ReadonlySet<string> = new Set<EntityKind>(['event', 'team', 'player', 'venue', 'competition']);
const isKind = (text: string | undefined): text is EntityKind => text !== undefined && KINDS.has(text);

/** So many parts; the last one is all the rest. */
function split(text: string, count: number): string[] | undefined {
  const parts = text.split('|');
  if (parts.length < count) return undefined;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join('|')];
}
