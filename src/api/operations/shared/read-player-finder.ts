import { type PlayerDocument, playerNameKeysOf, players } from '../../../../projections/directory/players.ts';
import { type Roster, rosterKey, rosters } from '../../../../projections/directory/rosters.ts';
import {
  createPlayerFinder,
  type DirectoryPlayer,
  lookupKeysOf,
  type PlayerFinder,
  type PlayerMention,
} from '../../../domain/directory/player-finder.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readDocument } from './read-documents.ts';

/** More than any event names. */
const MAX_PLAYERS = 10_000;

/** A player to find. A name is looked for among the players of these teams first. */
type WantedPlayer = PlayerMention & { readonly teamIds?: readonly number[] };

/**
 * Finds players of a sport in the directory, now or as of a moment. Reads the rosters of the teams, and makes at most
 * two further reads for players not on them, however many are wanted.
 * @param named all players that will be looked up
 */
export async function readPlayerFinder(
  context: Pick<OperationContext, 'store' | 'histories'>,
  sport: string,
  named: readonly WantedPlayer[],
  asOf: AsOf | undefined,
): Promise<PlayerFinder> {
  // Rosters only contain current facts.
  const rows = asOf ? [] : await readRosters(context, named);
  const onRoster = new Map(rows.map((row) => [row.id, row]));
  const keys = named.map((one) => ({ ...lookupKeysOf(sport, one), teamIds: one.teamIds ?? [] }));
  const hasRef = new Set(rows.flatMap(({ refs }) => refs));
  const byName = new Set(rows.flatMap(({ names, team_id }) => names.map((name) => `${team_id} ${name}`)));
  const isKnown = ({ ref, name, teamIds }: (typeof keys)[number]) =>
    (ref !== undefined && hasRef.has(ref)) || teamIds.some((id) => byName.has(`${id} ${name}`));
  const wanted = {
    refs: unique(keys.map(({ ref }) => ref)).filter((ref) => !hasRef.has(ref)),
    names: unique(keys.filter((one) => !isKnown(one)).map(({ name }) => name)),
  };
  const found = new Map<string, PlayerDocument>();
  for (const [field, values] of Object.entries(wanted)) {
    if (values.length === 0) continue;
    const stored = await context.store.find<PlayerDocument>(players.name, {
      where: { [field]: values },
      limit: MAX_PLAYERS,
    });
    for (const { key, document } of stored) found.set(key, document);
  }
  if (!asOf)
    return createPlayerFinder(sport, [
      ...onRoster.values(),
      ...[...found.values()].map(foundPlayer).filter(({ id }) => !onRoster.has(id)),
    ]);
  // Names may have been different then, or the player unknown. The store has all names that any player ever had.
  const then = await Promise.all([...found.keys()].map((key) => readDocument(context, players, key, asOf)));
  return createPlayerFinder(sport, then.filter((document) => document !== undefined).map(foundPlayer));
}

/** All players of the teams, former ones included. */
async function readRosters(
  { store }: Pick<OperationContext, 'store'>,
  named: readonly WantedPlayer[],
): Promise<DirectoryPlayer[]> {
  const teamIds = new Set(named.flatMap((one) => one.teamIds ?? []));
  if (teamIds.size === 0) return [];
  const stored = await store.getMany<Roster>(rosters.name, [...teamIds].map(rosterKey));
  const rows = stored.flatMap((one) => Object.entries(one?.document.rows ?? {}));
  return rows.map(([key, { full_name, team_id, refs, names }]) => ({
    id: Number(key),
    full_name,
    team_id,
    refs,
    names,
  }));
}

/** A player as the finder takes him. */
export const foundPlayer = (document: PlayerDocument): DirectoryPlayer => ({
  id: document.id,
  full_name: document.facts.full_name,
  team_id: document.facts.team_id ?? null,
  refs: document.refs,
  names: playerNameKeysOf(document),
});

const unique = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values)].filter((value) => value !== undefined);
