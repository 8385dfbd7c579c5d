import type { FaultyNetwork } from './faulty-network.ts';

/** A port as it is behind a network: each of its calls takes its time, and its answer may get lost. */
export function behindFaultyNetwork<Port extends object>(port: Port, far: FaultyNetwork): Port {
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) =>
        far.call(String(name), async () => (member as (...given: unknown[]) => unknown).apply(target, given));
    },
  });
}
