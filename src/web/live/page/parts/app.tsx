import { useEffect, useRef } from 'preact/hooks';
import { openDay } from '../live/board-store.ts';
import { closeEvent, liveEvent, openEvent } from '../live/event-store.ts';
import { eventLinkId } from '../live/keys.ts';
import { boardScroll, route } from '../live/navigation.ts';
import { shortName } from '../state/short-name.ts';
import { Announcements } from './announcements.tsx';
import { Board } from './board.tsx';
import { EventView } from './event/event-view.tsx';
import { FeedsStatus } from './feeds-status.tsx';
import { PageFoot } from './page-foot.tsx';
import { SimulatedBanner } from './simulated-banner.tsx';
import { TopBar } from './top-bar.tsx';

/** The whole page: the board, or one event in its place. */
export function App() {
  const { value } = route;
  const id = value.view === 'event' ? value.id : null;
  const date = value.view === 'board' ? value.date : undefined;
  const left = useRef<number | null>(null);
  useEffect(() => {
    if (date !== undefined) openDay(date);
  }, [date]);
  useEffect(() => {
    if (id === null) return comeBack(left.current);
    left.current = id;
    scrollTo(0, 0);
    openEvent(id);
  }, [id]);
  const { value: event } = liveEvent;
  useEffect(() => {
    document.title = id !== null && event ? `${scoreLine(event)} · Ledgerline` : 'Ledgerline';
  }, [id, event]);
  return (
    <>
      <button type="button" class="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the events
      </button>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <SimulatedBanner />
        <div class="inside">{id === null ? <Board /> : <EventView key={id} id={id} />}</div>
      </main>
      <FeedsStatus />
      <PageFoot />
      <Announcements />
    </>
  );

  /** To the row of the event that was open, where the board stood when it was opened. */
  function comeBack(from: number | null): void {
    closeEvent();
    left.current = null;
    if (from === null) return;
    scrollTo(0, boardScroll());
    document.getElementById(eventLinkId(from))?.focus({ preventScroll: boardScroll() > 0 });
  }
}

const scoreLine = ({ sides }: NonNullable<typeof liveEvent.value>): string =>
  sides.map((side) => [shortName(side), side.score].filter(Boolean).join(' ')).join(' – ');
