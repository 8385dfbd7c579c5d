export const Wordmark = () => (
  <a class="wordmark" href="#/">
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect class="wordmark-ground" width="32" height="32" rx="7" />
      <path class="wordmark-line" d="M6 22h6v-6h6v3h4v-9h4" />
    </svg>
    Ledgerline
  </a>
);
