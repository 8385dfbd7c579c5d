import { toLimitError } from '../../../accounts/limit-errors.ts';
import type { Operation } from '../../../api/calls/operation/operation.ts';
import { redactApiKeys } from '../../../api/calls/redact-keys.ts';
import { PLAYGROUND_RULES } from '../../../api/limits/limit-rules.ts';
import type { Limits } from '../../../api/limits/limits.ts';
import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { fieldText } from '../form-values.ts';
import { toRefused } from '../page-errors.ts';
import { jsonResponse, pageResponse } from '../page-responses.ts';
import type { PageResponse, PageRoute, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { type PlaygroundView, playgroundPage } from './playground-page.ts';
import { readableOperations } from './readable-operations.ts';
import { type PlaygroundAnswer, type PlaygroundParts, runInPlayground } from './run-in-playground.ts';

interface PlaygroundPagesParts extends PlaygroundParts {
  readonly callerOf: SessionOwner;
  /** All operations; only those that read are offered. */
  readonly operations: readonly Operation[];
  readonly limits: Pick<Limits, 'admit'>;
  /** Milliseconds. */
  readonly now: () => number;
}

const PATH = '/playground';

/** The playground, where users try API calls. GET shows forms and runs nothing. */
export function playgroundRoutes(parts: PlaygroundPagesParts): readonly PageRoute[] {
  const { callerOf, limits, now } = parts;
  const operations = readableOperations(parts.operations);

  function shown(visit: SignedInRequest, typed: URLSearchParams, more: Partial<PlaygroundView> = {}): PageResponse {
    const chosen = operations.get(fieldText(typed, 'operation'));
    return pageResponse('Playground', playgroundPage(visit, { operations, chosen, typed, ...more }));
  }

  /** @throws RefusedError 429 */
  async function admitRun(accountId: number): Promise<void> {
    const at = now();
    const admission = await limits.admit({ keyId: accountId, at, rules: PLAYGROUND_RULES });
    if (!admission.admitted) throw toRefused(toLimitError(admission, at));
    admission.lease.release();
  }

  async function run(visit: SignedInRequest): Promise<PageResponse> {
    const { form, requestId, wantsJson, session } = visit;
    const chosen = operations.get(fieldText(form, 'operation'));
    if (!chosen) throw invalidField('operation', 'It must be one of the calls that read.');
    await admitRun(session.user.accountId);
    const answer = await runInPlayground(parts, chosen, form, await callerOf(visit), requestId);
    return wantsJson ? jsonResponse(asJson(answer)) : shown(visit, form, { answer });
  }

  return [
    { method: 'GET', path: PATH, access: 'signed-in', run: async (visit) => shown(visit, visit.query) },
    {
      method: 'POST',
      path: PATH,
      access: 'signed-in',
      run,
      refused: async (visit, refusal) => shown(visit, visit.form, { refusal }),
    },
  ];
}

const asJson = ({ status, headers, body }: PlaygroundAnswer) => ({
  status,
  headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  body: JSON.parse(redactApiKeys(body)) as unknown,
});
