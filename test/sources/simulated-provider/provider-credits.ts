/** Part of a protocol double: the key and the credits of The Odds API. */
export interface CreditSettings {
  readonly key: string;
  readonly credits: number;
}

interface Charged {
  readonly headers: Readonly<Record<string, string>>;
  /** In place of the answer. */
  readonly refusal?: { readonly status: number; readonly body: unknown };
}

const refused = (status: number, code: string, message: string) => ({
  status,
  body: { message, error_code: code, details_url: `https://the-odds-api.com/errors#${code.toLowerCase()}` },
});

/** Counts as the provider does: a credit for each market in each region, nothing for an answer that is empty. */
export function createProviderCredits({ key, credits }: CreditSettings) {
  let used = 0;
  const headers = (last: number) => ({
    'x-requests-last': String(last),
    'x-requests-used': String(used),
    'x-requests-remaining': String(credits - used),
  });
  return {
    get used() {
      return used;
    },
    charge(path: string, query: Readonly<Record<string, string>>, body: unknown): Charged {
      const given = query['apiKey'];
      if (given === undefined) return { headers: {}, refusal: refused(401, 'MISSING_KEY', 'API key is missing') };
      if (given !== key) return { headers: {}, refusal: refused(401, 'INVALID_KEY', 'API key is not valid') };
      const cost = isEmpty(body) ? 0 : costOf(path, query);
      if (used + cost > credits) {
        return { headers: headers(0), refusal: refused(401, 'OUT_OF_USAGE_CREDITS', 'Usage quota has been reached') };
      }
      used += cost;
      return { headers: headers(cost) };
    },
  };
}

const count = (list: string | undefined): number => (list ?? '').split(',').filter(Boolean).length;

function costOf(path: string, query: Readonly<Record<string, string>>): number {
  if (path.endsWith('/odds')) return count(query['markets'] ?? 'h2h') * count(query['regions']);
  if (path.endsWith('/scores')) return query['daysFrom'] === undefined ? 1 : 2;
  return 0;
}

const isEmpty = (body: unknown): boolean =>
  Array.isArray(body)
    ? body.length === 0
    : Array.isArray((body as any)?.bookmakers) && (body as any).bookmakers.length === 0;
