import { signal } from '@preact/signals';
import type { OddsRow } from '../../answers/odds-screen-answers.ts';
import { LiveStream } from '../net/live-stream.ts';
import { fetchOddsScreen } from '../net/server-api.ts';
import { ThrottledTask } from '../net/throttled-task.ts';
import { oddsFormat } from '../stores/preferences.ts';
import { CONNECTING, type ConnectionState } from '../view-model/connection.ts';
import { leaveOneStop } from './cell-keys.ts';
import { drawRow, endFlashes, readColumns, readShownScreen, replaceTable, writeAges } from './screen-rows.ts';

export const connection = signal<ConnectionState>(CONNECTING);

const AGES_MS = 5000;
const FLASHES_MS = 500;
/** Between two loads of the whole page's rows. */
const PAUSE_MS = 2000;

/** Keeps the rows of the page up to date: the stream sends each row that changes. */
export function startLiveScreen(screen: HTMLElement): void {
  const shown = readShownScreen(screen);
  const rows = new Map<number, OddsRow>();
  let columns = readColumns(screen);

  /** The stream sends all changes from its `hello` on, so what is loaded after it misses none. */
  const load = new ThrottledTask(PAUSE_MS, async () => {
    const { date, market, league } = shown;
    const query = new URLSearchParams({ date, market, ...(league === null ? {} : { league }) });
    const answer = await fetchOddsScreen(query.toString(), AbortSignal.timeout(20_000)).catch(() => null);
    for (const row of answer?.events ?? []) take(row, false);
    leaveOneStop(screen);
  });

  /** For a row or a bookmaker that the page lacks: the server draws the table again. */
  const redraw = new ThrottledTask(PAUSE_MS, async () => {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('screen');
    const table = screen.querySelector('.screen-table');
    const freshTable = fresh?.querySelector('.screen-table');
    if (table && freshTable) replaceTable(table, freshTable);
    else if (fresh) screen.replaceChildren(...fresh.childNodes);
    columns = readColumns(screen);
    drawAll();
  });

  function take(row: OddsRow, isChange: boolean): void {
    const known = rows.get(row.id);
    if (known && BigInt(known.position) > BigInt(row.position)) return;
    if (row.starts_at.slice(0, 10) !== shown.date) {
      rows.delete(row.id);
      document.getElementById(`event-${row.id}`)?.remove();
      return;
    }
    if (shown.league !== null && row.league !== shown.league) return;
    rows.set(row.id, row);
    const isDrawn = drawRow(row, shown, columns, isChange);
    const lacksColumn =
      shown.chosen === null && row.books.some(({ slug }) => !columns.some((one) => one.slug === slug));
    if (isChange && (lacksColumn || (!isDrawn && row.books.length > 0))) redraw.schedule();
  }

  function drawAll(): void {
    for (const row of rows.values()) drawRow(row, shown, columns, false);
    leaveOneStop(screen);
  }

  const stream = new LiveStream<OddsRow>(
    {
      opened: () => load.schedule(),
      event: (row) => take(row, true),
      connection: (state) => {
        connection.value = state;
      },
    },
    { message: 'odds', query: { odds: shown.market } },
  );
  stream.follow(shown.date);
  oddsFormat.subscribe(drawAll);
  setInterval(() => endFlashes(performance.now()), FLASHES_MS);
  setInterval(() => {
    if (document.hidden) return;
    const now = Date.now();
    writeAges(screen, now);
    // A price that has become too old no longer counts: the server says which are the best then.
    const isOutdated = ({ until }: OddsRow) => until !== null && Date.parse(until) < now;
    if ([...rows.values()].some(isOutdated)) load.schedule();
  }, AGES_MS);
}
