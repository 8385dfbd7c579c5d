import { existsSync, renameSync } from 'node:fs';

/**
 * Puts a damaged file aside, under the next name that is free: `NAME.damaged`, `NAME.damaged.2` and so on.
 * @returns that name
 */
export function keepDamaged(file: string): string {
  let name = `${file}.damaged`;
  for (let count = 2; existsSync(name); count++) name = `${file}.damaged.${count}`;
  renameSync(file, name);
  return name;
}
