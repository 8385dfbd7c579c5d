import { calledInSport, type PlayerDocument, players } from '../../projections/players.ts';
import type { AsOf } from '../as-of/as-of.ts';
import type { OperationContext } from '../calls/operation.ts';
import {
  createPlayerFinder,
  type FoundPlayer,
  keysOf,
  type NamedPlayer,
  type PlayerFinder,
} from '../domain/finding-players.ts';
import { readDocument } from './reading.ts';

/** More than any event names. */
const MOST_PLAYERS = 10_000;

/**
 * Finds players of a sport in the directory, as it is or as it was at a moment. The store is asked twice, however many
 * are named.
 * @param named all that will be asked for
 */
export async function readPlayers(
  context: Pick<OperationContext, 'store' | 'histories'>,
  sport: string,
  named: readonly NamedPlayer[],
  asOf: AsOf | undefined,
): Promise<PlayerFinder> {
  const keys = named.map((one) => keysOf(sport, one));
  const wanted = {
    refs: unique(keys.map(({ ref }) => ref)),
    names: unique(keys.map(({ name }) => name)),
  };
  const found = new Map<string, PlayerDocument>();
  for (const [field, values] of Object.entries(wanted)) {
    if (values.length === 0) continue;
    const stored = await context.store.find<PlayerDocument>(players.name, {
      where: { [field]: values },
      limit: MOST_PLAYERS,
    });
    for (const { key, document } of stored) found.set(key, document);
  }
  if (!asOf) return createPlayerFinder(sport, [...found.values()].map(foundPlayer));
  // Whoever bears a name now may have been called otherwise then, or not been known. The store knows all names that
  // anybody ever had.
  const then = await Promise.all([...found.keys()].map((key) => readDocument(context, players, key, asOf)));
  return createPlayerFinder(sport, then.filter((document) => document !== undefined).map(foundPlayer));
}

const foundPlayer = (document: PlayerDocument): FoundPlayer => ({
  id: document.id,
  full_name: document.facts.full_name,
  team_id: document.facts.team_id ?? null,
  refs: document.refs,
  names: calledInSport(document),
});

const unique = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values)].filter((value) => value !== undefined);
