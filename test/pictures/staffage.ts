import { times, WIDTH } from './drawing.ts';

/** A boat with a mainsail and a jib. */
export function sloop(x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><path d="M-70 0C-52 25 52 25 80 -3L64 2H-58Z" fill="currentColor"/><path d="M-62 6C-30 14 30 14 66 5" fill="none" stroke="paper" stroke-width="1.6"/><path d="M4 -102C46 -82 52 -40 50 -7L4 -3Z" fill="paper" stroke="currentColor" stroke-width="2"/><path d="M0 -99L-54 -5H-2Z" fill="paper" stroke="currentColor" stroke-width="2"/><path d="M2 4V-112M4 -68C24 -62 38 -58 45 -54M4 -36C24 -32 40 -30 49 -29" fill="none" stroke="currentColor" stroke-width="2.2"/><path d="M2 -112l17 5-17 5z" fill="currentColor"/></g>`;
}

/** The crown of a tree and its trunk. */
export function tree(x: number, y: number, r: number): string {
  const leaves = times(26, (index) => {
    const angle = index * 2.4;
    const from = Math.sqrt((index + 1) / 26) * r;
    return `<path d="M${x + Math.cos(angle) * from - 4} ${y + Math.sin(angle) * from}q4 -5 8 0" />`;
  });
  return `<path d="M${x - 3} ${y + r + 16}l2 -${r + 6}h3l2 ${r + 6}z" fill="currentColor"/><g fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round">${leaves}</g>`;
}

/** Light and shade on water between two heights. */
export function ripples(random: () => number, count: number, from: number, to: number): string {
  return times(count, () => {
    const y = from + random() ** 1.2 * (to - from);
    const w = 8 + (y - from) * 0.3 * random();
    return `<path d="M${random() * WIDTH} ${y}q${w / 2} 3 ${w} 0" stroke="${random() > 0.62 ? 'currentColor' : 'paper'}" stroke-width="${1 + (y - from) / 90}" fill="none"/>`;
  });
}

/** Somebody who stands there. */
export function figure(x: number, y: number, scale: number, skirt: boolean): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})" fill="currentColor"><circle cy="-34" r="4.2"/><path d="M-8 -36.5h16l-3.4 -1.6 -.8 -5h-7.6l-.8 5z"/><path d="${skirt ? 'M-4.5 -30h9l8 30h-25z' : 'M-5.5 -30h11l3 17-2 13h-4l-2 -12-3 12h-4l-2 -13z'}"/><path d="M-4 -27l4 4 4 -4" stroke="paper" stroke-width="1.6" fill="none"/></g>`;
}

/** Birds far away. */
export function birds(list: readonly (readonly [x: number, y: number, size: number])[]): string {
  return `<g fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round">${list.map(([x, y, k]) => `<path d="M${x} ${y}q${4 * k} ${-4 * k} ${7 * k} 0q${3 * k} ${-4 * k} ${7 * k} 0"/>`).join('')}</g>`;
}

/** A windmill, with its sails turned. */
export function windmill(x: number, y: number, scale: number, turn: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><path d="M-22 0L-13 -70H13L22 0Z" fill="currentColor"/><path d="M-15 -70C-14 -88 14 -88 15 -70Z" fill="currentColor"/><path d="M-19 -22H19M-16.5 -42H16.5" stroke="paper" stroke-width="1.3"/><path d="M-5 0v-14a5 5 0 0 1 10 0v14z" fill="paper"/><rect x="-3" y="-60" width="6" height="8" fill="paper"/><g transform="translate(0 -74) rotate(${turn})"><path d="M0 -74V74M-74 0H74" stroke="currentColor" stroke-width="2.6"/>${[0, 90, 180, 270].map((a) => `<g transform="rotate(${a})"><path d="M1 -72h14v54H1z" fill="paper" stroke="currentColor" stroke-width="1.4"/><path d="M8 -72v54M1 -58h14M1 -45h14M1 -32h14" stroke="currentColor" stroke-width="1"/></g>`).join('')}<circle r="3.6" fill="currentColor"/></g></g>`;
}

/** Clouds: light in the lines of the sky. */
export function clouds(
  list: readonly (readonly [x: number, y: number, width: number, height: number])[],
): string {
  return `<g filter="url(#softer)" fill="#fff">${list.map(([x, y, width, height]) => `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}"/>`).join('')}</g>`;
}
