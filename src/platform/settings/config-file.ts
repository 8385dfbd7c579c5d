import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type AddedLeagues, installedLeagues } from '../../domain/catalogue/added-leagues.ts';
import {
  BOOKMAKER_SLUG,
  BOOKMAKER_TYPES,
  BOOKMAKERS,
  type BookmakerType,
  DEFAULT_BOOKMAKER_TYPES,
  SHARP_BOOK_WEIGHTS,
} from '../../domain/catalogue/catalogue.ts';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';
import { safeParse } from '../../domain/primitives/safe-parse.ts';
import { ConfigError } from './config-error.ts';
import { checkAddedLeagues, leaguesSchema } from './leagues-setting.ts';
import {
  DEFAULT_PACKS,
  DEFAULT_PLANS,
  FREE_OF_CHARGE,
  type Pack,
  type Plan,
  packSchema,
  planSchema,
} from './plans-and-packs.ts';

/** The settings that the CONFIG file can change. */
export interface ConfigFile {
  readonly plans: Readonly<Record<string, Plan>>;
  readonly packs: readonly Pack[];
  /** Display names by slug. */
  readonly bookmakers: Readonly<Record<string, string>>;
  /** Weights of bookmakers' prices for the fair price, by slug. Bookmakers without a weight do not count. */
  readonly referenceWeights: Readonly<Record<string, number>>;
  /** Whether the weights are learnt from settled games; those above are what they begin with. */
  readonly learnsReferenceWeights: boolean;
  /** By slug; every other bookmaker is a sportsbook, or an exchange once it has sent an order book. */
  readonly bookmakerTypes: Readonly<Record<string, BookmakerType>>;
}

const name = z.string().min(1).max(100);
const bookmaker = z.union([
  name.transform((text) => ({ name: text, reference_weight: undefined, type: undefined })),
  z.strictObject({
    name: name.optional(),
    reference_weight: z.number().min(0).max(1000).optional(),
    type: z.enum(BOOKMAKER_TYPES).optional(),
  }),
]);
const configFileSchema = z.strictObject({
  plans: z
    .record(z.string().regex(/^[a-z0-9_-]{1,40}$/, 'a plan is named by a slug'), planSchema.partial())
    .default({}),
  packs: z.array(packSchema.partial().required({ id: true })).default([]),
  bookmakers: z.record(z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'), bookmaker).default({}),
  leagues: leaguesSchema,
  reference_weights: z.enum(['constant', 'learnt']).default('constant'),
});

/**
 * Merges the defaults with the file's members: plans and bookmakers by slug, packs by id, member by member. A new entry
 * must be complete. A bookmaker may be given as its name only.
 * @param path undefined: the defaults
 * @param isForLater whether another process will begin with the file, so that its leagues need not be in this one
 * @throws ConfigError
 */
export function readConfigFile(path: string | undefined, isForLater = false): ConfigFile {
  const given = safeParse(configFileSchema, path === undefined ? {} : readJson(path));
  if (!given) throw new ConfigError('CONFIG', `${path}: a member is no text, number, list or object as it must be`);
  if (!given.success) throw toConfigError(path, given.error);
  checkLeagues(path, given.data.leagues, isForLater);
  const packs = new Map(DEFAULT_PACKS.map((pack) => [pack.id, pack]));
  for (const pack of given.data.packs) {
    packs.set(pack.id, parseComplete(path, packSchema, `packs.${pack.id}`, { ...packs.get(pack.id), ...pack }));
  }
  const plans = { ...DEFAULT_PLANS };
  for (const [slug, plan] of Object.entries(given.data.plans)) {
    const complete = { ...FREE_OF_CHARGE, ...ownValue(plans, slug), ...plan };
    setOwn(plans, slug, parseComplete(path, planSchema, `plans.${slug}`, complete));
  }
  const books = Object.entries(given.data.bookmakers);
  const collect = <Value>(of: (book: (typeof books)[number][1]) => Value | undefined) =>
    Object.fromEntries(
      books.flatMap(([slug, book]): [string, Value][] => {
        const value = of(book);
        return value === undefined ? [] : [[slug, value]];
      }),
    );
  return {
    plans,
    packs: [...packs.values()],
    bookmakers: { ...BOOKMAKERS, ...collect((book) => book.name) },
    referenceWeights: { ...SHARP_BOOK_WEIGHTS, ...collect((book) => book.reference_weight) },
    learnsReferenceWeights: given.data.reference_weights === 'learnt',
    bookmakerTypes: { ...DEFAULT_BOOKMAKER_TYPES, ...collect((book) => book.type) },
  };
}

/** @throws ConfigError when two leagues are at odds, or this process runs without one of them, and should not */
function checkLeagues(path: string | undefined, leagues: AddedLeagues, isForLater: boolean): void {
  const problem = checkAddedLeagues(leagues);
  if (problem !== undefined) throw new ConfigError('CONFIG', `${path}: ${problem}`);
  if (isForLater) return;
  const installed = installedLeagues();
  const missing = Object.keys(leagues).find((slug) => !isDeepStrictEqual(installed[slug], leagues[slug]));
  if (missing === undefined) return;
  const text = 'leagues are read as the process begins, from the file that CONFIG of its environment names';
  throw new ConfigError('CONFIG', `${path}: leagues.${missing}: ${text}`);
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ConfigError('CONFIG', `${path} ${missing ? 'does not exist' : 'cannot be read'}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ConfigError('CONFIG', `${path} is not JSON: ${(error as Error).message}`);
  }
}

function parseComplete<T>(path: string | undefined, schema: z.ZodType<T>, memberPath: string, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw toConfigError(path, result.error, memberPath);
  return result.data;
}

function toConfigError(path: string | undefined, { issues }: z.ZodError, prefix?: string): ConfigError {
  const issue = issues[0]!;
  const memberPath = [...(prefix ? [prefix] : []), ...issue.path.map(String)].join('.');
  const problem =
    issue.code === 'unrecognized_keys'
      ? `unknown member ${issue.keys.map((key) => [...(memberPath ? [memberPath] : []), key].join('.')).join(', ')}`
      : `${memberPath || 'the file'}: ${'issues' in issue ? joinMessages(issue.issues) : issue.message}`;
  return new ConfigError('CONFIG', `${path}: ${problem}`);
}

const joinMessages = (issues: unknown): string =>
  (issues as { message: string }[]).map((issue) => issue.message).join(', ') || 'is not right';
