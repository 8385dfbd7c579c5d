import { type Html, html } from '../../layout/html.ts';
import { tabs } from '../../layout/tabs.ts';

/** The parts of an event's page, by the names in its address. */
export const EVENT_TABS = {
  story: 'Story',
  lines: 'Lines',
  props: 'Props',
  statistics: 'Statistics',
  availability: 'Lineups and injuries',
  intelligence: 'Intelligence',
  sources: 'Sources',
} as const;
export type EventTab = keyof typeof EVENT_TABS;

export const eventAddress = (id: number, tab: EventTab = 'story', at?: string): string => {
  const query = new URLSearchParams({ ...(tab !== 'story' && { tab }), ...(at !== undefined && { at }) });
  return `/events/${id}${query.size > 0 ? `?${query}` : ''}`;
};

export const eventTabs = (id: number, shown: EventTab, at: string | undefined): Html =>
  tabs(
    'Parts of this page',
    (Object.keys(EVENT_TABS) as EventTab[]).map((tab) => ({
      name: EVENT_TABS[tab],
      to: eventAddress(id, tab, at),
      isShown: tab === shown,
    })),
  );

/** Says that the page shows an earlier moment, and leads back to now. */
export const momentNotice = (id: number, tab: EventTab, at: Html): Html =>
  html`<p class="notice">As it stood on ${at}, by what sources had seen until then. <a href="${eventAddress(id, tab)}">Show now</a></p>`;
