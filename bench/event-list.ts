import { join } from 'node:path';
import { BOOTSTRAP_PRINCIPAL } from '../src/accounts/keys/authenticator.ts';
import { createInputReader } from '../src/api/calls/operation/operation-input.ts';
import { unlimitedAdmission, unlimitedAdmissionControl } from '../src/api/calls/pipeline/admission.ts';
import { createPipeline } from '../src/api/calls/pipeline/pipeline.ts';
import { listEvents } from '../src/api/operations/events/list-events.ts';
import { EVENT_STATUSES } from '../src/domain/catalogue/catalogue.ts';
import { DAY, formatDate } from '../src/domain/primitives/time.ts';
import { openSqliteStore, type SqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { type EventHistory, fillStore, LEAGUES, seeded, sideId, sizeOf } from './event-history.ts';
import { percentile } from './percentile.ts';

const SMALL = { count: 10_000, years: 1 };
const LARGE = { count: 1_000_000, years: 20 };
const PAGE = 25;
const QUESTIONS = 2000;
const WARM_UP = 300;
/** Tries before a question is given up that finds no full page: no event of such a kind need exist. */
const TRIES = 50;

type Filter = Record<string, string | number>;
/** What clients ask for; each is drawn as often as the others. */
type Kind = (draw: Draw) => Filter;

interface Draw {
  readonly history: EventHistory;
  random(): number;
  one<T>(of: readonly T[]): T;
  /** A date on which events lie, so many days before the last of them. */
  date(before: number): number;
}

const team = ({ one, random }: Draw): Filter => {
  const league = one(LEAGUES.filter(({ sport }) => sport !== 'tennis'));
  return { team_id: sideId(league, Math.floor(random() * sizeOf(league))) };
};
const league = ({ one }: Draw): Filter => ({ league: one(LEAGUES).slug });
const sport = ({ one }: Draw): Filter => ({ sport: one(LEAGUES).sport });
const status = ({ one }: Draw): Filter => ({ status: one(EVENT_STATUSES) });
const days =
  (count: number) =>
  (draw: Draw): Filter => {
    const from = draw.date(count);
    return { from: formatDate(from), to: formatDate(from + (count - 1) * DAY) };
  };
const season = ({ one, history, random }: Draw): Filter => {
  const year = new Date(history.from + random() * (history.to - history.from)).getUTCFullYear();
  return { season_id: one(LEAGUES).id * 10_000 + year };
};
const all =
  (...kinds: readonly Kind[]): Kind =>
  (draw) =>
    Object.assign({}, ...kinds.map((kind) => kind(draw)));

const KINDS: Readonly<Record<string, Kind>> = {
  none: () => ({}),
  sport,
  league,
  status,
  team,
  season,
  date: (draw) => ({ date: formatDate(draw.date(1)) }),
  days: days(30),
  'sport, days': all(sport, days(30)),
  'league, days': all(league, days(90)),
  'status, days': all(status, days(30)),
  'sport, status': all(sport, status),
  'league, status': all(league, status),
  'sport, status, days': all(sport, status, days(60)),
  'league, status, days': all(league, status, days(90)),
  'team, days': all(team, days(90)),
  'team, status': all(team, status),
  'team, season': all(team, season),
  'season, status': all(season, status),
  'by status': (draw) => ({ ...draw.one([sport, league, days(30)])(draw), sort: 'status' }),
};

export const eventList: Benchmark = {
  name: 'event-list',
  summary: 'GET /v1/events with scores and filters, at 10,000 and at 1,000,000 events',
  async run({ folder, say }) {
    const small = await subject(join(folder, 'small.db'), SMALL, say);
    const large = await subject(join(folder, 'large.db'), LARGE, say);
    const subjects = [small, large];
    // In turn, so that what else the machine does falls on both.
    for (let n = -WARM_UP; n < QUESTIONS; n++) {
      for (const { full, ask, times } of subjects) {
        const { question, kind } = full[(n + WARM_UP) % full.length]!;
        const began = performance.now();
        const cpu = process.cpuUsage();
        await ask(question);
        const { user, system } = process.cpuUsage(cpu);
        if (n >= 0) times.push({ kind, time: performance.now() - began, cpu: (user + system) / 1000 });
      }
    }
    for (const kind of Object.keys(KINDS)) {
      const [a, b] = subjects.map(({ times }) => times.filter((one) => one.kind === kind).map(({ cpu }) => cpu));
      if (a!.length === 0 || b!.length === 0) say(`${kind}: no full page`);
      else
        say(
          `${kind}: processor time, median ${ms(median(a!))} and ${ms(median(b!))}, p99 ${ms(p99(a!))} and ${ms(p99(b!))}`,
        );
    }
    const anything = await worst(large);
    const [at, of] = subjects.map(({ times }) => p99(times.map(({ time }) => time)));
    const figures: readonly Figure[] = [
      {
        what: 'list of 25 events, p99 at 1,000,000',
        value: of!,
        unit: 'ms',
        floor: { what: 'p99 at 10,000', value: at! },
        goal: { of: 'ratio', bound: 'at most', number: 2 },
      },
      {
        what: 'the same, median',
        value: median(large.times.map(({ time }) => time)),
        unit: 'ms',
        floor: { what: 'median at 10,000', value: median(small.times.map(({ time }) => time)) },
      },
      {
        what: 'the same, p99 of the processor time, which other work of the machine does not lengthen',
        value: p99(large.times.map(({ cpu }) => cpu)),
        unit: 'ms',
        floor: { what: 'p99 at 10,000', value: p99(small.times.map(({ cpu }) => cpu)) },
      },
      { what: 'any filter, however few it finds, p99 at 1,000,000', value: anything, unit: 'ms' },
      { what: 'filling the store with 1,000,000 events', value: large.seconds, unit: 's' },
    ];
    await Promise.all(subjects.map(({ store }) => store.close()));
    return figures;
  },
};

const median = (values: number[]): number => percentile(values, 0.5);
const p99 = (values: number[]): number => percentile(values, 0.99);
const ms = (value: number): string => `${value.toFixed(2)} ms`;

interface Asked {
  readonly kind: string;
  readonly question: Question;
}
interface Question {
  readonly input: any;
  readonly text: string;
}

/** Asks a store, through the pipeline, for answers that are made anew each time. */
async function subject(file: string, { count, years }: typeof SMALL, say: (text: string) => void) {
  const began = performance.now();
  const store: SqliteStore = openSqliteStore({ file });
  const cpu = process.cpuUsage();
  const history = await fillStore(store, count, years);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - began) / 1000;
  say(`${count} events in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor time`);
  const context = { store, now: () => history.now } as never;
  const authenticate = () => BOOTSTRAP_PRINCIPAL;
  const pipeline = createPipeline({ authenticate, admissionControl: unlimitedAdmissionControl, context });
  const call = {
    requestId: 'bench',
    principal: BOOTSTRAP_PRINCIPAL,
    operation: listEvents.name,
    startedAt: history.now,
  };
  const open = { call, admission: unlimitedAdmission };
  const ask = async (question: Question) => {
    const { answer } = await pipeline.executeRead(listEvents, question, open, () => false);
    return JSON.parse(answer.bytes) as { readonly total: number; readonly next_after_id: number | null };
  };
  const full = await fullPages(history, ask);
  const times: { kind: string; time: number; cpu: number }[] = [];
  const answer = async (question: Question) =>
    void (await pipeline.executeRead(listEvents, question, open, () => false));
  return { store, history, seconds, full, ask: answer, times };
}
type Subject = Awaited<ReturnType<typeof subject>>;

