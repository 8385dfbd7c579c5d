import { useLayoutEffect, useRef } from 'preact/hooks';
import { boardError, boardState, isLoadingBoard, reloadBoard } from '../../stores/board-store.ts';
import { areKeysShown, SEARCH_ID } from '../../stores/keyboard.ts';
import { route } from '../../stores/navigation.ts';
import { boardFilter, chooseFilter, shownSections } from '../../stores/shown-sections.ts';
import { NO_FILTER } from '../../view-model/board-filter.ts';
import { NO_EVENT_SINCE, NO_EVENT_UNTIL } from '../../view-model/nearest-day-words.ts';
import { boardHash } from '../../view-model/route.ts';
import { type Chip, chipsOf } from '../../view-model/sections.ts';
import { dayInWords } from '../../view-model/times.ts';
import { Notice } from '../shared/notice.tsx';
import { BoardSection } from './board-section.tsx';

/** The day's events. */
export function Board() {
  const state = boardState.value;
  if (!state.board) return <NoBoard />;
  if (state.events.size === 0) return <EmptyBoard />;
  const { sports } = state.board;
  const sections = shownSections.value;
  return (
    <div class="board" aria-busy={isLoadingBoard.value}>
      <DayNavigation />
      <AnotherDay />
      <FilterChips />
      {sections.map((section) => (
        <BoardSection key={section.key} section={section} sports={sports} />
      ))}
      {sections.length === 0 && <NothingShown />}
      <p class="keys-hint">
        <button type="button" class="more" onClick={showKeys}>
          Keys
        </button>{' '}
        <kbd>?</kbd>
      </p>
    </div>
  );
}

function NoBoard() {
  if (boardError.value === null) return <h1 class="loading">Loading the board…</h1>;
  return (
    <Notice title="The board cannot be loaded">
      <p>{boardError.value}</p>
      <p>
        <button type="button" class="action" onClick={reloadBoard}>
          Try again
        </button>
      </p>
    </Notice>
  );
}

/** The day on display, and links to its neighbours. */
function DayNavigation() {
  const { board } = boardState.value;
  if (!board) return null;
  const { weekday, day } = dayInWords(board.date, Date.now());
  return (
    <div class="day">
      <h1 class="day-name" title="Days are those of UTC">
        {weekday} <span class="day-date">{day}</span>
      </h1>
      <BoardSearch />
      <nav class="day-ways" aria-label="Days">
        <DayLink date={board.previous_date} name="Previous day with events" arrow="M10 3 5 8l5 5" />
        <DayLink date={board.next_date} name="Next day with events" arrow="M6 3l5 5-5 5" />
      </nav>
    </div>
  );
}

/** Says why another day than today stands here, to whoever has chosen none. */
function AnotherDay() {
  const { board } = boardState.value;
  const { value: shown } = route;
  if (!board || shown.view !== 'board' || shown.date !== null) return null;
  const today = board.generated_at.slice(0, 10);
  if (board.date === today) return null;
  return <p class="day-note">{board.date < today ? NO_EVENT_SINCE : NO_EVENT_UNTIL}</p>;
}

function DayLink({
  date,
  name,
  arrow,
}: {
  readonly date: string | null;
  readonly name: string;
  readonly arrow: string;
}) {
  const shape = (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path class="arrow" d={arrow} />
    </svg>
  );
  if (date === null) return <span class="day-link day-link-none">{shape}</span>;
  const { weekday, day } = dayInWords(date, Date.now());
  return (
    <a class="day-link" href={boardHash(date)} title={`${weekday} ${day}`}>
      {shape}
      <span class="hidden-text">
        {name}: {weekday} {day}
      </span>
    </a>
  );
}

const showKeys = () => {
  areKeysShown.value = true;
};

/** No event of the day is as chosen. */
const NothingShown = () => (
  <div class="nothing-live" role="status">
    <p>
      {boardFilter.value.text === ''
        ? 'No event of this day matches.'
        : `No event of this day has “${boardFilter.value.text}” in its names.`}
    </p>
    <p>
      <button type="button" class="action" onClick={() => chooseFilter(NO_FILTER)}>
        Show all events
      </button>
    </p>
  </div>
);

/** Finds events as one types. */
const BoardSearch = () => (
  <label class="board-search">
    <span class="hidden-text">Search the events</span>
    <input
      id={SEARCH_ID}
      type="search"
      placeholder="Filter this day"
      autocomplete="off"
      value={boardFilter.value.text}
      onInput={({ currentTarget }) => chooseFilter({ text: currentTarget.value })}
    />
  </label>
);

/** Chooses the events to show: by state, sport and league. */
function FilterChips() {
  const chips = chipsOf(boardState.value, boardFilter.value);
  const list = useRef<HTMLDivElement>(null);
  const chosen = chips
    .filter(({ isChosen }) => isChosen)
    .map(({ key }) => key)
    .join();
  // Only another choice moves the chips: whoever scrolls them stays where he is.
  useLayoutEffect(() => {
    const { current } = list;
    const chip = [...(current?.querySelectorAll<HTMLElement>('[aria-pressed=true]') ?? [])].at(-1);
    if (current && chip) current.scrollLeft = chip.offsetLeft - (current.clientWidth - chip.offsetWidth) / 2;
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as a form
    <div class="tabs" role="group" aria-label="Filter of events" ref={list}>
      {chips.map((chip) => (
        <FilterChip key={chip.key} chip={chip} />
      ))}
    </div>
  );
}

const FilterChip = ({ chip: { key, name, choice, isChosen, count, live } }: { readonly chip: Chip }) => (
  <button type="button" class="tab" aria-pressed={isChosen} onClick={() => chooseFilter(choice)}>
    {key === 'live' && <span class="live-dot" aria-hidden="true" />}
    {name}
    <span class="tab-count">
      {count}
      <span class="hidden-text"> events{live > 0 && key !== 'live' ? `, ${live} live` : ''}</span>
    </span>
    {live > 0 && key !== 'live' && key !== 'all' && <span class="live-dot" aria-hidden="true" />}
  </button>
);

/** Instructions for a server without events. */
const EmptyBoard = () => (
  <Notice title="No events yet">
    <p>This server knows of no event. Events appear here as soon as something tells it of them:</p>
    <dl class="ways-in">
      <dt>Watch a simulated day of sport</dt>
      <dd>
        <code>FEEDS=demo ledgerline start</code>
      </dd>
      <dt>Bring in real seasons</dt>
      <dd>
        <code>ledgerline import nflverse games.csv</code>
      </dd>
      <dt>Send feed messages of your own</dt>
      <dd>
        <code>ledgerline ingest messages.ndjson</code>
      </dd>
    </dl>
  </Notice>
);
