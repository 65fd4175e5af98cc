// Shows pictures of a page large when a reader clicks on one: without it, the browser shows the file.

const pictures = document.querySelector<HTMLElement>('[data-viewer]');

pictures?.addEventListener('click', (event) => {
  const { target, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-width]') : null;
  // Another key asks for another tab or for the file.
  if (!link || ctrlKey || metaKey || shiftKey || altKey) return;
  event.preventDefault();
  const show = async () => {
    const address = new URL(pictures.dataset['viewer'] ?? '', location.href).href;
    const { showPictures }: typeof import('./viewer.ts') = await import(address);
    await showPictures(pictures, link);
  };
  show().catch(() => location.assign(link.href));
});
