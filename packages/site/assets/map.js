// Loads the map of the page when it is nearly in view. Without it, the places are a list on the page.
const AHEAD = '200px';

for (const element of document.querySelectorAll('.map')) {
  const draw = async () => {
    const { drawMap } = await import(new URL(element.dataset.draw, location.href).href);
    await drawMap(element);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      draw().catch(() => {
        element.hidden = true;
      });
    },
    { rootMargin: AHEAD },
  );
  observer.observe(element);
}
