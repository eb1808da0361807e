// Settings: shows a chosen picture in the frame of the current one, which crops it as the server will.
// Browsers that cannot read the file keep the current picture.
export default ({ one, all, make, tr }) => {
  for (const frame of all('.frame')) {
    const input = one('input[type=file]', frame.parentNode), before = [...frame.childNodes];
    const said = frame.parentNode.insertBefore(make('p', { class: 'small', role: 'status' }), input);
    const none = input.form.elements['no-' + input.name];
    const clear = () => {
      frame.replaceChildren(...before);
      said.textContent = '';
    };
    const show = async () => {
      const [file] = input.files;
      clear();
      if (!file) return;
      if (none) none.checked = false;
      try {
        const picture = await createImageBitmap(file), small = Math.min(1, 1500 / Math.max(picture.width, picture.height));
        const canvas = make('canvas', { width: Math.max(1, Math.round(picture.width * small)), height: Math.max(1, Math.round(picture.height * small)), role: 'img', 'aria-label': tr('New picture, not saved yet') });
        canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
        if (input.files[0] !== file) return;
        frame.replaceChildren(canvas);
        said.textContent = tr('New picture, not saved yet');
      } catch { /* the server reports the error */ }
    };
    input.addEventListener('change', show);
    show(); // for a picture chosen before this module was loaded
    none?.addEventListener('change', () => {
      if (!none.checked) return;
      input.value = '';
      clear();
    });
  }
};
