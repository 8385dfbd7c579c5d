import type { Identities } from '../../../src/ingest/identities/identities.ts';
import type { Far } from './far.ts';

/** Identities that are far away: every call takes its time, and its answer may get lost. */
export const farIdentities = (near: Identities, far: Far): Identities => ({
  prefetch: (hints) => far.call('prefetch', () => near.prefetch(hints)),
  allocate: (kind, count) => far.call('allocate', () => near.allocate(kind, count)),
  count: (kind) => far.call('count', () => near.count(kind)),
  fedByOthers: (source) => far.call('fedByOthers', () => near.fedByOthers(source)),
  findEvent: (source, ref) => far.call('findEvent', () => near.findEvent(source, ref)),
  bindEvent: (source, ref, bound) => far.call('bindEvent', () => near.bindEvent(source, ref, bound)),
  findEntity: (kind, scope, source, ref) => far.call('findEntity', () => near.findEntity(kind, scope, source, ref)),
  bindEntity: (kind, scope, source, ref, id) =>
    far.call('bindEntity', () => near.bindEntity(kind, scope, source, ref, id)),
  hasRefOf: (kind, scope, source, id) => far.call('hasRefOf', () => near.hasRefOf(kind, scope, source, id)),
  thingsOf: (source, ref, among) => far.call('thingsOf', () => near.thingsOf(source, ref, among)),
  refsOf: (things) => far.call('refsOf', () => near.refsOf(things)),
  findByName: (kind, scope, name) => far.call('findByName', () => near.findByName(kind, scope, name)),
  addName: (kind, scope, name, id) => far.call('addName', () => near.addName(kind, scope, name, id)),
  findFixtures: (pair) => far.call('findFixtures', () => near.findFixtures(pair)),
  putFixture: (id, fixture, previousPair) => far.call('putFixture', () => near.putFixture(id, fixture, previousPair)),
  eventsOfSide: (side) => far.call('eventsOfSide', () => near.eventsOfSide(side)),
  isWaiting: (fingerprints) => far.call('isWaiting', () => near.isWaiting(fingerprints)),
  awaited: (keys) => far.call('awaited', () => near.awaited(keys)),
  park: (waiting) => far.call('park', () => near.park(waiting)),
  awaitedKeys: (after, limit) => far.call('awaitedKeys', () => near.awaitedKeys(after, limit)),
  untriedKeys: (after, limit) => far.call('untriedKeys', () => near.untriedKeys(after, limit)),
  takeAwaiting: (key, taking) => far.call('takeAwaiting', () => near.takeAwaiting(key, taking)),
  listWaiting: (limit) => far.call('listWaiting', () => near.listWaiting(limit)),
  eachWaiting: () => near.eachWaiting(),
  waitingNumbers: () => far.call('waitingNumbers', () => near.waitingNumbers()),
  mostAwaited: (limit) => far.call('mostAwaited', () => near.mostAwaited(limit)),
  flush: () => far.call('flush', () => near.flush()),
  confirmTaken: () => far.call('confirmTaken', () => near.confirmTaken()),
  reset: () => far.call('reset', () => near.reset()),
});
