/** The style of the tabs of a page, for the pages that have some. */
export const TAB_STYLE = `.tabs { margin: 0 0 1.25rem; border-bottom: 1px solid var(--rule-strong); }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 0.25rem; margin: 0; padding: 0; list-style: none; }
.tabs a { display: block; padding: 0.55rem 0.8rem; margin-bottom: -1px; border-bottom: 3px solid transparent; color: var(--ink); text-decoration: none; }
.tabs a:hover { border-color: var(--rule-strong); }
.tabs a[aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
@media (max-width: 40rem) {
  .tabs { overflow-x: auto; scrollbar-width: thin; }
  .tabs ul { flex-wrap: nowrap; }
  .tabs a { padding-inline: 0.6rem; white-space: nowrap; }
}
`;
