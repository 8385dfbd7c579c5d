import { z } from 'zod';
import { common, event, ref, safeInteger, side, text } from './fields.ts';

const stats = z.record(z.string().max(100), z.number());
export const boxMessage = z.looseObject({
  kind: z.literal('box'),
  ...common,
  ...event,
  final: z.boolean().optional(),
  teams: z
    .looseObject({
      home: stats.optional(),
      away: stats.optional(),
      player_1: stats.optional(),
      player_2: stats.optional(),
    })
    .optional(),
  players: z
    .array(
      z.looseObject({
        ref,
        name: text,
        role: side,
        starter: z.boolean().optional(),
        dnp: z.boolean().optional(),
        stats,
      }),
    )
    .max(400)
    .optional(),
});

const lineupSide = z.looseObject({
  formation: text.optional(),
  players: z
    .array(
      z.looseObject({
        ref: ref.optional(),
        name: text,
        position: text.optional(),
        jersey: z.union([text, safeInteger]).optional(),
        formation_place: z.union([text, safeInteger]).optional(),
        starter: z.boolean(),
      }),
    )
    .max(100),
});
const starter = z.looseObject({ ref: ref.optional(), name: text });
export const lineupMessage = z.looseObject({
  kind: z.literal('lineup'),
  ...common,
  ...event,
  teams: z.looseObject({ home: lineupSide.optional(), away: lineupSide.optional() }),
  probable_starters: z.looseObject({ home: starter.optional(), away: starter.optional() }).optional(),
});
