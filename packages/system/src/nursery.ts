import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Between two looks whether the nursery is as large. */
const LOOK_MILLISECONDS = 5;

/**
 * Keeps V8's nursery, where new objects lie, as large as it is. Each of its halves would grow to 64 MB. How large it may
 * become can be said only before a process starts; whether it may grow, at any time.
 */
export function keepNursery(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Lets the nursery grow to so many bytes, both halves of it. While a program is loaded nothing could look at it before it
 * is too large.
 */
export function growNursery(bytes: number): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const timer = setInterval(() => {
    if (nurseryBytes() < bytes) return;
    keepNursery();
    clearInterval(timer);
  }, LOOK_MILLISECONDS).unref();
}

function nurseryBytes(): number {
  const nursery = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return nursery?.space_size ?? 0;
}
