import { type PlayerDocument, players } from '../../../projections/directory/players.ts';
import { type TeamDocument, teams } from '../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { eventName } from '../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { ActRow, ActTargets, TargetRow } from '../../web/account/admin/identity-desk.ts';
import { movedFrom, type RecordedActs } from './act-rows.ts';

export interface TargetParts {
  readonly store: Pick<DocumentReader, 'get'>;
  readonly replacements: Pick<StreamReplacements, 'meaningOf'>;
}

export const PROJECTIONS = { event: events.name, team: teams.name, player: players.name } as const;

/** An event, a team or a player in words; undefined if there is none. What was merged into another is that one. */
export async function targetRow(
  { store, replacements }: TargetParts,
  what: IdentitySubject,
  asked: number,
): Promise<TargetRow | undefined> {
  const id = replacements.meaningOf(what, asked);
  const document = (await store.get<EventDocument | TeamDocument | PlayerDocument>(PROJECTIONS[what], String(id)))
    ?.document;
  if (!document) return undefined;
  const { league = null } = document;
  if ('event' in document) {
    const { schedule } = document.event;
    return schedule ? { id, name: eventName(document), starts_at: schedule.starts_at, league } : undefined;
  }
  const name = 'full_name' in document.facts ? document.facts.full_name : document.facts.name;
  return { id, name, starts_at: null, league };
}

/** What an act gives something to, and what it takes it from, in words. */
export async function actTargets(
  parts: TargetParts,
  what: IdentitySubject | null,
  into: number | null,
  from: number | null,
): Promise<ActTargets> {
  if (what === null) return {};
  const target = into === null ? undefined : await targetRow(parts, what, into);
  const taken = from === null ? undefined : await targetRow(parts, what, from);
  return { ...(target && { target }), ...(taken && { from_target: taken }) };
}

/** Rows of acts with what they are about, as it is now. What was merged has no words of its own any more. */
export async function* withTargets(
  parts: TargetParts,
  acts: RecordedActs,
  rows: Iterable<ActRow>,
): AsyncGenerator<ActRow> {
  const known = new Map<string, TargetRow | undefined>();
  async function find(what: IdentitySubject | null, id: number | null): Promise<TargetRow | undefined> {
    if (what === null || id === null) return undefined;
    const key = `${what} ${id}`;
    if (!known.has(key)) known.set(key, await targetRow(parts, what, id));
    return known.get(key);
  }
  for (const row of rows) {
    const { what, into, act } = row;
    const taken = movedFrom(acts, act);
    const target = await find(what, into);
    const from =
      taken !== null && parts.replacements.meaningOf(what!, taken) === taken ? await find(what, taken) : undefined;
    yield { ...row, ...(target && { target }), ...(from && { from_target: from }) };
  }
}
