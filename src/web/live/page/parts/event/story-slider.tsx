import type { BoardEvent } from '../../../live-answers.ts';
import { seeking } from '../../live/event-store.ts';
import { momentOf, neighbour, STEPS, stepOf } from '../../state/slider.ts';
import type { StoryModel } from '../../state/story-model.ts';
import { momentInWords } from '../../state/telling.ts';
import type { TimeAxis } from '../../state/time-axis.ts';
import { dayAndClock } from '../../state/times.ts';

interface Props {
  readonly event: BoardEvent;
  readonly story: StoryModel;
  readonly axis: TimeAxis;
  /** Moments at which something changed. */
  readonly changes: readonly number[];
}

/** Goes to any moment of the story, or from change to change. */
export function StorySlider({ event, story, axis, changes }: Props) {
  const moment = seeking.value;
  const words = momentInWords(story, event.sides, moment ?? story.to, moment === null ? 'Now' : dayAndClock(moment));
  const go = (to: number | null) => {
    seeking.value = to;
  };
  return (
    <div class="story-slider">
      <input
        type="range"
        class="slider"
        aria-label="Moment that is shown"
        aria-valuetext={words}
        min={0}
        max={STEPS}
        step={1}
        value={stepOf(axis, moment)}
        onInput={({ currentTarget }) => go(momentOf(axis, Number(currentTarget.value)))}
      />
      <div class="slider-ways">
        <button type="button" class="action" onClick={() => go(neighbour(changes, moment, 'before'))}>
          <span aria-hidden="true">‹ </span>Previous change
        </button>
        <button
          type="button"
          class="action"
          disabled={moment === null}
          onClick={() => go(neighbour(changes, moment, 'after'))}
        >
          Next change<span aria-hidden="true"> ›</span>
        </button>
        <button type="button" class="action action-live" aria-pressed={moment === null} onClick={() => go(null)}>
          <span class="live-dot" aria-hidden="true" />
          Now
        </button>
      </div>
    </div>
  );
}
