/**
 * What scripts add to the grading page: it follows the slip while games run, announces changes, and copies the link.
 * Without scripts everything is readable, and the form works.
 */
export const GRADING_SCRIPT = `'use strict';
const followed = document.getElementById('followed');
if (followed) {
  const following = document.getElementById('following');
  const news = document.getElementById('news');
  const address = followed.dataset.live;
  const standings = () => [...followed.querySelectorAll('.leg')].map((leg) => leg.dataset.standing);
  const say = (words) => { following.textContent = words; following.hidden = words === ''; };
  const waits = () => followed.querySelector('[data-again]');
  let shown;
  let failures = 0;
  let timer;
  const plan = (seconds) => { clearTimeout(timer); timer = setTimeout(look, seconds * 1000); };
  const show = (html) => {
    if (html === shown) return;
    shown = html;
    const before = standings();
    followed.innerHTML = html;
    const changed = standings().flatMap((now, leg) => now === before[leg] ? [] : ['Leg ' + (leg + 1) + ': ' + now + '.']);
    if (changed.length > 0) news.textContent = changed.join(' ');
    document.title = document.getElementById('result').textContent + ' \\u00b7 Ledgerline';
  };
  const look = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(address);
      if (answer.status === 403) return say('This page no longer follows the slip: grade it again to go on.');
      if (!answer.ok) throw new Error(String(answer.status));
      show(await answer.text());
      failures = 0;
    } catch {
      failures++;
    }
    next();
  };
  const next = () => {
    const section = waits();
    if (!section) return say('');
    say(failures > 0 ? 'The server does not answer at the moment; this page tries again.' : 'This page follows the games by itself.');
    plan(Number(section.dataset.again) * Math.min(2 ** failures, 16));
  };
  document.addEventListener('visibilitychange', () => { if (!document.hidden && waits()) plan(1); });
  if (waits()) next();
}
const link = document.getElementById('link');
if (link && navigator.clipboard) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy the link';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(link.href);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => { button.textContent = 'Copy the link'; }, 2000);
  });
  link.after(button);
}
`;
