/** What a program asks for, or does, in one line. */
export type ProgramLine =
  | { readonly kind: 'next' }
  | { readonly kind: 'ask'; readonly path: string }
  | { readonly kind: 'bet'; readonly bet: AskedBet };

/** A bet as the program has written it. */
export interface AskedBet {
  readonly event_id: number;
  readonly market: string;
  /** A role (`home`, `over`, ...) or the name of a side. */
  readonly outcome: string;
  readonly point: number | null;
  readonly stake: number;
  /** American odds; null: any price. */
  readonly min_price: number | null;
  /** Null: the best of all of its books. */
  readonly book: string | null;
}

/** The program has broken the protocol, or asked for what is later: the run ends. */
export class ProgramFault extends Error {
  readonly code = 'program';
}

const MAX_PATH = 4000;
const MAX_TEXT = 300;
const MAX_STAKE = 1_000_000_000;
const MEMBERS = ['event_id', 'market', 'outcome', 'point', 'stake', 'min_price', 'book'];

/** @throws ProgramFault that names the member and the reason */
export function readProgramLine(line: string): ProgramLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ProgramFault(`the program wrote a line that is no JSON: ${shown(line)}`);
  }
  if (!isObject(value)) throw new ProgramFault(`the program wrote a line that is no JSON object: ${shown(line)}`);
  const [name, ...more] = Object.keys(value);
  if (name === undefined)
    throw new ProgramFault('the program wrote a line without a member; it needs ask, bet or next');
  if (more.length > 0) throw new ProgramFault(`a line has one member, not ${name} and ${more.join(', ')}`);
  const content = value[name];
  switch (name) {
    case 'next':
      if (content !== true) throw new ProgramFault('next must be true');
      return { kind: 'next' };
    case 'ask':
      return { kind: 'ask', path: readPath(content) };
    case 'bet':
      return { kind: 'bet', bet: readBet(content) };
    default:
      throw new ProgramFault(`the program wrote an unknown member, ${shown(name)}; there are ask, bet and next`);
  }
}

function readPath(content: unknown): string {
  if (!isObject(content)) throw new ProgramFault('ask must be an object with a path');
  refuseUnknown('ask', content, ['path']);
  const { path } = content;
  if (typeof path !== 'string' || !path.startsWith('/') || path.length > MAX_PATH)
    throw new ProgramFault(`ask.path must be a text that begins with / and has at most ${MAX_PATH} characters`);
  return path;
}

function readBet(content: unknown): AskedBet {
  if (!isObject(content)) throw new ProgramFault('bet must be an object');
  refuseUnknown('bet', content, MEMBERS);
  const { event_id, stake } = content;
  if (!Number.isSafeInteger(event_id)) throw new ProgramFault('bet.event_id must be an integer');
  if (typeof stake !== 'number' || !(stake > 0) || stake > MAX_STAKE)
    throw new ProgramFault(`bet.stake must be a number above 0 and at most ${MAX_STAKE}`);
  return {
    event_id: event_id as number,
    market: textOf(content, 'market'),
    outcome: textOf(content, 'outcome'),
    point: numberOf(content, 'point'),
    stake,
    min_price: americanOf(content, 'min_price'),
    book: (content['book'] ?? null) === null ? null : textOf(content, 'book').toLowerCase(),
  };
}

function textOf(content: Readonly<Record<string, unknown>>, name: string): string {
  const value = content[name];
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT)
    throw new ProgramFault(`bet.${name} must be a text of 1 to ${MAX_TEXT} characters`);
  return value;
}

function numberOf(content: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = content[name] ?? null;
  if (value !== null && typeof value !== 'number') throw new ProgramFault(`bet.${name} must be a number or null`);
  return value;
}

function americanOf(content: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = numberOf(content, name);
  if (value !== null && !(Math.abs(value) >= 100))
    throw new ProgramFault(`bet.${name} must be American odds: at most -100, or at least 100`);
  return value;
}

function refuseUnknown(of: string, content: object, known: readonly string[]): void {
  const unknown = Object.keys(content).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ProgramFault(`${of} has an unknown member, ${shown(unknown)}; there are ${known.join(', ')}`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SHOWN = 120;
const shown = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
