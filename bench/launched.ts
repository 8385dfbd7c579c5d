import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { VARIABLES } from '../src/platform/settings/variables.ts';

const LAUNCH = fileURLToPath(new URL('../../src/server/bin/launch.mjs', import.meta.url));

export interface Launched {
  readonly folder: string;
  /** Named as in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Of Node, before the launcher. */
  readonly flags?: readonly string[];
}

/** Starts a command as its script in package.json does. Settings of this shell do not reach it. */
export function launch(
  command: string,
  args: readonly string[],
  launched: Launched,
  stdio: StdioOptions,
): ChildProcess {
  const { folder, settings = {}, flags = [] } = launched;
  const others = Object.entries(process.env).filter(([name]) => !Object.hasOwn(VARIABLES, name));
  const env = { ...Object.fromEntries(others), ...settings, DATA_DIR: folder };
  const child = spawn(process.execPath, [...flags, LAUNCH, command, ...args], { env, stdio });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** What a command wrote to standard output, and how long it took. @throws Error when it ends with another code than 0 */
export async function runLaunched(command: string, args: readonly string[], launched: Launched) {
  const began = performance.now();
  const child = launch(command, args, launched, ['ignore', 'pipe', 'pipe']);
  let output = '';
  let errors = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    errors = (errors + chunk).slice(-2000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors}`);
  return { output, seconds: (performance.now() - began) / 1000 };
}

/** The last line of what a command printed that takes messages. */
export function reportOf(output: string): { readonly accepted: number; readonly quarantined: number } {
  return JSON.parse(output.trim().split('\n').at(-1)!);
}

/**
 * Takes a file in with the `ingest` command, in a folder of its own or beside a server that runs on it.
 * @returns seconds, the start of the command included. @throws Error when not all messages were accepted
 */
export async function ingestFile(folder: string, file: string, messages: number): Promise<number> {
  const { output, seconds } = await runLaunched('ingest', [file], { folder });
  if (reportOf(output).accepted !== messages) throw new Error(`not all ${messages} were accepted: ${output}`);
  return seconds;
}
