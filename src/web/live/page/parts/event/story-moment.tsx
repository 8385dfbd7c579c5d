import { oddsFormat } from '../../live/preferences.ts';
import { formatLine } from '../../state/odds-format.ts';
import { hasEnded } from '../../state/order.ts';
import { shortName } from '../../state/short-name.ts';
import { lastAt } from '../../state/story-model.ts';
import { stageOf } from '../../state/telling.ts';
import { clockTimeWithSeconds, dayAndClock } from '../../state/times.ts';
import { Time } from '../time.tsx';
import type { MomentProps } from './story-props.ts';

/** In figures what the chart shows at the cursor. */
export function StoryMoment({ event, story, axis, market, chart, book, line, moment }: MomentProps) {
  const time = moment ?? story.to;
  const score = lastAt(story.scores, time);
  const stood = lastAt(line, time);
  const bookmaker = chart.lines.find((each) => each.bookmaker.slug === book)?.bookmaker.name;
  const write = axis.to - axis.from > 20 * 60 * 60 * 1000 ? dayAndClock : clockTimeWithSeconds;
  return (
    <dl class="story-moment">
      <div>
        <dt>{moment !== null ? 'As of' : hasEnded(event.status) ? 'In the end' : 'Now'}</dt>
        <dd>
          <Time at={time} write={write} />
        </dd>
      </div>
      {score && (
        <div>
          <dt>{stageOf(score)}</dt>
          <dd>{event.sides.map((side, index) => `${shortName(side)} ${score.scores[index] ?? '–'}`).join('  ')}</dd>
        </div>
      )}
      {bookmaker && (
        <div>
          <dt>
            {bookmaker}, {chart.name}
          </dt>
          <dd>{stood ? formatLine({ ...stood, outcome: chart.outcome }, market, oddsFormat.value) : '–'}</dd>
        </div>
      )}
    </dl>
  );
}
