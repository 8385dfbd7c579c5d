import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  effectiveActs,
  type IdentityAct,
  type MessageNaming,
  planOf,
} from '../../../src/domain/identities/identity-plan.ts';

const IDS = [1, 2, 3, 4];
const REFS = ['a', 'b', 'c'].flatMap((source) => ['1', '2'].map((ref) => ({ source, ref })));
/** Ids of events that a split makes: one for each act that may be a split. */
const NEW_IDS = 100;

/** Everything that was told: of each event something by its sides alone, and something under refs. */
const TOLD: readonly MessageNaming[] = [
  ...IDS.map((home) => ({ home })),
  ...REFS.map((sourceRef, index) => ({ home: IDS[index % IDS.length]!, sourceRef })),
  // Known by what another source said: it goes where that goes.
  { home: 1, sourceRef: { source: 'd', ref: '1' }, knownBy: { home: 1, sourceRef: REFS[0]! } },
];

const step = fc.oneof(
  fc.record({ what: fc.constant('merge' as const), a: fc.constantFrom(...IDS), b: fc.constantFrom(...IDS) }),
  fc.record({ what: fc.constant('split' as const), a: fc.nat(REFS.length - 1), b: fc.constantFrom(0, ...IDS) }),
  fc.record({ what: fc.constant('undo' as const), a: fc.nat(), b: fc.constant(0) }),
);
const history: fc.Arbitrary<IdentityAct[]> = fc.array(step, { maxLength: 12 }).map((steps) =>
  steps.map(({ what, a, b }, index): IdentityAct => {
    const id = `act-${index}`;
    if (what === 'merge') return { id, action: 'merge', from: a, into: b };
    if (what === 'split' || index === 0) {
      return { id, action: 'split', sourceRef: REFS[a % REFS.length]!, into: b === 0 ? NEW_IDS + index : b };
    }
    return { id, action: 'undo', act: `act-${a % index}` };
  }),
);

/** What belongs to each event, by moving it there: acts as people think of them. */
function heaps(acts: readonly IdentityAct[]): Map<MessageNaming, number> {
  const owners = new Map(TOLD.map((told) => [told, told.home]));
  const names = new Map<number, number>();
  const named = (id: number) => names.get(id) ?? id;
  for (const act of acts) {
    if (act.action === 'merge') {
      const [from, into] = [named(act.from), named(act.into)];
      for (const [told, owner] of owners) if (owner === from) owners.set(told, into);
      for (const [name, meaning] of names) if (meaning === from) names.set(name, into);
      names.set(from, into);
    } else if (act.action !== 'undo') {
      const into = named(act.into);
      for (const told of owners.keys()) if ((told.knownBy ?? told).sourceRef === act.sourceRef) owners.set(told, into);
    }
  }
  return owners;
}

/** Leaves out acts one by one, as long as one of them is undone. */
function withoutUndone(acts: readonly IdentityAct[]): readonly IdentityAct[] {
  const last = acts.findLast(({ action }) => action === 'undo');
  if (last?.action !== 'undo') return acts;
  return withoutUndone(acts.filter(({ id }) => id !== last.id && id !== last.act));
}

const ownersBy = (acts: readonly IdentityAct[]) => TOLD.map((told) => planOf(acts).ownerOf(told));

describe('the plan of identities', () => {
  it('given any acts, then all that was told lies where moving it act by act puts it', () => {
    fc.assert(
      fc.property(history, (acts) => {
        const moved = heaps(withoutUndone(acts));
        expect(ownersBy(acts)).toEqual(TOLD.map((told) => moved.get(told)));
      }),
      { numRuns: 2000 },
    );
  });

  it('given any acts, when all are undone, then everything is at home; when the undoing is, it is back', () => {
    fc.assert(
      fc.property(history, (acts) => {
        const undos = effectiveActs(acts).map(({ id }): IdentityAct => ({ id: `undo-${id}`, action: 'undo', act: id }));
        const undone = [...acts, ...undos];
        expect(ownersBy(undone)).toEqual(TOLD.map(({ home }) => home));
        const redone = undos.map(({ id }): IdentityAct => ({ id: `redo-${id}`, action: 'undo', act: id }));
        expect(ownersBy([...undone, ...redone])).toEqual(ownersBy(acts));
      }),
    );
  });

  it('given any acts, then an event means itself or one that does, and tells who was merged into it', () => {
    fc.assert(
      fc.property(history, (acts) => {
        const plan = planOf(acts);
        for (const id of IDS) {
          const meaning = plan.meaningOf(id);
          expect(plan.meaningOf(meaning)).toBe(meaning);
          expect(plan.mergedInto(meaning).includes(id)).toBe(meaning !== id);
        }
      }),
    );
  });

  it('given an act that is done twice, then the second one changes nothing', () => {
    fc.assert(
      fc.property(history, (acts) => {
        const last = effectiveActs(acts).at(-1);
        fc.pre(last !== undefined && acts.at(-1) === last);
        expect(ownersBy([...acts, { ...last!, id: 'again' }])).toEqual(ownersBy(acts));
      }),
    );
  });
});
