import type { z } from 'zod';
import { BOOKMAKER_SLUG } from '../catalogue/catalogue.ts';
import { parseTime } from '../primitives/time.ts';
import { SLUG, WHOLE_SECONDS } from './message-fields.ts';
import { MARKET_KEY, MATCH_SCOPES, OUTCOMES, type oddsMessage } from './message-schemas.ts';

const SCOPES: ReadonlySet<unknown> = new Set(MATCH_SCOPES);
const OUTCOME_NAMES: ReadonlySet<unknown> = new Set(OUTCOMES);
/** A text that the schema accepts unchanged. */
const PLAIN_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]{0,298}[\x21-\x7e])?$/;

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Like `every`, but also tests holes of sparse arrays. */
function all(list: readonly unknown[], test: (item: unknown) => boolean): boolean {
  for (let index = 0; index < list.length; index++) if (!test(list[index])) return false;
  return true;
}

/**
 * A fast path for the most common `odds` messages: documented members only, nothing to trim or to convert. Returns the
 * message itself, or undefined for any other message, valid or not, which the schema then checks. Takes a tenth of the
 * time of the schema, for nine tenths of most logs.
 */
export function parsePlainOdds(message: object): z.infer<typeof oddsMessage> | undefined {
  let members = 0;
  for (const name in message) {
    if (!isPlainMember(name, (message as Members)[name])) return undefined;
    members++;
  }
  // All six members are required, and an object has each name once.
  return members === 6 ? (message as z.infer<typeof oddsMessage>) : undefined;
}

function isPlainMember(name: string, value: unknown): boolean {
  switch (name) {
    case 'kind':
      return value === 'odds';
    case 'source':
      return typeof value === 'string' && SLUG.test(value);
    case 'at':
      return typeof value === 'string' && value.length === WHOLE_SECONDS && parseTime(value) !== null;
    case 'ref':
      return typeof value === 'string' && PLAIN_TEXT.test(value);
    case 'bookmaker':
      return typeof value === 'string' && BOOKMAKER_SLUG.test(value);
    case 'markets':
      return Array.isArray(value) && value.length <= 500 && all(value, isPlainMarket);
    default:
      return false;
  }
}

function isPlainMarket(market: unknown): boolean {
  if (!isObject(market)) return false;
  let requiredMembers = 0;
  for (const name in market) {
    const value = market[name];
    switch (name) {
      case 'key':
        if (typeof value !== 'string' || !MARKET_KEY.test(value)) return false;
        requiredMembers++;
        break;
      case 'scope':
        if (!SCOPES.has(value)) return false;
        break;
      case 'alternate':
      case 'complete':
        if (typeof value !== 'boolean') return false;
        break;
      case 'outcomes':
        if (!Array.isArray(value) || value.length > 2000 || !all(value, isPlainOutcome)) return false;
        requiredMembers++;
        break;
      default:
        return false;
    }
  }
  return requiredMembers === 2;
}

function isPlainOutcome(outcome: unknown): boolean {
  if (!isObject(outcome)) return false;
  let requiredMembers = 0;
  for (const name in outcome) {
    const value = outcome[name];
    switch (name) {
      case 'outcome':
        if (!OUTCOME_NAMES.has(value)) return false;
        requiredMembers++;
        break;
      case 'price': {
        if (typeof value !== 'number' || !Number.isInteger(value)) return false;
        const size = Math.abs(value);
        if (size < 100 || size > 1_000_000) return false;
        requiredMembers++;
        break;
      }
      case 'decimal':
        if (!Number.isFinite(value)) return false;
        break;
      case 'point':
        if (typeof value !== 'number' || !(value >= -100_000 && value <= 100_000)) return false;
        break;
      default:
        return false;
    }
  }
  return requiredMembers === 2;
}
