import type { Identities } from './identities/identities.ts';
import { type KnownKey, parseKey } from './identities/known-key.ts';

/**
 * Of these keys those that are known by now. After a crash between the registry and the log, or between the log and
 * the waiting messages, something may be known that nobody was told of.
 */
export async function knownAlready(identities: Identities, keys: readonly string[]): Promise<string[]> {
  const parsed = new Map(keys.map((text) => [text, parseKey(text)]));
  const all = [...parsed.values()];
  await identities.prefetch({
    events: all.flatMap((key) => (key?.what === 'event' ? [key] : [])),
    entities: all.flatMap((key) => (key?.what === 'ref' ? [key] : [])),
    names: all.flatMap((key) => (key?.what === 'name' ? [key] : [])),
    pairs: all.flatMap((key) => (key?.what === 'pair' ? [key.pair] : [])),
  });
  const found: string[] = [];
  for (const [text, key] of parsed) if (key && (await isKnown(identities, key))) found.push(text);
  return found;
}

async function isKnown(identities: Identities, key: KnownKey): Promise<boolean> {
  switch (key.what) {
    case 'event':
      return (await identities.findEvent(key.source, key.ref)) !== undefined;
    case 'ref':
      return (await identities.findEntity(key.kind, key.scope, key.source, key.ref)) !== undefined;
    case 'name':
      return (await identities.findByName(key.kind, key.scope, key.name)).length > 0;
    case 'pair':
      return (await identities.findFixtures(key.pair)).length > 0;
  }
}
