import type { IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { entryRef, sourceRefKey } from '../../domain/identities/identity-plan.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { BoundRef, EntityKind, Identities, ScopedEntity } from './identities.ts';
import { compareRefs } from './identities.ts';

type Meanings = Pick<StreamReplacements, 'isEmpty' | 'planAt'>;
const isEntry = (kind: EntityKind): kind is 'team' | 'player' => kind === 'team' || kind === 'player';

/**
 * The identities as messages mean them: a ref or a name of a team or player that was merged into another means that
 * one, and a ref that was split off means the one that it was given to. The tables keep what each source said first, so
 * that an act can be taken back.
 */
export function identitiesByMeaning<Some extends Partial<Identities>>(some: Some, meanings: Meanings): Some {
  // Acts on events alone change nothing of refs and names of entries.
  if (meanings.isEmpty || (meanings.planAt('team').isEmpty && meanings.planAt('player').isEmpty)) return some;
  const identities = some as unknown as Identities;
  const planOf = (kind: 'team' | 'player'): IdentityPlan => meanings.planAt(kind);
  /** All that may have refs of a thing in the tables. */
  const homesOf = ({ kind, scope, id }: ScopedEntity): readonly ScopedEntity[] =>
    isEntry(kind)
      ? planOf(kind)
          .relatedTo(id)
          .map((one) => ({ kind, scope, id: one }))
      : [{ kind, scope, id }];
  const ownerOf = ({ kind, scope, id }: ScopedEntity, { source, ref }: Pick<BoundRef, 'source' | 'ref'>): number =>
    isEntry(kind) ? planOf(kind).ownerOf({ home: id, sourceRef: entryRef(scope, { source, ref }) }) : id;

  const own: Partial<Identities> = {
    async findEntity(kind, scope, source, ref) {
      const home = await identities.findEntity(kind, scope, source, ref);
      if (home === undefined || !isEntry(kind)) return home;
      return ownerOf({ kind, scope, id: home }, { source, ref });
    },
    async findByName(kind, scope, name) {
      const ids = await identities.findByName(kind, scope, name);
      return isEntry(kind) ? planOf(kind).ownersOfName(ids, name) : ids;
    },
    async addName(kind, scope, name, id) {
      if (!isEntry(kind)) return identities.addName(kind, scope, name, id);
      const owners = planOf(kind).ownersOfName(await identities.findByName(kind, scope, name), name);
      return owners.includes(id) ? false : identities.addName(kind, scope, name, id);
    },
    async hasRefOf(kind, scope, source, id) {
      if (!isEntry(kind)) return identities.hasRefOf(kind, scope, source, id);
      const { movedRefs, meaningOf } = planOf(kind);
      const moved = movedRefs.filter(({ sourceRef }) => sourceRef.source === source);
      if (moved.some(({ owner }) => owner === id)) return true;
      const gone = new Set(moved.map(({ sourceRef }) => sourceRefKey(sourceRef)));
      const isGone = ({ ref }: BoundRef) => gone.has(sourceRefKey(entryRef(scope, { source, ref })));
      for (const home of homesOf({ kind, scope, id })) {
        if (meaningOf(home.id) !== id || !(await identities.hasRefOf(kind, scope, source, home.id))) continue;
        const [refs] = gone.size === 0 ? [] : await identities.listRefs([home]);
        const known = refs?.filter((one) => one.source === source) ?? [];
        // A ref that is not listed was bound in this batch.
        if (known.length === 0 || !known.every(isGone)) return true;
      }
      return false;
    },
    async findEntitiesByRef(source, ref, among) {
      const found = new Map<string, ScopedEntity>();
      for (const { kind, scope, id } of await identities.findEntitiesByRef(source, ref, among)) {
        const meant = ownerOf({ kind, scope, id }, { source, ref });
        found.set(`${kind}|${scope}|${meant}`, { kind, scope, id: meant });
      }
      return [...found.values()];
    },
    async listRefs(things) {
      const groups = things.map(homesOf);
      const found = await identities.listRefs(groups.flat());
      const lists = found.values();
      return groups.map((group, index) => {
        const { kind, id } = things[index]!;
        const refs = group.flatMap((home) => {
          const ofHome: readonly BoundRef[] = lists.next().value ?? [];
          return isEntry(kind) ? ofHome.filter((one) => ownerOf(home, one) === id) : ofHome;
        });
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
