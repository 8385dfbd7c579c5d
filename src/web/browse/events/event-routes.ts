import { z } from 'zod';
import { ApiError, notFound } from '../../../api/calls/api-errors.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { createInputReader } from '../../../api/calls/operation/operation-input.ts';
import type { PageResponse } from '../../../api/http/endpoints/public-pages.ts';
import { queryStringOf, type RoutedRequest } from '../../../api/http/routed-request.ts';
import { listMappings } from '../../../api/operations/directory/list-mappings.ts';
import { getEvent } from '../../../api/operations/events/get-event.ts';
import { getInjuries } from '../../../api/operations/events/get-injuries.ts';
import { getStats } from '../../../api/operations/events/get-stats.ts';
import { listCorrections } from '../../../api/operations/events/list-corrections.ts';
import { asOfParameters, readAsOf } from '../../../api/operations/shared/parameters.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { type Html, html } from '../../layout/html.ts';
import { publicPage } from '../../layout/site-page.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import type { EventSnapshot, Story } from '../../live/answers/live-page-answers.ts';
import type { BoardCache } from '../../live/board/board-cache.ts';
import { createKeptAnswers } from '../../live/event/kept-answers.ts';
import {
  type RequestedAsOf,
  readEventIntelligence,
  readEventLines,
  readEventSnapshot,
} from '../../live/event/live-event.ts';
import { createStoryCache } from '../../live/event/story-cache.ts';
import { type BrowseFrame, redirectTo } from '../browse-page.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { availabilityTab } from './availability-tab.ts';
import { eventActs, eventHead, eventLinks } from './event-head.ts';
import { readSourcedFacts } from './event-sources.ts';
import { EVENT_TABS, type EventTab, eventAddress, eventTabs, momentNotice } from './event-tabs.ts';
import { intelligenceTab } from './intelligence-tab.ts';
import { linesTab } from './lines-tab.ts';
import { movesPart, readMovements } from './moves-part.ts';
import { propsTab } from './props-tab.ts';
import { sourcesTab } from './sources-tab.ts';
import { statisticsTab } from './statistics-tab.ts';
import { storyTab } from './story-tab.ts';

interface EventPageParts {
  readonly frame: BrowseFrame;
  readonly context: OperationContext;
  readonly call: KeylessCall;
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  /** Counts a page that is made from the history of an event. @throws ApiError if there were too many */
  readonly admit: (request: RoutedRequest) => void;
  /** Paths of what draws the chart in a browser. */
  readonly assets: { readonly styles: readonly string[]; readonly scripts: readonly string[] };
}

const TABS = Object.keys(EVENT_TABS) as [EventTab, ...EventTab[]];
const queryReader = createInputReader({
  input: {
    query: z.object({
      tab: z.enum(TABS, { error: `must be one of ${TABS.join(', ')}` }).default('story'),
      at: asOfParameters.as_of,
    }),
  },
});

/** Bytes of stories and of answers that are kept. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Days behind now in which corrections are looked for. */
const CORRECTION_DAYS = 90;

/** The page of an event, now or as of a moment, by one of its tabs. */
export function createEventPage(parts: EventPageParts): (request: RoutedRequest, id: number) => Promise<PageResponse> {
  const { frame, context, call, log, assets } = parts;
  const stories = createStoryCache(context, log, MAX_BYTES);
  const answers = createKeptAnswers(log, MAX_BYTES);

  /** Undefined where nothing was known of the event at the moment. */
  async function snapshotOf(id: number, asOf: RequestedAsOf | undefined): Promise<EventSnapshot | undefined> {
    try {
      return await readEventSnapshot(context, WITHOUT_CACHE, id, asOf);
    } catch (error) {
      if (asOf && error instanceof ApiError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  async function contentOf(tab: EventTab, snapshot: EventSnapshot, asOf: RequestedAsOf | undefined): Promise<Html> {
    const { id } = snapshot.event;
    const given = { id, ...(asOf && { as_of: asOf.text, as_of_basis: asOf.basis }) };
    switch (tab) {
      case 'story': {
        const story = JSON.parse(await stories.readJson(id)) as Story;
        await yieldToEventLoop();
        return storyTab(snapshot, story, asOf?.text);
      }
      case 'lines':
        return linesTab(snapshot, await readEventLines(context, id, asOf), await moves(snapshot, given));
      case 'props':
        return propsTab(await readEventLines(context, id, asOf));
      case 'statistics':
        return statisticsTab(snapshot.event, await call(getStats, given));
      case 'availability':
        return availabilityTab(await call(getStats, given), await call(getInjuries, given));
      case 'intelligence':
        return intelligenceTab(snapshot, await readEventIntelligence(context, id, asOf));
      case 'sources': {
        const from = formatDate(context.now() - CORRECTION_DAYS * DAY);
        const [facts, { mappings }, { data: corrections }] = await Promise.all([
          readSourcedFacts(log, context.bookmakers, id, asOf?.at),
          call(listMappings, { id, type: 'event' }),
          call(listCorrections, { event_id: id, from, limit: 100 }),
        ]);
        return sourcesTab({ facts, refs: mappings[0]?.refs ?? [], corrections });
      }
    }
  }

  /** Why prices moved is known of the story alone. */
  async function moves({ event }: EventSnapshot, given: Readonly<Record<string, unknown>>): Promise<Html> {
    const movements = await readMovements(call, given);
    if (movements.length === 0) return html``;
    const { injuries } = JSON.parse(await stories.readJson(event.id)) as Story;
    await yieldToEventLoop();
    // What is later than a moment is no reason for what moved before it.
    return movesPart({ event, movements, injuries, nameOf: context.bookmakers.nameOf });
  }

  async function render(id: number, tab: EventTab, asOf: RequestedAsOf | undefined): Promise<string> {
    const detail = await call(getEvent, { id });
    const snapshot = await snapshotOf(id, asOf);
    const notice = asOf && momentNotice(id, tab, publicTime(asOf.text));
    const content = snapshot
      ? html`<div id="event-head">${eventHead(snapshot.event, snapshot.detail)}</div>
${eventActs(snapshot.event)}
${eventTabs(id, tab, asOf?.text)}${notice}
${await contentOf(tab, snapshot, asOf)}`
      : html`<h1>${detail.name}</h1>${eventTabs(id, tab, asOf?.text)}${notice}${emptyState('At this moment nothing was known of the event yet.')}`;
    return frame.page(`/events/${id}`, {
      title: tab === 'story' ? detail.name : `${detail.name} · ${EVENT_TABS[tab]}`,
      content: html`${eventLinks(detail)}
${content}`,
      ...assets,
    }).body;
  }

  return async (request, id) => {
    const { tab, at } = queryReader.fromHttp({}, queryStringOf(request), undefined);
    const asOf = readAsOf({ as_of: at, as_of_basis: 'observed' }, context.now);
    const meant = context.replacements.meaningOf('event', id);
    if (meant !== id) return redirectTo(eventAddress(meant, tab, at));
    const requested = asOf && { ...asOf, text: at! };
    const admit = () => parts.admit(request);
    const question = { name: `${tab} ${id} ${at}`, eventId: id, admit, isTimeless: false };
    return publicPage(await answers.answer({ ...question, make: () => render(id, tab, requested) }));
  };
}

/** The live page keeps what it shows of present events; here they are read each time. */
const WITHOUT_CACHE: BoardCache = {
  read: async () => new Map(),
  invalidate: () => undefined,
  size: { bytes: 0, limit: 0 },
};

export function readId(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound(`There is no ${what} ${text.slice(0, 40)}.`);
  return Number(text);
}
