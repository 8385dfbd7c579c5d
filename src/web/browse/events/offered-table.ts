import { dataTable, type Html, html } from '../../layout/html.ts';
import type { PeriodLine } from '../../live/answers/live-page-answers.ts';
import { bestOffer, resultWords } from '../../live/page/view-model/offered-lines.ts';
import { numberCell, numberHeading, priceText, UNKNOWN } from '../panels.ts';

export interface OfferedRow {
  readonly name: string | Html;
  /** Formatted for people. */
  readonly line: string;
  readonly current: number | string | null;
  readonly result: string | null;
  readonly books: PeriodLine['books'];
}

/**
 * Lines with their current values, their results, and the best price of both outcomes.
 * @param outcomes names by outcome
 */
export function offeredTable(
  name: string,
  rows: readonly OfferedRow[],
  outcomes: Readonly<Record<string, string>>,
  bookmakers: Readonly<Record<string, string>>,
): Html {
  // Before a game there is nothing to say yet.
  const hasActual = rows.some(({ current, result }) => current !== null || resultWords(result) !== null);
  return html`<div class="offered">${dataTable(
    name,
    ['Bet', ...['Line', ...(hasActual ? ['Actual'] : []), ...Object.values(outcomes)].map(numberHeading)],
    rows.map(
      ({ name: of, line, current, result, books }) =>
        html`<tr><th scope="row">${of}</th>${numberCell(line)}${
          hasActual &&
          numberCell(html`${current ?? UNKNOWN}${resultWords(result) !== null && html` <b>${resultWords(result)}</b>`}`)
        }${Object.keys(outcomes).map((outcome) => numberCell(offer(books, outcome, bookmakers)))}</tr>
`,
    ),
  )}</div>`;
}

/** The best price, and who offers it. */
function offer(books: OfferedRow['books'], outcome: string, bookmakers: Readonly<Record<string, string>>): Html | null {
  const best = bestOffer(books, outcome);
  if (!best) return null;
  const [first, ...others] = best.slugs.map((slug) => bookmakers[slug] ?? slug);
  return html`${priceText(best.price)} <span class="about">${first}${others.length > 0 && ` +${others.length}`}</span>`;
}
