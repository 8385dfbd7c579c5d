import { STATUS_WORDS } from './status-words.ts';
import { type LineMoment, lastAt, type ScoreMoment, type StoryModel } from './story-model.ts';

/** A row of the chart's table: the state from this moment on. */
interface StoryRow {
  readonly at: number;
  readonly stage: string;
  readonly scores: readonly [string | null, string | null];
  readonly line: LineMoment | null;
}

/** `3rd Quarter 4:12`, or the status in words. */
export function stageText({ status, period_label, clock }: Omit<ScoreMoment, 'at' | 'scores'>): string {
  const stage = status === 'inprogress' ? [period_label, clock].filter(Boolean).join(' ') : '';
  return stage || STATUS_WORDS[status];
}

/** A moment in one sentence, for the slider's value and for screen readers. */
export function momentText(
  model: StoryModel,
  sides: readonly { readonly name: string }[],
  time: number,
  timeText: string,
): string {
  const moment = lastAt(model.scores, time);
  if (!moment) return timeText;
  const scores = sides.map(({ name }, index) => [name, moment.scores[index]].filter((part) => part != null).join(' '));
  return `${timeText}: ${scores.join(', ')}, ${stageText(moment)}`;
}

const MAX_ROWS = 200;

/**
 * The story as a table: each change of the score or the status, and the line at that moment. Only the last rows, if
 * there are very many.
 */
export function storyRows(model: StoryModel, line: readonly LineMoment[]): StoryRow[] {
  const changes = model.scores.filter((moment, index) => {
    const before = model.scores[index - 1];
    return (
      !before ||
      before.status !== moment.status ||
      before.scores[0] !== moment.scores[0] ||
      before.scores[1] !== moment.scores[1]
    );
  });
  return changes.slice(-MAX_ROWS).map((moment) => ({
    at: moment.at,
    stage: stageText(moment),
    scores: moment.scores,
    line: lastAt(line, moment.at) ?? null,
  }));
}
