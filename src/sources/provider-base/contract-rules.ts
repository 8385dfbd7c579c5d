import { canonicalJson } from '../../domain/primitives/canonical-json.ts';
import { type ConditionKind, formsOf } from './rules-forms.ts';
import { isDayOf, type NamedDay, type VenueGame } from './venue-contract.ts';

/** What must happen for a contract to pay, as its rules say it. Sides count home or player_1 as 0. */
export type Condition =
  | { readonly kind: 'win'; readonly side: 0 | 1; readonly over: number | undefined }
  | { readonly kind: 'draw' }
  | { readonly kind: 'total'; readonly isOver: boolean; readonly line: number };

/** One sentence that pays: an outcome of the contract, by the name that the rules have for it. */
export interface Payment {
  /** `otherwise` is whatever the payment before it leaves. */
  readonly condition: Condition | 'otherwise';
  readonly paid: string;
}

/** What the names and days in a text are compared with. */
export interface RulesContext {
  readonly game: Pick<VenueGame, 'sport' | 'startsAt'>;
  sideOf(name: string): 0 | 1 | undefined;
}

/** One of the two outcomes that a contract pays for. */
export interface PaidOutcome {
  isCalled(name: string): boolean;
  pays(condition: Condition): boolean;
}

/** Whether rules pay each of two outcomes for what it stands for, and for nothing else. */
export const agrees = (payments: readonly Payment[], outcomes: readonly [PaidOutcome, PaidOutcome]): boolean =>
  payments.every(({ condition, paid }, index) => {
    const [isFirst, isSecond] = [outcomes[0].isCalled(paid), outcomes[1].isCalled(paid)];
    if (isFirst === isSecond) return false;
    if (condition !== 'otherwise') return outcomes[isFirst ? 0 : 1].pays(condition);
    return index === 1 && outcomes[isFirst ? 1 : 0].isCalled(payments[0]!.paid);
  });

/** The outcomes of a contract with Yes and No. */
export const yesAndNo = (own: Condition): readonly [PaidOutcome, PaidOutcome] => [
  { isCalled: (name) => /^yes$/i.test(name), pays: (condition) => isSame(own, condition) },
  { isCalled: (name) => /^no$/i.test(name), pays: (condition) => isExcluded(own, condition) },
];

export const isSame = (one: Condition, other: Condition): boolean => canonicalJson(one) === canonicalJson(other);

/** Whether the second one cannot happen with the first. */
function isExcluded(own: Condition, other: Condition): boolean {
  if (own.kind === 'win' && other.kind === 'win')
    return own.side !== other.side && (own.over ?? 0) >= 0 && (other.over ?? 0) >= 0;
  if (own.kind === 'total' && other.kind === 'total') return own.isOver !== other.isOver && own.line === other.line;
  return own.kind !== 'total' && other.kind !== 'total' && own.kind !== other.kind;
}

/** Of longer texts nothing is read: an honest one has some 1,500 characters, an honest sentence 300. */
const MAX_TEXT = 6000;
const MAX_SENTENCE = 600;
/** Names such as `St. Louis vs. D.C. United` divide one sentence into so many pieces at most. */
const MAX_PIECES = 8;

/**
 * Reads the rules of a contract from beginning to end: each sentence must have one of the forms that are known here, and
 * name the sides and the day of its game alone.
 * @returns what the rules pay; undefined where one sentence is not understood, so that none of them can be relied on
 */
export function readRules(text: string, context: RulesContext): readonly Payment[] | undefined {
  const pieces = piecesOf(text);
  if (!pieces) return undefined;
  const payments: Payment[] = [];
  for (let from = 0; from < pieces.length; ) {
    const read = sentenceAt(pieces, from, context);
    if (!read) return undefined;
    if (read.payment) payments.push(read.payment);
    from = read.to;
  }
  return payments;
}

/**
 * Reads what a text that adds to the rules pays for the end of the game. Its other sentences may be anything.
 * @returns undefined where a sentence on a win or a loss is not understood
 */
export function readFurtherRules(text: string, context: RulesContext): readonly Payment[] | undefined {
  const pieces = piecesOf(text);
  if (!pieces) return undefined;
  const payments: Payment[] = [];
  for (let from = 0; from < pieces.length; ) {
    const read = sentenceAt(pieces, from, context);
    if (!read && ON_A_WIN.test(pieces[from]!)) return undefined;
    if (read?.payment && read.payment.condition !== 'otherwise') payments.push(read.payment);
    from = read?.to ?? from + 1;
  }
  return payments;
}

