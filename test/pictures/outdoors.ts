import { type Scene, svg, times } from './drawing.ts';
import { birds, clouds, figure, ripples, windmill } from './staffage.ts';

/** Mills in the Beemster polder. */
export function beemster(random: () => number): Scene {
  const tone = svg(
    `<rect width="400" height="330" fill="url(#sky)"/>${clouds([
      [90, 120, 150, 30],
      [300, 70, 120, 26],
      [330, 180, 120, 24],
    ])}<g filter="url(#softer)" fill="#777" opacity=".5"><ellipse cx="220" cy="30" rx="190" ry="18"/></g><path d="M0 330H400V500H0Z" fill="#f1f1f1"/>${times(7, (i) => `<path d="M${200 + (i - 3) * 8} 330L${200 + (i - 3) * 150 - 26} 500H${200 + (i - 3) * 150 + 30}Z" fill="#bdbdbd"/>`)}<path d="M192 330H208L268 500H120Z" fill="#8e8e8e"/>`,
  );
  const wash = svg(
    `<rect width="400" height="330" fill="#d5e3ea"/><rect y="230" width="400" height="100" fill="#f3e6c6" filter="url(#softer)"/><rect y="330" width="400" height="170" fill="#b9c79a"/><path d="M192 330H208L268 500H120Z" fill="#bcd1d6"/>`,
  );
  const cow = (x: number, y: number, k: number) =>
    `<g transform="translate(${x} ${y}) scale(${k})"><path d="M-20 -20C-12 -25 10 -24 18 -21L27 -26L31 -18L25 -13L20 -10V0H16V-10C8 -7 -6 -7 -13 -10L-14 0H-18L-19 -11C-22 -13 -22 -17 -20 -20Z" fill="currentColor"/><path d="M-10 -21C-4 -14 6 -14 8 -21z" fill="paper"/></g>`;
  const reeds = (x: number, y: number) =>
    times(
      9,
      (i) =>
        `<path d="M${x + i * 5} ${y}q${(random() - 0.5) * 10} -16 ${(random() - 0.5) * 12} -${22 + random() * 20}" fill="none" stroke="currentColor" stroke-width="1.8"/>`,
    );
  const key =
    svg(`<path d="M0 331H400" stroke="currentColor" stroke-width="2.4"/><g fill="currentColor">${times(16, (i) => `<circle cx="${10 + i * 26 + random() * 10}" cy="${326 - random() * 4}" r="${4 + random() * 5}"/>`)}<path d="M196 331v-30l6 -26 6 26v30z"/></g>${windmill(330, 334, 0.5, 40)}${windmill(252, 332, 0.3, 12)}${windmill(110, 372, 1.55, 28)}
   <path d="M60 374q50 -12 100 0" stroke="currentColor" stroke-width="3" fill="none"/><path d="M192 331L120 500M208 331L268 500" stroke="currentColor" stroke-width="2.2"/>${times(7, (i) => (i === 3 ? '' : `<path d="M${200 + (i - 3) * 8} 331L${200 + (i - 3) * 150} 500" stroke="currentColor" stroke-width="1.2"/>`))}${cow(318, 428, 1.05)}${cow(356, 398, 0.7)}${cow(290, 386, 0.55)}${reeds(100, 498)}${reeds(262, 500)}${birds(
     [
       [230, 120, 1.1],
       [254, 108, 0.9],
       [214, 140, 0.7],
       [60, 70, 0.8],
     ],
   )}${figure(170, 402, 0.8, false)}${times(26, () => {
     const x = random() * 400;
     const y = 400 + random() * 96;
     return x > 120 && x < 270
       ? ''
       : `<path d="M${x} ${y}l2 -6 2 6" fill="none" stroke="currentColor" stroke-width="1"/>`;
   })}`);
  return { tone, wash, key, ink: '#22322b', paper: '#f7f1e2' };
}

