import type { RefObject } from 'preact';
import type { BoardEvent, EventMoment } from '../../../live-answers.ts';
import { seeking } from '../../live/event-store.ts';
import type { Marks } from '../../state/moves.ts';
import { stageOf } from '../../state/telling.ts';
import { clockTimeWithSeconds, dayAndClock } from '../../state/times.ts';
import { SimulatedMark } from '../simulated-mark.tsx';
import { Time } from '../time.tsx';

interface Props {
  readonly event: BoardEvent;
  readonly detail: EventMoment['detail'] | null;
  readonly marks: Marks | undefined;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/** The sides, their scores, and where the event stands. */
export function EventHeader({ event, detail, marks, heading }: Props) {
  const about = [detail?.competition, detail?.round, detail?.venue, detail?.broadcast].filter(Boolean);
  return (
    <header class="event-head">
      <h1 class="event-name" ref={heading} tabIndex={-1}>
        {event.name}
      </h1>
      <p class="event-about">
        <Time at={event.starts_at} write={dayAndClock} />
        {about.map((text) => ` · ${text}`).join('')}
        {event.simulated && ' · '}
        {event.simulated && <SimulatedMark />}
      </p>
      <div class={event.status === 'inprogress' && seeking.value === null ? 'result result-live' : 'result'}>
        {event.sides.map((side, index) => (
          <BigSide
            key={side.role}
            side={side}
            changedAt={seeking.value === null ? (marks?.scored[index] ?? null) : null}
          />
        ))}
        <p class="result-stage">
          {event.status === 'inprogress' && seeking.value === null && <span class="live-dot" aria-hidden="true" />}
          {stageOf(event)}
          {seeking.value !== null && (
            <span class="result-then">
              as of <Time at={seeking.value} write={clockTimeWithSeconds} />
            </span>
          )}
        </p>
      </div>
    </header>
  );
}

function BigSide({
  side,
  changedAt,
}: {
  readonly side: BoardEvent['sides'][number];
  readonly changedAt: number | null;
}) {
  return (
    <p class={side.is_winner === true ? 'big-side side-won' : 'big-side'}>
      <span class="big-abbreviation" aria-hidden="true">
        {side.abbreviation ?? ''}
      </span>
      <span class="big-name">{side.name}</span>{' '}
      {side.game_score !== null && <span class="big-game-score">{side.game_score} </span>}
      <span key={changedAt ?? 'still'} class={changedAt === null ? 'big-score' : 'big-score score-changed'}>
        {side.score ?? '–'}
      </span>
      {side.is_winner === true && <span class="hidden-text"> winner</span>}
    </p>
  );
}
