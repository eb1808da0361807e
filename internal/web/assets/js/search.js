// Searches: suggests people, groups and tags while the user types, and recent searches, which only
// this browser stores. Without script, the form leads to the results.
export default ({ make, tr, me, kept, offer, suggest }, field) => {
  if (field.hasAttribute('aria-controls')) return; // an earlier focus loaded this module too
  const form = field.form, place = 'searches ' + me(), whom = field.id === 'whom';
  const recent = () => JSON.parse(kept.get(place) || '[]');
  const clear = tr('Clear recent searches');
  const ask = offer(field, {
    id: field.id + '-found',
    wait: 200,
    begun: () => field.value.trim(),
    find: async (typed) => {
      if (whom) return typed ? suggest({ to: typed }) : [];
      const before = recent().filter((text) => text.toLowerCase().startsWith(typed.toLowerCase()) && text !== typed).slice(0, typed ? 2 : 6);
      const found = typed ? await suggest({ search: typed }) : [];
      return [...before.map((text) => ({ text, name: tr('Recent search') })), ...found, ...before.length && !typed ? [{ says: clear }] : []];
    },
    take: (option) => {
      if (option.says) return kept.set(place, '');
      if (whom) {
        form.append(make('input', { type: 'hidden', name: 'to', value: option.text.slice(1) }));
        field.value = '';
        return form.submit();
      }
      if (option.path) return location.assign(option.path);
      field.value = option.text;
      form.requestSubmit();
    },
  });
  ask(); // for text typed before this module was loaded
  if (whom) return;
  const open = () => { if (!field.value.trim()) ask(); };
  form.addEventListener('submit', () => {
    const typed = field.value.trim();
    if (typed) kept.set(place, JSON.stringify([typed, ...recent().filter((text) => text !== typed)].slice(0, 10)));
  });
  field.addEventListener('focus', open);
  field.addEventListener('click', open);
};
