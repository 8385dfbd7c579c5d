/** What an operator orders of a standby. */
export interface PromotionOrder {
  /** The operator's word that the first never writes again. */
  readonly isFirstGone: boolean;
  /** One line for the operator. */
  readonly say: (text: string) => void;
}
