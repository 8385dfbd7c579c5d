/** The kinds of entities to which the server gives ids. The ids of each kind count up from 1. */
export type EntityKind = 'event' | 'team' | 'player' | 'venue' | 'competition';

/** Something that a source can name before the server knows it. Messages wait until it is known. */
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
  | { readonly what: 'pair'; readonly pair: string }
  /** The proof of the side of a contract of a prediction market, by the id of its league and the slug of its venue. */
  | { readonly what: 'contract'; readonly leagueId: number; readonly venue: string; readonly contract: string }
  /** The end of a dismissal: dismissed messages wait for it. */
  | { readonly what: 'dismissed'; readonly act: number };

/** The text of a key in the table `quarantine_keys`. Data folders hold these texts: they never change. */
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
    case 'contract':
      return `contract|${key.leagueId}|${key.venue}|${key.contract}`;
    case 'dismissed':
      return `dismissed|${key.act}`;
  }
}

/** Kinds, scopes and sources are slugs: only the last part of a text may contain a bar. */
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
    case 'contract': {
      const [leagueId = '', venue, contract] = split(rest, 3) ?? [];
      if (!/^\d{1,9}$/.test(leagueId)) return undefined;
      return { what: 'contract', leagueId: Number(leagueId), venue: venue!, contract: contract! };
    }
    case 'dismissed':
      return /^\d{1,15}$/.test(rest) ? { what: 'dismissed', act: Number(rest) } : undefined;
    default:
      return undefined;
  }
}

export type RefKey = Extract<IdentityKey, { what: 'event' | 'ref' }>;
type NameKey = Extract<IdentityKey, { what: 'name' }>;

/** The key of a ref's row in the table `external_ids`. Data folders hold these texts. */
export const formatRefRowKey = (key: RefKey): string =>
  key.what === 'event' ? `event||${key.source}|${key.ref}` : `${key.kind}|${key.scope}|${key.source}|${key.ref}`;

/** The key of a ref of an entity of this kind and scope. */
export const toRefKey = (kind: EntityKind, scope: string, source: string, ref: string): RefKey =>
  kind === 'event' ? { what: 'event', source, ref } : { what: 'ref', kind, scope, source, ref };

export function parseRefRowKey(row: string): RefKey | undefined {
  const [kind, scope, source, ref] = split(row, 4) ?? [];
  if (!isKind(kind)) return undefined;
  if (kind === 'event') return { what: 'event', source: source!, ref: ref! };
  return { what: 'ref', kind, scope: scope!, source: source!, ref: ref! };
}

/** The first text after the rows of all refs that a source has for entities of one kind and scope. */
export function firstKeyAfterSource(key: RefKey): string {
  const row = formatRefRowKey({ ...key, ref: '' });
  // The character after the bar.
  return `${row.slice(0, -1)}}`;
}

/** The key of a name's row in the table `names`. */
export const formatNameRowKey = ({ kind, scope, name }: Omit<NameKey, 'what'>): string => `${kind}|${scope}|${name}`;

/** The key of the row of a name that an operator gave: apart from the others, since it can be taken back. */
export const formatAliasRowKey = ({ kind, scope, name }: Omit<NameKey, 'what'>): string => `${kind}+|${scope}|${name}`;

/** The name of a row, whoever gave it. */
export function parseNameRowKey(row: string): NameKey | undefined {
  const [first, scope, name] = split(row, 3) ?? [];
  const kind = first?.replace(/\+$/, '');
  return isKind(kind) ? { what: 'name', kind, scope: scope!, name: name! } : undefined;
}

/** The owner key: it finds the refs that a source has for one entity. */
export const formatOwnerKey = (kind: EntityKind, scope: string, source: string, id: number): string =>
  `${kind}|${scope}|${source}|#${id}`;

const KINDS: ReadonlySet<string> = new Set<EntityKind>(['event', 'team', 'player', 'venue', 'competition']);
const isKind = (text: string | undefined): text is EntityKind => text !== undefined && KINDS.has(text);

/** Splits into so many parts; the last part is the rest. */
function split(text: string, count: number): string[] | undefined {
  const parts = text.split('|');
  if (parts.length < count) return undefined;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join('|')];
}
