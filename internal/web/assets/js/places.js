// Settings: filters the list of sections while the user types. Without script, the field leads to a page of
// results. If the sections are in one line, the current one scrolls into view.
export default ({ one, all, tr }) => {
  for (const here of all('.line-up [aria-current]')) {
    const list = here.closest('ul'), at = here.getBoundingClientRect(), within = list.getBoundingClientRect();
    if (at.left < within.left || at.right > within.right) list.scrollLeft += at.left + at.right - within.left - within.right;
  }

  const placeField = one('#find-place');
  const plainText = (text) => text.toLowerCase().replace(/[-’']/g, '');
  const narrow = () => {
    const words = plainText(placeField.value).split(/\s+/).filter(Boolean);
    const list = placeField.closest('nav');
    let left = 0;
    for (const group of all('.groups > div', list)) {
      const there = all('li', group).filter((item) => {
        const text = plainText(item.textContent) + ' ' + item.dataset.also;
        item.hidden = !words.every((word) => text.includes(word));
        return !item.hidden;
      }).length;
      group.hidden = !there;
      left += there;
    }
    one('.found', list).textContent = left ? '' : tr('Nothing matches “%s”. Try another word.', placeField.value.trim());
  };
  placeField?.addEventListener('input', narrow);
  if (placeField?.value) narrow(); // typed before this module was loaded
};
