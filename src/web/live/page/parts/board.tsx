import { askAgain, asking, boardError, boardState, filter } from '../live/board-store.ts';
import { filterFor, sectionsOf } from '../state/sections.ts';
import { BoardSection } from './board-section.tsx';
import { DayNavigation } from './day-navigation.tsx';
import { EmptyBoard } from './empty-board.tsx';
import { Notice } from './notice.tsx';
import { SportTabs } from './sport-tabs.tsx';

/** The day's events. */
export function Board() {
  const state = boardState.value;
  if (!state.board) return <NoBoard />;
  if (state.events.size === 0) return <EmptyBoard />;
  const { sports } = state.board;
  const sections = sectionsOf(state, filterFor(state, filter.value));
  return (
    <div class="board" aria-busy={asking.value}>
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
        <button type="button" class="action" onClick={askAgain}>
          Try again
        </button>
      </p>
    </Notice>
  );
}
