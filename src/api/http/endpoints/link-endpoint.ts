import type { ServerResponse } from 'node:http';
import type { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { type Answer, type OperationQuery, queryOf } from '../../calls/answer-cache/answer-cache.ts';
import { matchesIfNoneMatch } from '../../calls/answer-cache/entity-tag.ts';
import { notFound } from '../../calls/api-errors.ts';
import { createReadFinder } from '../../calls/operation/find-read.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import type { Call } from '../../calls/pipeline/admission.ts';
import type { Pipeline } from '../../calls/pipeline/pipeline.ts';
import type { LinkServices, OpenedLink } from '../../calls/services/link-services.ts';
import { feedAgeHeaders, JSON_TYPE, type Responder } from '../responder.ts';
import { addRoute, type RoutedRequest, type RouteHandler } from '../routed-request.ts';
import { methodNotAllowed } from './operation-route.ts';

interface LinkEndpointParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pick<Pipeline, 'handleCall' | 'executeRead'>;
  readonly links: Pick<LinkServices, 'open' | 'noteUse'>;
  readonly responder: Responder;
  /** Milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  /** Called when a use could not be counted. Nothing waits for this. */
  readonly onError: (error: unknown) => void;
}

/** The path of all links. The secret is of 43 characters, and a dot and the format follow. */
export const LINK_PATH = '/x/{file}';
const FILE = /^([A-Za-z0-9_-]{43})\.(csv|ics|json)$/;

/** A link is answered anew once in so many milliseconds. */
const KEPT_FOR_MS = 10_000;
/** Answers that are kept for that time. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Estimated bytes of a kept answer beside its body. */
const ENTRY_BYTES = 500;

interface KeptAnswer {
  readonly at: number;
  readonly operation: Operation;
  readonly query: OperationQuery;
  readonly answer: Answer;
  readonly contentType: string;
}

/** What a run of a link has come to. */
type Outcome = { readonly call: Call | undefined; readonly credits: number } & (
  | { readonly kept: KeptAnswer; readonly error?: undefined }
  | { readonly kept?: undefined; readonly error: unknown }
);

/**
 * Links for programs that cannot send a header. Each is answered as its path is at that moment, and charged to its
 * account. Who asks again within 10 seconds gets the answer before, free. Whatever a link is not, the answer is the same
 * 404.
 */
export function createLinkEndpoint(parts: LinkEndpointParts): (router: Router) => void {
  const { operations, pipeline, links, responder, now, steadyNow, onError } = parts;
  const find = createReadFinder(operations);
  const kept = new LRUCache<number, KeptAnswer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ answer }) => ENTRY_BYTES + answer.bytes.length,
  });
  /** Runs under way, by link: who asks meanwhile gets the same answer. */
  const running = new Map<number, Promise<Outcome>>();

  async function run(link: OpenedLink, requestId: string): Promise<Outcome> {
    const found = find({ ...link, now: now() });
    if (!found) throw gone();
    let outcome: Outcome | undefined;
    await pipeline.handleCall(
      { key: undefined, caller: () => link.principal, requestId, operation: found.operation.name },
      async (open) => {
        const format = found.formats.get(link.format);
        const query = queryOf(found.readInput(link.format), format);
        const { answer, credits } = await pipeline.executeRead(found.operation, query, open);
        const { operation } = found;
        const made = { at: steadyNow(), operation, query, answer, contentType: format?.contentType ?? JSON_TYPE };
        kept.set(link.id, made);
        outcome = { call: shown(open.call), credits, kept: made };
        return { statusCode: 200 };
      },
      (error, call) => {
        outcome = { call: call && shown(call), credits: 0, error };
        return { statusCode: responder.describeErrorUncounted(error, { requestId, call }).envelope.error.status };
      },
    );
    return outcome!;
  }

  /** A run of its own, or what somebody else's run comes to, at no cost. */
  async function runOnce(link: OpenedLink, requestId: string): Promise<Outcome> {
    const under = running.get(link.id);
    if (under) return { ...(await under), credits: 0 };
    const own = run(link, requestId).finally(() => running.delete(link.id));
    running.set(link.id, own);
    return own;
  }

  async function answer(request: RoutedRequest, response: ServerResponse, requestId: string): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(request.method, 'GET, HEAD');
    const [, token, format] = FILE.exec(request.params['file'] ?? '') ?? [];
    const link = token === undefined ? undefined : await links.open(token);
    if (!link || link.format !== format) throw gone();
    const before = kept.get(link.id);
    const age = before && steadyNow() - before.at;
    const isFresh = age !== undefined && age < KEPT_FOR_MS;
    const outcome: Outcome = isFresh ? { call: undefined, credits: 0, kept: before! } : await runOnce(link, requestId);
    if (!outcome.kept) return responder.sendError(response, outcome.error, { requestId, call: outcome.call });
    await links.noteUse(link.id).catch(onError);
    const { operation, query, answer: made, contentType } = outcome.kept;
    const headers = [
      ...['Cache-Control', `private, max-age=${KEPT_FOR_MS / 1000}`, 'ETag', made.entityTag],
      ...['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'],
      ...(isFresh ? ['Age', String(Math.floor(age / 1000))] : []),
      ...(made.next ? ['X-Next-After', made.next.cursor] : []),
      ...feedAgeHeaders(await responder.feedAge(operation, query.input)),
    ];
    const facts = { requestId, call: outcome.call, credits: outcome.credits, headers };
    if (matchesIfNoneMatch(request.headers['if-none-match'], made.entityTag)) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, 200, made.bytes, facts, contentType);
  }

  const handler: RouteHandler = async (request, response) => {
    const requestId = responder.requestId(request);
    try {
      await answer(request, response, requestId);
    } catch (error) {
      responder.sendError(response, error, { requestId });
    }
  };
  return (router) => addRoute(router, LINK_PATH.replace('{file}', ':file'), handler);
}

/** Whoever has a link learns nothing of the account's credits and limits. */
const shown = (call: Call): Call => ({ ...call, creditsRemaining: undefined, window: undefined });

const gone = () => notFound('There is nothing at this link.');
