/** The process between two of its steps to the world outside: each call has one before its effect and one after it. */
export interface DyingProcess {
  /** Such as `before charge`. */
  readonly steps: string[];
  /** The step that it does not survive, by its number or its name. */
  readonly diesAt: number | string | undefined;
  isOver: boolean;
}

export const createDyingProcess = (diesAt?: number | string): DyingProcess => ({ steps: [], diesAt, isOver: false });

export class ProcessDied extends Error {}

/** A port whose calls are steps of a life. Nothing of a life that is over reaches the world any more. */
export function withDeath<T extends object>(port: T, life: DyingProcess): T {
  const step = (name: string): void => {
    if (life.isOver || life.diesAt === name || life.diesAt === life.steps.length) {
      life.isOver = true;
      throw new ProcessDied(name);
    }
    life.steps.push(name);
  };
  return new Proxy(port, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        step(`before ${String(name)}`);
        const result = await (member as (...args: unknown[]) => unknown).apply(target, args);
        step(`after ${String(name)}`);
        return result;
      };
    },
  });
}
