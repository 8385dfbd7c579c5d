import { z } from 'zod';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { parseTime } from '../../../domain/primitives/time.ts';
import { toIsoTime } from '../../../platform/clock/iso-time.ts';
import { ApiError } from '../../calls/api-errors.ts';
import { FORMAT_PARAMETER, formatNames } from '../../calls/operation/answer-format.ts';
import { createReadFinder, type FoundRead } from '../../calls/operation/find-read.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { validationError } from '../../calls/operation/operation-input.ts';
import { containsApiKey } from '../../calls/redact-keys.ts';
import { requireSport } from '../../calls/scopes.ts';
import type { LinkListing } from '../../calls/services/link-services.ts';
import { text } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { link } from './link-schema.ts';

const body = z.object({
  path: text('What it reads: the path of a GET below `/v1`, with its query.', { min: 1, max: 2000 })
    .refine((value) => !containsApiKey(value), 'must not hold an API key')
    .meta({ examples: ['/v1/events?league=nfl'] }),
  format: z
    .string({ error: 'must be a string' })
    .meta({ description: 'Form of the answer: `csv`, `ics` or `json`, as the read has it.', examples: ['csv'] }),
  name: text('For people.', { max: 100 })
    .refine((value) => !containsApiKey(value), 'must not hold an API key')
    .optional(),
  expires_at: z
    .string({ error: 'must be a string' })
    .refine((value) => parseTime(value) !== null, 'must be a UTC ISO 8601 time with a trailing Z')
    .meta({ description: 'From this time on it opens nothing.', format: 'date-time', pattern: 'Z$' })
    .optional(),
});
type Body = z.infer<typeof body>;

const EVENT_PATH = '/v1/events/{id}';

/** @param operations all of them, asked for when the first link is made */
export function createLink(operations: () => readonly Operation[]): Operation<object, object, Body, LinkListing> {
  let find: ReturnType<typeof createReadFinder> | undefined;

  /** @throws ApiError validation_error */
  function readTarget({ path, format, expires_at }: Body, now: number): FoundRead & { readonly input: any } {
    find ??= createReadFinder(operations());
    const found = find({ path, format, now });
    if (!found) throw refused('path', 'must be the path of a GET below /v1 that has one answer, with its query');
    const names = formatNames(found.formats);
    if (!names.includes(format)) throw refused('format', `must be one of ${names.join(', ')} for this path`);
    const named = new URLSearchParams(path.split('?')[1]).getAll(FORMAT_PARAMETER);
    if (named.some((one) => one !== format)) throw refused('path', 'names another format than `format`');
    if (expires_at !== undefined && parseTime(expires_at)! <= now)
      throw refused('expires_at', 'must lie in the future');
    try {
      return { ...found, input: found.readInput(format) };
    } catch (error) {
      throw error instanceof ApiError ? refused('path', error.message) : error;
    }
  }

  /** Refuses what the read itself would refuse, as far as that can be told without running it. */
  async function checkTarget(target: Body, context: OperationContext): Promise<void> {
    const { operation, input } = readTarget(target, context.now());
    if (typeof input.sport === 'string' && findSport(input.sport)) requireSport(context.principal, input.sport);
    await operation.check?.(input, context);
    await operation.checkUnpaid?.(input, context);
    if (operation.path.startsWith(EVENT_PATH)) await readEvent(context, input.id);
  }

  return {
    name: 'create_link',
    method: 'POST',
    path: '/api/agent/links',
    tag: 'Account',
    summary: 'Makes a link to one read, for a spreadsheet or a calendar: who has it reads that, at the account’s cost.',
    hint: 'It keeps the scopes that the calling key has now, and goes on after that key. 50 an account.',
    input: { body },
    output: link,
    status: 201,
    errors: ['bad_request', 'forbidden', 'not_found', 'sport_scope_denied'],
    cost: flatCost(0),
    idempotency: { toStored: (made) => ({ ...made, url: null }), replay: (stored) => stored as LinkListing },
    async run(target, context) {
      await checkTarget(target, context);
      const { path, format, name = null, expires_at } = target;
      const expiresAt = expires_at === undefined ? null : toIsoTime(parseTime(expires_at)!);
      return context.links.create(context.principal, { path, format, name, expiresAt });
    },
  };
}

const refused = (name: string, msg: string): ApiError =>
  validationError([{ loc: ['body', name], msg, type: 'invalid_value' }]);
