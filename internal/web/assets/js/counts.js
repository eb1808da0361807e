// Numbers below posts: reads the numbers of all posts in the window every 30 seconds, in one request.
// It stops while the tab is hidden, and if the session has ended.
export default ({ all, sayCounts }) => {
  let missed;
  const refresh = async () => {
    missed = document.hidden;
    if (missed) return;
    const shown = all('[data-id] > .acts').filter((acts) => {
      const { top, bottom } = acts.parentElement.getBoundingClientRect();
      return top < innerHeight && bottom > 0 && !acts.dataset.busy;
    });
    const ids = [...new Set(shown.map((acts) => acts.parentElement.dataset.id))].slice(0, 40);
    if (!ids.length) return;
    try {
      const response = await fetch('/counts?of=' + ids.join());
      if (response.redirected) return clearInterval(every);
      if (response.ok) for (const [id, counts] of Object.entries(await response.json())) sayCounts(id, counts);
    } catch { /* the next time asks again */ }
  };
  const every = setInterval(refresh, 30000);
  document.addEventListener('visibilitychange', () => { if (missed) refresh(); });
  refresh();
};
