import type { Config } from '../config.ts';
import { asWriter } from '../data-folder/as-writer.ts';
import { askServer } from '../data-folder/control-client.ts';
import { makeDataFolder } from '../data-folder/paths.ts';
import type { KeyOrder } from '../registry/keys-administration.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';

const help = `
keys create --name N    makes an API key and prints it, this once, as one line of JSON:
                        {id, account_id, key, plan, scopes, expires_at}
  --plan SLUG           trial, free, payg, growth, enterprise, or one of CONFIG; a new account is on free unless told
  --scopes LIST         all, or sports, such as nba,nfl; all unless told
  --email E             the account; its keys share it. Without it the key gets an account of its own
  --credits N           makes N the account's only grant, without a monthly or daily rule
  --expires TIME        the key ends at this UTC time (2030-01-31T12:00:00Z)

keys list               one line of JSON a key, without its secret
keys revoke ID          ends a key; a running server refuses it within a second

  --data-dir DIR        the data folder (DATA_DIR, or ./data)`;

async function keys(args: Arguments): Promise<number> {
  const [action, id, ...more] = args.positionals;
  const expected = action === 'revoke' ? 2 : 1;
  if (action !== 'create' && action !== 'list' && action !== 'revoke') {
    throw new UsageError(action === undefined ? 'keys needs create, list or revoke' : `keys knows no ${action}`);
  }
  if (args.positionals.length !== expected) {
    throw new UsageError(action === 'revoke' ? 'keys revoke takes one ID' : `keys ${action} takes no ${id ?? more[0]}`);
  }
  const { readConfig } = await import('../config.ts');
  const config = readConfig(process.env, args.dataDir);
  const request = action === 'create' ? await newKey(args, config) : action === 'revoke' ? { id: keyId(id!) } : {};
  const answers = await ask(config, action, request);
  process.stdout.write(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  return 0;
}

function keyId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${text} is no id of a key; keys list shows them`);
  return Number(text);
}

async function newKey(args: Arguments, config: Config): Promise<KeyOrder> {
  const { SPORT_SLUGS } = await import('../domain/catalogue.ts');
  const { formatTime, parseTime } = await import('../domain/time.ts');
  const name = args.text('name')?.trim();
  if (name === undefined) throw new UsageError('keys create needs --name');
  if (name.length > 100) throw new UsageError('--name is longer than 100 characters');
  const plan = args.text('plan');
  if (plan !== undefined && !Object.hasOwn(config.plans, plan)) {
    throw new UsageError(`there is no plan ${plan}; there are ${Object.keys(config.plans).join(', ')}`);
  }
  const scopes = [...new Set((args.text('scopes') ?? 'all').split(',').map((scope) => scope.trim()))];
  const known = ['all', ...SPORT_SLUGS];
  for (const scope of scopes) {
    if (!known.includes(scope)) throw new UsageError(`there is no scope ${scope}; there are ${known.join(', ')}`);
  }
  const email = args.text('email')?.trim();
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`${email} is no e-mail address`);
  const credits = args.text('credits');
  if (credits !== undefined && !/^\d{1,15}$/.test(credits)) throw new UsageError('--credits is a whole number');
  const expires = args.text('expires');
  const expiresAt = expires === undefined ? undefined : parseTime(expires);
  if (expiresAt === null) throw new UsageError(`--expires ${expires} is no UTC time such as 2030-01-31T12:00:00Z`);
  return {
    name,
    plan,
    scopes: scopes.includes('all') ? ['all'] : scopes,
    email,
    credits: credits === undefined ? undefined : Number(credits),
    expiresAt: expiresAt === undefined ? undefined : formatTime(expiresAt),
  };
}

/** A running server does it, so that it knows at once; else it is done here. */
async function ask(config: Config, action: 'create' | 'list' | 'revoke', request: object): Promise<readonly object[]> {
  const folder = makeDataFolder(config.dataDir);
  return asWriter(folder, 'keys', (text) => process.stderr.write(`${text}\n`), {
    handOver: () => askServer<readonly object[]>(folder, `POST /keys/${action}`, body(request)),
    alone: async () => {
      const [{ openParts }, { keysAction }] = await Promise.all([
        import('../parts.ts'),
        import('../data-folder/keys-action.ts'),
      ]);
      const parts = await openParts({ ...config, dataDir: folder });
      try {
        return await keysAction(parts.keys, action, request);
      } finally {
        await parts.close();
      }
    },
  });
}

async function* body(request: object): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(request));
}

const form = {
  help,
  options: {
    name: { type: 'string' },
    plan: { type: 'string' },
    scopes: { type: 'string' },
    email: { type: 'string' },
    credits: { type: 'string' },
    expires: { type: 'string' },
  },
  run: keys,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
