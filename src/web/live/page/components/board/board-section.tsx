import type { BoardSport } from '../../../answers/live-page-answers.ts';
import { chooseFilter } from '../../stores/shown-sections.ts';
import { competitionLabel, leagueName, type Section } from '../../view-model/sections.ts';
import { MARKET_NAMES, MARKETS } from '../../view-model/story-model.ts';
import { EventRow } from './event-row.tsx';

interface Props {
  readonly section: Section;
  readonly sports: readonly BoardSport[];
}

/** The events of one sport, or the live events of all sports. */
export function BoardSection({ section, sports }: Props) {
  const { key, name, league, events, more } = section;
  const heading = `section-${key}`;
  return (
    <section class="section" aria-labelledby={heading}>
      <header class="section-head">
        <div class="section-name">
          <h2 id={heading}>{name}</h2>
          {league !== null && (
            <a class="section-league" href={`/leagues/${league.slug}`}>
              {league.name === name ? 'Table and all days' : league.name}
            </a>
          )}
        </div>
        {MARKETS.map((market) => (
          <span key={market} class="market-head" aria-hidden="true">
            {MARKET_NAMES[market]}
          </span>
        ))}
      </header>
      <ol class="events">
        {events.map(({ event, highlights }) => (
          <EventRow
            key={event.id}
            event={event}
            highlights={highlights}
            kind={competitionLabel(section, event, sports)}
            league={leagueName(event, sports) ?? event.league}
          />
        ))}
      </ol>
      {more > 0 && (
        <button type="button" class="more" onClick={() => showSport(key)}>
          {more} more
          <span class="hidden-text"> of {name}</span>
        </button>
      )}
    </section>
  );
}

/** The button disappears once its sport is shown alone, so the focus moves to the main part. */
function showSport(sport: string): void {
  chooseFilter({ sport });
  scrollTo(0, 0);
  document.getElementById('content')?.focus();
}
