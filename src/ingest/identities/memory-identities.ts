import { isDeepStrictEqual } from 'node:util';
import {
  type BoundEvent,
  type BoundRef,
  byArrival,
  byName,
  type Fixture,
  type Identities,
  type NamedThing,
  type SidedFixture,
  type Taking,
  type WaitingMessage,
} from './identities.ts';
import {
  type BatchReads,
  type Bound,
  hasForeign,
  type IdentityChanges,
  isSame,
  noChanges,
  noReads,
  noteRead,
  placesOn,
  placeText,
  rowsOfOwner,
} from './identity-changes.ts';
import { IdentityConflict } from './identity-conflict.ts';
import {
  type EntityKind,
  type KnownKey,
  keyText,
  nameRow,
  ownerText,
  parseKey,
  parseNameRow,
  parseSourceRow,
  type SourceKey,
  sourceKey,
  sourceRow,
} from './known-key.ts';
import { NumberChanges, numberRow, readNumber } from './waiting-numbers.ts';

interface Waiting {
  readonly message: WaitingMessage;
  /** What it waits for, and while it is not confirmed that it was parked again, what it waited for before. */
  readonly keys: readonly string[];
  readonly taken?: { readonly owner: string; readonly until: number };
}

/** What instances share. */
interface Shared {
  readonly counters: Map<EntityKind, number>;
  readonly bound: Map<string, Bound>;
  readonly owners: Map<string, string>;
  /** Of refs; milliseconds. */
  readonly boundAt: Map<string, number | null>;
  readonly names: Map<string, readonly number[]>;
  readonly fixtures: Map<number, SidedFixture>;
  readonly waiting: Map<string, Waiting>;
}

/** What one instance has parked and taken. */
interface Held {
  /** Keys of what was flushed and not confirmed yet, and the messages that were parked knowing of it. */
  readonly madeKnown: Set<string>;
  readonly parkedLately: Set<string>;
  readonly parked: Map<string, WaitingMessage>;
  readonly parkedAgain: Set<string>;
  readonly taken: Set<string>;
  /** Parked again and flushed: they still wait for what they waited for before, too. */
  readonly wide: Map<string, WaitingMessage>;
  /** Owners of what is marked as taken among what is shared. */
  readonly marked: Map<string, string>;
}

/**
 * Identities in memory, for tests and for one process: gone when it ends. Each `open` gives an instance on the same.
 * @param now milliseconds; without it nobody notes when refs are bound
 */
export function createMemoryIdentities(now?: () => number): { open(): Identities } {
  const shared: Shared = {
    counters: new Map(),
    bound: new Map(),
    owners: new Map(),
    boundAt: new Map(),
    names: new Map(),
    fixtures: new Map(),
    waiting: new Map(),
  };
  return { open: () => openInstance(shared, now) };
}

