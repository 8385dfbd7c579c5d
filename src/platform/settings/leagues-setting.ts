import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type AddedLeagues,
  addedId,
  installLeagues,
  type LEAGUE_PROVIDERS,
  type OwnSport,
  YEAR_NAMES,
} from '../../domain/catalogue/added-leagues.ts';
import { BUILT_IN_SLUGS, BUILT_IN_SPORTS } from '../../domain/catalogue/built-in-sports.ts';
import { ownFormat, problemsOfFormat } from './league-format-setting.ts';
import { ownRules, problemsOfRules } from './league-rules-setting.ts';

const SLUG = /^[a-z][a-z0-9_]{1,39}$/;
const KEY = z.string().regex(/^[a-z0-9_]{1,60}$/, 'must match [a-z0-9_]{1,60}');

const providers = z
  .strictObject({
    espn: z.string().regex(/^[a-z]+\/[a-z0-9.-]{1,60}$/, "must be SPORT/LEAGUE of ESPN's addresses"),
    the_odds_api: KEY,
    action_network: KEY,
    football_data: z.string().regex(/^[A-Z]{1,3}[0-9]?$/, 'must be a division, such as E1'),
  } satisfies Record<(typeof LEAGUE_PROVIDERS)[number], z.ZodType>)
  .partial();

const builtIn = z.enum(BUILT_IN_SLUGS, { error: `must be one of ${BUILT_IN_SLUGS.join(', ')}` });
const ownSport = z.strictObject({
  slug: z
    .string()
    .regex(SLUG, 'must be a slug')
    .refine((slug) => !(BUILT_IN_SLUGS as readonly string[]).includes(slug), 'this sport is built in'),
  like: builtIn.refine((slug) => slug !== 'tennis', 'no sport can be like tennis, whose players are no teams'),
});
/** Not a union of both, whose issues would not say which member is wrong. */
const sport = z.unknown().transform((value, context): z.infer<typeof builtIn> | z.infer<typeof ownSport> => {
  const isOwn = typeof value === 'object' && value !== null;
  const read = (isOwn ? ownSport : builtIn).safeParse(value);
  if (read.success) return read.data;
  // With the path within the sport, which comes after that of the league.
  context.issues.push(...(read.error.issues as unknown as typeof context.issues));
  return z.NEVER;
});

const league = z
  .strictObject({
    sport,
    name: z.string().trim().min(1).max(100),
    country: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be an ISO code of three letters')
      .optional(),
    season: z.strictObject({
      start_month: z.int().min(1).max(12),
      year_name: z.enum(YEAR_NAMES),
    }),
    providers: providers.optional(),
    tier: z.int().min(1).max(20).optional(),
    rules: ownRules.optional(),
    format: ownFormat.optional(),
  })
  .refine(
    ({ sport: ofLeague, providers: given }) =>
      ofLeague !== 'tennis' || given === undefined || Object.keys(given).length === 0,
    {
      path: ['providers'],
      message: 'providers name tournaments of tennis, not added tours',
    },
  )
  .superRefine(({ sport: ofLeague, rules, format }, context) => {
    const like = typeof ofLeague === 'string' ? ofLeague : ofLeague.like;
    const problems = {
      rules: rules ? problemsOfRules(like, rules) : [],
      format: format ? problemsOfFormat(like, format) : [],
    };
    for (const [of, found] of Object.entries(problems)) {
      for (const [member, message] of found)
        context.addIssue({ code: 'custom', path: [of, ...(member === '' ? [] : member.split('.'))], message });
    }
  });

/** `leagues` of the CONFIG file, by slug. */
export const leaguesSchema = z.record(z.string().regex(SLUG, 'a league is named by a slug'), league).default({});

const MAX_LEAGUES = 200;

/** What is wrong with leagues that are right one by one; undefined: nothing. */
export function checkAddedLeagues(leagues: AddedLeagues): string | undefined {
  const slugs = Object.keys(leagues);
  if (slugs.length > MAX_LEAGUES) return `leagues: must be at most ${MAX_LEAGUES}`;
  const known = new Set<string>(BUILT_IN_SPORTS.flatMap((sport) => sport.leagues.map(({ slug }) => slug)));
  const taken = new Map<string, string>();
  const sports = new Map<string, OwnSport>();
  for (const slug of slugs) {
    if (known.has(slug)) return `leagues.${slug}: this league is built in`;
    const id = addedId(slug);
    const own = leagues[slug]!.sport;
    if (typeof own !== 'string') {
      const like = sports.get(own.slug)?.like ?? own.like;
      if (like !== own.like) return `leagues.${slug}.sport.like: another league has ${like} for ${own.slug}`;
      sports.set(own.slug, own);
    }
    const names = Object.entries(leagues[slug]!.providers ?? {}).map(
      ([provider, name]) => [`providers.${provider}`, `${provider} ${name}`] as const,
    );
    for (const [member, name] of [['', `id ${id}`] as const, ...names]) {
      const other = taken.get(name);
      const path = ['leagues', slug, ...(member ? [member] : [])].join('.');
      if (other !== undefined) return `${path}: leagues.${other} has the same ${name}`;
      taken.set(name, slug);
    }
  }
  const slugOfId = new Map<number, string>();
  for (const slug of sports.keys()) {
    const other = slugOfId.get(addedId(slug));
    if (other !== undefined) return `leagues: the sports ${other} and ${slug} have the same id`;
    slugOfId.set(addedId(slug), slug);
  }
  return undefined;
}

/**
 * Adds the leagues of the CONFIG file to the catalogue. Every process and every thread that reads the catalogue does
 * this first, and loads all else afterwards. A file that is not right adds nothing here: `readConfigFile` says what is
 * wrong with it before anything opens.
 */
export function installConfiguredLeagues(env: Readonly<Record<string, string | undefined>>): void {
  const path = env['CONFIG']?.trim();
  if (!path) return;
  let leagues: unknown;
  try {
    leagues = (JSON.parse(readFileSync(path, 'utf8')) as { leagues?: unknown } | null)?.leagues;
  } catch {
    return;
  }
  const read = leaguesSchema.safeParse(leagues);
  if (read.success && checkAddedLeagues(read.data) === undefined) installLeagues(read.data);
}