const reader = createInputReader(listEvents);
function questionOf(filter: Filter): Question {
  const given = Object.entries({ ...filter, limit: PAGE, include_scores: 'true' }).map(
    ([name, value]): [string, string] => [name, String(value)],
  );
  const input = reader.fromHttp({}, String(new URLSearchParams(given)), undefined);
  return { input, text: JSON.stringify(input) };
}

function drawing(history: EventHistory, seed: number): Draw {
  const random = seeded(seed);
  return {
    history,
    random,
    one: (of) => of[Math.floor(random() * of.length)]!,
    date: (before) => history.from + random() * (history.to - history.from - before * DAY),
  };
}

/** Questions that find a whole page, of all kinds in turn; every second goes on from the page's cursor. */
async function fullPages(history: EventHistory, ask: (question: Question) => Promise<any>): Promise<readonly Asked[]> {
  const draw = drawing(history, 1);
  const asked: Asked[] = [];
  for (let round = 0; round < QUESTIONS / Object.keys(KINDS).length; round++) {
    for (const [kind, make] of Object.entries(KINDS)) {
      for (let tries = 0; tries < TRIES; tries++) {
        const filter = make(draw);
        let question = questionOf(filter);
        let { total, next_after_id } = await ask(question);
        if (total === PAGE && next_after_id !== null && round % 2 === 1) {
          question = questionOf({ ...filter, after_id: next_after_id });
          ({ total } = await ask(question));
        }
        if (total < PAGE) continue;
        asked.push({ kind, question });
        break;
      }
    }
  }
  return asked;
}

/** The p99 over questions as they come, most of which find few events or none. */
async function worst({ history, ask }: Subject): Promise<number> {
  const draw = drawing(history, 2);
  const times: number[] = [];
  for (let n = 0; n < QUESTIONS; n++) {
    const question = questionOf(draw.one(Object.values(KINDS))(draw));
    const began = performance.now();
    await ask(question);
    times.push(performance.now() - began);
  }
  return p99(times);
}