const ON_A_WIN = /\b(?:wins?|loses?|beats?|defeats?)\b.*\bresolves? to ["']?(?:yes|no)\b/i;

/** What may be sentences: names with full stops have more than one piece. Undefined of a text that is too long. */
function piecesOf(text: string): readonly string[] | undefined {
  if (text.length > MAX_TEXT) return undefined;
  return straightQuotes(text)
    .split(/(?<=[.:;]["']?)\s+|\s*\n\s*/)
    .filter((piece) => piece.trim() !== '');
}

/** Curly quotation marks as those of a keyboard, and no-break spaces as spaces. */
const straightQuotes = (text: string): string =>
  text
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\u00a0/g, ' ');

function sentenceAt(
  pieces: readonly string[],
  from: number,
  context: RulesContext,
): { readonly payment: Payment | undefined; readonly to: number } | undefined {
  for (let to = from + 1; to <= Math.min(pieces.length, from + MAX_PIECES); to++) {
    const sentence = pieces
      .slice(from, to)
      .join(' ')
      .trim()
      .replace(/[.:;]$/, '')
      .replace(/\s+/g, ' ');
    if (sentence.length > MAX_SENTENCE) return undefined;
    const payment = paymentIn(sentence, context);
    if (payment || paysNothing(sentence, context)) return { payment, to };
  }
  return undefined;
}

const MARKET = '(?:the|this) market';
const RESOLVES = '(?:will resolve|resolves)(?: to)?';
const PAID = '(?:(?<quote>["\'])(?<paid>[^"]+?)\\.?\\k<quote>|(?<bare>yes|no))';
const PAYMENTS = [
  `^if (?<condition>.+?),? (?:then )?${MARKET} ${RESOLVES} ${PAID}$`,
  `^${MARKET} ${RESOLVES} ${PAID} if (?<condition>.+)$`,
  `^otherwise,? (?:${MARKET}|it) ${RESOLVES} ${PAID}$`,
].map((source) => new RegExp(source, 'i'));

function paymentIn(sentence: string, context: RulesContext): Payment | undefined {
  for (const pattern of PAYMENTS) {
    const { paid, bare, condition: text } = pattern.exec(sentence)?.groups ?? {};
    const name = paid ?? bare;
    if (name === undefined) continue;
    const condition = text === undefined ? 'otherwise' : readCondition(text, context);
    if (condition) return { condition, paid: name };
  }
  return undefined;
}

/** What a condition says, read from beginning to end; undefined where it has no form that is known here. */
function readCondition(text: string, context: RulesContext): Condition | undefined {
  for (const [kind, pattern] of formsOf(context.game.sport).conditions) {
    const said = pattern.exec(text)?.groups;
    if (!said || !isOfGame(said, context)) continue;
    const condition = CONDITIONS[kind](said, context);
    if (condition) return condition;
  }
  return undefined;
}

type Said = Readonly<Record<string, string | undefined>>;

const CONDITIONS: Readonly<Record<ConditionKind, (said: Said, context: RulesContext) => Condition | undefined>> = {
  win({ winner = '', loser, ...said }, { sideOf }) {
    const side = sideOf(winner);
    if (side === undefined || (loser !== undefined && sideOf(loser) !== 1 - side)) return undefined;
    return { kind: 'win', side, over: amountIn(said)?.line };
  },
  loss({ loser = '' }, { sideOf }) {
    const side = sideOf(loser);
    return side === undefined ? undefined : { kind: 'win', side: side === 0 ? 1 : 0, over: undefined };
  },
  draw: () => ({ kind: 'draw' }),
  total(said) {
    const amount = amountIn(said);
    return amount && { kind: 'total', ...amount };
  },
};

/** Points are whole, so every amount is a half point: `6 or more` is over 5.5, `less than 6` under it. */
function amountIn({
  over,
  least,
  orMore,
  less,
}: Said): { readonly isOver: boolean; readonly line: number } | undefined {
  const [text, shift] = over === undefined ? [least ?? orMore ?? less, -0.5] : [over, 0.5];
  if (text === undefined) return undefined;
  const number = Number(text);
  return { isOver: less === undefined, line: Number.isInteger(number) ? number + shift : number };
}

/** Whether the sides and the day that a text names are those of the game. */
function isOfGame(said: Said, { game, sideOf }: RulesContext): boolean {
  for (const [first, second] of [
    [said['first'], said['second']],
    [said['one'], said['two']],
  ]) {
    if (first === undefined || second === undefined) continue;
    const [one, two] = [sideOf(first), sideOf(second)];
    if (one === undefined || two === undefined || one === two) return false;
  }
  const day = dayIn(said);
  return day === undefined || isDayOf(game, day);
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function dayIn({ month, day, year }: Said): NamedDay | undefined {
  if (month === undefined || day === undefined) return undefined;
  return {
    year: year === undefined ? undefined : Number(year),
    month: MONTHS.indexOf(month.toLowerCase()) + 1,
    day: Number(day),
  };
}

/** A sentence that pays for no outcome of the game: what it is on, what becomes of it if it is not played, who says so. */
const paysNothing = (sentence: string, context: RulesContext): boolean =>
  formsOf(context.game.sport).others.some((pattern) => {
    const match = pattern.exec(sentence);
    return match !== null && isOfGame(match.groups ?? {}, context);
  });

/** The game that rules name in full, by its sides as they call them. */
export function gameInRules(
  text: string,
  sport: string,
): { readonly first: string; readonly second: string; readonly day: NamedDay | undefined } | undefined {
  const said = text.length > MAX_TEXT ? undefined : formsOf(sport).game.exec(straightQuotes(text))?.groups;
  if (said?.['first'] === undefined || said['second'] === undefined) return undefined;
  if (NO_NAME.test(said['first']) || NO_NAME.test(said['second'])) return undefined;
  return { first: said['first'], second: said['second'], day: dayIn(said) };
}

/** Words that no side is called by: with one of them a text is on a part of a game, or on something else in it. */
const NO_NAME =
  /\b(?:professional|college|games?|match|matches|half|halves|quarters?|periods?|innings?|sets?|wins?|loses?|if|by)\b/i;
