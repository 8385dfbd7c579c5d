import { ApiError, type FieldError } from '../../../api/calls/api-errors.ts';
import { addBets } from '../../../api/operations/bets/add-bets.ts';
import { deleteBet } from '../../../api/operations/bets/delete-bet.ts';
import { listBets } from '../../../api/operations/bets/list-bets.ts';
import { readBetCsv } from '../../../api/operations/bets/read-bet-csv.ts';
import { GROUPINGS, summarizeBets } from '../../../api/operations/bets/summarize-bets.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import type { SitePages } from '../../layout/navigation.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { createPageCalls, type PageCallsParts } from '../page-calls.ts';
import { notFound, toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { BETS_PATH, type BetsView, betsPage } from './bets-pages.ts';
import { fieldOfColumn, isOneBet, readOneBet } from './one-bet-form.ts';

const PAGE_SIZE = 50;

interface BetsPageParts extends PageCallsParts {
  /** Of a bookmaker. */
  readonly nameOf: (slug: string) => string;
  readonly pages: SitePages;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The page on which owners keep their bets. It asks what programs ask, and refuses what the API refuses. */
export function betsRoutes({ nameOf, now, pages, ...parts }: BetsPageParts): readonly PageRoute[] {
  const call = createPageCalls(parts);

  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const by = GROUPINGS.find((one) => one === fieldText(visit.query, 'by')) ?? 'book';
    const after = parseWholeNumber(fieldText(visit.query, 'after_id'));
    const cursor = after === undefined ? {} : { after_id: after };
    const list = await call<BetsView['list']>(visit, listBets, { limit: PAGE_SIZE, ...cursor }).catch(refuse);
    const summary = await call<BetsView['summary']>(visit, summarizeBets, { by }).catch(refuse);
    return pageResponse('Bets', betsPage(visit, { list, summary, nameOf, hasEvents: pages.hasLivePage }, refusal));
  }

  async function add(visit: SignedInRequest): Promise<PageResponse> {
    const isOne = isOneBet(visit.form);
    const { bets, lines } = isOne
      ? { bets: [readOneBet(visit.form, now())], lines: [] }
      : await readBetCsv(fieldText(visit.form, 'csv')).catch((error) => refuseCsv(error, []));
    const { bets: added } = await call<{ readonly bets: readonly unknown[] }>(visit, addBets, { bets }).catch(
      (error) => (isOne ? refuseOne(error) : refuseCsv(error, lines)),
    );
    return redirect(
      BETS_PATH,
      successFlash(added.length === 1 ? '1 bet is added.' : `${added.length} bets are added.`),
    );
  }

  async function remove(visit: SignedInRequest): Promise<PageResponse> {
    const id = parseWholeNumber(visit.params['bet_id']!);
    if (id === undefined) throw notFound();
    await call(visit, deleteBet, { id }).catch(refuse);
    return redirect(BETS_PATH, successFlash('The bet is deleted.'));
  }

  return [
    { method: 'GET', path: BETS_PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: BETS_PATH, access: 'signed-in', run: add, refused: shown },
    { method: 'POST', path: `${BETS_PATH}/{bet_id}/delete`, access: 'signed-in', run: remove, refused: shown },
  ];
}

function refuse(error: unknown): never {
  throw toRefused(error);
}

/** An error of the API as the form shows it, with the line and the column of the first that is wrong. */
function refuseCsv(error: unknown, lines: readonly number[]): never {
  if (!(error instanceof ApiError)) throw error;
  const { errors = [] } = error.extras as { readonly errors?: readonly FieldError[] };
  const [first] = errors;
  if (!first && error.status !== 400) throw toRefused(error);
  const csv = first ? describe(first, lines) : error.message;
  throw new RefusedError(422, 'No bet was added. See below.', { fields: { csv } });
}

/** An error of the API beside the field of the form that it is about. */
function refuseOne(error: unknown): never {
  const { errors = [] } =
    error instanceof ApiError ? (error.extras as { readonly errors?: readonly FieldError[] }) : {};
  const [first] = errors;
  if (!first) throw toRefused(error);
  const said = first.msg.replace(/\.$/, '');
  const fields = { [fieldOfColumn(first.loc[3])]: `${capitalized(said)}.` };
  throw new RefusedError(422, 'The bet was not added. See below.', { fields });
}

function describe({ loc, msg }: FieldError, lines: readonly number[]): string {
  const [, , bet, column] = loc;
  const line = typeof bet === 'number' ? lines[bet] : undefined;
  if (line === undefined) return `It ${msg}.`;
  const said = msg.replace(/\.$/, '');
  return column === undefined ? `Line ${line}: ${said}.` : `Line ${line}, ${column}: ${said}.`;
}
