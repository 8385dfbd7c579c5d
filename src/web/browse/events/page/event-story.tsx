import '../../../live/page/styles/event.css';
import '../../../live/page/styles/tables.css';
import '../../../live/page/styles/chart.css';
import './event-story.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { EventHeader } from '../../../live/page/components/event/event-header.tsx';
import { MomentNotLoaded } from '../../../live/page/components/event/moment-not-loaded.tsx';
import { PeriodTable } from '../../../live/page/components/event/period-table.tsx';
import { StoryPanel } from '../../../live/page/components/event/story/story-panel.tsx';
import { boardState } from '../../../live/page/stores/board-store.ts';
import {
  eventError,
  eventSnapshot,
  isLoadingMoment,
  isUnknownAtMoment,
  liveEvent,
  openEvent,
  selectedMoment,
  shownEvent,
  storyModel,
} from '../../../live/page/stores/event-store.ts';

const place = document.getElementById('story');
const head = document.getElementById('event-head');
if (place && head) drawStory(place, head);

/** Draws the live page's story in the place of the tables, once everything has come that it shows. */
function drawStory(story: HTMLElement, header: HTMLElement): void {
  const at = story.dataset['at'];
  openEvent(Number(story.dataset['event']));
  let isBegun = false;
  let isDrawn = false;
  effect(() => {
    if (isDrawn || !liveEvent.value || !eventSnapshot.value || !storyModel.value) return;
    const isLoading = isLoadingMoment.value;
    if (!isBegun) {
      isBegun = true;
      if (at !== undefined) {
        // It begins to load when this effect has ended: to draw now would show the present for a moment.
        selectedMoment.value = Date.parse(at);
        return;
      }
    }
    // Without that moment the tables of the server stay: they are of it.
    if (isLoading || eventError.value !== null) return;
    isDrawn = true;
    header.replaceChildren();
    story.replaceChildren();
    story.classList.add('event-view');
    render(<Head />, header);
    render(<StoryOfEvent />, story);
    followMoment();
  });
}

function Head() {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = shownEvent.value;
  if (!shown) return null;
  const highlights = boardState.value.events.get(shown.event.id)?.highlights;
  return (
    <EventHeader {...shown} detail={eventSnapshot.value?.detail ?? null} highlights={highlights} heading={heading} />
  );
}

function StoryOfEvent() {
  const shown = shownEvent.value;
  if (!shown) return null;
  return (
    <>
      <StoryPanel event={shown.event} />
      <MomentNotLoaded />
      {isUnknownAtMoment.value ? (
        <p class="unknown-then">At this moment nothing was known of the event yet.</p>
      ) : (
        <PeriodTable event={shown.event} />
      )}
    </>
  );
}

/** The moment of the slider stands in the address and in the links to the other tabs, so that they show what was then. */
function followMoment(): void {
  const notice = document.querySelector<HTMLElement>('main > .notice');
  effect(() => {
    const moment = selectedMoment.value;
    const withMoment = (url: string): string => {
      const { pathname, searchParams } = new URL(url, location.href);
      if (moment === null) searchParams.delete('at');
      else searchParams.set('at', new Date(moment).toISOString());
      return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
    };
    history.replaceState(null, '', withMoment(location.href));
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.tabs a')) link.href = withMoment(link.href);
    // The head says the moment from here on.
    if (notice) notice.hidden = true;
  });
}
