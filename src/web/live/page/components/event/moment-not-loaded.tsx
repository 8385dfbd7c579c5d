import { eventError, selectedMoment } from '../../stores/event-store.ts';
import { dayAndClock } from '../../view-model/times.ts';
import { Time } from '../shared/time.tsx';

/** Why the selected moment is not shown, if its answer is an error. What was shown before it stays, with its own time. */
export function MomentNotLoaded() {
  if (eventError.value === null || selectedMoment.value === null) return null;
  return (
    <p class="unknown-then" role="alert">
      What stood at <Time at={selectedMoment.value} write={dayAndClock} /> cannot be shown: {eventError.value}
    </p>
  );
}
