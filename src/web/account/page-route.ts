import type { Client, Session } from '../../accounts/users/user-service.ts';
import type { Html } from '../layout/html.ts';

/** One request of a browser, as the pages see it. What every route has in common was judged before: size and type of a
 *  form, CSRF, who may. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  /** Without the query. */
  readonly path: string;
  /** What stands in the path in the place of the parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** As it was posted; empty of a GET. */
  readonly form: URLSearchParams;
  /** Undefined: nobody is signed in. */
  readonly session: Session | undefined;
  /** Of the hidden field `_csrf`: `csrfField(visit)` writes it. */
  readonly csrf: string;
  readonly client: Client;
  /** The value of one of this server's small cookies, by its name without prefix. */
  cookie(name: string): string | undefined;
  /** `Sec-Fetch-Site`: from where the browser was led here. */
  readonly fetchSite: string | undefined;
  readonly requestId: string;
  /** `Accept: application/json` comes before HTML. */
  readonly wantsJson: boolean;
  /** The request asks for the head alone: whatever GET sets off is left out. */
  readonly isHead: boolean;
}

export type SignedInRequest = PageRequest & { readonly session: Session };

export type PageResponse =
  | {
      readonly kind: 'page';
      /** 200 unless told. */
      readonly status?: number;
      readonly title: string;
      readonly content: Html;
      readonly headers?: readonly (readonly [string, string])[];
      /** Hosts that the page may load scripts from and talk to, such as Stripe's. */
      readonly hosts?: readonly string[];
      /** Paths of scripts of this server. */
      readonly scripts?: readonly string[];
    }
  /** 303. */
  | { readonly kind: 'redirect'; readonly to: string; readonly flash?: Flash; readonly cookies?: readonly string[] }
  | {
      readonly kind: 'json';
      readonly status?: number;
      readonly value: unknown;
      readonly headers?: readonly (readonly [string, string])[];
    }
  /** A download, whole or in parts as they come. */
  | {
      readonly kind: 'file';
      readonly type: string;
      readonly name: string;
      readonly body: Uint8Array | string | AsyncIterable<string>;
    };

export interface Flash {
  readonly kind: 'done' | 'error';
  readonly text: string;
}

/** Who may: anybody; whoever is signed in; staff; those of them who are `admin`. */
export type Access = 'open' | 'signed-in' | 'staff' | 'admin';

interface RouteParts {
  /** `/api-keys/{key_id}/reveal`. */
  readonly path: string;
}

/**
 * A page, or what a form does. It throws `Refused` (`domain/refused-act.ts`) for what is not done: a POST is then answered by
 * the page that `refused` draws, with the refusal's status, messages and what was typed; `notFound()` for what is not there.
 */
export type PageRoute = RouteParts &
  (
    | { readonly method: 'GET'; readonly access: 'open'; run(visit: PageRequest): Promise<PageResponse> }
    | {
        readonly method: 'GET';
        readonly access: Exclude<Access, 'open'>;
        run(visit: SignedInRequest): Promise<PageResponse>;
      }
    | {
        readonly method: 'POST';
        readonly access: 'open';
        readonly lists?: readonly string[];
        run(visit: PageRequest): Promise<PageResponse>;
        /** The page whose form it is. */
        refused(visit: PageRequest, refusal: Refusal): Promise<PageResponse>;
      }
    | {
        readonly method: 'POST';
        readonly access: Exclude<Access, 'open'>;
        /** Names of fields that may be given several times; of all others a second one is 422. */
        readonly lists?: readonly string[];
        run(visit: SignedInRequest): Promise<PageResponse>;
        refused(visit: SignedInRequest, refusal: Refusal): Promise<PageResponse>;
      }
  );

/** What a page shows of a form that was refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** By the names of the fields. */
  readonly fields: Readonly<Record<string, string>>;
}
