import { useEffect, useRef } from 'preact/hooks';
import { boardState } from '../../stores/board-store.ts';
import {
  eventError,
  eventSnapshot,
  isLoadingMoment,
  isUnknownAtMoment,
  selectedMoment,
  shownEvent,
} from '../../stores/event-store.ts';
import { boardLink } from '../../stores/navigation.ts';
import { hasEnded } from '../../view-model/event-phase.ts';
import { dayAndClock } from '../../view-model/times.ts';
import { Notice } from '../shared/notice.tsx';
import { Time } from '../shared/time.tsx';
import { BetValuePanel } from './bet-value-panel.tsx';
import { EventHeader } from './event-header.tsx';
import { InjuriesPanel } from './injuries-panel.tsx';
import { PeriodLinesPanel, PlayerPropsPanel, TeamTotalsPanel } from './lines-panels.tsx';
import { MomentNotLoaded } from './moment-not-loaded.tsx';
import { OddsTable } from './odds-table.tsx';
import { PeriodTable } from './period-table.tsx';
import { SplitsPanel } from './splits-panel.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';
import { StoryPanel } from './story/story-panel.tsx';

/** One event's whole story, now or as of any moment. */
export function EventView({ id }: { readonly id: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = shownEvent.value;
  const isThere = shown !== null;
  // Screen readers start at the event's heading.
  useEffect(() => {
    if (isThere) heading.current?.focus();
  }, [isThere]);
  return (
    <article
      class={(shown?.moment ?? null) === null ? 'event-view' : 'event-view event-view-past'}
      aria-busy={isLoadingMoment.value}
    >
      {(shown !== null || eventError.value !== null) && (
        <Back id={id} isOver={shown !== null && hasEnded(shown.event.status)} />
      )}
      {shown === null && eventError.value !== null && (
        <Notice title="This event cannot be shown">
          <p>{eventError.value}</p>
        </Notice>
      )}
      {shown && (
        <>
          <EventHeader
            {...shown}
            detail={eventSnapshot.value?.detail ?? null}
            highlights={boardState.value.events.get(id)?.highlights}
            heading={heading}
          />
          <StoryPanel event={shown.event} />
          <MomentNotLoaded />
          {isUnknownAtMoment.value ? <UnknownAtMoment /> : <Panels />}
        </>
      )}
    </article>
  );
}

const Back = ({ id, isOver }: { readonly id: number; readonly isOver: boolean }) => (
  <p class="back">
    <a class="back-link" href={boardLink()}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path class="arrow" d="M10 3 5 8l5 5" />
      </svg>
      All events
    </a>
    <a class="back-link" href={`/events/${id}`}>
      Page of this event
    </a>
    {!isOver && (
      <a class="back-link" href={`/alerts/new?event=${id}`}>
        Alert me of this game
      </a>
    )}
    <a class="back-link" href={`/bets?event=${id}`}>
      Keep a bet on it
    </a>
    <span class="back-keys" aria-hidden="true">
      <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>Esc</kbd> back
    </span>
  </p>
);

const UnknownAtMoment = () => (
  <p class="unknown-then">
    At this moment{' '}
    {selectedMoment.value !== null && (
      <>
        (<Time at={selectedMoment.value} write={dayAndClock} />){' '}
      </>
    )}
    nothing was known of the event yet.
  </p>
);

function Panels() {
  const { value } = eventSnapshot;
  const shown = shownEvent.value;
  return (
    <div class="panels">
      <div class="panels-wide">
        <OddsTable moment={value} />
        <BetValuePanel />
        <PlayerPropsPanel />
        <StatisticsPanel />
      </div>
      <div class="panels-narrow">
        {shown && <PeriodTable event={shown.event} />}
        <PeriodLinesPanel />
        <TeamTotalsPanel />
        <SplitsPanel moment={value} />
        <InjuriesPanel />
      </div>
    </div>
  );
}
