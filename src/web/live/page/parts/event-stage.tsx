import type { BoardEvent } from '../../live-answers.ts';
import { phaseOf } from '../state/order.ts';
import { STATUS_WORDS } from '../state/statuses.ts';
import { startTime } from '../state/times.ts';
import { Time } from './time.tsx';

/** Where an event stands: its period and clock while it is live, its start before. */
export function EventStage({ event }: { readonly event: BoardEvent }) {
  const { status, period_label, clock, starts_at } = event;
  if (status === 'inprogress') {
    return (
      <p class="stage stage-live">
        <span class="stage-name">
          <span class="live-dot" aria-hidden="true" />
          <span class="hidden-text">Live: </span>
          {period_label ?? 'Live'}
        </span>
        <span class="stage-more">{clock}</span>
      </p>
    );
  }
  const start = <Time at={starts_at} write={() => startTime(starts_at)} />;
  if (status === 'scheduled') {
    return (
      <p class="stage">
        <span class="stage-name">{start}</span>
        <span class="stage-more" />
      </p>
    );
  }
  return (
    <p class={`stage stage-${phaseOf(status)}`}>
      <span class="stage-name">{STATUS_WORDS[status]}</span>
      <span class="stage-more">{status === 'suspended' ? [period_label, clock].filter(Boolean).join(' ') : start}</span>
    </p>
  );
}
