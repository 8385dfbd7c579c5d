import { z } from 'zod';
import { EVENT_STATUSES } from '../catalogue.ts';
import { common, league, ref, safeInteger, side, slug, text, time, venue } from './fields.ts';

const member = z.looseObject({ ref: ref.optional(), name: text });
const participant = z.looseObject({
  role: side,
  ref: ref.optional(),
  name: text,
  abbreviation: text.optional(),
  country_code: text.optional(),
  placeholder: z.boolean().optional(),
  members: z.array(member).length(2).optional(),
});
export type ScheduleParticipant = z.infer<typeof participant>;

export const scheduleMessage = z.looseObject({
  kind: z.literal('schedule'),
  ...common,
  ...league,
  ref,
  refs: z.record(slug, ref).optional(),
  season: z
    .looseObject({
      year: safeInteger.min(1800).max(2999),
      name: text.optional(),
      phase: z.enum(['preseason', 'regular_season', 'playoffs']),
      start_date: z.iso.date().optional(),
      end_date: z.iso.date().optional(),
    })
    .optional(),
  starts_at: time,
  starts_at_qualifier: z.enum(['exact', 'not_before', 'following', 'tbd']).optional(),
  participants: z.array(participant).length(2),
  round: text.optional(),
  neutral_site: z.boolean().optional(),
  competition: z
    .looseObject({
      name: text,
      surface: z.enum(['clay', 'grass', 'hard', 'indoor_hard']).optional(),
      tier: z.enum(['grand_slam', 'masters_1000', 'atp_500', 'atp_250', 'wta_1000', 'wta_500', 'wta_250']).optional(),
    })
    .optional(),
  venue: venue.optional(),
  broadcast: text.optional(),
  court: text.optional(),
  order_of_play: safeInteger.min(1).max(10_000).optional(),
  draw_type: z.enum(['singles', 'doubles']).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
});
