/** The server marks the page where it has the public sheet. */
export const PageFoot = () => (
  <footer class="page-foot">
    {'sheet' in document.documentElement.dataset ? <a href="/grade">Grade a slip</a> : null}
    <a href="/record">The forecasts’ record</a>
  </footer>
);
