// Passkeys: the server says what to ask the device for, and what that answers goes with the
// form. Where a browser has none, the form stays hidden.
for (const form of all('form[data-passkey]')) {
  const Key = window.PublicKeyCredential;
  form.hidden = !Key?.parseRequestOptionsFromJSON;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const publicKey = await (await send(form.dataset.passkey, fieldsOf(form))).json();
      const made = publicKey.user
        ? await navigator.credentials.create({ publicKey: Key.parseCreationOptionsFromJSON(publicKey) })
        : await navigator.credentials.get({ publicKey: Key.parseRequestOptionsFromJSON(publicKey) });
      form.elements.answer.value = JSON.stringify(made);
      form.submit();
    } catch (e) {
      flash(e.name === 'InvalidStateError' ? tr('This device already has a passkey for this account.') : e instanceof DOMException ? tr('The passkey request failed or was cancelled. Try again.') : e.message, true);
    }
  });
}
