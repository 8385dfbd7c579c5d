import type { PlayerDocument } from '../../../projections/directory/players.ts';
import type { TeamDocument } from '../../../projections/directory/teams.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { aliasesOf } from '../../domain/directory/directory-entries.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { BoundRef, Identities } from '../../ingest/identities/identities.ts';
import { identitiesByMeaning } from '../../ingest/identities/identities-by-meaning.ts';
import { eventName, renderScoreSnapshot } from '../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { ActRow, ThingRow } from '../../web/account/admin/identity-desk.ts';
import { newestActs, type RecordedActs, thingsOf } from './act-rows.ts';
import { PROJECTIONS } from './act-targets.ts';

export interface ThingParts {
  readonly store: Pick<DocumentReader, 'get'>;
  readonly replacements: Pick<StreamReplacements, 'isEmpty' | 'meaningOf' | 'mergedInto' | 'planAt'>;
  readonly identities: Pick<Identities, 'listRefs'>;
}

/** An event, team or player with everything that it is called. */
export interface ShownThing {
  readonly what: IdentitySubject;
  readonly id: number;
  /** The id that was asked for, if it was merged into this one; else null. */
  readonly asked: number | null;
  readonly sport: string;
  readonly league: string | null;
  readonly names: readonly string[];
  readonly starts_at: string | null;
  /** Of an event: the teams or players, as far as they are known. */
  readonly sides: readonly { readonly id: number | null; readonly name: string }[];
  readonly refs: readonly { readonly source: string; readonly ref: string; readonly recorded_at: string | null }[];
  /** Ids that were merged into this one. */
  readonly merged_from: readonly number[];
  readonly acts: readonly ActRow[];
}

type Document = EventDocument | TeamDocument | PlayerDocument;

/** Undefined if there is none. What was merged into another is that one. */
export async function showThing(
  parts: ThingParts,
  what: IdentitySubject,
  asked: number,
  acts: RecordedActs,
): Promise<ShownThing | undefined> {
  const id = parts.replacements.meaningOf(what, asked);
  const stored = await parts.store.get<Document>(PROJECTIONS[what], String(id));
  if (!stored) return undefined;
  const { document } = stored;
  const { sport, league = null } = document;
  const mergedFrom = parts.replacements.mergedInto(what, id);
  const ids = new Set([id, ...mergedFrom]);
  const identities = identitiesByMeaning(parts.identities, parts.replacements);
  return {
    what,
    id,
    asked: asked === id ? null : asked,
    sport,
    league,
    names: namesOf(document),
    starts_at: startOf(document),
    sides:
      'event' in document
        ? (document.event.schedule?.sides ?? []).map(({ id: side, name }) => ({ id: side, name }))
        : [],
    refs: (await refsOf({ identities }, what, [document]))[0]!.map(({ source, ref, boundAt }) => ({
      source,
      ref,
      recorded_at: boundAt === null ? null : new Date(boundAt).toISOString(),
    })),
    merged_from: mergedFrom,
    acts: newestActs(acts, null, Number.POSITIVE_INFINITY).filter(
      ({ act, what: of }) => of === what && thingsOf(acts, act).some((one) => ids.has(one)),
    ),
  };
}

/** Things as they are shown beside each other, in the order of the documents. */
export async function thingRows(
  parts: Pick<ThingParts, 'identities'>,
  what: IdentitySubject,
  documents: readonly Document[],
): Promise<ThingRow[]> {
  const refs = await refsOf(parts, what, documents);
  return documents.map((document, index) => ({
    id: document.id,
    name: namesOf(document)[0] ?? '',
    starts_at: startOf(document),
    sources: [...new Set(refs[index]!.map(({ source }) => source))],
    score: 'event' in document ? scoreOf(document) : null,
  }));
}

export const refsOf = (
  { identities }: Pick<ThingParts, 'identities'>,
  what: IdentitySubject,
  documents: readonly Document[],
): Promise<readonly (readonly BoundRef[])[]> =>
  identities.listRefs(documents.map(({ id, sport }) => ({ kind: what, scope: what === 'event' ? '' : sport, id })));

function namesOf(document: Document): readonly string[] {
  if ('event' in document) return document.event.schedule ? [eventName(document)] : [];
  if ('refs' in document) return [document.facts.full_name, ...aliasesOf(document)];
  const { name, short_name, abbreviation } = (document as TeamDocument).facts;
  const names = [name, short_name, abbreviation, ...aliasesOf(document as TeamDocument)];
  return [...new Set(names.filter((one) => one !== undefined))];
}

const startOf = (document: Document): string | null =>
  'event' in document ? (document.event.schedule?.starts_at ?? null) : null;

function scoreOf(document: EventDocument): string | null {
  if (document.scoredAt === undefined) return null;
  const scores = renderScoreSnapshot(document).scores.map(({ score }) => score ?? '–');
  return `${scores.join(':')} (${document.event.status})`;
}
