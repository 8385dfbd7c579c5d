import type { InjuryContent } from '../injuries.ts';
import type { Observation, Reconfirmation } from '../observation.ts';
import { defineStream } from './stream-kind.ts';

/** How an injury message named its team and player. */
export interface InjuryOrigin {
  readonly league: string;
  readonly team?: string;
  readonly team_ref?: string;
  readonly player_ref?: string;
}

interface InjuriesData {
  InjuryReported: Observation<InjuryContent> & {
    teamId: number;
    sport: string;
    player: string;
    origin: InjuryOrigin;
  };
  InjuryReconfirmed: Reconfirmation & { teamId: number; sport: string; player: string };
  /** A player of whom reports are known by name only is now known to the directory. */
  InjuredPlayerIdentified: { at: string; source: string; teamId: number; player: string; playerId: number };
}

/** `injuries-TEAMID`: who of a team can play. */
export const injuriesStream = defineStream<InjuriesData>()({
  name: 'injuries',
  partition: 'team',
  versions: { InjuryReported: 1, InjuryReconfirmed: 1, InjuredPlayerIdentified: 1 },
});
