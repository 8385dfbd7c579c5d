import { type DomainRecord, streams } from '../domain/domain-events.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { type EventStory, storyOf } from '../intelligence/facts/event-story.ts';

interface StoryAsked {
  readonly isCounted?: (record: DomainRecord) => boolean;
  /** What was observed at this moment or later is not looked at: milliseconds; absent: all is. */
  readonly toldBefore?: number | undefined;
}

/** The story of one event from its streams; null where nothing is known of its start. */
export async function readStory(
  log: Pick<EventLog, 'readStreams'>,
  id: number,
  { isCounted = () => true, toldBefore }: StoryAsked = {},
): Promise<EventStory | null> {
  const records = (await log.readStreams([streams.event(id), streams.box(id), streams.lineup(id)])).flat();
  return storyOf((records as DomainRecord[]).filter(isCounted), toldBefore);
}
