import type { BoardEvent } from '../../../../answers/live-page-answers.ts';
import type { ChartLines } from '../../../view-model/chart-lines.ts';
import type { LineMoment, Market, StoryModel } from '../../../view-model/story-model.ts';
import type { TimeAxis } from '../../../view-model/time-axis.ts';

/** Properties shared by the parts of the story. */
export interface StoryProps {
  readonly event: BoardEvent;
  readonly story: StoryModel;
  readonly axis: TimeAxis;
  readonly market: Market;
  readonly chart: ChartLines;
  /** Slug of the chosen bookmaker; undefined if nobody has prices. */
  readonly book: string | undefined;
  /** The chosen bookmaker's line. */
  readonly line: readonly LineMoment[];
}

export interface StoryMomentProps extends StoryProps {
  /** The selected moment; null for now. */
  readonly moment: number | null;
}
