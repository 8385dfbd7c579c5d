import type { Identities, LookupHints } from '../identities/identities.ts';

type Kind = LookupHints['entities'][number]['kind'];

/**
 * Of these keys (`known` in `session.ts`) those that are known by now. After a crash between the registry and the
 * log, or between the log and the waiting messages, something may be known that nobody was told of.
 */
export async function knownAlready(identities: Identities, keys: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const key of keys) if (await isKnown(identities, key)) found.push(key);
  return found;
}

async function isKnown(identities: Identities, key: string): Promise<boolean> {
  const [what = '', ...parts] = key.split('|');
  switch (what) {
    case 'event': {
      const [source = '', ...ref] = parts;
      return (await identities.findEvent(source, ref.join('|'))) !== undefined;
    }
    case 'ref': {
      const [kind, sport = '', source = '', ...ref] = parts;
      return (await identities.findEntity(kind as Kind, sport, source, ref.join('|'))) !== undefined;
    }
    case 'name': {
      const [kind, sport = '', ...name] = parts;
      return (await identities.findByName(kind as Kind, sport, name.join('|'))).length > 0;
    }
    case 'pair':
      return (await identities.findFixtures(parts.join('|'))).length > 0;
    default:
      return false;
  }
}
