import type { ComponentChildren } from 'preact';
import { type BestOffer, resultWords } from '../../view-model/offered-lines.ts';
import { Offer } from './offer.tsx';

export interface LineRow {
  readonly key: string;
  readonly name: ComponentChildren;
  /** Formatted for people. */
  readonly line: string;
  readonly current: string | null;
  /** Progress to the line, if it applies: see `progressToLine`. */
  readonly progress: number | null;
  /** First of over or the side shown first, then of the other. */
  readonly offers: readonly [BestOffer | null, BestOffer | null];
  readonly result: string | null;
}

interface Props {
  readonly label: string;
  /** Names of the two outcomes. */
  readonly outcomes: readonly [string, string];
  /** Rows, grouped under a heading if the group has a name. */
  readonly groups: readonly {
    readonly key: string;
    readonly name: ComponentChildren | null;
    readonly rows: readonly LineRow[];
  }[];
  readonly bookmakers: Readonly<Record<string, string>>;
  /** Long tables scroll in a frame of their own. */
  readonly isLong?: boolean;
}

/** Lines with their current values, the best prices, and the results. */
export function LinesTable({ label, outcomes, groups, bookmakers, isLong = false }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class={isLong ? 'scrolls scrolls-down' : 'scrolls'} aria-label={`${label}, table`} tabIndex={0}>
      <table class="lines">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col" class="stands">
              Actual
            </th>
            {outcomes.map((outcome) => (
              <th key={outcome} scope="col">
                {outcome}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ key, name, rows }) => (
          <tbody key={key}>
            {name !== null && (
              <tr>
                <th scope="rowgroup" colSpan={4} class="lines-group">
                  {name}
                </th>
              </tr>
            )}
            {rows.map((row) => (
              <Row key={row.key} row={row} bookmakers={bookmakers} />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Row({ row, bookmakers }: { readonly row: LineRow; readonly bookmakers: Props['bookmakers'] }) {
  const result = resultWords(row.result);
  return (
    <tr>
      <th scope="row">
        {row.name} <b class="line-point">{row.line}</b>
      </th>
      <td class="stands">
        <span class="stands-text">
          {row.current ?? '–'}
          {result !== null && <b class={`line-result line-${row.result}`}> {result}</b>}
        </span>
        {row.progress !== null && <ProgressBar way={row.progress} isOver={row.result === 'over'} />}
      </td>
      {row.offers.map((offer, index) => (
        <td key={index === 0 ? 'first' : 'second'} class="offer">
          {offer === null ? '–' : <Offer offer={offer} bookmakers={bookmakers} />}
        </td>
      ))}
    </tr>
  );
}

const ProgressBar = ({ way, isOver }: { readonly way: number; readonly isOver: boolean }) => (
  <svg class="way" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true">
    <rect class="way-ground" width="100" height="5" />
    <rect class={isOver || way === 1 ? 'way-done' : 'way-part'} width={100 * way} height="5" />
  </svg>
);
