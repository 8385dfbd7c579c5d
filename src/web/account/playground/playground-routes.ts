import { limitRefusal } from '../../../accounts/limit-refusals.ts';
import { withoutKeys } from '../../../api/calls/keys-in-text.ts';
import type { Operation } from '../../../api/calls/operation.ts';
import { PLAYGROUND_RULES } from '../../../api/limits/limit-numbers.ts';
import type { Limits } from '../../../api/limits/limits.ts';
import { wrongField } from '../../../domain/refused-act.ts';
import { jsonAnswer, page } from '../answers.ts';
import type { VisitCaller } from '../owner-caller.ts';
import { asRefused } from '../refused-calls.ts';
import { textOf } from '../values.ts';
import type { SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import { type PlaygroundView, playgroundPage } from './playground-page.ts';
import { readableOperations } from './readable-operations.ts';
import { type PlaygroundAnswer, type PlaygroundParts, runInPlayground } from './run-in-playground.ts';

export interface PlaygroundPagesParts extends PlaygroundParts {
  readonly callerOf: VisitCaller;
  /** All of them: those that do not read are left out here. */
  readonly operations: readonly Operation[];
  readonly limits: Pick<Limits, 'admit'>;
  /** Milliseconds. */
  readonly now: () => number;
}

const PATH = '/playground';

/** Where calls are tried. GET shows forms and runs nothing. */
export function playgroundRoutes(parts: PlaygroundPagesParts): readonly SiteRoute[] {
  const { callerOf, limits, now } = parts;
  const operations = readableOperations(parts.operations);

  function shown(visit: SignedInVisit, typed: URLSearchParams, more: Partial<PlaygroundView> = {}): SiteAnswer {
    const chosen = operations.get(textOf(typed, 'operation'));
    return page('Playground', playgroundPage(visit, { operations, chosen, typed, ...more }));
  }

  /** @throws Refused 429 */
  async function takeTurn(accountId: number): Promise<void> {
    const at = now();
    const verdict = await limits.admit({ keyId: accountId, at, rules: PLAYGROUND_RULES });
    if (!verdict.admitted) throw asRefused(limitRefusal(verdict, at));
    verdict.lease.release();
  }

  async function run(visit: SignedInVisit): Promise<SiteAnswer> {
    const { form, requestId, wantsJson, session } = visit;
    const chosen = operations.get(textOf(form, 'operation'));
    if (!chosen) throw wrongField('operation', 'It must be one of the calls that read.');
    await takeTurn(session.user.accountId);
    const answer = await runInPlayground(parts, chosen, form, await callerOf(visit), requestId);
    return wantsJson ? jsonAnswer(asJson(answer)) : shown(visit, form, { answer });
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
  body: JSON.parse(withoutKeys(body)) as unknown,
});
