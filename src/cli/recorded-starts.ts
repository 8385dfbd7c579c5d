import { type EventDocument, events } from '../../projections/events.ts';
import type { Config } from '../config.ts';
import type { DomainRecord } from '../domain/domain-events.ts';
import { shownProfile } from '../domain/side-names.ts';
import { type StartBook, startBook } from '../feeds/known-starts.ts';
import type { ReadParts } from '../parts.ts';
import { recordsAfter } from './read-log.ts';

const PAGE = 500;

/**
 * The starts of a league's events that the data folder knows: from the read model, and from what of the log it has
 * not projected yet. A folder that does not exist, or is empty, knows none.
 */
export async function recordedStarts(config: Config, league: string): Promise<StartBook> {
  const book = startBook();
  const { openForReading } = await import('../parts.ts');
  const parts = await openForReading(config).catch((error: { code?: unknown }) => {
    if (error.code === 'data_folder' || error.code === 'empty_folder') return undefined;
    throw error;
  });
  if (!parts) return book;
  try {
    const projected = await addProjected(parts, league, book);
    for await (const record of recordsAfter(parts.log, projected)) addRecord(record as DomainRecord, league, book);
    return book;
  } finally {
    await parts.close();
  }
}

/** @returns up to where the read model knows the log */
async function addProjected({ store }: ReadParts, league: string, book: StartBook): Promise<bigint | null> {
  const build = await store.activeBuild(events.name);
  if (build === null || build.replace(/\..*/, '') !== `v${events.version}`) return null;
  const checkpoint = await store.checkpoint(events.name, build);
  let last = 0;
  for (;;) {
    const after = { value: null, id: last };
    const page = await store.find<EventDocument>(events.name, { where: { league }, after, limit: PAGE });
    for (const { document } of page) {
      const { schedule } = document.event;
      if (!schedule) continue;
      const names = ([0, 1] as const).map((index) => shownProfile(document, index));
      add(book, { id: document.id, league, schedule, names });
    }
    if (page.length < PAGE) return checkpoint;
    last = page.at(-1)!.document.id;
  }
}

function addRecord(record: DomainRecord, league: string, book: StartBook): void {
  if (record.type !== 'EventScheduled' || record.data.league !== league) return;
  const { eventId, late, content } = record.data;
  const schedule = late?.schedule ?? content;
  add(book, { id: eventId, league, schedule, names: content.sides });
}

interface Scheduled {
  readonly id: number;
  readonly league: string;
  readonly schedule: { readonly starts_at: string; readonly season?: unknown };
  readonly names: readonly ({ readonly name: string; readonly abbreviation: string | null } | null)[];
}

/** The event's own id stands for the source's, so that a start which moved is one event's. */
function add(book: StartBook, { id, league, schedule, names }: Scheduled): void {
  const participants = ['home', 'away'].map((role, index) => ({ role, ...names[index] }));
  const { season, starts_at } = schedule;
  book.add({ kind: 'schedule', source: 'ledgerline', ref: String(id), league, season, starts_at, participants });
}
