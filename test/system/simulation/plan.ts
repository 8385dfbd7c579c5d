import type { Instance } from './instance.ts';
import type { Settings } from './settings.ts';
import { NAMES } from './truth.ts';
import type { World } from './world.ts';

/** What may befall the world's processes. */
export interface Actions {
  start(): void;
  crash(instance: Instance): void;
  stop(instance: Instance): void;
  rebuild(instance: Instance, names: readonly string[] | undefined): void;
  /** All processes die; those that come have newer code. */
  renew(): void;
}

/** Before the calm, and often while facts are told: nothing much can go wrong when all stand still. */
export const anyTime = ({ random }: World, { telling, duration }: Settings): number =>
  random.below(random.pick([telling, duration]));

/** Has it all happen at times that the seed says, before the calm. */
export function plan(world: World, settings: Settings, running: () => readonly Instance[], actions: Actions): void {
  const { random } = world;
  const { events } = settings;

  const at = (label: string, time: number, run: () => void) => void world.schedule(null, label, time, run);
  const sometime = (count: number, label: string, run: () => void) => {
    for (let i = 0; i < count; i++) at(label, anyTime(world, settings), run);
  };
  const one = (run: (instance: Instance) => void) => () => {
    const live = running();
    if (live.length > 0) run(random.pick(live));
  };

  at('the first instance', 0, actions.start);
  sometime(settings.instances - 1, 'another instance', actions.start);
  sometime(settings.crashes, 'a crash', one(actions.crash));
  sometime(settings.stops, 'a stop', one(actions.stop));
  sometime(settings.versions, 'a new version', actions.renew);
  for (let i = 0; i < settings.rebuilds; i++) {
    const names = random.pick([undefined, ['trail'], ['events'], ['events', 'trail'], ['odds']]);
    sometime(
      1,
      'a rebuild',
      one((instance) => actions.rebuild(instance, names)),
    );
  }
  for (let i = 0; i < settings.tails; i++) {
    at(
      'a subscriber comes',
      anyTime(world, settings),
      one((instance) => instance.follow()),
    );
  }
  for (let i = 0; i < settings.views; i++) {
    const [name, id] = [random.pick(NAMES), 1 + random.below(events)];
    // Often a later one finds the answer of the first.
    const again = 1 + random.below(50);
    const request = one((instance) => {
      instance.view(name, id);
      for (const wait of [again, 2 * again]) {
        world.schedule(instance.owner, 'a request again', wait, () => instance.view(name, id));
      }
    });
    at('a request', anyTime(world, settings), request);
  }
}
