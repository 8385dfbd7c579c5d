import { z } from 'zod';
import {
  type EventDetail,
  type EventListItem,
  eventDetail,
  eventListItem,
  type Participant,
  participant,
} from '../../../read-models/rendering/event-schemas.ts';
import { answerTable, jsonText } from '../../calls/operation/table.ts';

const { participant_id, score, game_score, is_winner, team, player, period_scores } = participant.shape;
const teamSide = z.object({ participant_id, score, is_winner, team, period_scores });
const playerSide = z.object({ participant_id, score, game_score, is_winner, player, period_scores });
/** The participants by role: an event has either a home and an away team, or two players. */
const sides = { home: teamSide, away: teamSide, player_1: playerSide, player_2: playerSide };
const sideColumns = z.object(sides).partial().shape;

const byRole = (participants: readonly Participant[] = []): Partial<Record<Participant['role'], Participant>> =>
  Object.fromEntries(participants.map((one) => [one.role, one]));

const { participants: _, ...listMembers } = eventListItem.shape;
/** One row an event; the columns of scores and sides are empty without `include_scores`. */
export const eventsTable = answerTable(
  z.object({ ...listMembers, ...sideColumns }),
  ({ events }: { readonly events: readonly EventListItem[] }) =>
    events.map((event) => ({ ...event, ...byRole(event.participants) })),
);

const { participants: __, odds: ___, intelligence: ____, ...detailMembers } = eventDetail.shape;
/** One row an event; what was added to it is JSON text. */
export const eventDetailsTable = answerTable(
  z.object({ ...detailMembers, ...sideColumns, odds: jsonText.optional(), intelligence: jsonText.optional() }),
  ({ events }: { readonly events: readonly EventDetail[] }) =>
    events.map((event) => ({ ...event, ...byRole(event.participants) })),
);
