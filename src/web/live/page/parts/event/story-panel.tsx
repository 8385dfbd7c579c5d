import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { BoardEvent } from '../../../live-answers.ts';
import { model, seeking } from '../../live/event-store.ts';
import { linesOf } from '../../state/chart-lines.ts';
import { changesOf } from '../../state/slider.ts';
import { MARKET_NAMES, MARKETS, type Market, playBegan, type StoryModel } from '../../state/story-model.ts';
import { timeAxis } from '../../state/time-axis.ts';
import { Panel } from './panel.tsx';
import { StoryChart } from './story-chart.tsx';
import { StoryMoment } from './story-moment.tsx';
import { StorySlider } from './story-slider.tsx';
import { StoryTable } from './story-table.tsx';

/** The line and the score on one time axis, with the slider that shows everything as of any moment. */
export function StoryPanel({ event }: { readonly event: BoardEvent }) {
  const told = model.value;
  if (!told) return <div class="story-awaited" />;
  return <Story event={event} story={told} />;
}

function Story({ event, story }: { readonly event: BoardEvent; readonly story: StoryModel }) {
  const offered = MARKETS.filter((market) => story.lines.some((line) => line.market === market));
  const chosenMarket = useSignal<Market | null>(null);
  const chosenBook = useSignal<string | null>(null);
  const market = offered.find((each) => each === chosenMarket.value) ?? preferred(offered);
  const chart = useMemo(() => linesOf(story, market), [story, market]);
  const book = (chart.lines.find(({ bookmaker }) => bookmaker.slug === chosenBook.value) ?? chart.lines[0])?.bookmaker;
  const line = chart.lines.find(({ bookmaker }) => bookmaker.slug === book?.slug)?.moments ?? [];
  const startsAt = Date.parse(event.starts_at);
  const began = playBegan(story, startsAt);
  const axis = useMemo(() => timeAxis(story.from, story.to, began), [story, began]);
  const changes = useMemo(() => changesOf(story.scores, line, story.injuries), [story, line]);
  const common = { event, story, axis, market, chart, book: book?.slug, line };
  return (
    <Panel name="Line and score">
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
      <StoryMoment {...common} moment={seeking.value} />
      <StoryChart {...common} moment={seeking.value} />
      <StorySlider event={event} story={story} axis={axis} changes={changes} />
      <StoryTable {...common} />
    </Panel>
  );
}

/** The market whose line tells most: where there is a spread its point, else the moneyline. */
const preferred = (offered: readonly Market[]): Market => offered[0] ?? 'h2h';
