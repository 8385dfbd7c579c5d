import { entryRef, type MessageNaming } from '../../domain/identities/identity-plan.ts';
import { type EntryPlans, entryPlans, type NumberedAct } from '../../domain/identities/stream-replacements.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { ActContent } from '../../domain/streams/identity-stream.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import type { Identities, ScopedEntity } from '../identities/identities.ts';

/** An entry of the directory as a record names it. */
export interface NamedEntry {
  /** What it was taken for when it was recorded. */
  readonly id: number;
  readonly source: string;
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
}

/** The entry that a record means. */
export type EntryOf = (kind: EntryKind, sport: string, named: NamedEntry) => number;

/** The entries between which acts have ever moved records, directly or through others; by their kind and id. */
export class EntryGroups {
  readonly #groups = new Map<string, number>();
  readonly #sports = new Map<string, string>();
  /** The names that an entry got from another one, which has them too. */
  readonly #shared = new Map<string, ReadonlySet<string>>();

  constructor(contents: readonly ActContent[]) {
    for (const content of contents) {
      if (content.action !== 'merge' && content.action !== 'split') continue;
      const { what, from, into, sport } = content;
      if (what === 'event') continue;
      if (content.action === 'split') {
        const shared = [...(this.#shared.get(`${what}:${into}`) ?? []), ...(content.names?.shared ?? [])];
        this.#shared.set(`${what}:${into}`, new Set(shared));
      }
      this.#sports.set(`${what}:${from}`, sport).set(`${what}:${into}`, sport);
      const [one, other] = [this.of(what, from), this.of(what, into)];
      this.#groups.set(`${what}:${from}`, one).set(`${what}:${into}`, one);
      for (const [entry, group] of this.#groups) {
        if (group === other && entry.startsWith(`${what}:`)) this.#groups.set(entry, one);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  sportOf(kind: EntryKind, id: number): string {
    return this.#sports.get(`${kind}:${id}`)!;
  }

  /** The same for all entries of a group. */
  of(kind: EntryKind, id: number): number {
    return this.#groups.get(`${kind}:${id}`) ?? id;
  }

  /** Whether acts were about it. */
  has(kind: EntryKind, id: number): boolean {
    return this.#groups.has(`${kind}:${id}`);
  }

  /** Whether it has this name beside another entry, since a ref was split off. */
  sharesName(kind: EntryKind, id: number, name: string): boolean {
    return this.#shared.get(`${kind}:${id}`)?.has(name) === true;
  }

  /** All entries of the group of this one, ascending. */
  members(kind: EntryKind, id: number): readonly number[] {
    const group = this.of(kind, id);
    const members = this.all(kind).filter((one) => this.of(kind, one) === group);
    return members.length === 0 ? [id] : members;
  }

  /** All entries of this kind that acts were about, ascending. */
  all(kind: EntryKind): readonly number[] {
    const prefix = `${kind}:`;
    const entries = [...this.#groups.keys()].filter((entry) => entry.startsWith(prefix));
    return entries.map((entry) => Number(entry.slice(prefix.length))).sort((a, b) => a - b);
  }
}

/**
 * Where the refs and names of entries are at home: with the entry for which a source has used them first. The tables of
 * identities say so, since no act changes them there.
 */
export class EntryHomes {
  readonly #groups: EntryGroups;
  readonly #refs = new Map<string, number>();
  readonly #names = new Map<string, readonly number[]>();

  private constructor(groups: EntryGroups) {
    this.#groups = groups;
  }

  /** @param identities as they are stored */
  static async load(identities: Pick<Identities, 'listRefs' | 'listNames'>, groups: EntryGroups): Promise<EntryHomes> {
    const homes = new EntryHomes(groups);
    for (const kind of ['team', 'player'] as const) {
      const things = groups.all(kind).map((id): ScopedEntity => ({ kind, scope: groups.sportOf(kind, id), id }));
      const [refs, names] = [await identities.listRefs(things), await identities.listNames(things)];
      for (const [index, { scope, id }] of things.entries()) {
        for (const { source, ref } of refs[index]!) homes.#refs.set(`${kind}|${scope}|${source}|${ref}`, id);
        for (const name of names[index]!) {
          const key = `${kind}|${groups.of(kind, id)}|${name}`;
          homes.#names.set(key, [...(homes.#names.get(key) ?? []), id]);
        }
      }
    }
    return homes;
  }

  /** How a record named an entry. One outside of all acts is at home where it was recorded. */
  namingOf(kind: EntryKind, sport: string, { id, source, ref, name }: NamedEntry): MessageNaming {
    const sourceRef = ref === undefined ? {} : { sourceRef: entryRef(sport, { source, ref }) };
    if (!this.#groups.has(kind, id)) return { home: id, ...sourceRef };
    const group = this.#groups.of(kind, id);
    const byRef = ref === undefined ? undefined : this.#refs.get(`${kind}|${sport}|${source}|${ref}`);
    if (byRef !== undefined && this.#groups.of(kind, byRef) === group) return { home: byRef, ...sourceRef };
    if (name === undefined) return { home: id, ...sourceRef };
    const normalized = normalizeName(name);
    // It was said in a way that left no doubt, such as of a player with his team.
    if (this.#groups.sharesName(kind, id, normalized)) return { home: id, ...sourceRef };
    const homes = this.#names.get(`${kind}|${group}|${normalized}`) ?? [];
    return { home: homes.length === 1 ? homes[0]! : id, ...sourceRef, name: normalized };
  }
}

/** The entries that records mean after some acts. */
export const entryOfPlans =
  (homes: EntryHomes, plans: EntryPlans): EntryOf =>
  (kind, sport, named) =>
    plans[kind].ownerOf(homes.namingOf(kind, sport, named));

/** The entries that records mean after these acts; undefined: no act was about one. */
export async function entriesAfter(
  identities: Pick<Identities, 'listRefs' | 'listNames'>,
  acts: readonly NumberedAct[],
): Promise<EntryOf | undefined> {
  const groups = new EntryGroups(acts.map(({ content }) => content));
  return groups.isEmpty ? undefined : entryOfPlans(await EntryHomes.load(identities, groups), entryPlans(acts));
}
