const DARK = `color-scheme: dark;
  --paper: #111417; --raised: #171b1f; --sunken: #1d2227; --ink: #eceae4; --soft: #a7a399;
  --rule: #262c32; --rule-strong: #434b53; --accent: #86d0b1; --accent-ground: #1a3029; --on-accent: #0d1512;
  --get: #7fd6a4; --post: #f2b877; --delete: #ff8d7c; --focus: #8ab4ff;
  --live: #ff8d7c; --up: #7fd6a4; --down: #f2a877; --first: #6fc3a2; --second: #e09a6c; --lit: #5a4a14;
  --banner: #2f2812; --banner-ink: #f0dfa6; --shade: rgb(255 255 255 / 4%);`;

/**
 * The colours, fonts and measures of all pages, light and dark. Text has a contrast of at least 4.5 to its background.
 * A chosen theme (`data-look`) overrides the system's.
 */
export const TOKENS = `:root {
  color-scheme: light;
  --paper: #faf8f3; --raised: #fffefb; --sunken: #f2eee4; --ink: #1e1c17; --soft: #5d584c;
  --rule: #e3ddcf; --rule-strong: #c9c1ae; --accent: #1b5a47; --accent-ground: #e3eee6; --on-accent: #ffffff;
  --get: #14633d; --post: #8a4b08; --delete: #a3281b; --focus: #0b57d0;
  --live: #b02a1c; --up: #14633d; --down: #9c3b0c; --first: #1b5a47; --second: #a2542a; --lit: #f6e3a4;
  --banner: #f4e9c8; --banner-ink: #4d3c07; --shade: rgb(30 28 23 / 4%);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --page-width: 1240px; --gutter: 20px;
}
:root[data-look="dark"] { ${DARK} }
@media (prefers-color-scheme: dark) { :root:not([data-look]) { ${DARK} } }
@media (min-width: 1800px) { :root { --page-width: 1440px; } }
@media (max-width: 760px) { :root { --gutter: 12px; } }
`;
