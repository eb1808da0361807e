// A slider says the word of its step; the server wrote that of the step it stood at.
for (const slider of all('.slide input')) {
  const said = one('output', slider.closest('li'));
  const first = said.value;
  const say = () => {
    said.value = slider.value === slider.defaultValue ? first : one(`[value="${slider.value}"]`, slider.list).label;
    slider.setAttribute('aria-valuetext', said.value);
  };
  slider.addEventListener('input', say);
  say();
}
