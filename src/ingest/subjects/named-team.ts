import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { type IngestSession, identityKeyOf, type QuarantineCause, unclearName } from '../binding/ingest-session.ts';

interface NamedTeam {
  readonly source: string;
  readonly team?: string | undefined;
  readonly team_ref?: string | undefined;
}

/** The team that a message names by ref or by name; or why the message waits. */
export async function findNamedTeam(
  session: IngestSession,
  { team, team_ref, source }: NamedTeam,
  sport: string,
): Promise<number | QuarantineCause> {
  const keys: string[] = [];
  if (team_ref !== undefined) {
    const bound = await session.identities.findEntity('team', sport, source, team_ref);
    if (bound !== undefined) return bound;
    keys.push(identityKeyOf.entity('team', sport, source, team_ref));
  }
  if (team === undefined) return { reason: `${source} has no team ${team_ref} here yet`, code: 'unknown_ref', keys };
  const normalized = normalizeName(team);
  const ids = await session.identities.findByName('team', sport, normalized);
  if (ids.length === 1) return ids[0]!;
  keys.push(identityKeyOf.name('team', sport, normalized));
  return unclearName('team', sport, team, ids, keys);
}
