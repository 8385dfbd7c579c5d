import type { Client, Session } from '../../accounts/users/user-service.ts';
import type { Html } from '../layout/html.ts';

/** One request of a browser, after the checks that all routes share: size and type of a form, CSRF, access. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  /** Without the query. */
  readonly path: string;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The posted form; empty for a GET. */
  readonly form: URLSearchParams;
  /** Undefined if nobody is signed in. */
  readonly session: Session | undefined;
  /** The value of the hidden field `_csrf`; `postForm` writes it. */
  readonly csrf: string;
  readonly client: Client;
  /** From this machine, and through no proxy on it. */
  readonly isDirect: boolean;
  /** Reads one of this server's small cookies by its name without prefix. */
  cookie(name: string): string | undefined;
  /** `Sec-Fetch-Site`: the kind of site that led the browser here. */
  readonly fetchSite: string | undefined;
  readonly requestId: string;
  /** `Accept` prefers JSON to HTML. */
  readonly wantsJson: boolean;
  /** A HEAD request: the side effects of GET are left out. */
  readonly isHead: boolean;
}

export type SignedInRequest = PageRequest & { readonly session: Session };

export type PageResponse =
  | {
      readonly kind: 'page';
      /** Default: 200. */
      readonly status?: number;
      readonly title: string;
      readonly content: Html;
      readonly headers?: readonly (readonly [string, string])[];
      /** Hosts that the page may load scripts from and send requests to, such as Stripe's. */
      readonly hosts?: readonly string[];
      /** Paths of scripts of this server. */
      readonly scripts?: readonly string[];
    }
  /** Answered with 303. */
  | { readonly kind: 'redirect'; readonly to: string; readonly flash?: Flash; readonly cookies?: readonly string[] }
  | {
      readonly kind: 'json';
      readonly status?: number;
      readonly value: unknown;
      readonly headers?: readonly (readonly [string, string])[];
    }
  /** A download, in one piece or streamed. */
  | {
      readonly kind: 'file';
      readonly type: string;
      readonly name: string;
      readonly body: Uint8Array | string | AsyncIterable<string>;
      /** Called when the body was sent, or the client has gone. */
      readonly end?: () => Promise<void>;
    };

export interface Flash {
  readonly kind: 'done' | 'error';
  readonly text: string;
  /** A path of this server. */
  readonly link?: { readonly to: string; readonly text: string };
}

/** Who has access: everybody; signed-in users; staff; staff with the role `admin`. */
export type Access = 'open' | 'signed-in' | 'staff' | 'admin';

interface RouteParts {
  /** Such as `/api-keys/{key_id}/reveal`. */
  readonly path: string;
}

/**
 * A page, or what a form does. To refuse, throw RefusedError: the POST is answered with the page that `refused` draws,
 * with the status, the messages and the typed values. Throw `notFound()` for a missing resource.
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
        /**
         * The URL itself permits what the route does, as one click of a mail program does (RFC 8058): no page of this
         * server has shown a form before. The body is not read.
         */
        readonly isPermittedByUrl?: true;
        run(visit: PageRequest): Promise<PageResponse>;
        /** Draws the page of the form. */
        refused(visit: PageRequest, refusal: Refusal): Promise<PageResponse>;
      }
    | {
        readonly method: 'POST';
        readonly access: Exclude<Access, 'open'>;
        /** Fields that may be given several times. A second value of any other field is answered with 422. */
        readonly lists?: readonly string[];
        run(visit: SignedInRequest): Promise<PageResponse>;
        refused(visit: SignedInRequest, refusal: Refusal): Promise<PageResponse>;
      }
  );

/** What a page shows of a refused form. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** By field name. */
  readonly fields: Readonly<Record<string, string>>;
}
