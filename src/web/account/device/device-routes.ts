import type { TrialApprovals } from '../../../accounts/trial/create-trial-approvals.ts';
import { invalidField, RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText } from '../form-values.ts';
import { readGrant } from '../keys/key-pages.ts';
import { toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { codePage, DECISIONS, DEVICE, type Decision, decisionPage } from './device-pages.ts';

interface DevicePagesParts {
  readonly callerOf: SessionOwner;
  readonly approvals: TrialApprovals;
}

const TITLE = 'A program asks for a key';
/** Stands for the program's own name, which was checked when it asked. */
const ANY_NAME = 'program';

/** The page on which a person lets a program have a key (RFC 8628). */
export function deviceRoutes({ callerOf, approvals }: DevicePagesParts): readonly PageRoute[] {
  const blank = (visit: SignedInRequest, typed: string, refusal?: Refusal): PageResponse =>
    pageResponse(TITLE, codePage(visit, typed, refusal));

  async function shown(visit: SignedInRequest, code: string, refusal?: Refusal): Promise<PageResponse> {
    const trial = await approvals.find(await callerOf(visit), code);
    return pageResponse(TITLE, decisionPage(visit, trial, refusal));
  }

  /** A link of another site fills the form in, and no more: it must not count as a try of this person. */
  async function open(visit: SignedInRequest): Promise<PageResponse> {
    const code = fieldText(visit.query, 'user_code');
    if (code === '' || visit.isHead || visit.fetchSite === 'cross-site') return blank(visit, code);
    try {
      return await shown(visit, code);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const { status, message, fields, retryAfter } = error;
      const page = codePage(visit, code, { status, message, fields });
      const headers = retryAfter === undefined ? [] : ([['Retry-After', String(retryAfter)]] as const);
      return pageResponse(TITLE, page, { status, headers });
    }
  }

  async function act(visit: SignedInRequest): Promise<PageResponse> {
    const code = fieldText(visit.form, 'user_code');
    if (code === '') throw invalidField('user_code', 'Type the code that the program shows.');
    switch (readDecision(visit.form)) {
      case 'look':
        return shown(visit, code);
      case 'refuse': {
        const { clientName } = await approvals.refuse(await callerOf(visit), code);
        return redirect(DEVICE, successFlash(`${clientName} gets no key.`));
      }
      case 'approve': {
        const { scopes, maxCreditsADay } = readGrant(visit.form, ANY_NAME, 'No key was made. See below.');
        const approving = approvals.approve(await callerOf(visit), code, { scopes, maxCreditsADay });
        const { clientName } = await approving.catch((error: unknown) => {
          throw toRefused(error);
        });
        return redirect(DEVICE, successFlash(`${clientName} gets a key. It fetches it within seconds.`));
      }
    }
  }

  /** With a right code the page of the decision, else that of the code. */
  async function refused(visit: SignedInRequest, refusal: Refusal): Promise<PageResponse> {
    const code = fieldText(visit.form, 'user_code');
    const isAboutCode = code === '' || refusal.fields['user_code'] !== undefined || refusal.status === 429;
    return isAboutCode ? blank(visit, code, refusal) : shown(visit, code, refusal);
  }

  return [
    { method: 'GET', path: DEVICE, access: 'signed-in', run: open },
    { method: 'POST', path: DEVICE, access: 'signed-in', lists: ['scopes'], run: act, refused },
  ];
}

/** @throws RefusedError 422 */
function readDecision(form: URLSearchParams): Decision {
  const given = fieldText(form, 'decision');
  const decision = DECISIONS.find((known) => known === given);
  if (decision === undefined) throw new RefusedError(422, 'Approve it, or refuse it.');
  return decision;
}
