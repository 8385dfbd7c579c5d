import { useEffect, useRef } from 'preact/hooks';
import { SIMULATED_SENTENCE } from '../../../../domain/primitives/simulated.ts';
import { announcementText } from '../stores/announcements.ts';
import { boardState, openDay } from '../stores/board-store.ts';
import { closeEvent, eventSnapshot, liveEvent, openEvent } from '../stores/event-store.ts';
import { eventLinkId } from '../stores/keyboard.ts';
import { boardScroll, route } from '../stores/navigation.ts';
import { shortName } from '../view-model/event-sides.ts';
import { Board } from './board/board.tsx';
import { EventView } from './event/event-view.tsx';
import { FeedsStatus } from './feeds-status.tsx';
import { KeysDialog } from './keys-dialog.tsx';

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
      <main id="content" tabIndex={-1}>
        <SimulatedBanner />
        <div class="inside">{id === null ? <Board /> : <EventView key={id} id={id} />}</div>
      </main>
      <FeedsStatus />
      <KeysDialog />
      <Announcements />
    </>
  );

  /** Returns to the board: restores its scroll position and focuses the row of the event that was open. */
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

/** Tells screen readers about score changes, politely. */
const Announcements = () => (
  <div class="hidden-text" aria-live="polite" aria-atomic="true">
    {announcementText.value}
  </div>
);

/** Shown if any of the displayed data is simulated. */
function SimulatedBanner() {
  if (!boardState.value.board?.simulated && !eventSnapshot.value?.event.simulated) return null;
  return <p class="simulated-banner">{SIMULATED_SENTENCE}</p>;
}
