/** The server marks the page where it has the public sheet. */
export const PageFoot = () =>
  'sheet' in document.documentElement.dataset ? (
    <footer class="page-foot">
      <a href="/grade">Grade a slip</a>
    </footer>
  ) : null;
