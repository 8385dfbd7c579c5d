import { ApiError, type FieldError } from '../../../api/calls/api-errors.ts';
import { addBets } from '../../../api/operations/bets/add-bets.ts';
import { deleteBet } from '../../../api/operations/bets/delete-bet.ts';
import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import { listBets } from '../../../api/operations/bets/list-bets.ts';
import { readBetCsv } from '../../../api/operations/bets/read-bet-csv.ts';
import { GROUPINGS, summarizeBets } from '../../../api/operations/bets/summarize-bets.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import type { SitePages } from '../../layout/navigation.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { type FindNamedEvent, readNamedEvent } from '../find-named-event.ts';
import { fieldText, parseWholeNumber } from '../form-values.ts';
import { createPageCalls, type PageCallsParts } from '../page-calls.ts';
import { notFound, toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { BETS_PATH, type BetsView, betPath, betsPage } from './bets-pages.ts';
import { changeBetPage } from './change-bet-page.ts';
import { fieldOfColumn, isOneBet, readChangedBet, readOneBet } from './one-bet-form.ts';

const PAGE_SIZE = 50;
const ONE_PATH = `${BETS_PATH}/{bet_id}`;

interface Added {
  readonly bets: readonly { readonly id: number }[];
}

interface BetsPageParts extends PageCallsParts {
  /** Of a bookmaker. */
  readonly nameOf: (slug: string) => string;
  readonly pages: SitePages;
  readonly findEvent: FindNamedEvent;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The page on which owners keep their bets. It asks what programs ask, and refuses what the API refuses. */
export function betsRoutes({ nameOf, now, pages, findEvent, ...parts }: BetsPageParts): readonly PageRoute[] {
  const call = createPageCalls(parts);

  const eventOf = ({ method, form, query }: SignedInRequest) =>
    readNamedEvent(method === 'POST' ? form : query, findEvent);
  const common = () => ({ nameOf, hasEvents: pages.hasLivePage, now: now() });

  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const by = GROUPINGS.find((one) => one === fieldText(visit.query, 'by')) ?? 'book';
    const after = parseWholeNumber(fieldText(visit.query, 'after_id'));
    const cursor = after === undefined ? {} : { after_id: after };
    const event = await eventOf(visit);
    const list = await call<BetsView['list']>(visit, listBets, { limit: PAGE_SIZE, ...cursor }).catch(refuse);
    const summary = await call<BetsView['summary']>(visit, summarizeBets, { by }).catch(refuse);
    return pageResponse('Bets', betsPage(visit, { list, summary, event, ...common() }, refusal));
  }

  async function add(visit: SignedInRequest): Promise<PageResponse> {
    const isOne = isOneBet(visit.form);
    const { bets, lines } = isOne
      ? { bets: [readOneBet(visit.form, await eventOf(visit), now())], lines: [] }
      : await readBetCsv(fieldText(visit.form, 'csv')).catch((error) => refuseCsv(error, []));
    const { bets: added } = await call<Added>(visit, addBets, { bets }).catch((error) =>
      isOne ? refuseOne(error) : refuseCsv(error, lines),
    );
    if (added.length > 1) return redirect(BETS_PATH, successFlash(`${added.length} bets are added.`));
    const link = { to: betPath(added[0]!.id), text: 'Something wrong? Change it.' };
    return redirect(BETS_PATH, { ...successFlash('1 bet is added.'), link });
  }

  /** The bet that the path names. @throws ApiError not_found */
  async function named(visit: SignedInRequest): Promise<EvaluatedBet> {
    const id = idOf(visit);
    const newest = async (before?: number) => {
      const cursor = before === undefined ? {} : { after_id: before };
      const { bets } = await call<BetsView['list']>(visit, listBets, { limit: 1, ...cursor }).catch(refuse);
      return bets[0];
    };
    const last = await newest();
    // Only an id that was given is a cursor.
    const bet = last && last.id > id ? await newest(id + 1) : last;
    if (bet?.id !== id) throw notFound();
    return bet;
  }

  const changeShown = async (visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> =>
    pageResponse('Change a bet', changeBetPage(visit, await named(visit), common(), refusal));

  /** The changed bet is added before the old one goes: a crash between them loses nothing. */
  async function change(visit: SignedInRequest): Promise<PageResponse> {
    const bet = await named(visit);
    const { bets } = await call<Added>(visit, addBets, { bets: [readChangedBet(visit.form, bet)] }).catch(refuseOne);
    try {
      await call(visit, deleteBet, { id: bet.id });
    } catch (error) {
      // Somebody else has changed or deleted it: once more than that it must not be there.
      await call(visit, deleteBet, { id: bets[0]!.id }).catch(() => {});
      refuse(error);
    }
    return redirect(BETS_PATH, successFlash('The bet is changed.'));
  }

  async function remove(visit: SignedInRequest): Promise<PageResponse> {
    await call(visit, deleteBet, { id: idOf(visit) }).catch(refuse);
    return redirect(BETS_PATH, successFlash('The bet is deleted.'));
  }

  return [
    { method: 'GET', path: BETS_PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: BETS_PATH, access: 'signed-in', run: add, refused: shown },
    { method: 'GET', path: ONE_PATH, access: 'signed-in', run: (visit) => changeShown(visit) },
    { method: 'POST', path: `${ONE_PATH}/change`, access: 'signed-in', run: change, refused: changeShown },
    { method: 'POST', path: `${ONE_PATH}/delete`, access: 'signed-in', run: remove, refused: shown },
  ];
}

/** @throws ApiError not_found if the text is no id */
function idOf({ params }: SignedInRequest): number {
  const id = parseWholeNumber(params['bet_id']!);
  if (id === undefined || id < 1 || id >= Number.MAX_SAFE_INTEGER) throw notFound();
  return id;
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
  throw new RefusedError(422, 'The bet was not saved. See below.', { fields });
}

function describe({ loc, msg }: FieldError, lines: readonly number[]): string {
  const [, , bet, ...members] = loc;
  // A column of the sheet: that of a clue is called as the clue is.
  const column = members.at(-1);
  const line = typeof bet === 'number' ? lines[bet] : undefined;
  if (line === undefined) return `It ${msg}.`;
  const said = msg.replace(/\.$/, '');
  return column === undefined ? `Line ${line}: ${said}.` : `Line ${line}, ${column}: ${said}.`;
}
