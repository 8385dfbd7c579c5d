import type { BoardEvent, SideStatistics } from '../../../answers/live-page-answers.ts';
import { eventStatistics, liveEvent } from '../../stores/event-store.ts';
import { homeSideIndex, shortName } from '../../view-model/event-sides.ts';
import { meetingScores, rankOf, rateRows, recordOf, statisticsOf } from '../../view-model/side-statistics.ts';
import { rateWords } from '../../view-model/statistic-words.ts';
import { Panel } from '../shared/panel.tsx';

type Sides = BoardEvent['sides'];
type SidePair = readonly [SideStatistics, SideStatistics];

/** Statistics of both sides before the event. */
export function StatisticsPanel() {
  const sides = liveEvent.value?.sides ?? [];
  const both = statisticsOf(eventStatistics.value, sides);
  if (!both) return null;
  const isSwapped = homeSideIndex(sides) === 1;
  return (
    <Panel name="Before this event" note="nothing in it is later than the start">
      <Summary both={both} sides={sides} />
      <HeadToHead meetings={meetingScores(both[0], isSwapped)} sides={sides} />
      <Rates both={both} sides={sides} />
    </Panel>
  );
}

function Summary({ both, sides }: { readonly both: SidePair; readonly sides: Sides }) {
  const rows = [
    ['Form, newest first', (side: SideStatistics) => <Form results={side.recent_form.results} />],
    ['Record', (side: SideStatistics) => recordOf(side) ?? '–'],
    ['Rank', (side: SideStatistics) => rankOf(side) ?? '–'],
    ['Days of rest', (side: SideStatistics) => side.rest_days ?? '–'],
  ] as const;
  return (
    <table class="figures statistics-summary">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden-text">What</span>
          </th>
          {sides.map((side) => (
            <th key={side.role} scope="col">
              {shortName(side)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, shown]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {both.map((side, index) => (
              <td key={sides[index]!.role}>{shown(side)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const FORM_WORDS: Readonly<Record<string, string>> = { W: 'won', D: 'drawn', L: 'lost', T: 'tied' };

function Form({ results }: { readonly results: readonly string[] }) {
  if (results.length === 0) return <>–</>;
  return (
    <span class="form" role="img" aria-label={results.map((result) => FORM_WORDS[result] ?? result).join(', ')}>
      {results.map((result, index) => (
        <span key={index} class={`form-mark form-${result}`} aria-hidden="true">
          {result}
        </span>
      ))}
    </span>
  );
}

interface HeadToHeadProps {
  readonly meetings: ReturnType<typeof meetingScores>;
  readonly sides: Sides;
}

function HeadToHead({ meetings, sides }: HeadToHeadProps) {
  const [first, second] = sides;
  if (meetings.length === 0 || !first || !second) return null;
  return (
    <p class="head-to-head">
      <span class="head-to-head-name">
        Last {meetings.length === 1 ? 'meeting' : `${meetings.length} meetings`}, {shortName(first)} and{' '}
        {shortName(second)}:
      </span>{' '}
      {meetings.map(({ scores, surface }, index) => (
        <span key={index} class="meeting">
          {scores.join('–')}
          {surface !== null && <span class="meeting-surface"> {surface.replaceAll('_', ' ')}</span>}
        </span>
      ))}
    </p>
  );
}

function Rates({ both, sides }: { readonly both: SidePair; readonly sides: Sides }) {
  const rows = rateRows(both);
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scrolls scrolls-down" aria-label="Averages per game, table" tabIndex={0}>
      <table class="figures rates">
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              Per game
            </th>
            {sides.map((side) => (
              <th key={side.role} scope="colgroup" colSpan={2} class="group-head">
                {shortName(side)}
              </th>
            ))}
          </tr>
          <tr>
            {both.flatMap((side, index) => [
              <th key={`${sides[index]!.role} season`} scope="col">
                Season ({side.rates_season.games})
              </th>,
              <th key={`${sides[index]!.role} last`} scope="col">
                Last 5
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, values }) => (
            <tr key={field}>
              <th scope="row">{rateWords(field)}</th>
              {values.map((value, index) => (
                <td key={index}>{value ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
