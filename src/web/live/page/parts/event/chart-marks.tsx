import { injuryWords, STATUS_WORDS } from '../../state/statuses.ts';
import { statusChanges } from '../../state/story-model.ts';
import { clockTime } from '../../state/times.ts';
import type { ChartFrame } from './chart-frame.ts';
import type { StoryProps } from './story-props.ts';

/** A label needs so much room. */
const LABEL_WIDTH = 64;

/** What happened beside the score: changes of the status, and reports of injuries. */
export function ChartMarks({ frame, story }: Pick<StoryProps, 'story'> & { readonly frame: ChartFrame }) {
  const changes = statusChanges(story).slice(1);
  let labelled = Number.NEGATIVE_INFINITY;
  const middle = (frame.line.bottom + frame.margin.top) / 2;
  return (
    <g>
      {changes.map(({ at, status }) => {
        const x = frame.x(at);
        const room = x - labelled >= LABEL_WIDTH;
        if (room) labelled = x;
        const atEnd = frame.right - x < LABEL_WIDTH;
        return (
          <g key={at}>
            <title>
              {STATUS_WORDS[status]} {clockTime(at)}
            </title>
            <line class="chart-status" x1={x} x2={x} y1={frame.line.top - 6} y2={frame.margin.bottom} />
            {room && (
              <text class="chart-caption" x={atEnd ? x - 4 : x + 4} y={12} text-anchor={atEnd ? 'end' : 'start'}>
                {STATUS_WORDS[status]}
              </text>
            )}
          </g>
        );
      })}
      {story.injuries.map(({ at, player, team, status }) => (
        <g key={`${at} ${player}`} class="chart-injury">
          <title>
            {player} ({team}): {injuryWords(status)}, {clockTime(at)}
          </title>
          <rect class="chart-target" x={frame.x(at) - 7} y={middle - 7} width="14" height="14" />
          <path d={`M${frame.x(at) - 4},${middle}h8M${frame.x(at)},${middle - 4}v8`} />
        </g>
      ))}
    </g>
  );
}
