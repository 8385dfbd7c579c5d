import type { Player, PlayerContent, Team, TeamContent } from '../directory.ts';
import type { Observation, Reconfirmation } from '../observation.ts';
import { defineStream } from './stream-kind.ts';

interface TeamData {
  TeamChanged: Observation<TeamContent, Team> & { teamId: number; sport: string; ref?: string };
  TeamReconfirmed: Reconfirmation & { teamId: number };
}

/** `team-ID`: what was said of a team. */
export const teamStream = defineStream<TeamData>()({
  name: 'team',
  partition: 'team',
  versions: { TeamChanged: 1, TeamReconfirmed: 1 },
});

interface PlayerData {
  PlayerChanged: Observation<PlayerContent, Player> & { playerId: number; sport: string; ref?: string };
  /** `ref` is the source's own id of the player: another source may have said the same before. */
  PlayerReconfirmed: Reconfirmation & { playerId: number; ref?: string };
}

/** `player-ID`: what was said of a player. */
export const playerStream = defineStream<PlayerData>()({
  name: 'player',
  partition: 'player',
  versions: { PlayerChanged: 1, PlayerReconfirmed: 1 },
});
