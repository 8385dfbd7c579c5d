/** Which pages this server has, beside those that every server has. */
export interface SitePages {
  /** LIVE_PAGE */
  readonly hasLivePage: boolean;
  /** GRADE_SHEET */
  readonly hasGradingPage: boolean;
}

export const ALL_PAGES: SitePages = { hasLivePage: true, hasGradingPage: true };

/** A link of a navigation. */
export interface NavigationEntry {
  readonly to: string;
  readonly text: string;
  /** Absent: always. */
  readonly isShown?: (pages: SitePages) => boolean;
}

/** What the header of every page links to. A new page is one line here. */
export const SITE_NAVIGATION: readonly NavigationEntry[] = [
  { to: '/', text: 'Live', isShown: ({ hasLivePage }) => hasLivePage },
  { to: '/odds', text: 'Odds', isShown: ({ hasLivePage }) => hasLivePage },
  { to: '/forecasts', text: 'Forecasts' },
  { to: '/grade', text: 'Grade', isShown: ({ hasGradingPage }) => hasGradingPage },
  { to: '/docs', text: 'Docs' },
];

/** The menu of whoever is signed in. */
export const ACCOUNT_NAVIGATION: readonly NavigationEntry[] = [
  { to: '/dashboard', text: 'Dashboard' },
  { to: '/api-keys', text: 'Keys' },
  { to: '/usage', text: 'Usage' },
  { to: '/analytics', text: 'Analytics' },
  { to: '/bets', text: 'Bets' },
  { to: '/alerts', text: 'Alerts' },
  { to: '/links', text: 'Links' },
  { to: '/playground', text: 'Playground' },
  { to: '/billing', text: 'Billing' },
  { to: '/account', text: 'Account' },
];
export const STAFF_ENTRY: NavigationEntry = { to: '/admin', text: 'Staff' };
export const SIGN_OUT_ENTRY: NavigationEntry = { to: '/logout', text: 'Sign out' };

/** The pages about the API, beside each other. */
export const DOCS_NAVIGATION: readonly NavigationEntry[] = [
  { to: '/docs', text: 'Reference' },
  { to: '/docs/errors', text: 'Errors' },
  { to: '/openapi.json', text: 'OpenAPI' },
  { to: '/client', text: 'Clients' },
];
