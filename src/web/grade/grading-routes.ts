import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from 'express';
import { ApiError, notFound } from '../../api/calls/api-errors.ts';
import type { OperationContext } from '../../api/calls/operation/operation.ts';
import { createInputReader } from '../../api/calls/operation/operation-input.ts';
import { resolveThingIds } from '../../api/calls/operation/thing-ids.ts';
import type { RequestWindow } from '../../api/calls/pipeline/admission.ts';
import { ANONYMOUS_PRINCIPAL } from '../../api/calls/principal.ts';
import { methodNotAllowed } from '../../api/http/endpoints/operation-route.ts';
import { createPublicPageRoute, type PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { createClientAddressReader } from '../../api/http/requests/client-address.ts';
import { readJsonBody, refuseLargeBody, SMALL_BODY_BYTES } from '../../api/http/requests/json-body.ts';
import type { Responder, ResponseFacts } from '../../api/http/responder.ts';
import { addRoute, queryStringOf, type RoutedRequest } from '../../api/http/routed-request.ts';
import { AddressWindows } from '../../api/limits/address-windows.ts';
import { type SlipBody, slipBody } from '../../api/operations/slips/slip-body.ts';
import { gradeSlipBody } from '../../api/operations/slips/slip-grader.ts';
import type { GradedSlip } from '../../api/operations/slips/slip-schemas.ts';
import { withoutCaching } from '../layout/cache-headers.ts';
import type { SitePages } from '../layout/navigation.ts';
import type { GradeCounter } from './grade-counter.ts';
import { type GradedLegs, gradedSection } from './graded-slip.ts';
import { GRADING_ASSETS, type GradingSite } from './grading-document.ts';
import { createGradingLimits } from './grading-limits.ts';
import { type GradingPageView, gradingPage, slipErrorMessage } from './grading-page.ts';
import { createGradingSecrets } from './grading-secrets.ts';
import { type ReceiptView, readReceiptView, receiptPage } from './receipt-page.ts';

export interface GradingPageParts {
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages;
  /** GRADE_SHEET: if off, the paths do not exist. */
  readonly isOn: boolean;
  readonly grades: GradeCounter;
  readonly pepper: string;
  readonly trustProxy: readonly string[];
  /** The data that slips are graded from. */
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  readonly responder: Responder;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly simulated: () => boolean;
  /** Grades a slip; replaced in tests. */
  readonly grade?: (slip: SlipBody, context: OperationContext) => Promise<GradedSlip>;
}

const GRADING_PATH = '/grade';
const LIVE_GRADING_PATH = '/grade/live';
const RECEIPT_PATH = '/grade/:id';
const LIVE_RECEIPT_PATH = '/grade/:id/live';
const ALLOWED = 'GET, HEAD, POST';
/** How often an address may ask for updates in 60 seconds. */
const MAX_LIVE_REQUESTS = 60;
const LIVE_REQUEST_BYTES = 4 * 1024 * 1024;

const slipInput = { body: slipBody };
const slipReader = createInputReader({ input: slipInput });
const gradeAnswer = async (body: SlipBody, context: OperationContext): Promise<GradedSlip> =>
  (await gradeSlipBody(body, context)).answer;

/** The page at `/grade`, its JSON for programs, and the updates that the page polls while games run. */
export function gradingRoutes(parts: GradingPageParts): (router: Router) => void {
  const { isOn, responder, grades, simulated, steadyNow, grade = gradeAnswer } = parts;
  if (!isOn) return () => {};
  const { now, baseUrl } = parts.context;
  const secrets = createGradingSecrets(parts.pepper);
  const limits = createGradingLimits({ grades, now, hashAddress: secrets.hashAddress });
  const clientOf = createClientAddressReader(parts.trustProxy);
  const followed = new AddressWindows({ max: MAX_LIVE_REQUESTS, maxBytes: LIVE_REQUEST_BYTES });

  const site = (): GradingSite => ({ baseUrl: baseUrl(), isSimulated: simulated(), pages: parts.pages });

  const contextOf = (requestId: string): OperationContext => ({
    ...parts.context,
    principal: ANONYMOUS_PRINCIPAL,
    call: { requestId },
  });

  /**
   * Counts towards the grades of the address.
   * @param read reads the slip once a slot is free
   */
  async function counted(
    request: IncomingMessage,
    requestId: string,
    facts: GradingFacts,
    read: () => Promise<SlipBody>,
  ) {
    const address = clientOf(request);
    facts.window = await limits.requestWindow(address);
    return limits.withSlot(address, facts.window, async () => {
      const body = await read();
      const slip = resolveThingIds(slipInput, body, parts.context.replacements).input as SlipBody;
      const graded = await limits.countGrade(address, () => grade(slip, contextOf(requestId)));
      facts.window = await limits.requestWindow(address);
      return graded;
    });
  }

  async function json(request: RoutedRequest, response: ServerResponse, facts: GradingFacts): Promise<void> {
    try {
      const graded = await counted(request, facts.requestId, facts, async () => {
        refuseLargeBody(request, SMALL_BODY_BYTES);
        return slipReader.fromHttp({}, '', slipOf(await readJsonBody(request, response, 'small')));
      });
      responder.sendJson(response, 200, graded, { ...facts, headers: ['Cache-Control', 'no-store'] });
    } catch (error) {
      responder.sendError(response, error, facts);
    }
  }

  async function page(request: RoutedRequest, response: ServerResponse, facts: GradingFacts): Promise<void> {
    const texts = new URLSearchParams(queryStringOf(request)).getAll('text');
    const show = (status: number, shown: Partial<GradingPageView>, headers: readonly string[] = []): void => {
      const given = { text: (texts[0] ?? '').replaceAll('\r\n', '\n'), ...shown };
      const { body, headers: own } = gradingPage({ ...site(), now: now(), ...given });
      responder.send(response, status, 'text/html; charset=utf-8', body, { ...facts, headers: [...own, ...headers] });
    };
    try {
      // A HEAD request gets no grade.
      if (texts.length === 0 || request.method === 'HEAD') return show(200, {});
      const text = readText(texts);
      refuseEmbedded(request);
      const graded = await counted(request, facts.requestId, facts, async () => slipReader.fromHttp({}, '', { text }));
      show(200, { graded, ticket: secrets.createTicket(text, now()) });
    } catch (error) {
      const { envelope, headers } = responder.describeError(response, error, facts);
      const { status, message } = envelope.error;
      const fieldError = slipErrorMessage(error);
      if (fieldError !== undefined) return show(status, { fieldError });
      const refusal = { message, requestId: facts.requestId };
      // The page sends its own `Cache-Control`.
      show(status, { refusal }, withoutCaching(headers));
    }
  }

  /** @throws ApiError rate_limit_exceeded */
  function countFollowing(request: IncomingMessage): void {
    const [address, at] = [clientOf(request), steadyNow()];
    const until = followed.blockedUntil(address, at);
    if (until !== undefined) {
      const message = `An address may ask ${MAX_LIVE_REQUESTS} times in 60 seconds how slips go on.`;
      throw new ApiError('rate_limit_exceeded', message, { retry_after: Math.max(1, Math.ceil((until - at) / 1000)) });
    }
    followed.count(address, at);
  }

  /** Updates of a slip that was graded here. */
  const live = createPublicPageRoute(responder, async (request) => {
    const query = new URLSearchParams(queryStringOf(request));
    const text = query.get('text') ?? '';
    if (!secrets.isValidTicket(query.get('ticket') ?? '', text, now())) {
      throw new ApiError('forbidden', 'This needs the ticket of a slip that was graded within 24 hours.');
    }
    countFollowing(request);
    const body = slipReader.fromHttp({}, '', { text });
    const graded = await grade(body, contextOf(responder.requestId(request)));
    return updateOf(graded);
  });

  const updateOf = (graded: GradedLegs): PageResponse => ({
    status: 200,
    type: 'text/html; charset=utf-8',
    body: gradedSection(graded, now()).html,
    headers: ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  });

  /** For whoever has its address. */
  const receiptRoute = (answer: (view: ReceiptView) => PageResponse) =>
    createPublicPageRoute(responder, async (request) => {
      countFollowing(request);
      const receipt = await parts.context.receipts.find(request.params['id']!);
      if (!receipt) throw notFound('There is no such receipt.');
      return answer(await readReceiptView(receipt, contextOf(responder.requestId(request))));
    });
  const receiptPages = receiptRoute((view) => ({
    status: 200,
    type: 'text/html; charset=utf-8',
    ...receiptPage(view, now(), site()),
  }));
  const liveReceipt = receiptRoute(({ graded }) => updateOf(graded));

  return (router) => {
    addRoute(router, GRADING_PATH, (request, response) => {
      const facts: GradingFacts = { requestId: responder.requestId(request), hasNoCredits: true };
      if (request.method === 'POST') return json(request, response, facts);
      if (request.method === 'GET' || request.method === 'HEAD') return page(request, response, facts);
      return responder.sendError(response, methodNotAllowed(request.method, ALLOWED), {
        ...facts,
        headers: ['Allow', ALLOWED],
      });
    });
    addRoute(router, LIVE_GRADING_PATH, live);
    addRoute(router, RECEIPT_PATH, receiptPages);
    addRoute(router, LIVE_RECEIPT_PATH, liveReceipt);
    for (const { path, page } of Object.values(GRADING_ASSETS))
      addRoute(
        router,
        path,
        createPublicPageRoute(responder, () => page),
      );
  };
}

/** The window is known once the address was checked. */
type GradingFacts = { window?: RequestWindow } & Pick<ResponseFacts, 'requestId' | 'hasNoCredits'>;

/** The members of a body that count here. A value that is no object is passed on and refused later. */
function slipOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { legs, text, clues } = body as Record<string, unknown>;
  return { legs, text, clues };
}

/**
 * Forms send line ends as two characters.
 * @throws ApiError validation_error
 */
function readText(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0]!.replaceAll('\r\n', '\n');
  const errors = [{ loc: ['query', 'text'], msg: 'must not be given more than once', type: 'repeated' }];
  throw new ApiError('validation_error', 'text: must not be given more than once', { errors });
}

/**
 * An image or frame in another site's page would use up the grades of its visitors.
 * @throws ApiError forbidden
 */
function refuseEmbedded({ headers }: IncomingMessage): void {
  const isOthers = headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';
  if (isOthers && headers['sec-fetch-mode'] !== 'navigate') {
    throw new ApiError('forbidden', 'Other web sites may link to a graded slip, but not load it.');
  }
}
