import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import type { World } from '../world.ts';
import { type CreditsProcess, startCredits } from './credits-process.ts';
import { type IntakeProcess, startIntake } from './intake-process.ts';
import type { Begun, Running, Services } from './process.ts';
import { type ProjectorProcess, startProjector } from './projector-process.ts';
import { type PublisherProcess, startPublisher } from './publisher-process.ts';
import type { Settings } from './settings.ts';
import { type Faults, openFarLog, wayOf } from './way.ts';

interface Processes {
  readonly intake: IntakeProcess;
  readonly projector: ProjectorProcess;
  readonly publisher: PublisherProcess;
  readonly credits: CreditsProcess;
}

type RoleName = keyof Processes;

/** How each begins, and how many of them live at once. */
const ROLES: { readonly [Role in RoleName]: { start(begun: Begun): Processes[Role]; readonly count: number } } = {
  intake: { start: startIntake, count: 2 },
  projector: { start: startProjector, count: 2 },
  publisher: { start: startPublisher, count: 2 },
  credits: { start: startCredits, count: 1 },
};

/** Where processes live. Whoever dies is followed by another one. */
export interface Places {
  of<Role extends RoleName>(role: Role): readonly Processes[Role][];
  crashAny(): void;
  /** Of the projectors one goes on. What waits, and credits held back by nobody any more, is for those to find that
   *  begin anew. */
  calm(): void;
  /** All processes are there that should be, and none has stopped. */
  isSound(): boolean;
}

interface Place {
  readonly name: string;
  readonly role: RoleName;
  running?: Running;
  isClosed: boolean;
}

export function createPlaces(
  world: World,
  settings: Settings,
  services: Services,
  embedded: EventLog,
  faults: Faults,
): Places {
  const { random } = world;
  let isCalm = false;
  let started = 0;
  const places = (Object.keys(ROLES) as RoleName[]).flatMap((role) =>
    Array.from({ length: ROLES[role].count }, (_, index): Place => {
      return { name: `${role} ${index + 1}`, role, isClosed: false };
    }),
  );

  function start(place: Place): void {
    if (place.isClosed || place.running) return;
    const owner = { name: `${place.name}.${++started}`, alive: true };
    // What the keeper of the credits has under way ends with it: see `startCredits`.
    const own =
      place.role === 'credits'
        ? {
            get lost() {
              return faults.lost;
            },
            posthumous: 0,
          }
        : faults;
    const far = wayOf(world, owner, own);
    const log = openFarLog(world, owner, embedded, far, settings.hints);
    const fail = (error: unknown) => {
      world.note(() => `${owner.name} has failed: ${error}`);
      crash(place, owner.name);
    };
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    world.note(() => `${owner.name} begins`);
    place.running = ROLES[place.role].start({
      world,
      settings,
      services,
      owner,
      far,
      log,
      fail,
      place: place.name,
      ended,
      end,
    });
  }

  function crash(place: Place, name?: string): void {
    const { running } = place;
    if (!running || (name !== undefined && running.begun.owner.name !== name)) return;
    world.note(() => `${running.begun.owner.name} dies`);
    running.begun.owner.alive = false;
    running.begun.end();
    delete place.running;
    world.schedule(null, `${place.name} begins again`, isCalm ? 0 : random.below(300), () => start(place));
  }

  /** Who watches over processes starts those again that have stopped. */
  function watch(): void {
    for (const place of places) if (place.running && !place.running.isSound()) crash(place);
    world.schedule(null, 'a look at all processes', 100, watch);
  }

  for (const place of places) world.schedule(null, `${place.name} begins`, random.below(50), () => start(place));
  watch();

  return {
    of: (role) => places.flatMap((place) => (place.role === role && place.running ? [place.running] : [])) as never,
    crashAny: () => crash(random.pick(places)),
    calm() {
      isCalm = true;
      for (const place of places) {
        place.isClosed = place.name === 'projector 2';
        if (place.role === 'intake' || place.role === 'credits' || place.isClosed) crash(place);
      }
    },
    isSound: () => places.every(({ running, isClosed }) => isClosed || running?.isSound()),
  };
}
