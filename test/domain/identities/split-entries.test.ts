import { describe, expect, it } from 'vitest';
import { type IdentityAct, planOf } from '../../../src/domain/identities/identity-plan.ts';

const sourceRef = { source: 'b', ref: 'nba x' };
const entry = { from: 1, isNew: true, own: ['hawks'], shared: ['atl'] };
const split: IdentityAct = { id: '1', action: 'split', sourceRef, into: 9, entry };
const undo: IdentityAct = { id: '2', action: 'undo', act: '1' };
const redo: IdentityAct = { id: '3', action: 'undo', act: '2' };

describe('the plan of a ref that is split off an entry', () => {
  it('gives the new one the ref, the names that nobody else had, and a share in the others', () => {
    const plan = planOf([split]);
    expect(plan.ownerOf({ home: 1, sourceRef })).toBe(9);
    expect([plan.ownerOf({ home: 1 }), plan.meaningOf(9)]).toEqual([1, 9]);
    expect(plan.ownersOfName([1], 'hawks')).toEqual([9]);
    expect(plan.ownersOfName([1], 'atl')).toEqual([1, 9]);
    expect(plan.ownersOfName([1], 'other')).toEqual([1]);
    expect(plan.ownerOf({ home: 1, name: 'atl' })).toBe(1);
  });

  it('once it is undone, takes the id that it made for the other one, with what was told of it meanwhile', () => {
    const plan = planOf([split, undo]);
    expect([plan.ownerOf({ home: 1, sourceRef }), plan.ownerOf({ home: 9 })]).toEqual([1, 1]);
    expect(plan.ownersOfName([1, 9], 'hawks')).toEqual([1]);
    expect(plan.mergedInto(1)).toEqual([9]);
    expect(planOf([split, undo, redo]).ownerOf({ home: 9 })).toBe(9);
  });

  it('leaves an entry that was there itself when it is undone', () => {
    const into: IdentityAct = { ...split, entry: { ...entry, isNew: false } };
    expect(planOf([into, undo]).meaningOf(9)).toBe(9);
  });

  it('follows merges of either one, in their order', () => {
    const merge = (from: number, into: number): IdentityAct => ({ id: '4', action: 'merge', from, into });
    expect(planOf([split, merge(9, 5)]).ownersOfName([1], 'hawks')).toEqual([5]);
    expect(planOf([split, merge(9, 1)]).ownersOfName([1], 'atl')).toEqual([1]);
    expect(planOf([{ ...merge(2, 1), id: '0' }, split]).ownersOfName([2], 'hawks')).toEqual([9]);
    expect(planOf([split, merge(9, 5)]).relatedTo(1)).toEqual([1, 5, 9]);
  });
});
