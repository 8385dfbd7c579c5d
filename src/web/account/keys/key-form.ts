import { ALL } from '../../../api/calls/scopes.ts';
import { createKey } from '../../../api/operations/agent/create-key.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue.ts';
import { Refused } from '../../../domain/refused-act.ts';
import { textOf } from '../values.ts';

export const SCOPES: readonly string[] = [ALL, ...SPORT_SLUGS];

export interface AskedKey {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** The key that a form asks for, by the rules of the API; no scope ticked is all of them. @throws Refused 422 */
export function askedKey(form: URLSearchParams): AskedKey {
  const ticked = form.getAll('scopes').map((scope) => scope.trim());
  const given = { name: textOf(form, 'name'), scopes: ticked.length === 0 ? [ALL] : ticked };
  const { data, error } = createKey.input.body!.safeParse(given);
  if (data) return { name: data.name, scopes: data.scopes!.includes(ALL) ? [ALL] : data.scopes! };
  const fields: Record<string, string> = {};
  for (const { path, message } of error.issues) fields[String(path[0])] ??= sentence(message);
  throw new Refused(422, 'The key was not made. See below.', { fields });
}

/** `must not be empty`: It must not be empty. */
const sentence = (message: string): string => `It ${message}.`;
