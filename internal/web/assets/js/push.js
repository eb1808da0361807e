// Web push: asks the browser for a subscription and sends it with the form.
export default async ({ flash, tr }, form) => {
  const { endpoint, p256dh, auth, key } = form.elements;
  const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const textOf = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));

  const subscribe = async () => {
    if (!navigator.serviceWorker || !window.PushManager || !window.Notification) {
      throw new Error(tr('Push notifications are not available in this browser. On an iPhone or iPad, add this site to the home screen and open it from there. On other devices, the site needs an HTTPS address.'));
    }
    if (await Notification.requestPermission() !== 'granted') throw new Error(tr('Your browser blocks notifications from this site. Allow them, then try again.'));
    const worker = await navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready);
    const old = await worker.pushManager.getSubscription();
    if (old && String(new Uint8Array(old.options.applicationServerKey)) === String(bytesOf(key.value))) return old; // other accounts may use it
    await old?.unsubscribe();
    return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key.value) });
  };

  try {
    const made = await subscribe();
    [endpoint.value, p256dh.value, auth.value] = [made.endpoint, textOf(made.getKey('p256dh')), textOf(made.getKey('auth'))];
    form.submit();
  } catch (e) {
    flash(e.message, true);
  }
};
