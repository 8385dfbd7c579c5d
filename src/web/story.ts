import { type EventDocument, events } from '../../projections/events.ts';
import { type InjuriesDocument, injuries } from '../../projections/injuries.ts';
import type { OperationContext } from '../calls/operation.ts';
import { type DomainRecord, streams } from '../domain/domain-events.ts';
import { foldOf } from '../domain/fold.ts';
import { timeOf } from '../domain/observation.ts';
import { asObserved, compareObserved } from '../domain/observed-order.ts';
import { formatTime } from '../domain/time.ts';
import type { EventLog } from '../log/event-log.ts';
import { readEvent } from '../operations/reading.ts';
import { scoreSnapshot, sideName } from '../rendering/event.ts';
import { DEMO, inShownOrder, isSimulated } from './board-event.ts';
import type { ScorePoint, Story } from './live-answers.ts';
import { storyLines } from './story-lines.ts';

type StoryLog = Pick<EventLog, 'readStream'>;

/**
 * Everything that was observed of one event, in the order in which it was, as the event's own streams tell it.
 * @throws ApiError not_found
 */
export async function readStory(context: OperationContext, log: StoryLog, id: number): Promise<Story> {
  const event = await readEvent(context, id);
  const [told, priced, documents] = await Promise.all([
    observed(log, streams.event(id)),
    observed(log, streams.odds(id)),
    readInjuries(context, event),
  ]);
  const scores = scorePoints(told);
  const lines = storyLines(event, priced, context.bookmakers);
  const moments = [...scores, ...lines.flatMap(({ points }) => points)].map(({ at }) => timeOf(at));
  const reports = injuryReports(event, documents, Math.min(...moments));
  moments.push(...reports.map(({ at }) => timeOf(at)));
  return {
    event_id: id,
    simulated: isSimulated(event) || [...told, ...priced].some(({ data }) => data.source === DEMO),
    from: formatTime(moments.reduce((a, b) => Math.min(a, b))),
    to: formatTime(moments.reduce((a, b) => Math.max(a, b))),
    scores,
    lines,
    injuries: reports,
    generated_at: formatTime(context.now()),
  };
}

/** The records of a stream as if each had come when it was observed. */
async function observed(log: StoryLog, stream: string): Promise<DomainRecord[]> {
  const records = (await log.readStream(stream)) as DomainRecord[];
  return records
    .map((record) => asObserved(record, (revision) => records[revision]))
    .sort(compareObserved)
    .map(({ record }) => record);
}

const eventFold = foldOf(events);

/** How the event stood after each message that changed its status, its period or a score; the clock alone is none. */
function scorePoints(records: readonly DomainRecord[]): ScorePoint[] {
  const points: ScorePoint[] = [];
  const documents = new Map<string, EventDocument>();
  let last = '';
  for (const record of records) {
    const document = eventFold.into(documents, record);
    if (!document?.event.schedule) continue;
    const { status, period_label, clock, scores } = scoreSnapshot(document);
    const shown = inShownOrder(document.sport, [scores[0]!.score, scores[1]!.score]);
    const mark = JSON.stringify([status, period_label, shown]);
    if (mark !== last) points.push({ at: record.data.at, status, period_label, clock, scores: shown });
    last = mark;
  }
  return points;
}

const MOST_PLAYERS = 10_000;

async function readInjuries({ store }: OperationContext, { sides }: EventDocument): Promise<InjuriesDocument[]> {
  const teams = (sides ?? []).flatMap(({ key, id }) => (id !== null && key.startsWith('team:') ? [id] : []));
  if (teams.length === 0) return [];
  const query = { where: { team_id: teams }, limit: MOST_PLAYERS };
  return (await store.find<InjuriesDocument>(injuries.name, query)).map(({ document }) => document);
}

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
