// Passkeys: fetches the request for the device from the server and sends the answer with the form.
// The form stays hidden in browsers without passkeys.
export default ({ all, flash, fieldsOf, send, tr }) => {
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
};
