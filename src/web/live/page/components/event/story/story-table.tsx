import { oddsFormat } from '../../../stores/preferences.ts';
import { shortName } from '../../../view-model/event-sides.ts';
import { formatLine } from '../../../view-model/odds-format.ts';
import { storyRows } from '../../../view-model/story-text.ts';
import { dayAndClock } from '../../../view-model/times.ts';
import { ExpandableTable } from '../../shared/expandable-table.tsx';
import { Time } from '../../shared/time.tsx';
import type { StoryProps } from './story-props.ts';

/** The chart as a table. */
export const StoryTable = (props: StoryProps) => (
  <ExpandableTable summary="The chart as a table">
    <Rows {...props} />
  </ExpandableTable>
);

function Rows({ event, story, market, chart, book, line }: StoryProps) {
  const bookmaker = chart.lines.find((each) => each.bookmaker.slug === book)?.bookmaker.name;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scrolls scrolls-down" aria-label="Score and line, table" tabIndex={0}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Stage</th>
            {event.sides.map((side) => (
              <th key={side.role} scope="col">
                {shortName(side)}
              </th>
            ))}
            <th scope="col">{bookmaker ? `${bookmaker}, ${chart.name}` : 'Line'}</th>
          </tr>
        </thead>
        <tbody>
          {storyRows(story, line).map((row) => (
            <tr key={row.at}>
              <th scope="row">
                <Time at={row.at} write={dayAndClock} />
              </th>
              <td class="stage-cell">{row.stage}</td>
              <td>{row.scores[0] ?? '–'}</td>
              <td>{row.scores[1] ?? '–'}</td>
              <td>{row.line ? formatLine({ ...row.line, outcome: chart.outcome }, market, oddsFormat.value) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
