import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lastLine, reportOf, run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { differences, dumpFolder } from '../kill/dump.ts';
import { dateOf, EVENTS_OF_A_DAY, pricesOf, refOf, scheduleOf, scoreOf, season, startOf } from './season.ts';

/** Days that are over: their events change no more. Each brings some 2600 messages. */
const DAYS = 12;
const CLIENTS = 6;
const MOVING = 3;
const KEY = `llk_RebuildLoad1.${'k'.repeat(43)}`;
const INGEST_KEY = 'the-ingest-key-of-the-load-test';
const HEADERS = { authorization: `Bearer ${KEY}` };

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What shows of an event of which prices and score move together, by the same number. */
interface Moving {
  readonly id: number;
  readonly ref: string;
  /** The newest number of which the server has said that it can be read, and the newest that it was told. */
  readable: number;
  told: number;
  /** Milliseconds: of two messages of one time it would not be the later one that stands. */
  at: number;
}

it('a rebuild under a steady load fails no answer, mixes nothing, and ends with the same documents', async () => {
  const folder = join(temporaryFolder(), 'data');
  const file = join(temporaryFolder(), 'season.ndjson');
  const days = season(1);
  writeFileSync(file, Array.from({ length: DAYS + 1 }, () => days.next().value).join(''));
  const ingested = reportOf(await run(['ingest', '--data-dir', folder, file]));
  expect(ingested).toMatchObject({ rejected: 0, quarantined: 0 });
  const server = await startServer(folder, { BOOTSTRAP_KEY: KEY, INGEST_KEY });

  let slowest = 0;
  const ask = async (path: string): Promise<Answer> => {
    const began = performance.now();
    const response = await fetch(server.url + path, { headers: HEADERS });
    const answer = { status: response.status, text: await response.text() };
    slowest = Math.max(slowest, performance.now() - began);
    return answer;
  };
  const tell = async (messages: readonly unknown[]) => {
    const response = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(messages),
    });
    expect(await response.json()).toMatchObject({ accepted: messages.length });
  };

  // Given answers about what is over, which may never be others, and events that move.
  const moving = await beginMoving(tell, ask);
  const paths = await pathsOfTheOver(ask);
  const expected = new Map<string, Answer>();
  for (const path of paths) expected.set(path, await ask(path));
  expect([...expected.values()].filter(({ status }) => status === 200).length).toBeGreaterThan(paths.length * 0.9);
  const before = await dumpFolder(folder);

  // When there are readers all the time, and read models are built anew twice, the first time while something moves.
  const load = { stopped: false, answers: 0, wrong: [] as string[] };
  const readers = Array.from({ length: CLIENTS }, (_, client) =>
    readOn(client).catch((error) => void load.wrong.push(`${error}: ${error.cause}`)),
  );
  let feeding = true;
  const feeder = (async () => {
    while (feeding) for (const one of moving) await move(one);
  })();
  const first = await rebuild();
  expect(first.answers).toBeGreaterThan(100);
  feeding = false;
  await feeder;
  for (const { told } of moving) expect(told).toBeGreaterThan(3);
  const moved = await dumpFolder(folder);
  const second = await rebuild();
  load.stopped = true;
  await Promise.all(readers);
  expect(load.wrong.slice(0, 10), `${load.wrong.length} wrong answers of ${load.answers}`).toEqual([]);

  // Then every answer was right, and the documents are the same.
  const after = await dumpFolder(folder);
  expect(differences(moved.documents, after.documents)).toEqual([]);
  expect(differences(before.facts, new Map([...after.facts].filter(([fact]) => before.facts.has(fact))))).toEqual([]);
  const places = [...after.documents.keys()].filter(
    (place) => before.documents.get(place) !== after.documents.get(place),
  );
  const ids = moving.map(({ id }) => id).join('|');
  const movingPlace = new RegExp(
    `^(events|intelligence|main-quotes|prop-quotes|odds|odds-movements|games|player-boxes)/(${ids})(:|$)`,
  );
  expect(places.filter((place) => !movingPlace.test(place))).toEqual([]);
  expect(await run(['verify', '--data-dir', folder])).toMatchObject({ code: 0 });
  console.log(
    JSON.stringify({
      records: Number(ingested['received']),
      moves: moving.map(({ told }) => told),
      rebuilds: [first, second],
    }),
  );

  /** Builds everything anew. @returns how long that took, how many were answered meanwhile, and the slowest */
  async function rebuild() {
    await ask(paths[0]!);
    slowest = 0;
    const answers = load.answers;
    const ended = await run(['rebuild', '--data-dir', folder]);
    expect(ended).toMatchObject({ code: 0 });
    const { seconds } = JSON.parse(lastLine(ended.stdout));
    return { seconds, answers: load.answers - answers, slowest: Math.round(slowest) };
  }

  async function move(one: Moving): Promise<void> {
    one.told++;
    one.at = Math.max(one.at + 1, Date.now());
    const { ref, told, at } = one;
    await tell([scoreOf(ref, at, 'inprogress', [told, 0]), pricesOf(ref, 'pinnacle', at, 3, 100 + told)]);
    one.readable = told;
  }

  /** Reads what is over and what moves, in turn, and looks at every answer. */
  async function readOn(client: number): Promise<void> {
    const seen = new Map<number, number>();
    for (let n = client; !load.stopped; n++) {
      const path = paths[(n * 7) % paths.length]!;
      const [{ status, text }, was] = [await ask(path), expected.get(path)!];
      if (status !== was.status || text !== was.text) load.wrong.push(`${path} ${status} ${text} WAS ${was.text}`);
      await readMoving(moving[n % MOVING]!, seen);
      load.answers += 2;
      await setImmediate();
    }
  }

  async function readMoving(one: Moving, seen: Map<number, number>): Promise<void> {
    const { id } = one;
    // Neither older than what the server said that it had projected, nor than what this client saw.
    const least = Math.max(one.readable, seen.get(id) ?? 0);
    const { status, text } = await ask(`/v1/events/${id}?include_odds=true`);
    if (status !== 200) return void load.wrong.push(`event ${id}: ${status} ${text}`);
    const { participants, odds } = JSON.parse(text);
    const score = Number(participants[0].score);
    const price = odds.bookmakers[0].markets[0].outcomes[0].price - 100;
    if (score !== price || score < least || score > one.told) {
      load.wrong.push(`event ${id}: score ${score}, price ${price}, where ${least} to ${one.told} was known`);
    }
    seen.set(id, Math.max(score, least));
  }
}, 180_000);

