import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';

type Message = Readonly<Record<string, unknown>>;

/** Minimum time before a connector repeats the same content of a subject. Milliseconds; from the feed contract. */
export const MIN_REPEAT_MS = 60_000;

const MAX_BYTES = 16 * 1024 * 1024;
/** Memory of an entry in addition to the text of its key. */
const ENTRY_BYTES = 200;

/** The last message of each subject, so that the intake does not process the same content with every answer. The log
 *  remembers it too, and for longer (`throttleMs` of the intake's items): this cache only saves time. */
export interface RecentMessages {
  /** Whether the same content of this subject was sent less than a minute before its `at`. */
  isRepeat(message: Message): boolean;
  add(message: Message): void;
  /** Whether a message of this subject is known. */
  hasSubject(message: Message): boolean;
  readonly size: CacheSize;
}

export function createRecentMessages(maxBytes = MAX_BYTES): RecentMessages {
  const lastBySubject = new LRUCache<string, { readonly fingerprint: string; readonly at: number }>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => ENTRY_BYTES + key.length,
  });
  /** `isRepeat` and the following `add` share the computed key and fingerprint. */
  const identities = new WeakMap<Message, { readonly key: string; readonly fingerprint: string }>();

  function identityOf(message: Message): { readonly key: string; readonly fingerprint: string } {
    const known = identities.get(message) ?? { key: subjectOf(message), fingerprint: fingerprintOf(message) };
    identities.set(message, known);
    return known;
  }

  return {
    isRepeat(message) {
      const { key, fingerprint } = identityOf(message);
      const before = lastBySubject.get(key);
      return (
        before !== undefined &&
        before.fingerprint === fingerprint &&
        Math.abs(timeOf(message) - before.at) < MIN_REPEAT_MS
      );
    },
    add(message) {
      const { key, fingerprint } = identityOf(message);
      lastBySubject.set(key, { fingerprint, at: timeOf(message) });
    },
    hasSubject: (message) => lastBySubject.has(identityOf(message).key),
    get size() {
      return { bytes: lastBySubject.calculatedSize, limit: maxBytes };
    },
  };
}

const timeOf = ({ at }: Message): number => Date.parse(String(at));

const NAMES = ['kind', 'source', 'sport', 'league', 'ref', 'match', 'bookmaker', 'player_ref', 'player', 'team'];

/** Different messages state different markets of a bookmaker. */
function subjectOf(message: Message): string {
  const markets = message['kind'] === 'odds' && Array.isArray(message['markets']) ? message['markets'] : [];
  const named = markets.map((one: Message) => [one['key'], one['scope'], one['alternate']]);
  return JSON.stringify([...NAMES.map((name) => message[name] ?? 0), ...named]);
}

function fingerprintOf({ at: _, ...content }: Message): string {
  return createHash('sha1').update(JSON.stringify(content)).digest('base64');
}
