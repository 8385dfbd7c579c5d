import type { Kysely } from 'kysely';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { type BoundRef, byName, type NamedThing, type ThingScope } from './identities.ts';
import type { IdentityTables } from './identity-tables.ts';
import { ownerText, parseSourceRow, sourceKey, sourceRow } from './known-key.ts';
import { pieces } from './pieces.ts';
import { readBound } from './sql-identity-changes.ts';

type Db = Kysely<IdentityTables>;

/** What a source calls so, of each kind and scope, in their order. */
export function* readThings(
  db: Db,
  source: string,
  ref: string,
  among: readonly ThingScope[],
): Steps<readonly NamedThing[]> {
  const rows = among.map(({ kind, scope }) => sourceRow(sourceKey(kind, scope, source, ref)));
  const bound = yield* readBound(db, rows);
  return among.flatMap(({ kind, scope }, index) => {
    const found = bound.get(rows[index]!);
    return found ? [{ kind, scope, id: found.id }] : [];
  });
}

/** All refs of each of these things, by source, then by ref. */
export function* readRefs(db: Db, things: readonly NamedThing[]): Steps<readonly (readonly BoundRef[])[]> {
  const sources = yield* rowsOf(db.selectFrom('named_sources').select('source'));
  const refs: BoundRef[][] = things.map(() => []);
  const places = new Map<string, number>();
  for (const [place, { kind, scope, id }] of things.entries()) {
    for (const { source } of sources) places.set(ownerText(kind, scope, source, id), place);
  }
  for (const piece of pieces(db, [...places.keys()])) {
    const rows = yield* rowsOf(
      db.selectFrom('external_ids').select(['key', 'turned', 'owner', 'bound_at']).where('owner', 'in', piece),
    );
    for (const { key, turned, owner, bound_at } of rows) {
      const { source, ref } = parseSourceRow(key)!;
      const boundAt = bound_at === null ? null : Number(bound_at);
      refs[places.get(owner)!]!.push({ source, ref, turned: turned === 1, boundAt });
    }
  }
  return refs.map((all) => all.sort(byName));
}
