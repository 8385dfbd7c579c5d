import type { NewKeyRequest } from '../../accounts/key-administration.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { InvoiceOrder, KeysActionName, KeysActionParts, RefundOrder } from '../control/keys-action.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';
import { type ActionForms, actionOf, doAction, printLines, type RegistryCommand } from './registry-command.ts';

const help = `
keys create --name N    makes an API key and prints it, this once, as one line of JSON:
                        {id, account_id, key, plan, scopes, expires_at, max_credits_a_day}
  --plan SLUG           trial, free, payg, growth, enterprise, or one of CONFIG; free for a new account
  --scopes LIST         all, or sports, such as nba,nfl; all by default
  --email E             the account; its keys share it. Without it the key gets an account of its own
  --credits N           makes N the account's only grant, without a monthly or daily rule
  --max-credits-a-day N the key may be charged at most N credits in 24 hours
  --expires TIME        the key ends at this UTC time (2030-01-31T12:00:00Z)
  --card ok|declined    puts a card on file at the development adapter, which moves no money
  --customer CUS        puts a customer of Stripe on file (cus_...), where STRIPE_SECRET_KEY is set
  --payment-method PM   that one of the customer's payment methods (pm_...); by default its default one

keys list               one line of JSON a key, without its secret
keys revoke ID          ends a key; a running server refuses it within a second

keys invoice ACCOUNT declined
                        records that an invoice of the account was declined, at the development adapter: after two of
                        them calls that cost credits are refused
keys invoice ACCOUNT paid
                        records that the last declined invoice was paid, which ends that
keys refund ACCOUNT REQUEST_ID
                        gives back the credits that a call was charged, once; REQUEST_ID is its X-Request-Id
  --reason TEXT         stands in the account's ledger

  --data-dir DIR        the data folder (DATA_DIR, or ./data)`;

/** The arguments of each action. */
const ACTIONS = {
  create: { takes: 0, what: 'no arguments, only options' },
  list: { takes: 0, what: 'no arguments' },
  revoke: { takes: 1, what: 'one ID' },
  invoice: { takes: 2, what: 'an ACCOUNT, and declined or paid' },
  refund: { takes: 2, what: 'an ACCOUNT and a REQUEST_ID' },
} as const satisfies ActionForms<KeysActionName>;

async function keys(args: Arguments): Promise<number> {
  const { action, given } = actionOf('keys', ACTIONS, args);
  const { commandTarget: workplace } = await import('./command-target.ts');
  const engines = ['event-log', 'read-store', 'registry', 'limits'] as const;
  const config = await workplace(args.dataDir, { command: 'keys', engines, pepper: true });
  const answers = await doAction(command, config, action, await requestOf(action, given, args, config));
  printLines(answers);
  return 0;
}

async function requestOf(
  action: KeysActionName,
  given: readonly string[],
  args: Arguments,
  config: Config,
): Promise<object> {
  switch (action) {
    case 'create':
      return newKey(args, config);
    case 'list':
      return {};
    case 'revoke':
      return { id: keyId(given[0]!) };
    case 'invoice':
      return invoice(given[0]!, given[1]!);
    case 'refund':
      return refund(given[0]!, given[1]!, args.text('reason')?.trim());
  }
}

const ID = /^[1-9]\d{0,14}$/;

function keyId(text: string): number {
  if (!ID.test(text)) throw new UsageError(`${text} is no id of a key; keys list shows them`);
  return Number(text);
}

function accountId(text: string): number {
  if (!ID.test(text)) throw new UsageError(`${text} is no id of an account; keys list shows them as account_id`);
  return Number(text);
}

function invoice(account: string, status: string): InvoiceOrder {
  if (status !== 'declined' && status !== 'paid') throw new UsageError(`an invoice is declined or paid, not ${status}`);
  return { account: accountId(account), status };
}

const LONGEST_REASON = 500;

