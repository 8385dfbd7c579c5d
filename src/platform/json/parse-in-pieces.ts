import { yieldToEventLoop } from '../async/yield-to-event-loop.ts';

/** Bytes that `JSON.parse` gets at once: a few milliseconds of it, whatever they hold. */
const PIECE = 32 * 1024;
/** Bytes that are walked without a break. */
const WALKED_AT_ONCE = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** An array or object whose end has not come yet. */
interface OpenContainer {
  readonly isArray: boolean;
  readonly openedAt: number;
  /** Where the member begins that the walk is in. */
  memberAt: number;
  /** Where the members begin that `value` does not hold yet. */
  restAt: number;
  /** Undefined while it may still become part of a larger piece. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** Its own name, if `value` is set and it stands in an object. */
  name: string;
}

/**
 * The value of a JSON text, the same that `JSON.parse` gives, made in pieces: other work of the event loop is done in
 * between. Only a single text of many MiB is read in one step, which takes some milliseconds.
 * @param bytes JSON in UTF-8 without a byte order mark; the caller has made sure that it is valid
 */
export async function parseInPieces(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= PIECE) return JSON.parse(bytes.toString('utf8'));
  const open: OpenContainer[] = [];
  let restedAt = 0;

  for (let at = 0; at < bytes.length; at++) {
    if (at - restedAt >= WALKED_AT_ONCE) {
      restedAt = at;
      await yieldToEventLoop();
    }
    const inner = open.at(-1);
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case 0x5b:
      case 0x7b:
        open.push({
          isArray: bytes[at] === 0x5b,
          openedAt: at,
          memberAt: at + 1,
          restAt: at + 1,
          value: undefined,
          name: '',
        });
        break;
      case COMMA:
        // The member that ends here was added by itself.
        if (inner!.restAt > inner!.memberAt) inner!.restAt = at + 1;
        inner!.memberAt = at + 1;
        if (at - inner!.restAt < PIECE) break;
        begin(bytes, open, open.length - 1);
        addMembers(bytes, inner!, at);
        inner!.restAt = at + 1;
        await yieldToEventLoop();
        break;
      case 0x5d:
      case 0x7d: {
        if (inner!.value === undefined && at - inner!.openedAt >= PIECE) begin(bytes, open, open.length - 1);
        open.pop();
        if (inner!.value === undefined) break;
        addMembers(bytes, inner!, at);
        const around = open.at(-1);
        if (!around) return inner!.value;
        add(around, inner!.name, inner!.value);
        around.restAt = at + 1;
        await yieldToEventLoop();
      }
    }
  }
  // A single text or number, with or without blanks around it.
  return JSON.parse(bytes.toString('utf8'));
}

/** Begins the value of a container, and of all around it: they hold what stands before it. */
function begin(bytes: Buffer, open: readonly OpenContainer[], index: number): void {
  const container = open[index]!;
  if (container.value !== undefined) return;
  if (index > 0) {
    begin(bytes, open, index - 1);
    const around = open[index - 1]!;
    addMembers(bytes, around, around.memberAt);
    around.restAt = around.memberAt;
    if (!around.isArray) container.name = nameIn(bytes.toString('utf8', around.memberAt, container.openedAt));
  }
  container.value = container.isArray ? [] : {};
}

/** @param text a name and its colon, with blanks around both */
const nameIn = (text: string): string => JSON.parse(text.slice(0, text.lastIndexOf(':'))) as string;

/** Adds the members from `restAt` on. @param end behind the last of them, or behind its comma */
function addMembers(bytes: Buffer, container: OpenContainer, end: number): void {
  const text = bytes.toString('utf8', container.restAt, end).trim().replace(/,$/, '');
  if (text === '') return;
  if (container.isArray) {
    for (const item of JSON.parse(`[${text}]`) as unknown[]) add(container, '', item);
  } else {
    for (const [name, value] of Object.entries(JSON.parse(`{${text}}`) as object)) add(container, name, value);
  }
}

function add({ value: container }: OpenContainer, name: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value);
  else if (name !== '__proto__') container![name] = value;
  else Object.defineProperty(container, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The index of the quotation mark that ends the text that begins at `from`. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from + 1); ; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