function openInstance(shared: Shared, now?: () => number): Identities {
  let changes = noChanges();
  let reads = noReads();
  const held: Held = {
    madeKnown: new Set(),
    parkedLately: new Set(),
    parked: new Map(),
    parkedAgain: new Set(),
    taken: new Set(),
    wide: new Map(),
    marked: new Map(),
  };

  function findBound(key: SourceKey): Bound | undefined {
    const row = sourceRow(key);
    const staged = changes.bound.get(row);
    if (staged) return staged;
    noteRead(reads.bound, row, shared.bound.get(row));
    return reads.bound.get(row);
  }

  function bind(key: SourceKey, owner: string, bound: Bound): void {
    changes.bound.set(sourceRow(key), bound);
    changes.owners.set(sourceRow(key), owner);
  }

  function namesOf(row: string): readonly number[] {
    noteRead(reads.names, row, shared.names.get(row) ?? []);
    return [...new Set([...reads.names.get(row)!, ...(changes.names.get(row) ?? [])])];
  }

  function fixturesOf(pair: string): readonly Fixture[] {
    noteRead(reads.fixtures, pair, placedOn(pair, shared.fixtures));
    const read = reads.fixtures.get(pair)!.filter(({ id }) => !changes.fixtures.has(id));
    return [...read, ...placedOn(pair, changes.fixtures)];
  }

  const isFree = (fingerprint: string) =>
    shared.waiting.has(fingerprint) && !held.taken.has(fingerprint) && !held.parked.has(fingerprint);

  const isAwaited = (key: string): boolean =>
    [...shared.waiting.values()].some(({ message, keys }) => keys.includes(key) && isFree(message.fingerprint));

  function takeFree(key: string, { owner, now, until }: Taking): WaitingMessage[] {
    const taken: WaitingMessage[] = [];
    for (const [fingerprint, { message, keys, taken: mark }] of shared.waiting) {
      if (!keys.includes(key) || (mark && mark.owner !== owner && mark.until > now)) continue;
      shared.waiting.set(fingerprint, { message, keys, taken: { owner, until } });
      held.marked.set(fingerprint, owner);
      if (isFree(fingerprint)) taken.push(message);
    }
    return taken;
  }

  function isOwn(fingerprint: string): boolean {
    const owner = held.marked.get(fingerprint);
    return owner !== undefined && shared.waiting.get(fingerprint)?.taken?.owner === owner;
  }

  function release(): void {
    for (const fingerprint of [...held.marked.keys()].filter(isOwn)) {
      const { message, keys } = shared.waiting.get(fingerprint)!;
      shared.waiting.set(fingerprint, { message, keys });
    }
  }

  /** But for those that somebody else has dealt with since. */
  function narrow(): void {
    for (const [fingerprint, message] of held.wide) {
      const present = shared.waiting.get(fingerprint);
      if (!present || present.taken || !isDeepStrictEqual(present.message.keys, message.keys)) continue;
      shared.waiting.set(fingerprint, { message: present.message, keys: message.keys });
    }
    held.wide.clear();
  }

  const awaitedKeys: Identities['awaitedKeys'] = async (after, limit) => {
    const keys = new Set([...shared.waiting.values()].flatMap((waiting) => waiting.keys));
    return [...keys]
      .filter((key) => after === null || key > after)
      .sort()
      .slice(0, limit);
  };

  return {
    async prefetch() {},
    async allocate(kind, count = 1) {
      const given = shared.counters.get(kind) ?? 0;
      shared.counters.set(kind, given + count);
      return Array.from({ length: count }, (_, index) => given + 1 + index);
    },
    count: async (kind) => shared.counters.get(kind) ?? 0,
    async fedByOthers(source) {
      const isOther = ({ message }: Waiting) => (message.message as { source?: unknown }).source !== source;
      const named = [...shared.bound.keys()].some((row) => parseSourceRow(row)!.source !== source);
      return named || [...shared.waiting.values()].some(isOther);
    },

    findEvent: async (source, ref): Promise<BoundEvent | undefined> => findBound({ what: 'event', source, ref }),
    async bindEvent(source, ref, { id, turned }) {
      bind({ what: 'event', source, ref }, ownerText('event', '', source, id), { id, turned });
    },
    findEntity: async (kind, scope, source, ref) => findBound({ what: 'ref', kind, scope, source, ref })?.id,
    async bindEntity(kind, scope, source, ref, id) {
      bind({ what: 'ref', kind, scope, source, ref }, ownerText(kind, scope, source, id), { id, turned: false });
    },
    async hasRefOf(kind, scope, source, id) {
      const owner = ownerText(kind, scope, source, id);
      const owned = [...shared.owners].flatMap(([row, other]) => (other === owner ? [row] : []));
      noteRead(reads.owners, owner, owned.length > 0);
      return owned.some((row) => !changes.owners.has(row)) || [...changes.owners.values()].includes(owner);
    },
    async thingsOf(source, ref, among) {
      return among.flatMap(({ kind, scope }) => {
        const bound = shared.bound.get(sourceRow(sourceKey(kind, scope, source, ref)));
        return bound ? [{ kind, scope, id: bound.id }] : [];
      });
    },
    refsOf: async (things) => things.map((thing) => refsOf(thing, shared)),
    findByName: async (kind, scope, name) => namesOf(nameRow({ kind, scope, name })),
    async addName(kind, scope, name, id) {
      const row = nameRow({ kind, scope, name });
      if (namesOf(row).includes(id)) return false;
      changes.names.set(row, [...(changes.names.get(row) ?? []), id]);
      return true;
    },
    findFixtures: async (pair) => fixturesOf(pair),
    async putFixture(id, fixture) {
      if (fixture.pair !== null) fixturesOf(fixture.pair);
      changes.fixtures.set(id, fixture);
    },
    async eventsOfSide(side) {
      const all = new Map([...shared.fixtures, ...changes.fixtures]);
      return [...all].flatMap(([id, { sides }]) => (sides.includes(side) ? [id] : [])).sort((a, b) => a - b);
    },

    async isWaiting(fingerprints) {
      return new Set(fingerprints.filter((one) => held.parked.has(one) || isFree(one)));
    },
    async awaited(keys) {
      const parked = new Set([...held.parked.values()].flatMap((message) => message.keys));
      return new Set(keys.filter((key) => parked.has(key) || isAwaited(key)));
    },
    async park(waiting) {
      if (held.taken.delete(waiting.fingerprint)) held.parkedAgain.add(waiting.fingerprint);
      held.parked.set(waiting.fingerprint, waiting);
    },
    awaitedKeys,
    untriedKeys: awaitedKeys,
    async takeAwaiting(key, taking) {
      const parked = [...held.parked.values()].filter(({ keys }) => keys.includes(key));
      const taken = [...takeFree(key, taking), ...parked];
      for (const { fingerprint } of taken) {
        held.parked.delete(fingerprint);
        held.parkedAgain.delete(fingerprint);
        held.taken.add(fingerprint);
      }
      return taken.sort(byArrival);
    },
    async listWaiting(limit) {
      const all = [...shared.waiting.values()].map(({ message }) => message);
      return all.sort(byArrival).slice(0, limit);
    },
    async *eachWaiting() {
      yield [...shared.waiting.values()].map(({ message }) => message).sort(byArrival);
    },
    async waitingNumbers() {
      const numbers = new NumberChanges();
      for (const { message } of shared.waiting.values()) numbers.add(numberRow(message), 1);
      return numbers.all().map(readNumber);
    },
    async mostAwaited(limit) {
      const numbers = new Map<string, number>();
      for (const { keys } of shared.waiting.values()) {
        for (const key of new Set(keys)) numbers.set(key, (numbers.get(key) ?? 0) + 1);
      }
      return [...numbers]
        .map(([key, number]) => ({ key, number }))
        .sort((a, b) => b.number - a.number || (a.key < b.key ? -1 : 1))
        .slice(0, limit);
    },

    async flush() {
      check(shared, changes, reads, held);
      for (const key of keysOf(changes)) held.madeKnown.add(keyText(key));
      for (const fingerprint of held.parked.keys()) held.parkedLately.add(fingerprint);
      write(shared, changes, held, now?.() ?? null);
      changes = noChanges();
      reads = noReads();
      held.parked.clear();
      held.parkedAgain.clear();
    },
    async confirmTaken() {
      for (const fingerprint of [...held.taken].filter(isOwn)) shared.waiting.delete(fingerprint);
      release();
      narrow();
      const others = [...shared.waiting].flatMap(([one, { keys }]) => (held.parkedLately.has(one) ? [] : keys));
      const told = [...held.madeKnown].filter((key) => others.includes(key));
      held.taken.clear();
      held.marked.clear();
      held.madeKnown.clear();
      held.parkedLately.clear();
      return told;
    },
    async reset() {
      release();
      changes = noChanges();
      reads = noReads();
      held.parked.clear();
      held.parkedAgain.clear();
      held.taken.clear();
      held.wide.clear();
      held.marked.clear();
    },
  };
}

