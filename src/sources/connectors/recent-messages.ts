import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';

type Message = Readonly<Record<string, unknown>>;

/** A connector says the same of a subject again no more often. Milliseconds; the feed contract's own. */
export const MIN_REPEAT_MS = 60_000;

const MAX_BYTES = 16 * 1024 * 1024;
/** Of an entry beside the text of its key. */
const ENTRY_BYTES = 200;

/**
 * What was last sent of each subject, so that the same content is not worked through with every answer. The log knows it
 * too, and for longer (`throttleMs` of the intake's items): only speed hangs on what is kept here.
 */
export interface RecentMessages {
  /** Whether this very content of its subject was sent less than a minute before its `at`. */
  isRepeat(message: Message): boolean;
  add(message: Message): void;
  /** Whether anything is known to have been sent of its subject. */
  hasSubject(message: Message): boolean;
  readonly size: CacheSize;
}

export function createRecentMessages(maxBytes = MAX_BYTES): RecentMessages {
  const said = new LRUCache<string, { readonly print: string; readonly at: number }>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => ENTRY_BYTES + key.length,
  });
  /** What `has` was asked of, `add` is told of next. */
  const looked = new WeakMap<Message, { readonly key: string; readonly print: string }>();

  function look(message: Message): { readonly key: string; readonly print: string } {
    const known = looked.get(message) ?? { key: subjectOf(message), print: printOf(message) };
    looked.set(message, known);
    return known;
  }

  return {
    isRepeat(message) {
      const { key, print } = look(message);
      const before = said.get(key);
      return before !== undefined && before.print === print && Math.abs(timeOf(message) - before.at) < MIN_REPEAT_MS;
    },
    add(message) {
      const { key, print } = look(message);
      said.set(key, { print, at: timeOf(message) });
    },
    hasSubject: (message) => said.has(look(message).key),
    get size() {
      return { bytes: said.calculatedSize, limit: maxBytes };
    },
  };
}

const timeOf = ({ at }: Message): number => Date.parse(String(at));

const NAMES = ['kind', 'source', 'sport', 'league', 'ref', 'match', 'bookmaker', 'player_ref', 'player', 'team'];

/** One message states some markets of a bookmaker, another one others. */
function subjectOf(message: Message): string {
  const markets = message['kind'] === 'odds' && Array.isArray(message['markets']) ? message['markets'] : [];
  const named = markets.map((one: Message) => [one['key'], one['scope'], one['alternate']]);
  return JSON.stringify([...NAMES.map((name) => message[name] ?? 0), ...named]);
}

function printOf({ at: _, ...said }: Message): string {
  return createHash('sha1').update(JSON.stringify(said)).digest('base64');
}
