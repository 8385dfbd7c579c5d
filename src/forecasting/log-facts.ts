import { type DomainRecord, streams } from '../domain/domain-events.ts';
import { timeOf } from '../domain/observation.ts';
import { isMainMarket, type PricedMarket } from '../domain/prices.ts';
import { type EventStory, storyOf } from '../intelligence/facts/event-story.ts';
import type { RankAt } from '../intelligence/facts/forecaster.ts';
import { Timeline } from '../intelligence/facts/timeline.ts';
import { compareTold } from '../intelligence/prices/closing-lines.ts';
import type { ToldPrice } from '../intelligence/prices/quote-board.ts';
import type { EventLog } from '../log/event-log.ts';
import { breathe } from '../time/breathe.ts';

/** What the log holds for forecasts, without prices. */
export interface LoggedFacts {
  readonly stories: readonly EventStory[];
  readonly rankAt: RankAt;
}

/** Reads the log once for who is in it, then the streams of each event. @param onProgress records read so far */
export async function readFacts(
  log: EventLog,
  isAsked: (sport: string) => boolean,
  onProgress: (records: number) => void,
): Promise<LoggedFacts> {
  const events = new Set<number>();
  const rankings: Ranking[] = [];
  let read = 0;
  for await (const page of log.readAllFrom(null)) {
    for (const { type, data } of page as readonly DomainRecord[]) {
      if (type === 'EventScheduled' && isAsked(data.sport)) events.add(data.eventId);
      if (type !== 'PlayerChanged' || !isAsked(data.sport)) continue;
      const { tennis_ranking: place } = data.content.facts;
      if (place !== undefined) {
        rankings.push({ player: String(data.playerId), at: timeOf(data.at), source: data.source, place });
      }
    }
    read += page.length;
    onProgress(read);
    await breathe();
  }
  const stories: EventStory[] = [];
  for (const id of events) {
    const records = (await log.readStreams([streams.event(id), streams.box(id), streams.lineup(id)])).flat();
    const story = storyOf(records as DomainRecord[]);
    if (story) stories.push(story);
    await breathe();
  }
  return { stories, rankAt: rankAtOf(rankings) };
}

interface Ranking {
  readonly player: string;
  readonly at: number;
  readonly source: string;
  readonly place: number;
}

function rankAtOf(rankings: readonly Ranking[]): RankAt {
  const byPlayer = new Map<string, Timeline<number>>();
  const inOrder = [...rankings].sort((a, b) => a.at - b.at || compare(a.source, b.source) || a.place - b.place);
  for (const { player, at, place } of inOrder) {
    const timeline = byPlayer.get(player) ?? new Timeline<number>();
    byPlayer.set(player, timeline);
    timeline.put(at, place);
  }
  return (player, moment) => byPlayer.get(player)?.before(moment) ?? null;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** So many records of prices are read at once: few enough that reading them holds nobody up. */
const PAGE = 256;

/** What bookmakers told of an event's main lines before a moment (milliseconds), in the order of `compareTold`. */
export async function readPrices(log: EventLog, eventId: number, before: number): Promise<readonly ToldPrice[]> {
  const contents = new Map<number, { readonly bookmaker: string; readonly markets: readonly PricedMarket[] }>();
  const told: ToldPrice[] = [];
  for (let revision = 0; ; ) {
    const records = (await log.readStream(streams.odds(eventId), {
      fromRevision: revision,
      limit: PAGE,
    })) as readonly DomainRecord[];
    if (records.length === 0) break;
    for (const { type, data, revision: own } of records) {
      if (type === 'PricesChanged') {
        const { bookmaker, markets } = data.content;
        contents.set(own, { bookmaker, markets: markets.filter(isMainMarket) });
      }
      if (type !== 'PricesChanged' && type !== 'PricesReconfirmed') continue;
      const content = contents.get(type === 'PricesChanged' ? own : data.of);
      const at = timeOf(data.at);
      if (content && at < before) told.push({ at, ...content });
    }
    revision += records.length;
    await breathe();
  }
  return told.sort(compareTold);
}
