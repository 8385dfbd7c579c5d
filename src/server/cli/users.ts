import type { OperatorUserActions } from '../../accounts/users/user-service.ts';
import type { NewUserOrder, UsersActionName } from '../control/users-action.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { firstLine } from './first-line.ts';
import { type ActionForms, actionOf, doAction, printLines, type RegistryCommand } from './registry-command.ts';

const help = `
users create --email E  makes a user whose address counts as verified, and prints a line of JSON:
                        {id, account_id, email, verified, staff, role, active, reset_url}
  --name N              the name
  --staff               belongs to the staff, as admin
  --password-stdin      the password is the first line of standard input; without it reset_url is where the user
                        sets one, within an hour

users list              one line of JSON a user
users staff EMAIL on    the user belongs to the staff, as admin
users staff EMAIL off   no more
users reset EMAIL       prints the user with reset_url, where a new password is set within an hour

  --data-dir DIR        the data folder (DATA_DIR, or ./data)`;

/** The arguments of each action. */
const ACTIONS = {
  create: { takes: 0, what: 'no arguments, only options' },
  list: { takes: 0, what: 'no arguments' },
  staff: { takes: 2, what: 'an EMAIL, and on or off' },
  reset: { takes: 1, what: 'one EMAIL' },
} as const satisfies ActionForms<UsersActionName>;

async function users(args: Arguments): Promise<number> {
  const { action, given } = actionOf('users', ACTIONS, args);
  const request = await requestOf(action, given, args);
  const { commandTarget: workplace } = await import('./command-target.ts');
  const config = await workplace(args.dataDir, { command: 'users', engines: ['registry'], pepper: true });
  const answers = await doAction(command, config, action, request);
  printLines(answers);
  return 0;
}

async function requestOf(action: UsersActionName, given: readonly string[], args: Arguments): Promise<object> {
  switch (action) {
    case 'create':
      return newUser(args);
    case 'list':
      return {};
    case 'staff': {
      const [email, state] = given;
      if (state !== 'on' && state !== 'off') throw new UsageError(`staff is on or off, not ${state}`);
      return { email, isStaff: state === 'on' };
    }
    case 'reset':
      return { email: given[0] };
  }
}

async function newUser(args: Arguments): Promise<NewUserOrder> {
  const email = args.text('email')?.trim();
  if (email === undefined) throw new UsageError('users create needs --email');
  const { normalizeEmail: emailAddress } = await import('../../accounts/users/profile-rules.ts');
  if (emailAddress(email) === undefined) throw new UsageError(`${email} is no e-mail address`);
  const name = args.text('name')?.trim();
  const password = args.flag('password-stdin') ? await firstLine(process.stdin) : undefined;
  if (password === '') throw new UsageError('--password-stdin: the first line of standard input is empty');
  return { email, name, staff: args.flag('staff'), password };
}

const command: RegistryCommand<OperatorUserActions, UsersActionName> = {
  name: 'users',
  ofFolder: (opened) => opened.operators(),
  ofCluster: async (config) => (await import('../cluster/command-engines.ts')).openClusterOperators(config),
  act: async (parts, action, request) =>
    (await import('../control/users-action.ts')).usersAction(parts, action, request),
};

const form = {
  help,
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    staff: { type: 'boolean' },
    'password-stdin': { type: 'boolean' },
  },
  run: users,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
