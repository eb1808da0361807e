// Lists the keys in a dialog.

let help;

export default ({ make, tr }) => {
  const keys = [
    ['j', tr('Next post')], ['k', tr('Previous post')], [tr('%s or %s', 'o', 'Enter'), tr('Open post')], ['r', tr('Reply')], ['f', tr('Favourite')],
    ['b', tr('Boost')], ['q', tr('Quote')], ['x', tr('Show content behind a warning')], ['.', tr('Load new posts')], [tr('%s or %s', 'n', 'c'), tr('New post')],
    ['Ctrl Enter', tr('Send post')], ['/', tr('Search')], ['g h', tr('Home')], ['g n', tr('Notifications')], ['?', tr('Keyboard shortcuts')], ['Esc', tr('Close')],
  ];
  help ||= document.body.appendChild(make('dialog', { class: 'card keys', 'aria-labelledby': 'keys' },
    make('h2', { id: 'keys' }, tr('Keyboard shortcuts')),
    make('dl', {}, ...keys.map(([key, what]) => make('div', {}, make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)))),
    make('form', { method: 'dialog' }, make('button', { class: 'button' }, tr('Close')))));
  if (!help.open) help.showModal();
};
