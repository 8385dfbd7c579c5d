import type { EventDocument } from '../../../../projections/events.ts';
import type { SportSlug } from '../../../domain/catalogue.ts';

/** In what the names and events of all legs of a text are looked for. */
export interface TextScope {
  readonly sports: readonly SportSlug[];
  /** Of the events; null: any. */
  readonly league: string | null;
  /** One of these is the team of the leg, or plays in its match; null: any. */
  readonly teamIds: readonly number[] | null;
  /** The event of the clue; null where none is given. */
  readonly event: EventDocument | null;
}

/** The sports that are left by the words of a bet too. */
export const narrowed = (scope: TextScope, sports: readonly SportSlug[] | null): TextScope =>
  sports === null ? scope : { ...scope, sports: scope.sports.filter((sport) => sports.includes(sport)) };

/** Whether one of the teams of the clue fits. */
export const isOfTeams = ({ teamIds }: TextScope, fits: (id: number) => boolean): boolean =>
  teamIds === null || teamIds.some(fits);
