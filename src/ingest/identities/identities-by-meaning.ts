import type { IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { entryRef } from '../../domain/identities/identity-plan.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { BoundRef, EntityKind, Identities, ScopedEntity } from './identities.ts';
import { compareRefs } from './identities.ts';

type Meanings = Pick<StreamReplacements, 'isEmpty' | 'planAt'>;
const isEntry = (kind: EntityKind): kind is 'team' | 'player' => kind === 'team' || kind === 'player';

/**
 * The identities as messages mean them: a ref or a name of a team or player that was merged into another means that
 * one. The tables keep what each source said first, so that an act can be taken back.
 */
export function identitiesByMeaning<Some extends Partial<Identities>>(some: Some, meanings: Meanings): Some {
  if (meanings.isEmpty) return some;
  const identities = some as unknown as Identities;
  const planOf = (kind: 'team' | 'player'): IdentityPlan => meanings.planAt(kind);
  const groupOf = ({ kind, scope, id }: ScopedEntity): readonly ScopedEntity[] =>
    isEntry(kind)
      ? [id, ...planOf(kind).mergedInto(id)].map((one) => ({ kind, scope, id: one }))
      : [{ kind, scope, id }];

  const own: Partial<Identities> = {
    async findEntity(kind, scope, source, ref) {
      const home = await identities.findEntity(kind, scope, source, ref);
      if (home === undefined || !isEntry(kind)) return home;
      return planOf(kind).ownerOf({ home, sourceRef: entryRef(scope, { source, ref }) });
    },
    async findByName(kind, scope, name) {
      const ids = await identities.findByName(kind, scope, name);
      return isEntry(kind) ? [...new Set(ids.map(planOf(kind).meaningOf))] : ids;
    },
    async addName(kind, scope, name, id) {
      if (!isEntry(kind)) return identities.addName(kind, scope, name, id);
      const { meaningOf } = planOf(kind);
      const ids = await identities.findByName(kind, scope, name);
      return ids.some((one) => meaningOf(one) === id) ? false : identities.addName(kind, scope, name, id);
    },
    async hasRefOf(kind, scope, source, id) {
      for (const one of groupOf({ kind, scope, id })) {
        if (await identities.hasRefOf(kind, scope, source, one.id)) return true;
      }
      return false;
    },
    async findEntitiesByRef(source, ref, among) {
      const found = new Map<string, ScopedEntity>();
      for (const { kind, scope, id } of await identities.findEntitiesByRef(source, ref, among)) {
        const meant = isEntry(kind)
          ? planOf(kind).ownerOf({ home: id, sourceRef: entryRef(scope, { source, ref }) })
          : id;
        found.set(`${kind}|${scope}|${meant}`, { kind, scope, id: meant });
      }
      return [...found.values()];
    },
    async listRefs(things) {
      const groups = things.map(groupOf);
      const found = await identities.listRefs(groups.flat());
      const lists = found.values();
      return groups.map((group) => {
        const refs: BoundRef[] = group.flatMap(() => lists.next().value ?? []);
        return refs.sort(compareRefs);
      });
    },
  };
  return new Proxy(some, {
    get(target, name) {
      const replaced = Reflect.get(own, name) as unknown;
      if (replaced !== undefined) return replaced;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
