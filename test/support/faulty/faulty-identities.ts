import type { Identities } from '../../../src/ingest/identities/identities.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** Identities that are far away: every call takes its time, and its answer may get lost. */
export const createFaultyIdentities = (near: Identities, far: FaultyNetwork): Identities => ({
  prefetch: (hints) => far.call('prefetch', () => near.prefetch(hints)),
  allocate: (kind, count) => far.call('allocate', () => near.allocate(kind, count)),
  countAllocated: (kind) => far.call('count', () => near.countAllocated(kind)),
  hasOtherSources: (source) => far.call('fedByOthers', () => near.hasOtherSources(source)),
  findEvent: (source, ref) => far.call('findEvent', () => near.findEvent(source, ref)),
  bindEvent: (source, ref, bound) => far.call('bindEvent', () => near.bindEvent(source, ref, bound)),
  findEntity: (kind, scope, source, ref) => far.call('findEntity', () => near.findEntity(kind, scope, source, ref)),
  bindEntity: (kind, scope, source, ref, id) =>
    far.call('bindEntity', () => near.bindEntity(kind, scope, source, ref, id)),
  hasRefOf: (kind, scope, source, id) => far.call('hasRefOf', () => near.hasRefOf(kind, scope, source, id)),
  findEntitiesByRef: (source, ref, among) => far.call('thingsOf', () => near.findEntitiesByRef(source, ref, among)),
  listRefs: (things) => far.call('refsOf', () => near.listRefs(things)),
  findByName: (kind, scope, name) => far.call('findByName', () => near.findByName(kind, scope, name)),
  addName: (kind, scope, name, id) => far.call('addName', () => near.addName(kind, scope, name, id)),
  findFixtures: (pair) => far.call('findFixtures', () => near.findFixtures(pair)),
  putFixture: (id, fixture, previousPair) => far.call('putFixture', () => near.putFixture(id, fixture, previousPair)),
  eventsOfSide: (side) => far.call('eventsOfSide', () => near.eventsOfSide(side)),
  findQuarantined: (fingerprints) => far.call('isWaiting', () => near.findQuarantined(fingerprints)),
  findQuarantineKeys: (keys) => far.call('awaited', () => near.findQuarantineKeys(keys)),
  quarantine: (waiting) => far.call('park', () => near.quarantine(waiting)),
  listQuarantineKeys: (after, limit) => far.call('awaitedKeys', () => near.listQuarantineKeys(after, limit)),
  listUntriedKeys: (after, limit) => far.call('untriedKeys', () => near.listUntriedKeys(after, limit)),
  claimQuarantined: (key, taking) => far.call('takeAwaiting', () => near.claimQuarantined(key, taking)),
  listQuarantined: (limit) => far.call('listWaiting', () => near.listQuarantined(limit)),
  eachQuarantined: () => near.eachQuarantined(),
  countQuarantined: () => far.call('waitingNumbers', () => near.countQuarantined()),
  quarantineSize: () => far.call('waitingSize', () => near.quarantineSize()),
  topQuarantineKeys: (limit) => far.call('mostAwaited', () => near.topQuarantineKeys(limit)),
  flush: () => far.call('flush', () => near.flush()),
  confirmClaimed: () => far.call('confirmTaken', () => near.confirmClaimed()),
  reset: () => far.call('reset', () => near.reset()),
});
