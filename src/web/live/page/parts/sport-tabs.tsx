import { boardState, filter } from '../live/board-store.ts';
import { filterFor, type Tab, tabsOf } from '../state/sections.ts';

/** Which events are shown: all, the live ones, or those of one sport. */
export function SportTabs() {
  const tabs = tabsOf(boardState.value);
  const shown = filterFor(boardState.value, filter.value);
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
      filter.value = tab.filter;
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
