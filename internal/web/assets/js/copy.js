// Adds a button next to each link and line to copy. Without script, the text can be selected.
export default ({ all, make, tr, flash }) => {
  for (const box of all('[data-link], .copy > code')) {
    const text = box.value ?? box.textContent;
    const button = make('button', { type: 'button', class: 'quiet' }, tr('Copy'));
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch { // without HTTPS
        const marked = getSelection();
        if (box.select) box.select();
        else marked.selectAllChildren(box);
        if (!document.execCommand('copy')) return flash(tr('Select the text to copy it.'), true);
      }
      flash(tr('Copied.'));
    });
    box.addEventListener('focus', () => box.select?.());
    box.after(button);
  }
};
