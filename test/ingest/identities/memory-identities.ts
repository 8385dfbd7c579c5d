import { isDeepStrictEqual } from 'node:util';
import { compareByCodePoint } from '../../../src/domain/primitives/text-order.ts';
import {
  type BoundEvent,
  type BoundRef,
  compareByArrival,
  compareRefs,
  type Fixture,
  type Identities,
  IdentityConflict,
  type QuarantineClaim,
  type QuarantinedMessage,
  type ScopedEntity,
  type SidedFixture,
} from '../../../src/ingest/identities/identities.ts';
import {
  type BatchReads,
  createBatchReads,
  createIdentityChanges,
  fixtureText,
  fixtureTextsOn,
  hasForeignAdditions,
  type IdentityChanges,
  isSameBinding,
  noteFirstRead,
  refRowKeysOfOwner,
} from '../../../src/ingest/identities/identity-changes.ts';
import {
  type EntityKind,
  formatAliasRowKey,
  formatIdentityKey,
  formatNameRowKey,
  formatOwnerKey,
  formatRefRowKey,
  type IdentityKey,
  parseIdentityKey,
  parseNameRowKey,
  parseRefRowKey,
  type RefKey,
  toRefKey,
} from '../../../src/ingest/identities/identity-key.ts';
import {
  QuarantineCountChanges,
  quarantinedBytes,
  readQuarantineCount,
  toQuarantineCountRow,
} from '../../../src/ingest/identities/quarantine-counts.ts';
import {
  groupIdOf,
  groupMessages,
  isDismissed,
  summarizeGroup,
} from '../../../src/ingest/identities/waiting-groups.ts';

interface StoredMessage {
  readonly message: QuarantinedMessage;
  /** The keys that the message waits for; after it was quarantined again, also its old keys until the confirmation. */
  readonly keys: readonly string[];
  readonly claim?: { readonly owner: string; readonly until: number };
}

/** The data that all instances share. */
interface SharedRegistry {
  readonly counters: Map<EntityKind, number>;
  readonly bound: Map<string, BoundEvent>;
  readonly owners: Map<string, string>;
  /** Binding times of refs, in milliseconds. */
  readonly boundAt: Map<string, number | null>;
  readonly names: Map<string, readonly number[]>;
  readonly fixtures: Map<number, SidedFixture>;
  readonly quarantined: Map<string, StoredMessage>;
}

/** The staged messages and claims of one instance. */
interface StagedQuarantine {
  /** Keys that flushes since the last confirmation made known, and the messages that were quarantined since then. */
  readonly madeKnown: Set<string>;
  readonly recentlyQuarantined: Set<string>;
  readonly quarantined: Map<string, QuarantinedMessage>;
  readonly requarantined: Set<string>;
  readonly claimed: Set<string>;
  /** Messages that were quarantined again and flushed: they still have their old keys too. */
  readonly underOldKeys: Map<string, QuarantinedMessage>;
  /** Owners of the claims in the shared data. */
  readonly claimOwners: Map<string, string>;
}

/**
 * Identities in memory: the reference implementation for tests. Each `open` returns an instance on the same data.
 * @param now milliseconds; without it no binding time of refs is stored
 */
export function createMemoryIdentities(now?: () => number): { open(): Identities } {
  const shared: SharedRegistry = {
    counters: new Map(),
    bound: new Map(),
    owners: new Map(),
    boundAt: new Map(),
    names: new Map(),
    fixtures: new Map(),
    quarantined: new Map(),
  };
  return { open: () => openInstance(shared, now) };
}

