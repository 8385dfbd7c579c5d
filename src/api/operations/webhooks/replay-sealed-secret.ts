import type { IdempotencyRule, OperationContext } from '../../calls/operation/operation.ts';

interface WithSecret {
  readonly signing_secret: string;
}

/** Stores the whole answer with its secret sealed: a client that repeats a call may never have got the first answer. */
export const replaySealedSecret: IdempotencyRule<any> = {
  toStored: (output: WithSecret, context) => ({
    ...output,
    signing_secret: context.webhooks.secrets.seal(output.signing_secret, secretOwner(context)),
  }),
  replay: (stored: WithSecret, context) => ({
    ...stored,
    signing_secret: context.webhooks.secrets.open(stored.signing_secret, secretOwner(context)),
  }),
};

const secretOwner = ({ principal, call }: OperationContext): string =>
  `the answer to ${principal.accountId}, ${call.idempotencyKey}`;
