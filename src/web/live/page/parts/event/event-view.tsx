import { useEffect, useRef } from 'preact/hooks';
import { boardState } from '../../live/board-store.ts';
import { awaited, eventError, liveEvent, moment, seeking, unknownThen } from '../../live/event-store.ts';
import { boardAddress } from '../../live/navigation.ts';
import { dayAndClock } from '../../state/times.ts';
import { Notice } from '../notice.tsx';
import { Time } from '../time.tsx';
import { EventHeader } from './event-header.tsx';
import { InjuriesPanel } from './injuries-panel.tsx';
import { OddsTable } from './odds-table.tsx';
import { PeriodLinesPanel } from './period-lines-panel.tsx';
import { PeriodTable } from './period-table.tsx';
import { PlayerPropsPanel } from './player-props-panel.tsx';
import { SplitsPanel } from './splits-panel.tsx';
import { StatisticsPanel } from './statistics-panel.tsx';
import { StoryPanel } from './story-panel.tsx';
import { TeamTotalsPanel } from './team-totals-panel.tsx';
import { WorthPanel } from './worth-panel.tsx';

/** One event's whole story, now or as of any moment. */
export function EventView({ id }: { readonly id: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const live = liveEvent.value;
  const shown = (seeking.value === null ? live : moment.value?.event) ?? live;
  const isThere = shown !== null;
  // An event is read from its heading on.
  useEffect(() => {
    if (isThere) heading.current?.focus();
  }, [isThere]);
  return (
    <article class={seeking.value === null ? 'event-view' : 'event-view event-view-past'} aria-busy={awaited.value}>
      {(shown !== null || eventError.value !== null) && <Back />}
      {shown === null && eventError.value !== null && (
        <Notice title="This event cannot be shown">
          <p>{eventError.value}</p>
        </Notice>
      )}
      {shown && (
        <>
          <EventHeader
            event={shown}
            detail={moment.value?.detail ?? null}
            marks={boardState.value.events.get(id)?.marks}
            heading={heading}
          />
          <StoryPanel event={shown} />
          {unknownThen.value ? <UnknownThen /> : <Panels />}
        </>
      )}
    </article>
  );
}

const Back = () => (
  <p class="back">
    <a class="back-link" href={boardAddress()}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path class="arrow" d="M10 3 5 8l5 5" />
      </svg>
      All events
    </a>
    <span class="keys" aria-hidden="true">
      <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>Esc</kbd> back
    </span>
  </p>
);

const UnknownThen = () => (
  <p class="unknown-then">
    At this moment{' '}
    {seeking.value !== null && (
      <>
        (<Time at={seeking.value} write={dayAndClock} />){' '}
      </>
    )}
    nothing was known of the event yet.
  </p>
);

function Panels() {
  const { value } = moment;
  return (
    <div class="panels">
      <div class="panels-wide">
        <OddsTable moment={value} />
        <WorthPanel />
        <PlayerPropsPanel />
        <StatisticsPanel />
      </div>
      <div class="panels-narrow">
        <PeriodTable moment={value} />
        <PeriodLinesPanel />
        <TeamTotalsPanel />
        <SplitsPanel moment={value} />
        <InjuriesPanel />
      </div>
    </div>
  );
}
