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
import { createKeyedSequentialQueue } from '../../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { sideName } from '../../../read-models/rendering/render-event.ts';
import type { StoredDocument } from '../../../read-models/store/document-reader.ts';
import type { Story } from '../answers/live-page-answers.ts';
import { isSimulated } from '../board/board-event.ts';
import { type BookLines, bookLinesProjection, renderStoryLines, scoreStoryProjection } from './story-projections.ts';

interface StoryCache {
  /**
   * JSON of the `Story` of an event: everything that was observed of it, in the order in which it was, as the event's
   * own streams tell it. One of an event is in the making at a time, and it is kept until there is more to tell.
   * @throws ApiError not_found
   */
  readJson(id: number): Promise<string>;
}

interface CachedStory {
  /** The places of all that it was made of. */
  readonly positions: string;
  /** The JSON without its end. */
  readonly text: string;
}

/** About how many bytes of stories are kept. The longest ones have some 3 million. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
const MAX_PLAYERS = 10_000;

export function createStoryCache(context: OperationContext, log: Pick<EventLog, 'readStream'>): StoryCache {
  const kept = new LRUCache<number, CachedStory>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ text }) => 2 * text.length,
  });
  const making = createKeyedSequentialQueue<number>();

  async function read(id: number): Promise<CachedStory> {
    const [event, reports] = await readDocuments(context, id);
    // Before it is made: what comes meanwhile may be in it, and makes it old at worst.
    const ends = await Promise.all([streams.event(id), streams.odds(id)].map((stream) => lastRevision(log, stream)));
    const positions = [event.position, ...ends, ...reports.map(({ position }) => position)].join(' ');
    const known = kept.get(id);
    if (known?.positions === positions) return known;
    const told = reports.map(({ document }) => document);
    const made = { positions: positions, text: await renderStory(context, event.document, told) };
    kept.set(id, made);
    return made;
  }

  return {
    async readJson(id) {
      const { text } = await making.inTurn(id, () => read(id));
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

/** Revision of a stream's last record; null where it has none. */
async function lastRevision(log: Pick<EventLog, 'readStream'>, stream: string): Promise<number | null> {
  const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  return last?.revision ?? null;
}

/** Piece by piece: of a long history it is long. */
async function renderStory(
  context: OperationContext,
  event: EventDocument,
  documents: readonly InjuriesDocument[],
): Promise<string> {
  const id = String(event.id);
  const told = (await foldWholeHistory(context, scoreStoryProjection, id)).get(id);
  const books = [...(await foldWholeHistory(context, bookLinesProjection, id)).values()];
  const scores = told?.points ?? [];
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
  const simulated = isSimulated(event) || told?.isSimulated || books.some((book) => book.isSimulated);
  const head: Pick<Story, 'event_id' | 'simulated' | 'from' | 'to' | 'scores'> = {
    event_id: event.id,
    simulated,
    from: formatTime(first),
    to: formatTime(last),
    scores,
  };
  return `${JSON.stringify(head).slice(0, -1)},"lines":[${lines.join(',')}],"injuries":${JSON.stringify(reports)}`;
}

/** All that the log holds, in the order in which it was observed. */
const foldWholeHistory = <Doc>({ histories }: OperationContext, projection: Projection<Doc>, id: string) =>
  histories.documentsAsOf(projection, id, { at: Number.POSITIVE_INFINITY, basis: 'observed' });

const inOrder = ({ bookmakers }: OperationContext, books: readonly BookLines[]): BookLines[] =>
  [...books].sort((a, b) => bookmakers.compare(a.bookmaker, b.bookmaker));

/**
 * Changes of a player's status between the first that was heard of the event and its end: a team has others, which
 * belong to its other events.
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