const placedOn = (pair: string, fixtures: ReadonlyMap<number, SidedFixture>): Fixture[] =>
  [...fixtures]
    .filter(([, fixture]) => fixture.pair === pair)
    .map(([id, { startsAt, sides }]) => ({ id, startsAt, sides }));

/** @throws IdentityConflict where what the changes rest on is not as it was read */
function check(shared: Shared, changes: IdentityChanges, reads: BatchReads, held: Held): void {
  const awaited = [...held.parked.values()].flatMap(({ keys }) => keys.flatMap((text) => parseKey(text) ?? []));
  const conflicts = new Set<string>();
  const refs = awaited.flatMap((key) => (key.what === 'event' || key.what === 'ref' ? [sourceRow(key)] : []));
  for (const row of [...changes.bound.keys(), ...refs.filter((ref) => reads.bound.has(ref))]) {
    const [stands, wanted] = [shared.bound.get(row), changes.bound.get(row)];
    if (wanted && isSame(stands, wanted)) continue;
    if (!isSame(stands, reads.bound.get(row))) conflicts.add(keyText(parseSourceRow(row)!));
  }
  for (const owner of new Set(changes.owners.values())) {
    const rows = [...shared.owners].flatMap(([row, other]) => (other === owner ? [row] : []));
    if (reads.owners.get(owner) !== false || !hasForeign(rows, [], rowsOfOwner(owner, changes))) continue;
    for (const row of rows) conflicts.add(keyText(parseSourceRow(row)!));
  }
  const names = awaited.flatMap((key) => (key.what === 'name' ? [nameRow(key)] : []));
  for (const row of [...changes.names.keys(), ...names.filter((name) => reads.names.has(name))]) {
    const [seen, own] = [reads.names.get(row) ?? [], changes.names.get(row) ?? []];
    if (hasForeign(shared.names.get(row) ?? [], seen, own)) conflicts.add(keyText(parseNameRow(row)!));
  }
  const put = [...changes.fixtures.values()].flatMap(({ pair }) => pair ?? []);
  const pairs = awaited.flatMap((key) => (key.what === 'pair' && reads.fixtures.has(key.pair) ? [key.pair] : []));
  for (const pair of [...put, ...pairs]) {
    const placesOf = (fixtures: readonly Fixture[]) => fixtures.map(({ id, startsAt }) => placeText(id, startsAt));
    const [now, seen] = [placedOn(pair, shared.fixtures), reads.fixtures.get(pair) ?? []];
    if (hasForeign(placesOf(now), placesOf(seen), placesOn(pair, changes)))
      conflicts.add(keyText({ what: 'pair', pair }));
  }
  const lost = [...held.parkedAgain].filter((fingerprint) => {
    const waiting = shared.waiting.get(fingerprint);
    const owner = held.marked.get(fingerprint);
    // No mark: a flush whose answer was lost has parked it.
    return owner !== undefined && (!waiting || (waiting.taken && waiting.taken.owner !== owner));
  });
  if (conflicts.size === 0 && lost.length === 0) return;
  throw new IdentityConflict(
    [...conflicts].map((text) => parseKey(text)!),
    lost,
  );
}

