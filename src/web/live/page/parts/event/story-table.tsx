import { oddsFormat } from '../../live/preferences.ts';
import { formatLine } from '../../state/odds-format.ts';
import { shortName } from '../../state/short-name.ts';
import { telling } from '../../state/telling.ts';
import { dayAndClock } from '../../state/times.ts';
import { Time } from '../time.tsx';
import { OpenedTable } from './opened-table.tsx';
import type { StoryProps } from './story-props.ts';

/** The chart as a table. */
export const StoryTable = (props: StoryProps) => (
  <OpenedTable summary="The chart as a table">
    <Rows {...props} />
  </OpenedTable>
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
          {telling(story, line).map((row) => (
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
