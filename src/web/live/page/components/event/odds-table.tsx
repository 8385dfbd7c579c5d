import type { EventSnapshot } from '../../../answers/live-page-answers.ts';
import { oddsFormat } from '../../stores/preferences.ts';
import { bestPrices, cellKey } from '../../view-model/best-prices.ts';
import { shortName, sortOutcomes } from '../../view-model/event-sides.ts';
import { MARKET_NAMES, MARKETS, type Market } from '../../view-model/story-model.ts';
import { clockTimeWithSeconds } from '../../view-model/times.ts';
import { LineText } from '../shared/line-text.tsx';
import { Panel } from '../shared/panel.tsx';
import { Time } from '../shared/time.tsx';

interface Column {
  readonly market: Market;
  readonly outcome: string;
  readonly name: string;
}

/** The main lines of every bookmaker, with the best prices marked. */
export function OddsTable({ moment }: { readonly moment: EventSnapshot | null }) {
  if (!moment) return null;
  if (moment.odds.length === 0) {
    return (
      <Panel name="Bookmakers">
        <p class="none">No bookmaker had prices at this moment.</p>
      </Panel>
    );
  }
  const columns = columnsOf(moment);
  const best = bestPrices(moment.odds);
  const note = best.size > 0 && (
    <>
      <BestMark />: the best price at the line most of them offer
    </>
  );
  return (
    <Panel name="Bookmakers" note={note}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scrolls" aria-label="Prices of all bookmakers, table" tabIndex={0}>
        <table class="odds">
          <OddsHead columns={columns} />
          <tbody>
            {moment.odds.map((book) => (
              <tr key={book.bookmaker.slug}>
                <th scope="row">{book.bookmaker.name}</th>
                {columns.map((column) => (
                  <OddsCell key={`${column.market}/${column.outcome}`} column={column} book={book} best={best} />
                ))}
                <td class="captured">
                  <Time at={book.captured_at} write={clockTimeWithSeconds} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function OddsHead({ columns }: { readonly columns: readonly Column[] }) {
  const groups = MARKETS.map(
    (market) => [market, columns.filter((column) => column.market === market).length] as const,
  );
  return (
    <thead>
      <tr>
        <th scope="col" rowSpan={2}>
          Book
        </th>
        {groups
          .filter(([, width]) => width > 0)
          .map(([market, width]) => (
            <th key={market} scope="colgroup" colSpan={width} class="group-head">
              {MARKET_NAMES[market]}
            </th>
          ))}
        <th scope="col" rowSpan={2} class="captured">
          As of
        </th>
      </tr>
      <tr>
        {columns.map(({ market, outcome, name }) => (
          <th key={`${market}/${outcome}`} scope="col" class="outcome-head">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CellProps {
  readonly column: Column;
  readonly book: EventSnapshot['odds'][number];
  readonly best: ReadonlySet<string>;
}

function OddsCell({ column: { market, outcome }, book, best }: CellProps) {
  const found = book.markets
    .find((other) => other.market === market)
    ?.outcomes.find((other) => other.outcome === outcome);
  if (!found) return <td class="odds-cell">–</td>;
  const isBest = best.has(cellKey(book.bookmaker.slug, market, outcome));
  return (
    <td class={isBest ? 'odds-cell odds-best' : 'odds-cell'}>
      <span class="line">
        <LineText market={market} outcome={found} format={oddsFormat.value} />
      </span>
      {isBest && (
        <>
          {' '}
          <BestMark />
        </>
      )}
    </td>
  );
}

/** A word, since not everybody sees a colour or a weight. */
const BestMark = () => <span class="best-mark">best</span>;

/** One column for each outcome that any bookmaker prices. */
function columnsOf({ odds, event }: EventSnapshot): Column[] {
  return MARKETS.flatMap((market) => {
    const outcomes = new Map<string, Column>();
    for (const { markets } of odds) {
      for (const own of markets.filter((other) => other.market === market)) {
        for (const { outcome, name } of own.outcomes) {
          const side = event.sides.find(({ role }) => role === outcome);
          outcomes.set(outcome, { market, outcome, name: side ? shortName(side) : name });
        }
      }
    }
    return sortOutcomes([...outcomes.values()], event.sides);
  });
}
