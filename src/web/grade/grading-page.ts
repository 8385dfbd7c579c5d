import { ApiError } from '../../api/calls/api-errors.ts';
import type { GradedSlip } from '../../api/operations/slips/slip-schemas.ts';
import { textAreaField } from '../layout/fields.ts';
import { type Html, html } from '../layout/html.ts';
import { followedSlip, gradingRules, shareSection, summaryText } from './graded-slip.ts';
import { type GradingSite, gradingDocument, type RenderedGradingPage } from './grading-document.ts';
import { parlayText } from './parlay-text.ts';

/** The data of the page. */
export interface GradingPageView extends GradingSite {
  /** As the user typed it. */
  readonly text: string;
  readonly graded?: GradedSlip;
  /** Lets the page follow the slip. */
  readonly ticket?: string;
  /** What is wrong with the text. */
  readonly fieldError?: string;
  /** Why there is no grade, if the text is not the reason. */
  readonly refusal?: { readonly message: string; readonly requestId: string };
  /** Milliseconds. */
  readonly now: number;
}

const MAX_TEXT_LENGTH = 2000;
const EXAMPLE = ['Chiefs -3.5 -110', 'Celtics ML', 'Lakers vs Celtics over 224.5'];
const PAST_EXAMPLE = 'Chiefs ML 2023-02-12';
const SHARED = 'This link holds the slip’s text. Whoever opens it sees it graded as it stands then.';

/** The grading page. Everything works without scripts. */
export function gradingPage(shown: GradingPageView): RenderedGradingPage {
  const { text, graded, ticket = '', fieldError, refusal, now } = shown;
  const title = graded
    ? `Graded slip: ${summaryText(graded)}`
    : fieldError || refusal
      ? 'Slip not graded'
      : 'Grade a slip';
  const content = html`<h1>Grade a slip</h1>
${refusal && html`<p class="refusal" role="alert">${refusal.message} <span class="facts">Request ${refusal.requestId}</span></p>`}
${slipForm(shown)}
${
  graded &&
  html`${followedSlip(graded, `/grade/live?${new URLSearchParams({ text, ticket })}`, now)}
${parlayText(text, graded)}
${shareSection(`/grade?${new URLSearchParams({ text })}`, shown.baseUrl, SHARED)}
${gradingRules(graded)}`
}`;
  return gradingDocument(shown, title, content);
}

/** What is wrong with the text, as a sentence; undefined for other errors. */
export function slipErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'validation_error') return undefined;
  const { errors } = error.extras as { readonly errors: readonly { readonly msg: string }[] };
  return `The slip ${errors[0]!.msg.replace(', those of `legs` counted too', '')}.`;
}

function slipForm({ text, fieldError }: GradingPageView): Html {
  return html`<form action="/grade" method="get">
${textAreaField({
  ...{ id: 'text', name: 'text', label: 'Your slip, a leg on each line', value: text, error: fieldError },
  ...{ rows: 6, maxlength: MAX_TEXT_LENGTH, required: true },
  hint: html`Such as <span class="example">${EXAMPLE.join('; ')}</span>; of a past game with its date, as in <span class="example">${PAST_EXAMPLE}</span>. Up to 8 legs. 20 slips in 24 hours, free and without a key.`,
})}
<button type="submit">Grade it</button>
</form>`;
}
