import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import { OddsApiError } from '../../../src/api/compat/odds-api-errors.ts';
import { oddsApiOperations } from '../../../src/api/compat/odds-api-operations.ts';
import { runs } from '../../system/properties/runs.ts';
import { type Message, type SmallServer, withServer } from '../../system/properties/small-server.ts';
import { arranged, EVENTS, history, iso, order } from '../../system/properties/world.ts';
import { hexOf } from './odds-api-client.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SPORTS = ['upcoming', 'americanfootball_nfl', 'soccer_epl', 'basketball_nba', 'tennis_atp_open'];
const MARKETS = 'alternate_spreads,h2h,player_pass_yds,spreads,totals,totals_h1';
/** The world's own clock stands behind all that it tells; here what is told is recorded as it is observed. */
const BEFORE_ALL = EVENTS[0]!.start - 500 * HOUR;

it('the past answers what the present answered, byte for byte', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      history,
      order,
      fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
      async (messages, one, moments) => {
        const told = arranged([...messages].sort(byTime), one).map((batch) => batch.sort(byTime));
        await withServer({ time: BEFORE_ALL }, async (server) => {
          const { ask, logBegin } = oddsApi(server);
          const then = new Map<number, Record<string, unknown>>();
          const chosen = new Set(moments.map((n) => n % told.length));
          for (const [index, batch] of told.entries()) {
            // As late as the last of them, so that none is of the future. Some are late, and old events get news.
            server.clock.time = Math.max(server.clock.time, ...batch.map(timeOf)) + MINUTE;
            await server.accept(batch);
            await server.projected();
            if (chosen.has(index)) then.set(server.clock.time, await answersNow(ask, server));
          }
          server.clock.time += HOUR;
          for (const [moment, answers] of then) {
            for (const [path, answer] of Object.entries(answers)) {
              const past = withoutOwnTimes(path, await ask(`/historical${path}`, { date: iso(moment) }));
              // Which tournaments there are is told as of now.
              if (error(answer) === 'UNKNOWN_SPORT') continue;
              expect([path, error(past) ?? past.data], `as of ${iso(moment)}`).toEqual([path, error(answer) ?? answer]);
              if (error(past)) continue;
              expect(JSON.stringify(past.data)).toBe(JSON.stringify(answer));
              expect(past.timestamp).toBe(iso(Math.floor(moment / 1000) * 1000));
              const before = moment - 5 * MINUTE;
              expect(past.previous_timestamp).toBe(before < (await logBegin())! ? null : iso(before));
              expect(past.next_timestamp).toBe(iso(moment + 5 * MINUTE));
              compared += past.data.length > 0 || past.data.id ? 1 : 0;
            }
          }
        });
      },
    ),
    runs(30),
  );
  expect(compared).toBeGreaterThan(0);
});

it('by what was observed, the past answers what had been observed by then, in whatever order it was told', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, order, fc.nat(), async (messages, one, other, n) => {
      const at = timeOf(messages[n % messages.length]!);
      const known = messages.filter((message) => timeOf(message) <= at);
      await withServer({ time: BEFORE_ALL }, async (full) => {
        full.clock.time = Math.max(...messages.map(timeOf)) + HOUR;
        for (const batch of arranged(messages, one)) await full.accept(batch);
        await full.projected();
        await withServer({ time: BEFORE_ALL }, async (then) => {
          then.clock.time = full.clock.time;
          for (const batch of arranged(known, other)) await then.accept(batch);
          await then.projected();
          then.clock.time = at;
          const [asked, answers] = [oddsApi(full).ask, await answersNow(oddsApi(then).ask, then)];
          for (const sport of SPORTS) {
            for (const list of ['odds', 'events']) {
              const path = `/sports/${sport}/${list}`;
              if (error(answers[path]) !== undefined) continue;
              const past = await asked(`/historical${path}`, { date: iso(at), as_of_basis: 'observed' });
              expect([path, unnamed(past.data)]).toEqual([path, unnamed(answers[path])]);
            }
          }
        });
      });
    }),
    runs(20),
  );
});

const timeOf = ({ at }: Message): number => Date.parse(String(at));
const byTime = (a: Message, b: Message): number => timeOf(a) - timeOf(b);
const error = (answer: any): string | undefined => answer?.error;
/** Ids are given in the order of arrival, which orders what starts at one time. */
const unnamed = (list: any): unknown => list.map(({ id: _, ...rest }: any) => JSON.stringify(rest)).toSorted();

/** The odds of one event of the past tell the bookmakers' own times too, which those of the present do not. */
const withoutOwnTimes = (path: string, past: any): any =>
  error(past) !== undefined || !path.includes('/events/')
    ? past
    : {
        ...past,
        data: {
          ...past.data,
          bookmakers: past.data.bookmakers.map(({ last_update, ...rest }: any) => {
            expect(last_update).toEqual(expect.stringMatching(/Z$/));
            return rest;
          }),
        },
      };

function oddsApi(server: SmallServer) {
  const logBegin = async () => {
    const [first] = await server.log.readAll(null, 1);
    return first ? Date.parse(first.recordedAt) : null;
  };
  const operations = oddsApiOperations(logBegin).map((operation) => ({
    operation,
    pattern: new RegExp(`/v4${operation.path.split('/v4')[1]!.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
  const ask = async (path: string, more: Record<string, string> = {}): Promise<any> => {
    const found = operations.find(({ pattern }) => pattern.test(`/v4${path}`))!;
    const { groups } = found.pattern.exec(`/v4${path}`)!;
    const featured = path.endsWith('/odds') && !path.includes('/events/');
    const markets = featured ? 'h2h,spreads,totals' : MARKETS;
    const input = { regions: 'us,eu', markets, ...more, ...groups };
    try {
      return JSON.parse(JSON.stringify(await found.operation.run(input, server.context)));
    } catch (thrown) {
      if (thrown instanceof OddsApiError) return { error: thrown.oddsApiCode };
      if (thrown instanceof ApiError) return { error: thrown.code };
      throw thrown;
    }
  };
  return { ask, logBegin };
}

/** What the paths answer at this moment that answer of the past too. */
async function answersNow(ask: ReturnType<typeof oddsApi>['ask'], server: SmallServer): Promise<Record<string, any>> {
  const answers: Record<string, unknown> = {};
  for (const sport of SPORTS) {
    for (const list of ['odds', 'events']) answers[`/sports/${sport}/${list}`] = await ask(`/sports/${sport}/${list}`);
  }
  for (const { ref, league } of EVENTS) {
    const bound = await server.identities.findEvent('alpha', `alpha-${ref}`);
    const sport = { nfl: SPORTS[1], epl: SPORTS[2], nba: SPORTS[3], atp: SPORTS[4] }[league]!;
    if (bound) answers[`/sports/${sport}/events/${hexOf(bound.id)}/odds`] = undefined;
  }
  for (const path of Object.keys(answers)) if (answers[path] === undefined) answers[path] = await ask(path);
  return answers;
}
