import { z } from 'zod';
import { league, name, ref, safeInteger, slug, text, time } from './message-fields.ts';
import { OUTCOMES } from './message-schemas.ts';

/** The one source of identity messages: the people who run the server. */
export const OPERATOR = 'operator';

/** What people can do to identities. */
export const IDENTITY_ACTIONS = ['merge', 'split', 'bind', 'alias', 'dismiss', 'undo'] as const;
export type IdentityAction = (typeof IDENTITY_ACTIONS)[number];
/** The kinds of things that have identities to mend. */
export const IDENTITY_SUBJECTS = ['event', 'team', 'player'] as const;
export type IdentitySubject = (typeof IDENTITY_SUBJECTS)[number];

const MAX_NOTE = 500;
const sourceRef = z.looseObject({ source: slug, ref });
/** A thing by its id here, or by what a source calls it: ids differ on another server, refs do not. */
const thing = z.union([safeInteger.min(1), sourceRef], { error: 'must be an id, or {source, ref}' });

/** With a `point` it is a spread, of `over` and `under` a total. */
const boundSide = z
  .strictObject({ outcome: z.enum(OUTCOMES), point: z.number().min(-100_000).max(100_000).optional() })
  .refine(({ outcome, point }) => point !== undefined || (outcome !== 'over' && outcome !== 'under'), {
    error: 'over and under need a point',
    path: ['point'],
  })
  .refine(({ outcome, point }) => point === undefined || outcome !== 'draw', {
    error: 'a draw has no point',
    path: ['point'],
  });
export type BoundSide = z.infer<typeof boundSide>;

export const identityMessage = z.looseObject({
  kind: z.literal('identity'),
  source: z.literal(OPERATOR),
  at: time,
  action: z.enum(IDENTITY_ACTIONS),
  what: z.enum(IDENTITY_SUBJECTS).optional(),
  /** The sport of the team or player: one source may have the same ref in two sports. */
  sport: league.sport.optional(),
  /** What a source calls a thing. */
  source_ref: sourceRef.optional(),
  /** The thing that is `into` from now on. */
  from: thing.optional(),
  /** The thing that the ref, or `from`, means from now on. */
  into: thing.optional(),
  /** Of a contract of a prediction market that is bound by hand: which bet on the event it is. */
  side: boundSide.optional(),
  /** Merges two events that are over and far apart. */
  force: z.boolean().optional(),
  /** The thing that gets another name. */
  id: thing.optional(),
  name: name.optional(),
  /** The id of a group of waiting messages. */
  waiting: z.string().min(1).max(1000).optional(),
  /** An earlier act by its id, or by its time and action: ids differ on another server. */
  act: z
    .union([safeInteger.min(1), z.looseObject({ at: time, action: z.enum(IDENTITY_ACTIONS) })], {
      error: 'must be the id of an act, or {at, action}',
    })
    .optional(),
  note: z.string().trim().max(MAX_NOTE).optional(),
  by: text.optional(),
});
