/** The columns of one bookmaker's prices at one moment. */
export interface PriceColumns {
  readonly bookmaker: string;
  readonly moment: 'opening' | 'closing';
  /** Home, draw, away. */
  h2h?: readonly [string, string, string];
  /** Over and under 2.5 goals. */
  totals?: readonly [string, string];
  /** Home and away prices, and the handicap of the home side. */
  spreads?: readonly [home: string, away: string, line: string];
}

const BOOKMAKERS: Readonly<Record<string, string>> = {
  P: 'pinnacle',
  PS: 'pinnacle',
  B365: 'bet365',
  BW: 'bwin',
  IW: 'interwetten',
  WH: 'williamhill',
  VC: 'betvictor',
};

/** Highest and average prices of several bookmakers: `Max`, `Avg`, and from Betbrain `BbMx`, `BbAv`. */
const AGGREGATE = /^(Max|Avg|Bb)/;

/** All spellings of the headers of totals. The last one is R's version of the first. */
const TOTALS: readonly (readonly [over: string, under: string])[] = [
  ['>2.5', '<2.5'],
  ['_2_5', '_2_5_1'],
  ['.2.5', '.2.5.1'],
];

/** Finds the columns of each bookmaker's prices in a header, in its order, opening prices before closing prices. */
export function findPriceColumns(header: readonly string[]): PriceColumns[] {
  const names = new Set(header);
  const prefixes = header.flatMap(prefixesOf).filter((prefix) => prefix !== '' && !AGGREGATE.test(prefix));
  const candidates = new Set(prefixes.filter((prefix) => hasMarket(prefix, names)));
  const found = new Map<string, PriceColumns>();
  for (const prefix of candidates) {
    const base = closingOf(prefix, candidates);
    const moment = base === undefined ? 'opening' : 'closing';
    const bookmaker = slugOf(base ?? prefix);
    const key = `${moment} ${bookmaker}`;
    const columns = found.get(key) ?? { bookmaker, moment };
    found.set(key, columns);
    columns.h2h ??= h2hOf(prefix, names);
    columns.totals ??= totalsOf(prefix, names);
    columns.spreads ??= spreadsOf(prefix, moment, names);
  }
  const all = [...found.values()];
  return [...all.filter((c) => c.moment === 'opening'), ...all.filter((c) => c.moment === 'closing')];
}

/** Possible prefixes of a column name before the name of a market. */
function prefixesOf(column: string): string[] {
  return ['AHH', 'H', ...TOTALS.map(([over]) => over)]
    .filter((suffix) => column.endsWith(suffix))
    .map((suffix) => column.slice(0, -suffix.length));
}

function h2hOf(prefix: string, names: ReadonlySet<string>): PriceColumns['h2h'] {
  const columns = [`${prefix}H`, `${prefix}D`, `${prefix}A`] as const;
  return columns.every((name) => names.has(name)) ? columns : undefined;
}

function totalsOf(prefix: string, names: ReadonlySet<string>): PriceColumns['totals'] {
  const spelling = TOTALS.find(([over, under]) => names.has(prefix + over) && names.has(prefix + under));
  return spelling && [prefix + spelling[0], prefix + spelling[1]];
}

function spreadsOf(
  prefix: string,
  moment: PriceColumns['moment'],
  names: ReadonlySet<string>,
): PriceColumns['spreads'] {
  const [home, away] = [`${prefix}AHH`, `${prefix}AHA`];
  if (!names.has(home) || !names.has(away)) return undefined;
  // Before 2019 each bookmaker had a handicap column of its own.
  const own = `${prefix}AH`;
  return [home, away, names.has(own) ? own : moment === 'closing' ? 'AHCh' : 'AHh'];
}

const hasMarket = (prefix: string, names: ReadonlySet<string>): boolean =>
  h2hOf(prefix, names) !== undefined || totalsOf(prefix, names) !== undefined || names.has(`${prefix}AHA`);

/** `PSC` are the closing prices of `PS`, but VC is a bookmaker. Undefined for opening prices. */
function closingOf(prefix: string, candidates: ReadonlySet<string>): string | undefined {
  if (!prefix.endsWith('C') || Object.hasOwn(BOOKMAKERS, prefix)) return undefined;
  const base = prefix.slice(0, -1);
  return Object.hasOwn(BOOKMAKERS, base) || candidates.has(base) ? base : undefined;
}

const slugOf = (prefix: string): string =>
  Object.hasOwn(BOOKMAKERS, prefix) ? BOOKMAKERS[prefix]! : prefix.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
