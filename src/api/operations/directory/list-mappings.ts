import { z } from 'zod';
import { type PlayerDocument, players } from '../../../../projections/directory/players.ts';
import { refTimeName, refTimes, refTimesKey } from '../../../../projections/directory/ref-times.ts';
import { type TeamDocument, teams } from '../../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { findSport, SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { isTennis } from '../../../domain/catalogue/sport-rules.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import type { BoundRef, EntityScope, ScopedEntity } from '../../../ingest/identities/identities.ts';
import { identitiesByMeaning } from '../../../ingest/identities/identities-by-meaning.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { eventName } from '../../../read-models/rendering/render-event.ts';
import { notFound } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { markThingId } from '../../calls/operation/thing-ids.ts';
import { grantsSport, requireSport } from '../../calls/scopes.ts';
import { integer, oneOf, sportFilter, text } from '../shared/parameters.ts';
import { checkSportOf } from '../shared/unpaid-checks.ts';

const TYPES = ['event', 'team', 'player'] as const;
type Type = (typeof TYPES)[number];

const query = z
  .object({
    source: text('Who has the ref.', { min: 1 }).optional(),
    ref: text('The source’s own id.', { min: 1 }).optional(),
    id: markThingId(integer('In the place of `source` and `ref`.'), { of: { parameter: 'type' } }).optional(),
    type: oneOf('Of what; required with `id`, else all.', TYPES).optional(),
    sport: sportFilter,
  })
  .superRefine((given, context) => {
    const refuse = (name: string, message = 'is required') =>
      context.addIssue({ code: 'custom', path: [name], message });
    const { source, ref, id: wanted, type } = given;
    if (wanted === undefined) {
      if (source === undefined) refuse('source');
      if (ref === undefined) refuse('ref');
    } else {
      if (source !== undefined) refuse('source', 'does not go with id');
      if (ref !== undefined) refuse('ref', 'does not go with id');
      if (type === undefined) refuse('type');
    }
  });

const mapping = z
  .object({
    type: z.enum(TYPES),
    id,
    sport: z.string(),
    league: z.string().nullable().meta({ description: 'Null in tennis, and where nobody tells.' }),
    name: z.string(),
    merged_from: z.array(id).meta({ description: 'Ids merged into this one.' }),
    refs: z.array(
      z.object({
        source: z.string(),
        ref: z.string(),
        swapped: z.boolean().nullable().meta({
          description: 'It has the sides the other way round; null but for events.',
        }),
        recorded_at: time.nullable().meta({
          description: 'When the ref was bound; null: nobody knows.',
        }),
      }),
    ),
  })
  .meta({ id: 'Mapping' });
const output = z.object({ mappings: z.array(mapping), total: z.int() });

type Input = z.infer<typeof query>;
type Mapping = z.infer<typeof mapping>;

const { type: typeMember, sport, league, name, merged_from, refs } = mapping.shape;
const table = answerTable(
  z.object({
    mapping_type: typeMember,
    mapping_id: id,
    mapping_sport: sport,
    mapping_league: league,
    mapping_name: name,
    ...refs.element.shape,
    mapping_merged_from: merged_from,
  }),
  ({ mappings }: z.infer<typeof output>) =>
    mappings.flatMap((thing) =>
      thing.refs.map((ref) => ({
        mapping_type: thing.type,
        mapping_id: thing.id,
        mapping_sport: thing.sport,
        mapping_league: thing.league,
        mapping_name: thing.name,
        ...ref,
        mapping_merged_from: thing.merged_from,
      })),
    ),
);

export const listMappings: Operation<unknown, Input, unknown, z.infer<typeof output>> = {
  name: 'list_mappings',
  method: 'GET',
  path: '/v1/mappings',
  tag: 'Teams and players',
  summary: 'What each source calls an event, a team or a player: by one source’s id, or by the id here.',
  hint: 'For names take `resolve_team` and `resolve_player`.',
  input: { query },
  output,
  table,
  errors: ['not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  async checkUnpaid({ id: wanted, type }, context) {
    if (wanted !== undefined) await checkSportOf(KINDS[type!].projection, wanted, context);
  },
  async run(input, context) {
    const found = (await findThings(input, context)).filter(({ sport }) => (input.sport ?? sport) === sport);
    const identities = identitiesByMeaning(context.identities, context.replacements);
    const refs = await identities.listRefs(found.map(({ thing }) => thing));
    const mappings: Mapping[] = [];
    for (const [index, { thing, ...shown }] of found.entries()) {
      const dated = await withTimes(refs[index]!, refTimesKey(shown.type, shown.id), context);
      const merged_from = [...context.replacements.mergedInto(shown.type, shown.id)];
      mappings.push({ ...shown, merged_from, refs: dated.map((ref) => renderRef(ref, shown.type === 'event')) });
    }
    return { mappings, total: mappings.length };
  },
};

