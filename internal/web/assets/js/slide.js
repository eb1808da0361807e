// Sliders: shows the word for the current step. The server has rendered the word for the first one.
export default ({ one, all }) => {
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
};
