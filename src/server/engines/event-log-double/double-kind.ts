/** Whose behaviour the double has, where versions of EventStoreDB differ. */
export type DoubleKind = '22.10' | '24.6';

export const DOUBLE_KINDS: readonly DoubleKind[] = ['22.10', '24.6'];

export interface KindOfEngine {
  /** The version that it tells. */
  readonly version: string;
  /** Whether a subscription is told when it has caught up. */
  readonly tellsCaughtUp: boolean;
  /** Whether a subscription is confirmed before its place is read. A wrong place then fails after the confirmation. */
  readonly confirmsFirst: boolean;
  /** What a read of the whole log is told where no event begins. */
  readonly wrongPlace: string;
}

export const KINDS: Readonly<Record<DoubleKind, KindOfEngine>> = {
  '22.10': {
    version: '22.10.5',
    tellsCaughtUp: false,
    confirmsFirst: false,
    wrongPlace: 'Unexpected ReadAllResult: Error',
  },
  '24.6': {
    version: '24.6.0',
    tellsCaughtUp: true,
    confirmsFirst: true,
    wrongPlace: 'Unexpected ReadAllResult: InvalidPosition',
  },
};
