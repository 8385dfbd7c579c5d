import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { BoardEvent } from '../../../../answers/live-page-answers.ts';
import { selectedMoment, storyModel } from '../../../stores/event-store.ts';
import { oddsFormat } from '../../../stores/preferences.ts';
import { chartLines } from '../../../view-model/chart-lines.ts';
import { hasEnded } from '../../../view-model/event-phase.ts';
import { shortName } from '../../../view-model/event-sides.ts';
import { formatLine } from '../../../view-model/odds-format.ts';
import {
  hasBegun,
  lastAt,
  MARKET_NAMES,
  MARKETS,
  type Market,
  playStart,
  type StoryModel,
} from '../../../view-model/story-model.ts';
import { stageText } from '../../../view-model/story-text.ts';
import { changeTimes, createTimeAxis } from '../../../view-model/time-axis.ts';
import { clockTimeWithSeconds, dayAndClock } from '../../../view-model/times.ts';
import { Panel } from '../../shared/panel.tsx';
import { Time } from '../../shared/time.tsx';
import { StoryChart } from './story-chart.tsx';
import type { StoryMomentProps } from './story-props.ts';
import { StorySlider } from './story-slider.tsx';
import { StoryTable } from './story-table.tsx';

/** The line and the score on one time axis, with a slider that shows everything as of any moment. */
export function StoryPanel({ event }: { readonly event: BoardEvent }) {
  const model = storyModel.value;
  if (!model) return <div class="story-awaited" />;
  return <Story event={event} story={model} />;
}

function Story({ event, story }: { readonly event: BoardEvent; readonly story: StoryModel }) {
  const offered = MARKETS.filter((market) => story.lines.some((line) => line.market === market));
  const chosenMarket = useSignal<Market | null>(null);
  const chosenBook = useSignal<string | null>(null);
  const market = offered.find((each) => each === chosenMarket.value) ?? preferredMarket(offered);
  const chart = useMemo(() => chartLines(story, market), [story, market]);
  const book = (chart.lines.find(({ bookmaker }) => bookmaker.slug === chosenBook.value) ?? chart.lines[0])?.bookmaker;
  const line = chart.lines.find(({ bookmaker }) => bookmaker.slug === book?.slug)?.moments ?? [];
  const startsAt = Date.parse(event.starts_at);
  const began = playStart(story, startsAt);
  const axis = useMemo(() => createTimeAxis(story.from, story.to, began), [story, began]);
  const changes = useMemo(() => changeTimes(story.scores, line, story.injuries), [story, line]);
  const common = { event, story, axis, market, chart, book: book?.slug, line };
  const isPlayed = hasBegun(story);
  if (!isPlayed && chart.lines.length === 0) {
    return (
      <Panel name="Line">
        <p class="story-nothing">No bookmaker has prices yet.</p>
      </Panel>
    );
  }
  return (
    <Panel name={isPlayed ? 'Line and score' : 'Line'}>
      <div class="story-choices">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as a form */}
        <div class="choice" role="group" aria-label="Market">
          {offered.map((each) => (
            <button
              key={each}
              type="button"
              class="choice-button"
              aria-pressed={each === market}
              onClick={() => {
                chosenMarket.value = each;
              }}
            >
              {MARKET_NAMES[each]}
            </button>
          ))}
        </div>
        {chart.lines.length > 0 && (
          <label class="choice-book">
            <span class="choice-label">Bookmaker</span>
            <select
              value={book?.slug}
              onChange={({ currentTarget }) => {
                chosenBook.value = currentTarget.value;
              }}
            >
              {chart.lines.map(({ bookmaker }) => (
                <option key={bookmaker.slug} value={bookmaker.slug}>
                  {bookmaker.name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <StoryMoment {...common} moment={selectedMoment.value} />
      <StoryChart {...common} moment={selectedMoment.value} />
      <StorySlider event={event} story={story} axis={axis} changes={changes} />
      <StoryTable {...common} />
    </Panel>
  );
}

/** The first offered market in the order of `MARKETS`. */
const preferredMarket = (offered: readonly Market[]): Market => offered[0] ?? 'h2h';

/** The figures of the chart at the cursor. */
function StoryMoment({ event, story, axis, market, chart, book, line, moment }: StoryMomentProps) {
  const time = moment ?? story.to;
  const score = lastAt(story.scores, time);
  const stood = lastAt(line, time);
  const bookmaker = chart.lines.find((each) => each.bookmaker.slug === book)?.bookmaker.name;
  const write = axis.to - axis.from > 20 * 60 * 60 * 1000 ? dayAndClock : clockTimeWithSeconds;
  // When an imported event ended is not known: its facts came later.
  const hasTime = moment !== null || !hasEnded(event.status);
  return (
    <dl class="story-moment">
      {hasTime && (
        <div>
          <dt>{moment !== null ? 'As of' : 'Now'}</dt>
          <dd>
            <Time at={time} write={write} />
          </dd>
        </div>
      )}
      {score && hasBegun(story) && (
        <div>
          <dt>{stageText(score)}</dt>
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
