// Scripts of record pages: buttons to copy the address and citations, and words in place of images that cannot be loaded.
const COPIED_MS = 1_500;

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  const words = button.textContent;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = words;
    }, COPIED_MS);
  });
}

/** Replaces an image that cannot be loaded by a message; its caption stays, and so does its link. */
function replace(image) {
  const message = document.createElement('span');
  message.className = 'missing';
  message.textContent = image.closest('figure').dataset.missing;
  image.replaceWith(message);
}

for (const image of document.querySelectorAll('.picture img')) {
  // The script is deferred, so that the image may have failed already.
  if (image.complete && image.naturalWidth === 0) replace(image);
  else image.addEventListener('error', () => replace(image));
}
