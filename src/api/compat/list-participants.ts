import { type TeamDocument, teams } from '../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { isTennis } from '../../domain/catalogue/sport-rules.ts';
import { hexId } from '../../domain/primitives/hex-ids.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import { DAY } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { sideName } from '../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { findPages } from '../../read-models/store/query-pages.ts';
import { startOf } from './listed-events.ts';
import { type OddsApiSport, parseTournamentKey } from './sport-keys.ts';

interface Participant {
  readonly full_name: string;
  readonly id: string;
}

const PAGE = 200;
const DIGITS = 26;
/** No tournament lasts longer, and none is played twice within this time. */
const EDITION = 60 * DAY;

/** The teams of a league, or the singles players of a tennis tournament's newest edition; sorted by name. */
export async function listParticipants(store: DocumentReader, sport: OddsApiSport): Promise<readonly Participant[]> {
  const found = isTennis(sport.sport) ? await playersOf(store, sport) : await teamsOf(store, sport);
  return found.sort((a, b) => compareByCodePoint(a.full_name, b.full_name) || compareByCodePoint(a.id, b.id));
}

const participant = (kind: 'team' | 'player', id: number, full_name: string): Participant => ({
  full_name,
  id: `par_${hexId(kind, id, DIGITS)}`,
});

async function teamsOf(store: DocumentReader, { league }: OddsApiSport): Promise<Participant[]> {
  const found: Participant[] = [];
  const sortKeyOf = ({ id }: TeamDocument) => ({ value: null, id });
  for await (const page of findPages(store, teams.name, { where: { league }, limit: PAGE }, sortKeyOf)) {
    for (const { document } of page) {
      if (document.facts.is_active ?? true) found.push(participant('team', document.id, document.facts.name));
    }
    await yieldToEventLoop();
  }
  return found;
}

async function playersOf(store: DocumentReader, { key, league }: OddsApiSport): Promise<Participant[]> {
  const { slugs } = parseTournamentKey(key)!;
  const where = { league, tournament: slugs };
  const [newest] = await store.find<EventDocument>(events.name, {
    where,
    limit: 1,
    order: { field: 'starts_at', direction: 'desc' },
  });
  if (!newest) return [];
  const from = startOf(newest.document) - EDITION;
  // A few hundred matches.
  const played = await store.find<EventDocument>(events.name, {
    where,
    limit: 2000,
    range: { field: 'starts_at', from },
    order: { field: 'starts_at', direction: 'asc' },
  });
  const byId = new Map<number, Participant>();
  for (const { document } of played) {
    document.sides?.forEach(({ id, placeholder }, index) => {
      if (id !== null && !placeholder) byId.set(id, participant('player', id, sideName(document, index as 0 | 1)));
    });
  }
  return [...byId.values()];
}
