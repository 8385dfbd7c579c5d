import { styleAsset } from '../layout/page-assets.ts';

/** The style of the pages of events, teams, players, leagues and the search. */
const BROWSE_STYLE = `.browse { max-width: var(--page-width); margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.browse > .site-search { max-width: 40rem; margin: 1rem 0; }
.browse > .site-search input { height: 46px; padding: 0 14px; font-size: 17px; }
.browse > .site-search .suggestions { right: auto; left: 0; }
.browse h2 { margin: 2rem 0 0.5rem; font-size: 1.2rem; }
.matches { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--rule); }
.matches li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; padding: 0.55rem 0; border-bottom: 1px solid var(--rule); }
.matches a { font-weight: 600; text-decoration: none; }
.matches a:hover { text-decoration: underline; }
.about { color: var(--soft); font-size: 0.9375rem; }
.empty { color: var(--soft); }
`;

export const BROWSE_STYLE_ASSET = styleAsset('/site/assets/browse', BROWSE_STYLE);