function refsOf({ kind, scope, id }: NamedThing, { bound, owners, boundAt }: Shared): BoundRef[] {
  const refs: BoundRef[] = [];
  for (const [row, owner] of owners) {
    const { source, ref } = parseSourceRow(row)!;
    if (owner !== ownerText(kind, scope, source, id)) continue;
    refs.push({ source, ref, turned: bound.get(row)!.turned, boundAt: boundAt.get(row)! });
  }
  return refs.sort(byName);
}

function write(shared: Shared, changes: IdentityChanges, held: Held, now: number | null): void {
  for (const [row, bound] of changes.bound) {
    if (shared.bound.get(row)?.id !== bound.id) shared.boundAt.set(row, now);
    shared.bound.set(row, bound);
    shared.owners.set(row, changes.owners.get(row)!);
  }
  for (const [row, ids] of changes.names) {
    shared.names.set(
      row,
      [...new Set([...(shared.names.get(row) ?? []), ...ids])].sort((a, b) => a - b),
    );
  }
  for (const [id, fixture] of changes.fixtures) shared.fixtures.set(id, fixture);
  for (const [fingerprint, message] of held.parked) {
    const before = shared.waiting.get(fingerprint);
    if (before && !held.parkedAgain.has(fingerprint)) continue;
    const { receivedAt = message.receivedAt } = before?.message ?? {};
    const keys = [...new Set([...(before?.keys ?? []), ...message.keys])];
    shared.waiting.set(fingerprint, { message: { ...message, receivedAt }, keys });
    if (before) held.wide.set(fingerprint, message);
  }
}

const keysOf = ({ bound, names, fixtures }: IdentityChanges): KnownKey[] => [
  ...[...bound.keys()].map((row) => parseSourceRow(row)!),
  ...[...names.keys()].map((row) => parseNameRow(row)!),
  ...[...fixtures.values()].flatMap(({ pair }) => (pair === null ? [] : [{ what: 'pair' as const, pair }])),
];
