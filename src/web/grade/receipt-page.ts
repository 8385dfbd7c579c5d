import type { OperationContext } from '../../api/calls/operation/operation.ts';
import type { Receipt } from '../../api/calls/services/receipt-services.ts';
import { findSupersededLegs, type SupersededLegs } from '../../api/operations/slips/get-receipt.ts';
import { gradeReceiptAgain } from '../../api/operations/slips/grade-receipt-again.ts';
import type { SlipBody } from '../../api/operations/slips/slip-body.ts';
import { summaryOf } from '../../api/operations/slips/slip-grader.ts';
import type { GradedSlip } from '../../api/operations/slips/slip-schemas.ts';
import { type Html, html } from '../layout/html.ts';
import { publicTime } from '../layout/time-tag.ts';
import {
  followedSlip,
  type GradedLegs,
  gradedSection,
  gradingRules,
  shareSection,
  summaryText,
} from './graded-slip.ts';
import { type GradingSite, gradingDocument, type RenderedGradingPage } from './grading-document.ts';

/** A receipt as its page shows it. */
export interface ReceiptView {
  readonly receipt: Receipt;
  readonly graded: GradedLegs;
  /** What corrections have changed. */
  readonly superseded: SupersededLegs | null;
  /** The moment whose facts it was graded by, where one was asked for. */
  readonly asOf: string | undefined;
}

const SHARED = 'Whoever has this link sees the slip as it stands then. Stakes and payouts are not on it.';

export const receiptPath = (id: string): string => `/grade/${id}`;

/** A slip that was graded by the facts of a moment stays as it was; any other one goes on with its games. */
export async function readReceiptView(receipt: Receipt, context: OperationContext): Promise<ReceiptView> {
  const answer = receipt.result as GradedSlip;
  const asOf = (receipt.request as SlipBody).as_of ?? undefined;
  if (asOf !== undefined) return { receipt, graded: answer, superseded: null, asOf };
  const again = await gradeReceiptAgain(receipt, context);
  return {
    receipt,
    graded: { legs: [...again.legs], summary: summaryOf(again.legs) },
    superseded: findSupersededLegs(answer.legs, again),
    asOf,
  };
}

/** The page of a receipt, to share. @param now milliseconds */
export function receiptPage(view: ReceiptView, now: number, site: GradingSite): RenderedGradingPage {
  const { receipt, graded, asOf } = view;
  const path = receiptPath(receipt.id);
  const content = html`<h1>A graded slip</h1>
<p class="facts">Graded first on ${publicTime(receipt.gradedAt)}${asOf !== undefined && html`, by what was known on ${publicTime(asOf)}`}: entry ${receipt.position} of the log.</p>
${correctionNote(view)}
${asOf === undefined ? followedSlip(graded, `${path}/live`, now) : gradedSection(graded, now)}
${shareSection(path, site.baseUrl, SHARED)}
${gradingRules(receipt.result as GradedSlip)}
<p><a href="/grade">Grade a slip of your own</a></p>`;
  return gradingDocument(site, `Graded slip: ${summaryText(graded)}`, content);
}

function correctionNote({ superseded }: ReceiptView): Html | null {
  return (
    superseded &&
    html`<p class="correction">A correction of ${publicTime(superseded.recorded_at)} has changed ${superseded.legs.map(
      ({ leg, from, to }) => html`leg ${leg + 1} from ${wordOf(from)} to ${wordOf(to)} `,
    )}since.</p>`
  );
}

const wordOf = (result: string | null): string => result?.replaceAll('_', ' ') ?? 'not graded';
