import { boardError, boardFilter, boardState, isLoadingBoard, reloadBoard } from '../../stores/board-store.ts';
import { boardHash } from '../../view-model/route.ts';
import { filterFor, sectionsOf, type Tab, tabsOf } from '../../view-model/sections.ts';
import { dayInWords } from '../../view-model/times.ts';
import { Notice } from '../shared/notice.tsx';
import { BoardSection } from './board-section.tsx';

/** The day's events. */
export function Board() {
  const state = boardState.value;
  if (!state.board) return <NoBoard />;
  if (state.events.size === 0) return <EmptyBoard />;
  const { sports } = state.board;
  const sections = sectionsOf(state, filterFor(state, boardFilter.value));
  return (
    <div class="board" aria-busy={isLoadingBoard.value}>
      <DayNavigation />
      <SportTabs />
      {sections.map((section) => (
        <BoardSection key={section.key} section={section} sports={sports} />
      ))}
      {sections.length === 0 && <p class="nothing-live">Nothing is live at this moment.</p>}
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
      <nav class="day-ways" aria-label="Days">
        <DayLink date={board.previous_date} name="Previous day with events" arrow="M10 3 5 8l5 5" />
        <DayLink date={board.next_date} name="Next day with events" arrow="M6 3l5 5-5 5" />
      </nav>
    </div>
  );
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

/** Chooses the events to show: all, the live ones, or those of one sport. */
function SportTabs() {
  const tabs = tabsOf(boardState.value);
  const shown = filterFor(boardState.value, boardFilter.value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as a form
    <div class="tabs" role="group" aria-label="Filter by sport">
      {tabs.map((tab) => (
        <SportTab key={tab.filter} tab={tab} pressed={tab.filter === shown} />
      ))}
    </div>
  );
}

const SportTab = ({ tab, pressed }: { readonly tab: Tab; readonly pressed: boolean }) => (
  <button
    type="button"
    class="tab"
    aria-pressed={pressed}
    onClick={() => {
      boardFilter.value = tab.filter;
    }}
  >
    {tab.filter === 'live' && <span class="live-dot" aria-hidden="true" />}
    {tab.name}
    <span class="tab-count">
      {tab.count}
      <span class="hidden-text"> events{tab.live > 0 && tab.filter !== 'live' ? `, ${tab.live} live` : ''}</span>
    </span>
    {tab.live > 0 && tab.filter !== 'live' && tab.filter !== 'all' && <span class="live-dot" aria-hidden="true" />}
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