async function pathsOfTheOver(ask: (path: string) => Promise<Answer>): Promise<string[]> {
  const paths: string[] = [];
  for (const day of [1, DAYS >> 1, DAYS - 2]) {
    const list = `/v1/events?date=${dateOf(day)}&limit=100`;
    paths.push(list, `${list}&include_scores=true`, `/v1/events?date=${dateOf(day)}&limit=4`);
    const { events } = JSON.parse((await ask(list)).text);
    expect(events).toHaveLength(EVENTS_OF_A_DAY);
    for (const { id } of events.slice(0, 5)) {
      const event = `/v1/events/${id}`;
      paths.push(event, `${event}?include_odds=true&bookmaker=all`, `${event}/score`, `${event}/splits`);
      paths.push(`${event}/odds?bookmaker=all`, `${event}/odds/history?bookmaker=all`, `${event}/injuries`);
    }
  }
  return [...paths, '/v1/teams?sport=nba', '/v1/seasons?sport=nba&current_only=false'];
}

/** Events of a later day, of which so far only the schedule and one score with its price are known. */
async function beginMoving(
  tell: (messages: readonly unknown[]) => Promise<void>,
  ask: (path: string) => Promise<Answer>,
): Promise<Moving[]> {
  const day = 400;
  const numbers = Array.from({ length: MOVING }, (_, n) => n);
  await tell(numbers.map((n) => scheduleOf(day, n)));
  await tell(
    numbers.flatMap((n) => [
      scoreOf(refOf(day, n), startOf(day, n), 'inprogress', [0, 0]),
      pricesOf(refOf(day, n), 'pinnacle', startOf(day, n), 3, 100),
    ]),
  );
  const { events } = JSON.parse((await ask(`/v1/events?date=${dateOf(day)}`)).text);
  return numbers.map((n) => ({ id: events[n].id, ref: refOf(day, n), readable: 0, told: 0, at: 0 }));
}