function refund(account: string, requestId: string, reason = 'by the operator'): RefundOrder {
  if (reason.length > LONGEST_REASON) throw new UsageError(`--reason is longer than ${LONGEST_REASON} characters`);
  return { account: accountId(account), requestId, reason };
}

async function newKey(args: Arguments, config: Config): Promise<NewKeyRequest> {
  const { SPORT_SLUGS } = await import('../../domain/catalogue/catalogue.ts');
  const { formatTime, parseTime } = await import('../../domain/primitives/time.ts');
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
  const { normalizeEmail: emailAddress } = await import('../../accounts/users/profile-rules.ts');
  const given = args.text('email')?.trim();
  if (given !== undefined && !/^[^\s@]+@[^\s@]+$/.test(given)) throw new UsageError(`${given} is no e-mail address`);
  // Normalised, so that the owner finds the account after proving the address. Without a domain nothing can be proved.
  const email = given && (emailAddress(given) ?? given);
  const credits = args.text('credits');
  if (credits !== undefined && !/^\d{1,15}$/.test(credits)) throw new UsageError('--credits is a whole number');
  const expires = args.text('expires');
  const expiresAt = expires === undefined ? undefined : parseTime(expires);
  if (expiresAt === null) throw new UsageError(`--expires ${expires} is no UTC time such as 2030-01-31T12:00:00Z`);
  const { MAX_CREDITS_A_DAY } = await import('../../api/calls/services/account-services.ts');
  const cap = args.text('max-credits-a-day');
  if (cap !== undefined && !(/^\d{1,15}$/.test(cap) && Number(cap) >= 1 && Number(cap) <= MAX_CREDITS_A_DAY))
    throw new UsageError(`--max-credits-a-day is a whole number from 1 to ${MAX_CREDITS_A_DAY}`);
  return {
    name,
    plan,
    scopes: scopes.includes('all') ? ['all'] : scopes,
    email,
    credits: credits === undefined ? undefined : Number(credits),
    expiresAt: expiresAt === undefined ? undefined : formatTime(expiresAt),
    maxCreditsADay: cap === undefined ? undefined : Number(cap),
    ...onFile(args),
  };
}

/** The card that pays for the account's packs. */
function onFile(args: Arguments): Pick<NewKeyRequest, 'card' | 'customer'> {
  const card = args.text('card');
  const customer = args.text('customer');
  const paymentMethod = args.text('payment-method');
  if (card !== undefined && card !== 'ok' && card !== 'declined') throw new UsageError('--card is ok or declined');
  if (card !== undefined && customer !== undefined) throw new UsageError('--card and --customer exclude each other');
  if (customer !== undefined && !/^cus_\w+$/.test(customer)) throw new UsageError('--customer is a cus_... of Stripe');
  if (paymentMethod === undefined)
    return customer === undefined ? { card } : { customer: { customer, paymentMethod: null } };
  if (customer === undefined) throw new UsageError('--payment-method needs --customer');
  if (!/^\w+$/.test(paymentMethod)) throw new UsageError('--payment-method is a pm_... of Stripe');
  return { customer: { customer, paymentMethod } };
}

const command: RegistryCommand<KeysActionParts, KeysActionName> = {
  name: 'keys',
  ofFolder: (opened) => opened.keysParts(),
  ofCluster: async (config) => (await import('../cluster/command-engines.ts')).openClusterKeys(config),
  act: async (parts, action, request) => (await import('../control/keys-action.ts')).keysAction(parts, action, request),
};

const form = {
  help,
  options: {
    name: { type: 'string' },
    plan: { type: 'string' },
    scopes: { type: 'string' },
    email: { type: 'string' },
    credits: { type: 'string' },
    expires: { type: 'string' },
    'max-credits-a-day': { type: 'string' },
    card: { type: 'string' },
    customer: { type: 'string' },
    'payment-method': { type: 'string' },
    reason: { type: 'string' },
  },
  run: keys,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
