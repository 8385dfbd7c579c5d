import { boardState } from '../live/board-store.ts';
import { moment } from '../live/event-store.ts';

/** Says that what is shown is made up, wherever some of it is. */
export function SimulatedBanner() {
  if (!boardState.value.board?.simulated && !moment.value?.event.simulated) return null;
  return (
    <p class="simulated-banner">
      <strong>Simulated.</strong> These events, scores and lines are made up by the demo; no real team played them.
    </p>
  );
}