/** The sailing chariot on the beach. */
export function chariot(random: () => number): Scene {
  const tone = svg(
    `<rect width="400" height="300" fill="url(#sky)"/>${clouds([
      [110, 110, 140, 28],
      [320, 160, 120, 26],
      [250, 50, 120, 18],
    ])}<rect y="268" width="400" height="44" fill="url(#water)"/><path d="M0 312H400V500H0Z" fill="#f6f6f6"/><path d="M0 330C100 318 240 334 400 322V342C240 352 120 336 0 350Z" fill="#d4d4d4"/><ellipse cx="190" cy="436" rx="150" ry="12" fill="#666" filter="url(#soft)"/><path d="M0 500C60 462 150 470 220 484S360 480 400 462V500Z" fill="#cfcfcf"/>`,
  );
  const wash = svg(
    `<rect width="400" height="270" fill="#d2e0e6"/><rect y="190" width="400" height="80" fill="#f3e2bf" filter="url(#softer)"/><rect y="268" width="400" height="50" fill="#b4cbd0"/><rect y="314" width="400" height="186" fill="#e3cda0"/>`,
  );
  const wheel = (x: number, y: number, r: number) =>
    `<g transform="translate(${x} ${y})"><circle r="${r}" fill="none" stroke="currentColor" stroke-width="4.6"/><circle r="${r * 0.2}" fill="currentColor"/>${times(10, (i) => `<path d="M0 0L${Math.cos(i * 0.628) * r} ${Math.sin(i * 0.628) * r}" stroke="currentColor" stroke-width="2"/>`)}</g>`;
  const sail = (d: string, seams: string) =>
    `<path d="${d}" fill="paper" stroke="currentColor" stroke-width="2.4"/><g fill="none" stroke="currentColor" stroke-width="1">${seams}</g>`;
  const rider = (x: number, y: number, k: number) =>
    `<g transform="translate(${x} ${y}) scale(${k})" fill="currentColor"><circle cy="-22" r="4.4"/><path d="M-8 -24.500h16l-3.400 -2 -1 -5h-7.200l-1 5z"/><path d="M-7 0C-8 -10 -6 -17 0 -17S8 -10 7 0Z"/><path d="M-4 -16l4 4 4 -4" stroke="paper" stroke-width="1.600" fill="none"/></g>`;
  const ship = (x: number, y: number, k: number) =>
    `<g transform="translate(${x} ${y}) scale(${k})"><path d="M-30 0C-22 14 24 14 32 -4L22 0H-22Z" fill="currentColor"/><path d="M-10 0V-46M10 0V-54" stroke="currentColor" stroke-width="1.8"/><path d="M-18 -42h15v16h-17zM-18 -24h16v16h-18zM3 -50h16l1 18H2zM2 -30h19l1 20H2z" fill="paper" stroke="currentColor" stroke-width="1.2"/></g>`;
  const key =
    svg(`<path d="M0 269H400" stroke="currentColor" stroke-width="1.8"/>${ship(64, 268, 0.7)}${ship(352, 268, 0.5)}${ripples(random, 26, 276, 306)}<path d="M0 313q20 -5 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0" fill="none" stroke="paper" stroke-width="3"/>
   <path d="M142 384V92M262 384V138" stroke="currentColor" stroke-width="4.6"/><path d="M142 92l-30 7 30 8M262 138l-26 6 26 7" fill="currentColor"/>
   ${sail('M96 118C128 124 168 124 208 114C222 190 222 262 206 330C170 340 128 340 92 332C112 262 112 190 96 118Z', '<path d="M124 122C138 190 138 262 122 337M152 122C166 190 166 262 152 338M180 120C194 190 194 262 180 336M104 190C140 196 180 196 217 188M106 262C140 268 180 268 216 260"/>')}
   ${sail('M226 160C250 164 280 162 306 154C318 212 316 270 302 332C276 340 250 340 228 334C242 274 240 214 226 160Z', '<path d="M252 163C262 214 262 274 252 338M280 160C290 214 290 274 278 337M236 214C260 220 288 218 312 212M238 272C262 278 288 276 312 270"/>')}
   ${[128, 156, 182, 210, 236, 286].map((x, i) => rider(x, 378, 0.92 + (i % 2) * 0.08)).join('')}
   <path d="M70 366C110 374 280 374 330 362L318 398H88Z" fill="currentColor"/><path d="M78 378C130 386 270 386 322 376M84 389H320" stroke="paper" stroke-width="1.600" fill="none"/><path d="M330 362l22 -12M70 366l-20 -8" stroke="currentColor" stroke-width="3.400"/>
   ${wheel(116, 408, 29)}${wheel(284, 408, 29)}${figure(42, 446, 1.15, false)}${figure(364, 452, 1.2, true)}${figure(382, 452, 1.15, false)}${birds(
     [
       [40, 170, 1],
       [60, 158, 0.8],
       [340, 100, 1],
       [322, 116, 0.7],
     ],
   )}<path d="M0 500C60 462 150 470 220 484S360 480 400 462" fill="none" stroke="currentColor" stroke-width="2"/>${times(
     34,
     () => {
       const x = random() * 400;
       const y = 484 + random() * 14;
       return `<path d="M${x} ${y + 6}q2 -12 ${(random() - 0.5) * 10} -${12 + random() * 12}" fill="none" stroke="currentColor" stroke-width="1.4"/>`;
     },
   )}`);
  return { tone, wash, key, ink: '#33241c', paper: '#f8f1e0' };
}
