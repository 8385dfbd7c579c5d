import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { HomeAssistantSettings } from '../../platform/settings/config.ts';

/** A team as `MQTT_TEAMS` names it. */
export type WantedTeam = HomeAssistantSettings['teams'][number];

/** A team with the sport it is listed under. */
export interface FollowedTeam {
  /** Of its device, in topics and unique ids. It stays the same when the team is merged into another. */
  readonly id: number;
  /** The team that is meant now. */
  readonly teamId: number;
  readonly name: string;
  readonly sport: string;
}

/** A team that is wanted, with the ids that sources gave to its name; ascending. */
export interface NamedTeam extends WantedTeam {
  readonly homes: readonly number[];
}

/** @param identities as the sources said them: what was merged or split since is not followed there */
export const findNamed = (
  wanted: readonly WantedTeam[],
  identities: Pick<Identities, 'findByName'>,
): Promise<readonly NamedTeam[]> =>
  Promise.all(
    wanted.map(async (team) => {
      const homes = await identities.findByName('team', team.sport, normalizeName(team.name));
      return { ...team, homes: homes.toSorted((a, b) => a - b) };
    }),
  );

export interface TeamsByDevice {
  /** By the id of their device. */
  readonly followed: ReadonlyMap<number, FollowedTeam>;
  /** Those whose name means no team, or several. */
  readonly unclear: readonly NamedTeam[];
}

/**
 * Which team each name means after all acts on identities, and which device shows it. The device has the id under which
 * a source first gave the name, since that never changes: whoever merges, splits or undoes keeps the entities of Home
 * Assistant, and so does a restart.
 */
export function teamsByDevice(
  named: readonly NamedTeam[],
  replacements: Pick<StreamReplacements, 'planAt'>,
): TeamsByDevice {
  const plan = replacements.planAt('team');
  const unclear: NamedTeam[] = [];
  const clear: { readonly team: NamedTeam; readonly teamId: number }[] = [];
  for (const team of named) {
    const name = normalizeName(team.name);
    const [teamId, ...others] = new Set(team.homes.map((home) => plan.ownerOf({ home, name })));
    if (teamId === undefined || others.length > 0) unclear.push(team);
    else clear.push({ team, teamId });
  }
  // Of two names that a split has parted, the one that stayed keeps the device.
  clear.sort((a, b) => Number(isAtHome(b)) - Number(isAtHome(a)));
  const followed = new Map<number, FollowedTeam>();
  for (const { team, teamId } of clear) {
    const ids = [...team.homes, teamId];
    const id = ids.find((one) => (followed.get(one)?.teamId ?? teamId) === teamId);
    if (id === undefined) unclear.push(team);
    else if (!followed.has(id)) followed.set(id, { id, teamId, name: team.name, sport: team.sport });
  }
  return { followed, unclear };
}

const isAtHome = ({ team, teamId }: { readonly team: NamedTeam; readonly teamId: number }): boolean =>
  team.homes.includes(teamId);