function openInstance(shared: SharedRegistry, now?: () => number): Identities {
  let changes = createIdentityChanges();
  let reads = createBatchReads();
  const held: StagedQuarantine = {
    madeKnown: new Set(),
    recentlyQuarantined: new Set(),
    quarantined: new Map(),
    requarantined: new Set(),
    claimed: new Set(),
    underOldKeys: new Map(),
    claimOwners: new Map(),
  };

  function findBound(key: RefKey): BoundEvent | undefined {
    const row = formatRefRowKey(key);
    const staged = changes.bound.get(row);
    if (staged) return staged;
    noteFirstRead(reads.bound, row, shared.bound.get(row));
    return reads.bound.get(row);
  }

  function bind(key: RefKey, owner: string, bound: BoundEvent): void {
    changes.bound.set(formatRefRowKey(key), bound);
    changes.owners.set(formatRefRowKey(key), owner);
  }

  function namesOf(row: string): readonly number[] {
    noteFirstRead(reads.names, row, shared.names.get(row) ?? []);
    const removed = changes.removedNames.get(row) ?? [];
    const stored = reads.names.get(row)!.filter((id) => !removed.includes(id));
    return [...new Set([...stored, ...(changes.names.get(row) ?? [])])];
  }

  function fixturesOf(pair: string): readonly Fixture[] {
    noteFirstRead(reads.fixtures, pair, placedOn(pair, shared.fixtures));
    const read = reads.fixtures.get(pair)!.filter(({ id }) => !changes.fixtures.has(id));
    return [...read, ...placedOn(pair, changes.fixtures)];
  }

  const isFree = (fingerprint: string) =>
    shared.quarantined.has(fingerprint) && !held.claimed.has(fingerprint) && !held.quarantined.has(fingerprint);

  const isAwaited = (key: string): boolean =>
    [...shared.quarantined.values()].some(({ message, keys }) => keys.includes(key) && isFree(message.fingerprint));

  function takeFree(key: string, { owner, now, until }: QuarantineClaim): QuarantinedMessage[] {
    const taken: QuarantinedMessage[] = [];
    for (const [fingerprint, { message, keys, claim: mark }] of shared.quarantined) {
      if (!keys.includes(key) || (mark && mark.owner !== owner && mark.until > now)) continue;
      shared.quarantined.set(fingerprint, { message, keys, claim: { owner, until } });
      held.claimOwners.set(fingerprint, owner);
      if (isFree(fingerprint)) taken.push(message);
    }
    return taken;
  }

  function isOwn(fingerprint: string): boolean {
    const owner = held.claimOwners.get(fingerprint);
    return owner !== undefined && shared.quarantined.get(fingerprint)?.claim?.owner === owner;
  }

  function release(): void {
    for (const fingerprint of [...held.claimOwners.keys()].filter(isOwn)) {
      const { message, keys } = shared.quarantined.get(fingerprint)!;
      shared.quarantined.set(fingerprint, { message, keys });
    }
  }

  /** Skips messages that another instance has changed since. */
  function narrow(): void {
    for (const [fingerprint, message] of held.underOldKeys) {
      const present = shared.quarantined.get(fingerprint);
      if (!present || present.claim || !isDeepStrictEqual(present.message.keys, message.keys)) continue;
      shared.quarantined.set(fingerprint, { message: present.message, keys: message.keys });
    }
    held.underOldKeys.clear();
  }

  const listQuarantineKeys: Identities['listQuarantineKeys'] = async (after, limit) => {
    const keys = new Set([...shared.quarantined.values()].flatMap((waiting) => waiting.keys));
    return [...keys]
      .filter((key) => after === null || key > after)
      .sort()
      .slice(0, limit);
  };

  const unflushed = new Map<EntityKind, { readonly from: number; readonly to: number }>();

  return {
    async prefetch() {},
    async allocate(kind, count = 1) {
      const given = shared.counters.get(kind) ?? 0;
      shared.counters.set(kind, given + count);
      unflushed.set(kind, { from: unflushed.get(kind)?.from ?? given, to: given + count });
      return Array.from({ length: count }, (_, index) => given + 1 + index);
    },
    giveBackIds() {
      for (const [kind, { from, to }] of unflushed)
        if (shared.counters.get(kind) === to) shared.counters.set(kind, from);
      unflushed.clear();
    },
    countAllocated: async (kind) => shared.counters.get(kind) ?? 0,
    async hasOtherSources(source) {
      const isOther = ({ message }: StoredMessage) => (message.message as { source?: unknown }).source !== source;
      const named = [...shared.bound.keys()].some((row) => parseRefRowKey(row)!.source !== source);
      return named || [...shared.quarantined.values()].some(isOther);
    },

    findEvent: async (source, ref): Promise<BoundEvent | undefined> => findBound({ what: 'event', source, ref }),
    async bindEvent(source, ref, { id, swapped }) {
      bind({ what: 'event', source, ref }, formatOwnerKey('event', '', source, id), { id, swapped });
    },
    findEntity: async (kind, scope, source, ref) => findBound({ what: 'ref', kind, scope, source, ref })?.id,
    async bindEntity(kind, scope, source, ref, id) {
      bind({ what: 'ref', kind, scope, source, ref }, formatOwnerKey(kind, scope, source, id), { id, swapped: false });
    },
    async hasRefOf(kind, scope, source, id) {
      const owner = formatOwnerKey(kind, scope, source, id);
      const owned = [...shared.owners].flatMap(([row, other]) => (other === owner ? [row] : []));
      noteFirstRead(reads.owners, owner, owned.length > 0);
      return owned.some((row) => !changes.owners.has(row)) || [...changes.owners.values()].includes(owner);
    },
    async findEntitiesByRef(source, ref, among) {
      return among.flatMap(({ kind, scope }) => {
        const bound = shared.bound.get(formatRefRowKey(toRefKey(kind, scope, source, ref)));
        return bound ? [{ kind, scope, id: bound.id }] : [];
      });
    },
    listRefs: async (things) => things.map((thing) => refsOf(thing, shared)),
    async findByName(kind, scope, name) {
      const given = namesOf(formatAliasRowKey({ kind, scope, name }));
      return [...new Set([...namesOf(formatNameRowKey({ kind, scope, name })), ...given])];
    },
    listNames: async (things) => things.map((thing) => namesOfEntity(thing, shared)),
    async addAlias(kind, scope, name, id) {
      const row = formatAliasRowKey({ kind, scope, name });
      if (namesOf(row).includes(id)) return;
      changes.names.set(row, [...(changes.names.get(row) ?? []), id]);
      changes.removedNames.delete(row);
    },
    async removeAlias(kind, scope, name, id) {
      const row = formatAliasRowKey({ kind, scope, name });
      changes.names.set(
        row,
        (changes.names.get(row) ?? []).filter((other) => other !== id),
      );
      changes.removedNames.set(row, [...(changes.removedNames.get(row) ?? []), id]);
    },
    async addName(kind, scope, name, id) {
      const row = formatNameRowKey({ kind, scope, name });
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
    async fixturesOfSide(side, from, to, limit) {
      const found = [...shared.fixtures].flatMap(([id, { sides, startsAt }]) =>
        sides.includes(side) && startsAt >= from && startsAt <= to ? [{ id, startsAt, sides }] : [],
      );
      return found.sort((a, b) => a.startsAt - b.startsAt).slice(0, limit);
    },
    async eventsOfPairs() {
      const pairs = [...shared.fixtures].filter(([, { sides }]) => sides.some((side) => side.startsWith('pair:')));
      return pairs.map(([id]) => id).sort((a, b) => a - b);
    },

    async findQuarantined(fingerprints) {
      return new Set(fingerprints.filter((one) => held.quarantined.has(one) || isFree(one)));
    },
    async findQuarantineKeys(keys) {
      const parked = new Set([...held.quarantined.values()].flatMap((message) => message.keys));
      return new Set(keys.filter((key) => parked.has(key) || isAwaited(key)));
    },
    async quarantine(waiting) {
      if (held.claimed.delete(waiting.fingerprint)) held.requarantined.add(waiting.fingerprint);
      held.quarantined.set(waiting.fingerprint, waiting);
    },
    listQuarantineKeys,
    listUntriedKeys: listQuarantineKeys,
    async listAbandonedKeys(at, limit) {
      const abandoned = [...shared.quarantined.values()].filter(({ claim }) => claim && claim.until <= at);
      return [...new Set(abandoned.flatMap(({ keys }) => keys))].slice(0, limit);
    },
    async claimQuarantined(key, taking) {
      const parked = [...held.quarantined.values()].filter(({ keys }) => keys.includes(key));
      const taken = [...takeFree(key, taking), ...parked];
      for (const { fingerprint } of taken) {
        held.quarantined.delete(fingerprint);
        held.requarantined.delete(fingerprint);
        held.claimed.add(fingerprint);
      }
      return { messages: taken.sort(compareByArrival), next: undefined };
    },
    async listWaitingGroups(after, limit) {
      const groups = groupMessages([...shared.quarantined.values()].map(({ message }) => message));
      return groups.filter(({ id }) => after === null || id > after).slice(0, limit);
    },
    async findWaitingGroup(id) {
      const groups = groupMessages([...shared.quarantined.values()].map(({ message }) => message));
      return groups.find((group) => group.id === id);
    },
    async findWaitingFor(key) {
      const messages = await this.listWaiting({ key }, Number.POSITIVE_INFINITY);
      return messages.length === 0 ? undefined : summarizeGroup(key, messages);
    },
    async listWaiting(part, limit) {
      const all = [...shared.quarantined.values()].flatMap(({ message }) => message);
      const isOfPart = (message: QuarantinedMessage) =>
        'group' in part ? groupIdOf(message) === part.group : message.keys.includes(part.key);
      return all.filter(isOfPart).sort(compareByArrival).slice(0, limit);
    },
    async listQuarantined(limit) {
      const all = notDismissed(shared);
      return all.sort(compareByArrival).slice(0, limit);
    },
    async *eachQuarantined() {
      yield notDismissed(shared).sort(compareByArrival);
    },
    async countQuarantined() {
      const numbers = new QuarantineCountChanges();
      for (const { message } of shared.quarantined.values()) numbers.add(toQuarantineCountRow(message), 1);
      return numbers.all().map(readQuarantineCount);
    },
    async quarantineSize() {
      const messages = notDismissed(shared).map(({ message }) => quarantinedBytes(message));
      return { messages: messages.length, bytes: messages.reduce((sum, bytes) => sum + bytes, 0) };
    },
    async topQuarantineKeys(limit) {
      const numbers = new Map<string, number>();
      for (const { keys } of shared.quarantined.values()) {
        for (const key of new Set(keys)) numbers.set(key, (numbers.get(key) ?? 0) + 1);
      }
      return [...numbers]
        .map(([key, number]) => ({ key, number }))
        .sort((a, b) => b.number - a.number || (a.key < b.key ? -1 : 1))
        .slice(0, limit);
    },

    async flush() {
      unflushed.clear();
      assertNoConflict(shared, changes, reads, held);
      for (const key of keysOf(changes)) held.madeKnown.add(formatIdentityKey(key));
      for (const fingerprint of held.quarantined.keys()) held.recentlyQuarantined.add(fingerprint);
      writeChanges(shared, changes, held, now?.() ?? null);
      changes = createIdentityChanges();
      reads = createBatchReads();
      held.quarantined.clear();
      held.requarantined.clear();
    },
    async confirmClaimed() {
      for (const fingerprint of [...held.claimed].filter(isOwn)) shared.quarantined.delete(fingerprint);
      release();
      narrow();
      const others = [...shared.quarantined].flatMap(([one, { keys }]) =>
        held.recentlyQuarantined.has(one) ? [] : keys,
      );
      const told = [...held.madeKnown].filter((key) => others.includes(key));
      held.claimed.clear();
      held.claimOwners.clear();
      held.madeKnown.clear();
      held.recentlyQuarantined.clear();
      return told;
    },
    async reset() {
      unflushed.clear();
      release();
      changes = createIdentityChanges();
      reads = createBatchReads();
      held.quarantined.clear();
      held.requarantined.clear();
      held.claimed.clear();
      held.underOldKeys.clear();
      held.claimOwners.clear();
    },
  };
}

const notDismissed = ({ quarantined }: SharedRegistry): QuarantinedMessage[] =>
  [...quarantined.values()].flatMap(({ message }) => (isDismissed(message.keys) ? [] : [message]));

const placedOn = (pair: string, fixtures: ReadonlyMap<number, SidedFixture>): Fixture[] =>
  [...fixtures]
    .filter(([, fixture]) => fixture.pair === pair)
    .map(([id, { startsAt, sides }]) => ({ id, startsAt, sides }));

/** @throws IdentityConflict where what the changes rest on is not as it was read */
function assertNoConflict(
  shared: SharedRegistry,
  changes: IdentityChanges,
  reads: BatchReads,
  held: StagedQuarantine,
): void {
  const awaited = [...held.quarantined.values()].flatMap(({ keys }) =>
    keys.flatMap((text) => parseIdentityKey(text) ?? []),
  );
  const conflicts = new Set<string>();
  const refs = awaited.flatMap((key) => (key.what === 'event' || key.what === 'ref' ? [formatRefRowKey(key)] : []));
  for (const row of [...changes.bound.keys(), ...refs.filter((ref) => reads.bound.has(ref))]) {
    const [stands, wanted] = [shared.bound.get(row), changes.bound.get(row)];
    if (wanted && isSameBinding(stands, wanted)) continue;
    if (!isSameBinding(stands, reads.bound.get(row))) conflicts.add(formatIdentityKey(parseRefRowKey(row)!));
  }
  for (const owner of new Set(changes.owners.values())) {
    const rows = [...shared.owners].flatMap(([row, other]) => (other === owner ? [row] : []));
    if (reads.owners.get(owner) !== false || !hasForeignAdditions(rows, [], refRowKeysOfOwner(owner, changes)))
      continue;
    for (const row of rows) conflicts.add(formatIdentityKey(parseRefRowKey(row)!));
  }
  const names = awaited.flatMap((key) => (key.what === 'name' ? [formatNameRowKey(key), formatAliasRowKey(key)] : []));
  for (const row of [...changes.names.keys(), ...names.filter((name) => reads.names.has(name))]) {
    const [seen, own] = [reads.names.get(row) ?? [], changes.names.get(row) ?? []];
    if (hasForeignAdditions(shared.names.get(row) ?? [], seen, own))
      conflicts.add(formatIdentityKey(parseNameRowKey(row)!));
  }
  const put = [...changes.fixtures.values()].flatMap(({ pair }) => pair ?? []);
  const pairs = awaited.flatMap((key) => (key.what === 'pair' && reads.fixtures.has(key.pair) ? [key.pair] : []));
  for (const pair of [...put, ...pairs]) {
    const placesOf = (fixtures: readonly Fixture[]) => fixtures.map(({ id, startsAt }) => fixtureText(id, startsAt));
    const [now, seen] = [placedOn(pair, shared.fixtures), reads.fixtures.get(pair) ?? []];
    if (hasForeignAdditions(placesOf(now), placesOf(seen), fixtureTextsOn(pair, changes)))
      conflicts.add(formatIdentityKey({ what: 'pair', pair }));
  }
  const lost = [...held.requarantined].filter((fingerprint) => {
    const waiting = shared.quarantined.get(fingerprint);
    const owner = held.claimOwners.get(fingerprint);
    // No claim: a flush whose answer was lost has stored it.
    return owner !== undefined && (!waiting || (waiting.claim && waiting.claim.owner !== owner));
  });
  if (conflicts.size === 0 && lost.length === 0) return;
  throw new IdentityConflict(
    [...conflicts].map((text) => parseIdentityKey(text)!),
    lost,
  );
}

function refsOf({ kind, scope, id }: ScopedEntity, { bound, owners, boundAt }: SharedRegistry): BoundRef[] {
  const refs: BoundRef[] = [];
  for (const [row, owner] of owners) {
    const { source, ref } = parseRefRowKey(row)!;
    if (owner !== formatOwnerKey(kind, scope, source, id)) continue;
    refs.push({ source, ref, swapped: bound.get(row)!.swapped, boundAt: boundAt.get(row)! });
  }
  return refs.sort(compareRefs);
}

function namesOfEntity({ kind, scope, id }: ScopedEntity, { names }: SharedRegistry): string[] {
  const found = new Set<string>();
  for (const prefix of [formatNameRowKey({ kind, scope, name: '' }), formatAliasRowKey({ kind, scope, name: '' })]) {
    for (const [row, ids] of names) if (row.startsWith(prefix) && ids.includes(id)) found.add(row.slice(prefix.length));
  }
  return [...found].sort(compareByCodePoint);
}

function writeChanges(
  shared: SharedRegistry,
  changes: IdentityChanges,
  held: StagedQuarantine,
  now: number | null,
): void {
  for (const [row, bound] of changes.bound) {
    if (shared.bound.get(row)?.id !== bound.id) shared.boundAt.set(row, now);
    shared.bound.set(row, bound);
    shared.owners.set(row, changes.owners.get(row)!);
  }
  for (const [row, ids] of changes.removedNames) {
    shared.names.set(
      row,
      (shared.names.get(row) ?? []).filter((id) => !ids.includes(id)),
    );
  }
  for (const [row, ids] of changes.names) {
    shared.names.set(
      row,
      [...new Set([...(shared.names.get(row) ?? []), ...ids])].sort((a, b) => a - b),
    );
  }
  for (const [id, fixture] of changes.fixtures) shared.fixtures.set(id, fixture);
  for (const [fingerprint, message] of held.quarantined) {
    const before = shared.quarantined.get(fingerprint);
    if (before && !held.requarantined.has(fingerprint)) continue;
    const { receivedAt = message.receivedAt } = before?.message ?? {};
    const keys = [...new Set([...(before?.keys ?? []), ...message.keys])];
    shared.quarantined.set(fingerprint, { message: { ...message, receivedAt }, keys });
    if (before) held.underOldKeys.set(fingerprint, message);
  }
}

const keysOf = ({ bound, names, fixtures }: IdentityChanges): IdentityKey[] => [
  ...[...bound.keys()].map((row) => parseRefRowKey(row)!),
  ...[...names.keys()].map((row) => parseNameRowKey(row)!),
  ...[...fixtures.values()].flatMap(({ pair }) => (pair === null ? [] : [{ what: 'pair' as const, pair }])),
];
