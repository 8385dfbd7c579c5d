import { makeDataFolder } from '../../platform/data-folder/data-folder.ts';
import type { Config } from '../../platform/settings/config.ts';
import { callServer } from '../control/control-client.ts';
import { withWriter } from '../control/with-writer.ts';
import type { CommandFolder } from '../embedded/command-folder.ts';
import { type Arguments, UsageError } from './arguments.ts';

/** The arguments of each action of a command. */
export type ActionForms<Action extends string> = Readonly<
  Record<Action, { readonly takes: number; readonly what: string }>
>;

/** @returns the action and its arguments. @throws UsageError */
export function actionOf<Action extends string>(
  command: string,
  forms: ActionForms<Action>,
  { positionals: [action, ...given] }: Pick<Arguments, 'positionals'>,
): { readonly action: Action; readonly given: readonly string[] } {
  const names = Object.keys(forms);
  if (action === undefined) {
    throw new UsageError(`${command} needs ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
  }
  if (!isActionOf(forms, action)) throw new UsageError(`${command} knows no ${action}`);
  const { takes, what } = forms[action];
  if (given.length !== takes) throw new UsageError(`${command} ${action} takes ${what}`);
  return { action, given };
}

const isActionOf = <Action extends string>(forms: ActionForms<Action>, action: string): action is Action =>
  Object.hasOwn(forms, action);

interface Opened<Parts> {
  readonly parts: Parts;
  readonly close: () => Promise<void>;
}

/** A command whose work a running server does, if there is one. */
export interface RegistryCommand<Parts, Action extends string> {
  readonly name: 'keys' | 'users' | 'identities';
  /** Opens the actions on a folder without a server. */
  readonly ofFolder: (opened: CommandFolder) => Parts;
  /** Opens the actions on a cluster. Its processes find the changes in the registry. */
  readonly ofCluster: (config: Config) => Promise<Opened<Parts>>;
  /** @returns the lines to print */
  readonly act: (parts: Parts, action: Action, request: object) => Promise<readonly object[]>;
}

/** A running server does it, so that the change is in force at once. Otherwise this process does it. */
export async function doAction<Parts, Action extends string>(
  command: RegistryCommand<Parts, Action>,
  config: Config,
  action: Action,
  request: object,
): Promise<readonly object[]> {
  const { name, act } = command;
  const inside = async ({ parts, close }: Opened<Parts>) => {
    try {
      return await act(parts, action, request);
    } finally {
      await close();
    }
  };
  if (config.cluster) return inside(await command.ofCluster(config));
  const folder = makeDataFolder(config.dataDir);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  return withWriter(folder, name, say, {
    handOver: () => callServer<readonly object[]>(folder, `POST /${name}/${action}`, body(request)),
    alone: async () => {
      const { openCommandFolder } = await import('../embedded/command-folder.ts');
      const opened = await openCommandFolder({ ...config, dataDir: folder }, say);
      return inside({ parts: command.ofFolder(opened), close: opened.close });
    },
  });
}

async function* body(request: object): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(request));
}

export function printLines(answers: readonly object[]): void {
  process.stdout.write(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
}
