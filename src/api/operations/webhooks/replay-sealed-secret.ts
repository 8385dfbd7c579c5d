import type { IdempotencyRule, OperationContext } from '../../calls/operation/operation.ts';

interface WithSecret {
  readonly signing_secret: string;
}

/** Stores the whole answer with its secret sealed: a client that repeats a call may never have got the first answer. */
export const replaySealedSecret: IdempotencyRule<any> = {
  toStored: (output: WithSecret, context) => ({
    ...output,
    signing_secret: context.webhooks.secrets.seal(output.signing_secret, placeOf(context)),
  }),
  replay: (kept: WithSecret, context) => ({
    ...kept,
    signing_secret: context.webhooks.secrets.open(kept.signing_secret, placeOf(context)),
  }),
};

const placeOf = ({ principal, call }: OperationContext): string =>
  `the answer to ${principal.accountId}, ${call.idempotencyKey}`;
