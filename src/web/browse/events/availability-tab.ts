import type { Statistics } from '../../../read-models/rendering/statistics/statistics-schema.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { injuryWords } from '../../live/page/view-model/status-words.ts';
import { panel, textCell } from '../panels.ts';
import { playerLink } from './statistics-tab.ts';

/** As `get_injuries` answers. */
export interface InjuryList {
  readonly available: boolean;
  readonly last_checked_at: string | null;
  readonly injuries: readonly InjuryRow[];
}

export interface InjuryRow {
  readonly player: string;
  readonly player_id: number | null;
  readonly team: string;
  readonly team_id: number | null;
  readonly status: string;
  readonly body_part: string | null;
  readonly note: string;
  readonly last_changed_at: string;
}

/** Who plays, and who does not. */
export const availabilityTab = (statistics: Statistics, list: InjuryList): Html =>
  html`${lineups(statistics)}
${panel('Injuries', injuries(list), list.last_checked_at === null ? undefined : html`Last checked ${publicTime(list.last_checked_at)}.`)}`;

function lineups({ teams }: Statistics): Html {
  const sides = [teams?.home, teams?.away].filter((side) => side?.lineup?.available);
  if (sides.length === 0) return panel('Lineups', emptyState('No lineup is known.'));
  return html`${sides.map((side) => {
    const { starters, bench, formation } = side!.lineup!;
    const rows = [
      ...starters.map((player) => ({ ...player, from: 'Starts' })),
      ...bench.map((player) => ({ ...player, from: 'Bench' })),
    ];
    const table = dataTable(
      `Lineup of ${side!.name}`,
      ['Player', 'Position', 'Number', 'Plays'],
      rows.map(
        ({ name, position, jersey, from }) =>
          html`<tr><th scope="row">${name}</th>${textCell(position)}${textCell(jersey)}${textCell(from)}</tr>
`,
      ),
    );
    return panel(`${side!.name}, lineup`, table, formation === null ? undefined : `Formation ${formation}.`);
  })}`;
}

function injuries({ available, injuries: rows }: InjuryList): Html {
  if (!available) return emptyState('No source has looked yet.');
  if (rows.length === 0) return emptyState('A source has looked, and nobody is out.');
  return injuryTable('Injuries', rows);
}

/** @param hasTeams whether the rows are of several teams */
export const injuryTable = (name: string, rows: readonly InjuryRow[], hasTeams = true): Html =>
  dataTable(
    name,
    ['Player', ...(hasTeams ? ['Team'] : []), 'Status', 'What', 'Since'],
    rows.map(
      ({ player, player_id, team, status, body_part, note, last_changed_at }) =>
        html`<tr><th scope="row">${playerLink(player, player_id)}</th>${hasTeams && textCell(team)}${textCell(capitalized(injuryWords(status)))}<td class="wide">${[body_part, note].filter(Boolean).join(': ')}</td>${textCell(publicTime(last_changed_at))}</tr>
`,
    ),
  );