/** An event, team or player in a read model. */
interface Known extends Omit<Mapping, 'refs' | 'merged_from'> {
  readonly thing: ScopedEntity;
}

interface Kind {
  readonly projection: string;
  /** The entity of a document; undefined for an event without a schedule. */
  of(document: any): Known | undefined;
}

const KINDS: Readonly<Record<Type, Kind>> = {
  event: {
    projection: events.name,
    of(document: EventDocument) {
      const { id: own, sport, league, event } = document;
      if (!event.schedule) return undefined;
      const thing = { kind: 'event', scope: '', id: own } as const;
      return { thing, type: 'event', id: own, sport, league, name: eventName(document) };
    },
  },
  team: {
    projection: teams.name,
    of({ id: own, sport, league, facts }: TeamDocument) {
      const thing = { kind: 'team', scope: sport, id: own } as const;
      return { thing, type: 'team', id: own, sport, league, name: facts.name };
    },
  },
  player: {
    projection: players.name,
    of({ id: own, sport, league, facts }: PlayerDocument) {
      const thing = { kind: 'player', scope: sport, id: own } as const;
      const shown = isTennis(sport) ? null : (league ?? null);
      return { thing, type: 'player', id: own, sport, league: shown, name: facts.full_name };
    },
  },
};

/** @throws ApiError not_found for an unknown id, sport_scope_denied for one outside the caller's scopes */
async function findThings(input: Input, context: OperationContext): Promise<readonly Known[]> {
  const { source, ref, id: wanted, type, sport } = input;
  const { principal } = context;
  if (wanted !== undefined) {
    const [known] = await readThings(type!, [wanted], context);
    if (!known) throw notFound(`There is no ${type} ${wanted}.`);
    requireSport(principal, known.sport);
    return [known];
  }
  if (sport !== undefined && !findSport(sport)) return [];
  const kinds = type === undefined ? TYPES : [type];
  const sports = sport === undefined ? SPORT_SLUGS : [sport];
  const among = kinds.flatMap((kind): EntityScope[] =>
    kind === 'event' ? [{ kind, scope: '' }] : sports.map((scope) => ({ kind, scope })),
  );
  const identities = identitiesByMeaning(context.identities, context.replacements);
  const named = await identities.findEntitiesByRef(source!, ref!, among);
  const found = await Promise.all(
    kinds.map((kind) => {
      const ids = named.flatMap((thing) => (thing.kind === kind ? [thing.id] : []));
      return readThings(
        kind,
        [...new Set(ids)].sort((a, b) => a - b),
        context,
      );
    }),
  );
  return found.flat().filter((known) => grantsSport(principal, known.sport));
}

/** The known ones among these ids, in their order. */
async function readThings(type: Type, ids: readonly number[], { store }: OperationContext): Promise<Known[]> {
  const { projection, of } = KINDS[type];
  const found = await store.getMany(projection, ids.map(String));
  return found.flatMap((stored) => (stored && of(stored.document)) ?? []);
}

const ALL_RECORDED = { at: Number.MAX_SAFE_INTEGER, basis: 'recorded' } as const;

/**
 * Adds the times of refs that an earlier version of the server bound without a time, as far as the log has them.
 * @param key key of the entity's times
 */
async function withTimes(
  refs: readonly BoundRef[],
  key: string,
  { histories }: OperationContext,
): Promise<readonly BoundRef[]> {
  if (refs.every(({ boundAt }) => boundAt !== null)) return refs;
  const times = (await histories.documentsAsOf(refTimes, key, ALL_RECORDED)).get(key) ?? {};
  return refs.map((ref) => {
    const recordedAt = times[refTimeName(ref.source, ref.ref)];
    return ref.boundAt === null && recordedAt !== undefined ? { ...ref, boundAt: Date.parse(recordedAt) } : ref;
  });
}

const renderRef = ({ source, ref, swapped, boundAt }: BoundRef, isEvent: boolean): Mapping['refs'][number] => ({
  source,
  ref,
  swapped: isEvent ? swapped : null,
  recorded_at: boundAt === null ? null : formatTime(boundAt),
});
