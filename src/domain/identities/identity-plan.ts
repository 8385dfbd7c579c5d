/** The name that one source has for an event, or (`entryRef`) for a team or player. */
export interface SourceRef {
  readonly source: string;
  readonly ref: string;
}

/** What a person did to the identities of things of one kind, in the order of the log. Ids of events are public ids. */
export type IdentityAct =
  /** The two are one: all that was reported of `from` belongs to `into`. */
  | { readonly id: string; readonly action: 'merge'; readonly from: number; readonly into: number }
  /** All that was reported under this ref belongs to `into`: another thing, or (`split`) a new one. */
  | {
      readonly id: string;
      readonly action: 'split' | 'bind';
      readonly sourceRef: SourceRef;
      readonly into: number;
      /** Present where the act is about a team or a player. */
      readonly entry?: SplitEntry;
    }
  /** The other act never was; it may be an undo itself. */
  | { readonly id: string; readonly action: 'undo'; readonly act: string };

/** What a split of a team or player does beside moving the ref. */
export interface SplitEntry {
  readonly from: number;
  /** The act makes `into`. Once it is undone, the id means `from`, with what was told of it meanwhile. */
  readonly isNew: boolean;
  /** Names that go to `into`: nobody else has called `from` so. */
  readonly own: readonly string[];
  /** Names that both have. */
  readonly shared: readonly string[];
}

/** How a message named a thing. */
export interface MessageNaming {
  /** The thing that the message was first bound to; of a message with a ref: the thing of the first message with it. */
  readonly home: number;
  /** Absent: the message named an event by its sides and start alone, or an entry by its name. */
  readonly sourceRef?: SourceRef;
  /** The normalised name of an entry that was named by that alone. */
  readonly name?: string;
  /** Another source said in a schedule that its own ref and this one are the same event: this ref goes where that goes. */
  readonly knownBy?: MessageNaming;
}

/** Which thing of one kind everything belongs to. */
export interface IdentityPlan {
  /** No act was about a thing of this kind. */
  readonly isEmpty: boolean;
  /** The thing that this id means: itself, unless it was merged into another. */
  meaningOf(id: number): number;
  ownerOf(naming: MessageNaming): number;
  /** The entries that a name means now. @param homes those that have the name in the tables of identities */
  ownersOfName(homes: readonly number[], name: string): readonly number[];
  /** All things between which merges, or splits of entries, have ever moved something, directly or through others. */
  relatedTo(id: number): readonly number[];
  /** The refs that splits have moved, and where they belong now. */
  readonly movedRefs: readonly { readonly sourceRef: SourceRef; readonly owner: number }[];
  /** All ids that were merged into others, ascending. */
  readonly mergedIds: readonly number[];
  /** The ids that were merged into this one, directly or through others, ascending. */
  mergedInto(id: number): readonly number[];
}

/** A ref of a team or player: one source may have the same ref in two sports. */
export const entryRef = (sport: string, { source, ref }: SourceRef): SourceRef => ({ source, ref: `${sport} ${ref}` });

export const sourceRefKey = ({ source, ref }: SourceRef): string => `${source}|${ref}`;

/** What an act does to names that belong to `from` when it is done. */
interface NameStep {
  readonly from: number;
  readonly into: number;
  /** A merge gives all of them to `into`. */
  readonly own: readonly string[] | 'all';
  readonly shared: readonly string[];
}

/**
 * The identities after these acts. Acts that were undone count for nothing, as if they had never been. An act that has
 * nothing to do, such as a merge of two that are one already, does nothing.
 */
export function planOf(acts: readonly IdentityAct[]): IdentityPlan {
  const mergedInto = new Map<number, number>();
  const moved = new Map<string, { readonly sourceRef: SourceRef; readonly into: number }>();
  const steps: NameStep[] = [];
  const meaningOf = (id: number): number => {
    let meaning = id;
    for (let next = mergedInto.get(meaning); next !== undefined; next = mergedInto.get(meaning)) meaning = next;
    return meaning;
  };
  const merge = (one: number, other: number): void => {
    const [from, into] = [meaningOf(one), meaningOf(other)];
    // Never a cycle: only an id that means itself is merged, and only into another that means itself.
    if (from === into) return;
    mergedInto.set(from, into);
    steps.push({ from, into, own: 'all', shared: [] });
  };
  const inForce = new Set(effectiveActs(acts));
  for (const act of acts) {
    if (act.action === 'undo') continue;
    if (!inForce.has(act)) {
      if (act.action === 'split' && act.entry?.isNew) merge(act.into, act.entry.from);
    } else if (act.action === 'merge') merge(act.from, act.into);
    else {
      moved.set(sourceRefKey(act.sourceRef), act);
      if (act.entry) steps.push({ ...act.entry, from: meaningOf(act.entry.from), into: meaningOf(act.into) });
    }
  }
  const ownersOfName = (homes: readonly number[], name: string): readonly number[] => {
    let owners = homes;
    for (const { from, into, own, shared } of steps) {
      if (!owners.includes(from)) continue;
      if (own === 'all' || own.includes(name)) owners = owners.map((id) => (id === from ? into : id));
      else if (shared.includes(name)) owners = [...owners, into];
    }
    return [...new Set(owners)];
  };
  const placeOf = ({ home, sourceRef, name, knownBy }: MessageNaming): number => {
    const place = sourceRef && moved.get(sourceRefKey(sourceRef))?.into;
    if (place !== undefined) return place;
    // Of two that have the name it is the one that had it first.
    if (name !== undefined) return ownersOfName([home], name)[0]!;
    return knownBy ? placeOf(knownBy) : home;
  };
  const mergedIds = [...mergedInto.keys()].sort((a, b) => a - b);
  return {
    isEmpty: acts.every(({ action }) => action === 'undo'),
    mergedIds,
    meaningOf,
    ownerOf: (naming) => meaningOf(placeOf(naming)),
    ownersOfName,
    relatedTo: (id) => relatedBy(acts, id),
    movedRefs: [...moved.values()].map(({ sourceRef, into }) => ({ sourceRef, owner: meaningOf(into) })),
    mergedInto: (id) => mergedIds.filter((from) => meaningOf(from) === id),
  };
}

function relatedBy(acts: readonly IdentityAct[], seed: number): readonly number[] {
  const found = new Set([seed]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const act of acts) {
      if (act.action === 'undo') continue;
      const from = act.action === 'merge' ? act.from : act.entry?.from;
      if (from === undefined || !(found.has(from) || found.has(act.into))) continue;
      found.add(from).add(act.into);
    }
  }
  return [...found].sort((a, b) => a - b);
}

type EffectiveAct = Exclude<IdentityAct, { action: 'undo' }>;

/** The acts that were not undone, in their order. An undo that was undone itself undoes nothing. */
export function effectiveActs(acts: readonly IdentityAct[]): readonly EffectiveAct[] {
  const undone = new Set<string>();
  for (const act of acts.toReversed()) {
    if (act.action === 'undo' && !undone.has(act.id)) undone.add(act.act);
  }
  return acts.filter((act): act is EffectiveAct => act.action !== 'undo' && !undone.has(act.id));
}
