import type { BoardEvent } from '../../../../answers/live-page-answers.ts';
import { selectedMoment } from '../../../stores/event-store.ts';
import type { StoryModel } from '../../../view-model/story-model.ts';
import { momentText } from '../../../view-model/story-text.ts';
import type { TimeAxis } from '../../../view-model/time-axis.ts';
import { momentAtStep, nearestChange, SLIDER_STEPS, stepAtMoment } from '../../../view-model/time-axis.ts';
import { dayAndClock } from '../../../view-model/times.ts';

interface Props {
  readonly event: BoardEvent;
  readonly story: StoryModel;
  readonly axis: TimeAxis;
  /** Moments at which something changed. */
  readonly changes: readonly number[];
}

/** Selects any moment of the story, or steps from change to change. */
export function StorySlider({ event, story, axis, changes }: Props) {
  const moment = selectedMoment.value;
  const words = momentText(story, event.sides, moment ?? story.to, moment === null ? 'Now' : dayAndClock(moment));
  const go = (to: number | null) => {
    selectedMoment.value = to;
  };
  return (
    <div class="story-slider">
      <input
        type="range"
        class="slider"
        aria-label="Moment that is shown"
        aria-valuetext={words}
        min={0}
        max={SLIDER_STEPS}
        step={1}
        value={stepAtMoment(axis, moment)}
        onInput={({ currentTarget }) => go(momentAtStep(axis, Number(currentTarget.value)))}
      />
      <div class="slider-ways">
        <button type="button" class="action" onClick={() => go(nearestChange(changes, moment, 'before'))}>
          <span aria-hidden="true">‹ </span>Previous change
        </button>
        <button
          type="button"
          class="action"
          disabled={moment === null}
          onClick={() => go(nearestChange(changes, moment, 'after'))}
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
