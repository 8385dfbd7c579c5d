/** The style of every form field, alone and in a row of filters. Sizes in pixels, since pages differ in their base size. */
export const FIELD_STYLE = `.field { margin: 0 0 16px; }
.field label { display: block; margin-bottom: 5px; font-weight: 600; }
.field :is(input, select, textarea) {
  display: block; width: 100%; max-width: 416px; min-height: 44px; padding: 8px 11px; font: inherit; color: inherit;
  background: var(--raised); border: 1px solid var(--soft); border-radius: 8px;
}
.field textarea { max-width: 100%; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14px; }
.field [aria-invalid] { border-color: var(--delete); border-width: 2px; }
.field p { margin: 4px 0 0; }
.wrong { color: var(--delete); font-size: 15px; }
.check { display: flex; gap: 8px; align-items: center; min-height: 35px; }
.check input { flex: none; width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
.check + button, .check + .field { margin-top: 12px; }
.choice-field { align-items: flex-start; padding: 5px 0; }
.choice-field input { margin: 3px 0 0; }
.choice-field p { margin: 2px 0 0; }
.filters { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: end; }
.filters:has(.field > p) { align-items: start; }
/* As high as a label, so that it stands beside the fields where hints stand below them. */
.filters:has(.field > p) > button { margin-top: 23px; }
.filters .field { max-width: 100%; margin: 0; }
.filters .field label { margin-bottom: 3px; font-size: 13px; font-weight: 400; color: var(--soft); }
.filters .field :is(input, select) { width: auto; max-width: 100%; }
.filters .field [inputmode="numeric"] { width: 96px; }
`;
