import type { RefObject } from 'preact';
import type { BoardEvent, EventSnapshot } from '../../../answers/live-page-answers.ts';
import { phaseOf } from '../../view-model/event-phase.ts';
import type { Highlights } from '../../view-model/highlights.ts';
import { stageText } from '../../view-model/story-text.ts';
import { clockTimeWithSeconds, timeInFull } from '../../view-model/times.ts';
import { SimulatedLabel } from '../shared/simulated-mark.tsx';
import { Time } from '../shared/time.tsx';

interface Props {
  readonly event: BoardEvent;
  /** At which it stood so, in milliseconds; null for now. */
  readonly moment: number | null;
  readonly detail: EventSnapshot['detail'] | null;
  readonly highlights: Highlights | undefined;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/** The sides, their scores, and the stage of the event. */
export function EventHeader({ event, moment, detail, highlights, heading }: Props) {
  const isLive = event.status === 'inprogress' && moment === null;
  const about = [detail?.competition, detail?.round, detail?.venue, detail?.broadcast].filter(Boolean);
  return (
    <header class="event-head">
      <h1 class="event-name" ref={heading} tabIndex={-1}>
        {event.name}
      </h1>
      <p class="event-about">
        <Time at={event.starts_at} write={timeInFull} />
        {about.map((text) => ` · ${text}`).join('')}
        {event.simulated && ' · '}
        {event.simulated && <SimulatedLabel />}
      </p>
      <div class={isLive ? 'result result-live' : 'result'}>
        {event.sides.map((side, index) => (
          <BigSide
            key={side.role}
            side={side}
            isComing={phaseOf(event.status) === 'coming'}
            changedAt={moment === null ? (highlights?.scoreChangedAt[index] ?? null) : null}
          />
        ))}
        <p class="result-stage">
          {isLive && <span class="live-dot" aria-hidden="true" />}
          {stageText(event)}
          {moment !== null && (
            <span class="result-then">
              as of <Time at={moment} write={clockTimeWithSeconds} />
            </span>
          )}
        </p>
      </div>
    </header>
  );
}

function BigSide({
  side,
  isComing,
  changedAt,
}: {
  readonly side: BoardEvent['sides'][number];
  /** Then there is no score, and no dash in its place. */
  readonly isComing: boolean;
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
        {side.score ?? (isComing ? '' : '–')}
      </span>
      {side.is_winner === true && <span class="hidden-text"> winner</span>}
    </p>
  );
}
