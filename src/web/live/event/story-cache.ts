import { LRUCache } from 'lru-cache';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { type InjuriesDocument, injuries } from '../../../../projections/sports-events/injuries.ts';
import { notFound } from '../../../api/calls/api-errors.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { requireSport } from '../../../api/calls/scopes.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { streams } from '../../../domain/streams/domain-events.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { sideName } from '../../../read-models/rendering/render-event.ts';
import type { StoredDocument } from '../../../read-models/store/document-reader.ts';
import type { Story } from '../answers/live-page-answers.ts';
import { isSimulated } from '../board/board-event.ts';
import { type BookLines, bookLinesProjection, renderStoryLines, scoreStoryProjection } from './story-projections.ts';

interface StoryCache {
  /**
   * The JSON of an event's `Story`: everything observed of the event, in order of observation, from the event's own
   * streams. It is cached until there is more to tell.
   * @throws ApiError not_found
   */
  readJson(id: number): Promise<string>;
}

interface CachedStory {
  /** The positions of all sources of the story. */
  readonly positions: string;
  /** The JSON without its end. */
  readonly text: string;
}

/** Approximate bytes of cached stories. The longest ones have some 3 million. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
const MAX_PLAYERS = 10_000;

export function createStoryCache(
  context: OperationContext,
  log: Pick<EventLog, 'readStream' | 'replacements'>,
  maxBytes: number = MAX_CACHED_BYTES,
): StoryCache {
  const cache = new LRUCache<number, CachedStory>({
    maxSize: maxBytes,
    sizeCalculation: ({ text }) => 2 * text.length,
  });

  async function read(id: number): Promise<CachedStory> {
    const [event, reports] = await readDocuments(context, id);
    // Read the positions before the story is built: a later record may then be in it, and the cached story only looks
    // older than it is.
    const names = [streams.event(id), streams.odds(id)].map((name) => log.replacements.current(name));
    const ends = await Promise.all(names.map((stream) => lastRevision(log, stream)));
    const positions = [event.position, ...names, ...ends, ...reports.map(({ position }) => position)].join(' ');
    const known = cache.get(id);
    if (known?.positions === positions) return known;
    const injuryDocuments = reports.map(({ document }) => document);
    const story = { positions, text: await renderStory(context, event.document, injuryDocuments) };
    cache.set(id, story);
    return story;
  }

  return {
    async readJson(id) {
      const { text } = await read(id);
      return `${text},"generated_at":${JSON.stringify(formatTime(context.now()))}}`;
    },
  };
}

async function readDocuments({ store, principal }: OperationContext, id: number) {
  const event = await store.get<EventDocument>(events.name, String(id));
  if (!event?.document.event.schedule) throw notFound(`There is no event ${id}.`);
  requireSport(principal, event.document.sport);
  const teams = (event.document.sides ?? []).flatMap(({ key, id: team }) =>
    team !== null && key.startsWith('team:') ? [team] : [],
  );
  const query = { where: { team_id: teams }, limit: MAX_PLAYERS };
  const reports: readonly StoredDocument<InjuriesDocument>[] =
    teams.length === 0 ? [] : await store.find<InjuriesDocument>(injuries.name, query);
  return [event, reports] as const;
}

/** The revision of a stream's last record; null if it has none. */
async function lastRevision(log: Pick<EventLog, 'readStream'>, stream: string): Promise<number | null> {
  const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  return last?.revision ?? null;
}

/** Renders in pieces, because a long history takes long. */
async function renderStory(
  context: OperationContext,
  event: EventDocument,
  documents: readonly InjuriesDocument[],
): Promise<string> {
  const id = String(event.id);
  const scoreStory = (await foldHistory(context, scoreStoryProjection, id)).get(id);
  const books = [...(await foldHistory(context, bookLinesProjection, id)).values()];
  const scores = scoreStory?.points ?? [];
  const moments = scores.map(({ at }) => timeOf(at));
  const lines: string[] = [];
  for (const book of inOrder(context, books)) {
    for (const line of renderStoryLines(event, book, context.bookmakers)) {
      moments.push(timeOf(line.points[0]!.at), timeOf(line.points.at(-1)!.at));
      lines.push(JSON.stringify(line));
      await yieldToEventLoop();
    }
  }
  const first = moments.reduce((a, b) => Math.min(a, b));
  const reports = injuryReports(event, documents, first);
  const last = [...moments, ...reports.map(({ at }) => timeOf(at))].reduce((a, b) => Math.max(a, b));
  const simulated = isSimulated(event) || scoreStory?.isSimulated || books.some((book) => book.isSimulated);
  const head: Pick<Story, 'event_id' | 'simulated' | 'from' | 'to' | 'scores'> = {
    event_id: event.id,
    simulated,
    from: formatTime(first),
    to: formatTime(last),
    scores,
  };
  return `${JSON.stringify(head).slice(0, -1)},"lines":[${lines.join(',')}],"injuries":${JSON.stringify(reports)}`;
}

/** Folds everything in the log, in order of observation. */
const foldHistory = <Doc>({ histories }: OperationContext, projection: Projection<Doc>, id: string) =>
  histories.documentsAsOf(projection, id, { at: Number.POSITIVE_INFINITY, basis: 'observed' });

const inOrder = ({ bookmakers }: OperationContext, books: readonly BookLines[]): BookLines[] =>
  [...books].sort((a, b) => bookmakers.compare(a.bookmaker, b.bookmaker));

/**
 * Status changes of players between the first observation of the event and its end. A team's other reports belong to
 * other events.
 */
function injuryReports(event: EventDocument, documents: readonly InjuriesDocument[], from: number): Story['injuries'] {
  const over = event.event.overAt === null ? Number.POSITIVE_INFINITY : timeOf(event.event.overAt);
  return documents
    .flatMap(({ teamId, reports }) => {
      const team = sideName(event, event.sides![0].id === teamId ? 0 : 1);
      return reports
        .filter(({ status }, index) => reports[index - 1]?.status !== status)
        .map(({ at, player, status }) => ({ at, player, team, status }));
    })
    .filter(({ at }) => timeOf(at) >= from && timeOf(at) < over)
    .sort((a, b) => timeOf(a.at) - timeOf(b.at));
}
