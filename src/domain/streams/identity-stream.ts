import { defineStream } from '../event-sourcing/stream-kind.ts';
import type { BoundSide, IdentityAction, IdentitySubject, OPERATOR } from '../feed/identity-message.ts';

/** What a source calls a thing. */
export interface SourceRef {
  readonly source: string;
  readonly ref: string;
}

/** A mended identity, with everything that doing it, undoing it and telling of it need. */
export type ActContent =
  | {
      readonly action: 'bind';
      readonly what: IdentitySubject;
      readonly sourceRef: SourceRef;
      readonly into: number;
      /** A ref by which another server knows `into`; null if no source has one. */
      readonly intoRef: SourceRef | null;
      readonly sport: string;
      readonly league: string | null;
      /** Of a contract of a prediction market: which bet on the event its Yes is. */
      readonly side?: BoundSide;
    }
  | {
      /** Two are one: what was reported of `from` is `into`'s. */
      readonly action: 'merge';
      readonly what: IdentitySubject;
      readonly from: number;
      readonly into: number;
      readonly fromRef: SourceRef | null;
      readonly intoRef: SourceRef | null;
      readonly sport: string;
      /** Null for players whose league nobody told. */
      readonly league: string | null;
    }
  | {
      /** What a source calls this ref is another one than `from`. */
      readonly action: 'split';
      readonly what: IdentitySubject;
      readonly sourceRef: SourceRef;
      readonly from: number;
      readonly into: number;
      /** Null where the act makes it, or no source has a ref for it. */
      readonly intoRef: SourceRef | null;
      readonly sport: string;
      /** Null for a player whose league nobody told. */
      readonly league: string | null;
      /** Of a team or player: the act makes it. */
      readonly isNew?: true;
      /** Of a team or player: what it is called. */
      readonly names?: SplitNames;
    }
  | {
      readonly action: 'alias';
      readonly what: 'team' | 'player';
      readonly id: number;
      readonly idRef: SourceRef | null;
      readonly name: string;
      readonly sport: string;
      readonly league: string | null;
    }
  | {
      readonly action: 'dismiss';
      readonly what: IdentitySubject | null;
      /** Null for a group of messages without a ref. */
      readonly sourceRef: SourceRef | null;
      /** The groups of waiting messages (`waiting-groups.ts`). The dismissed messages point to the act. */
      readonly groups: readonly string[];
      /** Messages that were received later still wait. */
      readonly until: string;
    }
  | {
      readonly action: 'undo';
      readonly undoes: number;
      /** Names the undone act on another server, where it has another id. */
      readonly undone: { readonly at: string; readonly action: IdentityAction };
      /** What the act comes to: an undo of an undo does the first act again. */
      readonly root: Exclude<IdentityAction, 'undo'>;
    };

/** The names, normalised, that an entry takes with it when a ref is split off. */
export interface SplitNames {
  /** Of all that was told of the other entry, only this ref had them: they are no names of the other one any more. */
  readonly own: readonly string[];
  /** Names of both. Who says such a name alone means neither for sure, as with any two of one name. */
  readonly shared: readonly string[];
}

/** The streams that an act puts in the place of earlier ones; see `stream-replacements.ts`. */
export interface StreamReplacement {
  readonly suffix: string;
  /** Events that have other records since. */
  readonly events: readonly number[];
  /** Teams and players that have other records since; absent: none. */
  readonly teams?: readonly number[];
  readonly players?: readonly number[];
}

/** What an act moved when it was done. */
export interface Moved {
  /** Records of events, or messages that waited. */
  readonly records: number;
  readonly refs: number;
}

interface IdentityData {
  IdentityActed: {
    readonly at: string;
    readonly source: typeof OPERATOR;
    /** The id of the act: 1 for the first act in the log. */
    readonly act: number;
    readonly content: ActContent;
    readonly moved: Moved;
    /** Present if the act moves records from one thing to another. */
    readonly replacement?: StreamReplacement;
    readonly note: string | null;
    readonly by: string | null;
  };
}

/** The id of the only stream of its kind: the acts are few, and each decides on those before it. */
export const IDENTITY_STREAM_ID = 1;

/** `identity-1`: what people did to identities, in the order of doing it. */
export const identityStream = defineStream<IdentityData>()({
  name: 'identity',
  partition: 'identity',
  versions: { IdentityActed: 1 },
});
