import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { QuarantinedMessage } from '../../ingest/identities/identities.ts';
import { parseIdentityKey } from '../../ingest/identities/identity-key.ts';

const CODES: ReadonlyMap<string, 'team' | 'player'> = new Map([
  ['unknown_team', 'team'],
  ['ambiguous_team', 'team'],
  ['unknown_player', 'player'],
  ['ambiguous_player', 'player'],
]);
/** Values of a message that are looked at. A message has far fewer names. */
const MOST_VALUES = 10_000;

/** The names that a message waits for, as it spells them; none if it waits for something else. */
export function waitingNames({ code, keys, message }: QuarantinedMessage): readonly string[] {
  const kind = CODES.get(code);
  if (!kind) return [];
  const names = keys.flatMap((text) => {
    const key = parseIdentityKey(text);
    return key?.what === 'name' && key.kind === kind ? [key.name] : [];
  });
  const spelled = new Map<string, string>();
  for (const text of textsIn(message)) {
    const name = normalizeName(text);
    if (names.includes(name) && !spelled.has(name)) spelled.set(name, text);
  }
  return [...new Set(names)].map((name) => spelled.get(name) ?? name);
}

function* textsIn(message: unknown): Generator<string> {
  const left: unknown[] = [message];
  for (let looked = 0; left.length > 0 && looked < MOST_VALUES; looked++) {
    const value = left.shift();
    if (typeof value === 'string') yield value;
    else if (typeof value === 'object' && value !== null) left.push(...Object.values(value).slice(0, MOST_VALUES));
  }
}
