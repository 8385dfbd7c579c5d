/** The bytes are not valid JSON. */
export class NotJson extends Error {
  readonly code = 'not_json';
  /** @param at offset of the first wrong byte */
  constructor(at: number) {
    super(`not valid JSON at byte ${at}`);
    this.name = 'NotJson';
  }
}

/** An element of the outermost array, or the only value if there is no array. */
export interface ScannedValue {
  /** Offsets of its text, without blanks around it. */
  readonly begin: number;
  readonly end: number;
}

/** What the scanner expects next. */
const VALUE = 0;
/** After `[`. */
const VALUE_OR_END = 1;
/** After `{`. */
const NAME_OR_END = 2;
const NAME = 3;
const COLON = 4;
/** After a value: a comma, or the end of the array or object. */
const COMMA_OR_END = 5;
/** After the outermost value. */
const NOTHING = 6;

const NO_TEXT = 0;
const NAME_TEXT = 1;
const VALUE_TEXT = 2;

const IN_ARRAY = 0;
const IN_OBJECT = 1;

/** More digits than any number needs. A number is scanned in one step, so its length is bounded. */
const MAX_DIGITS = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Scans JSON (RFC 8259) without building values: whether it is valid, how deep it is nested, and where the elements of
 * an outermost array are. Works in pieces, so that other requests are served in between. Expects valid UTF-8, which is
 * not checked.
 */
export class JsonScanner {
  readonly #bytes: Uint8Array;
  readonly #onValue: ((value: ScannedValue) => void) | undefined;
  #at: number;
  /** Where the current `read` stops. */
  #stop = 0;
  #next = VALUE;
  /** Which kind of string the scanner is in, if any. */
  #text = NO_TEXT;
  /** The kind of each open array or object. */
  #open = new Uint8Array(64);
  #depth = 0;
  #deepest = 0;
  #values = 0;
  #isList = false;
  /** Offset of the current element of the outermost array. */
  #begin = 0;

  /** @param onValue called with each element of the outermost array, or with the only value, once it is complete */
  constructor(bytes: Uint8Array, onValue?: (value: ScannedValue) => void) {
    this.#bytes = bytes;
    this.#onValue = onValue;
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  /** The deepest nesting of arrays and objects so far. */
  get deepest(): number {
    return this.#deepest;
  }

  /** The number of values so far: of arrays, objects, and what stands in them. */
  get values(): number {
    return this.#values;
  }

  /**
   * Scans about `count` more bytes.
   * @returns whether the end is reached
   * @throws NotJson
   */
  read(count: number): boolean {
    const bytes = this.#bytes;
    this.#stop = Math.min(bytes.length, this.#at + count);
    while (this.#at < this.#stop) {
      const byte = bytes[this.#at]!;
      if (this.#text !== NO_TEXT) this.#string();
      else if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) this.#at++;
      else this.#token(byte);
    }
    if (this.#at < bytes.length) return false;
    if (this.#next !== NOTHING || this.#text !== NO_TEXT) throw new NotJson(this.#at);
    return true;
  }

  #token(byte: number): void {
    switch (this.#next) {
      case VALUE_OR_END:
        if (byte === 0x5d) this.#close(IN_ARRAY);
        else this.#value(byte);
        return;
      case VALUE:
        this.#value(byte);
        return;
      case NAME_OR_END:
        if (byte === 0x7d) this.#close(IN_OBJECT);
        else this.#name(byte);
        return;
      case NAME:
        this.#name(byte);
        return;
      case COLON:
        if (byte !== 0x3a) throw new NotJson(this.#at);
        this.#at++;
        this.#next = VALUE;
        return;
      case COMMA_OR_END:
        if (byte === 0x2c) {
          this.#at++;
          this.#next = this.#inside() === IN_ARRAY ? VALUE : NAME;
        } else if (byte === 0x5d) this.#close(IN_ARRAY);
        else if (byte === 0x7d) this.#close(IN_OBJECT);
        else throw new NotJson(this.#at);
        return;
      default:
        throw new NotJson(this.#at);
    }
  }

  #inside(): number {
    return this.#open[this.#depth - 1]!;
  }

  #name(byte: number): void {
    if (byte !== QUOTE) throw new NotJson(this.#at);
    this.#at++;
    this.#text = NAME_TEXT;
  }

  #value(byte: number): void {
    const level = this.#depth;
    this.#values++;
    if (level === 0) this.#isList = byte === 0x5b;
    if (level === (this.#isList ? 1 : 0)) this.#begin = this.#at;
    if (byte === 0x5b) this.#enter(IN_ARRAY);
    else if (byte === 0x7b) this.#enter(IN_OBJECT);
    else if (byte === QUOTE) {
      this.#at++;
      this.#text = VALUE_TEXT;
    } else {
      if (byte === MINUS || (byte >= ZERO && byte <= NINE)) this.#number();
      else this.#literal(byte);
      this.#ended();
    }
  }

  #enter(kind: number): void {
    if (this.#depth === this.#open.length) {
      const grown = new Uint8Array(2 * this.#open.length);
      grown.set(this.#open);
      this.#open = grown;
    }
    this.#open[this.#depth++] = kind;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    this.#at++;
    this.#next = kind === IN_ARRAY ? VALUE_OR_END : NAME_OR_END;
  }

  #close(kind: number): void {
    if (this.#depth === 0 || this.#inside() !== kind) throw new NotJson(this.#at);
    this.#depth--;
    this.#at++;
    this.#ended();
  }

  #ended(): void {
    const outermost = this.#isList ? 1 : 0;
    if (this.#depth === outermost) this.#onValue?.({ begin: this.#begin, end: this.#at });
    this.#next = this.#depth === 0 ? NOTHING : COMMA_OR_END;
  }

  /** Continues a string to its end, or to where this `read` stops: a string may be as long as the body. */
  #string(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < this.#stop) {
      const byte = bytes[at]!;
      if (byte < 0x20) throw new NotJson(at);
      at++;
      if (byte === BACKSLASH) at = this.#escape(at);
      else if (byte === QUOTE) {
        this.#at = at;
        const isName = this.#text === NAME_TEXT;
        this.#text = NO_TEXT;
        if (isName) this.#next = COLON;
        else this.#ended();
        return;
      }
    }
    this.#at = at;
  }

  #escape(from: number): number {
    const byte = this.#bytes[from];
    if (byte === 0x75) {
      for (let at = from + 1; at <= from + 4; at++) if (!isHex(this.#bytes[at])) throw new NotJson(at);
      return from + 5;
    }
    if (byte === undefined || !ESCAPED.has(byte)) throw new NotJson(from);
    return from + 1;
  }

  #number(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    const digits = () => {
      const from = at;
      const end = Math.min(bytes.length, from + MAX_DIGITS + 1);
      while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
      if (at === from || at - from > MAX_DIGITS) throw new NotJson(at);
    };
    if (bytes[at] === MINUS) at++;
    if (bytes[at] === ZERO) at++;
    else digits();
    if (bytes[at] === DOT) {
      at++;
      digits();
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      at++;
      if (bytes[at] === 0x2b || bytes[at] === MINUS) at++;
      digits();
    }
    this.#at = at;
  }

  #literal(byte: number): void {
    const text = byte === 0x74 ? TRUE : byte === 0x66 ? FALSE : NULL;
    for (const expected of text) if (this.#bytes[this.#at++] !== expected) throw new NotJson(this.#at - 1);
  }
}

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');
const ESCAPED: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

const isHex = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= ZERO && byte <= NINE) || (byte >= 0x61 && byte <= 0x66) || (byte >= 0x41 && byte <= 0x46));
