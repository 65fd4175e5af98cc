import { HEIGHT, type Scene, svg, times, WIDTH } from './drawing.ts';

/** Saturn with its ring, and a moon. */
export function saturn(random: () => number): Scene {
  const half = (front: 0 | 1, body: string) =>
    `<g transform="translate(200 250) rotate(-16)"><clipPath id="half${front}"><rect x="-230" y="${front ? 0 : -130}" width="460" height="130"/></clipPath><g clip-path="url(#half${front})">${body}</g></g>`;
  const bands =
    '<ellipse rx="179" ry="50" fill="none" stroke="#f2f2f2" stroke-width="24"/><ellipse rx="146" ry="38" fill="none" stroke="#b4b4b4" stroke-width="24"/>';
  const rims =
    '<g fill="none" stroke="currentColor"><ellipse rx="191" ry="56" stroke-width="2"/><ellipse rx="163" ry="44" stroke-width="4.6"/><ellipse rx="134" ry="33" stroke-width="2"/></g>';
  const planet = '<circle cx="200" cy="250" r="98"/>';
  const tone = svg(
    `<rect width="400" height="500" fill="#fff"/>${half(0, bands)}<circle cx="200" cy="250" r="98" fill="url(#ball)"/><g opacity=".25" fill="none" stroke="#222" stroke-width="8"><path d="M108 222Q200 252 292 204M112 296Q200 334 288 282"/></g><path d="M104 262Q196 310 299 238L297 256Q200 324 108 284Z" fill="#222" opacity=".5"/>${half(1, bands)}`,
  );
  const wash = svg(`<rect width="400" height="500" fill="#efe0b8"/>`);
  const stars = times(
    90,
    () => `<circle cx="${random() * WIDTH}" cy="${random() * HEIGHT}" r="${0.5 + random() ** 4 * 2.2}"/>`,
  );
  const hole =
    '<g transform="translate(200 250) rotate(-16)"><path fill-rule="evenodd" d="M-191 0a191 56 0 1 0 382 0a191 56 0 1 0 -382 0ZM-134 0a134 33 0 1 0 268 0a134 33 0 1 0 -268 0Z"/></g>';
  const key = svg(
    `<mask id="sky2"><rect width="400" height="500" fill="#fff"/><g fill="#000">${planet}${hole}</g></mask><g mask="url(#sky2)"><rect width="400" height="500" fill="currentColor"/><g fill="paper">${stars}<circle cx="330" cy="122" r="5"/><path d="M330 104v36M312 122h36" stroke="paper" stroke-width="1"/></g></g>${half(0, rims)}<clipPath id="body"><path d="M0 0H400V500H0Z"/></clipPath><g fill="none" stroke="currentColor" stroke-width="2.4">${planet}</g><g clip-path="url(#body)">${half(1, rims)}</g><rect x="10" y="10" width="380" height="480" fill="none" stroke="paper" stroke-width="1.4"/>`,
  );
  return { tone, wash, key, ink: '#16243f', paper: '#f4ecdc' };
}

/** A globe on its stand. */
export function globe(): Scene {
  const line = (k: number) =>
    `M${200 - 112 * k} 208A${112 * Math.abs(k)} 112 0 0 ${k > 0 ? 1 : 0} 200 96M${200 - 112 * k} 208A${112 * Math.abs(k)} 112 0 0 ${k > 0 ? 0 : 1} 200 320`;
  const tone = svg(
    `<rect width="400" height="500" fill="#fff"/><rect width="400" height="420" fill="url(#vignette)" opacity=".7"/><ellipse cx="200" cy="208" rx="176" ry="170" fill="#fff" opacity=".55" filter="url(#softer)"/><circle cx="200" cy="208" r="112" fill="url(#ball)"/><rect y="414" width="400" height="86" fill="#c9c9c9"/><ellipse cx="216" cy="440" rx="130" ry="16" fill="#444" filter="url(#soft)"/>`,
  );
  const wash = svg(
    `<rect width="400" height="500" fill="#e9dcc0"/><circle cx="200" cy="208" r="112" fill="#bcd0cf"/><rect y="414" width="400" height="86" fill="#b5774f"/>`,
  );
  const land =
    'M138 138C156 122 184 126 196 136C190 150 204 156 198 170C186 182 176 170 162 178C150 186 150 204 138 206C124 196 118 168 138 138ZM212 150C236 134 268 142 286 164C298 184 296 204 284 210C274 200 262 206 258 220C262 246 244 276 230 278C218 262 222 240 212 226C198 222 190 206 196 190C206 184 204 164 212 150ZM128 240C146 232 164 244 166 262C160 282 150 296 138 290C124 276 118 254 128 240ZM262 262C274 256 290 258 288 270C280 284 264 288 258 278Z';
  const key =
    svg(`<clipPath id="g"><circle cx="200" cy="208" r="112"/></clipPath><g clip-path="url(#g)"><g transform="rotate(-18 200 208)"><path d="${land}" fill="#c9a866" opacity=".78"/><path d="${land}" fill="none" stroke="currentColor" stroke-width="2"/><g fill="none" stroke="currentColor" stroke-width="1"><path d="${line(0.95)}${line(0.6)}${line(0.2)}${line(-0.25)}${line(-0.65)}"/><path d="M90 208Q200 236 310 208M96 168Q200 194 304 168M112 130Q200 152 288 130M96 248Q200 276 304 248M112 286Q200 308 288 286"/></g></g></g>
   <circle cx="200" cy="208" r="112" fill="none" stroke="currentColor" stroke-width="3"/><g fill="none" stroke="currentColor" transform="rotate(-18 200 208)"><circle cx="200" cy="208" r="124" stroke-width="7"/><circle cx="200" cy="208" r="124" stroke="paper" stroke-width="2.6" stroke-dasharray="2.2 4.3"/><path d="M200 78v-12M200 338v12" stroke-width="6"/></g>
   <path d="M58 214H342V226H58Z" fill="currentColor"/><path d="M64 220H336" stroke="paper" stroke-width="1.800" stroke-dasharray="7 3.500"/>
   ${[82, 318].map((x) => `<path d="M${x - 7} 226h14l-3 22c8 8 8 20 0 28l5 60 -4 70h-10l-4 -70 5 -60c-8 -8 -8 -20 0 -28z" fill="currentColor"/><path d="M${x - 6} 262h12M${x - 5} 336h10M${x - 5} 344h10" stroke="paper" stroke-width="1.600"/>`).join('')}
   <path d="M190 336h20l-4 20c14 8 14 26 2 34l6 20h-28l6 -20c-12 -8 -12 -26 2 -34z" fill="currentColor"/><path d="M186 372h28" stroke="paper" stroke-width="1.600"/><path d="M70 396H330V408H70Z" fill="currentColor"/><path d="M60 408H340V418H60Z" fill="currentColor"/><path d="M70 402H330" stroke="paper" stroke-width="1.400"/>
   <path d="M0 416H400" stroke="currentColor" stroke-width="2"/><g transform="translate(66 452)"><path d="M-36 0L34 -12L46 4L-26 18Z" fill="paper" stroke="currentColor" stroke-width="2"/><path d="M-24 2L30 -7M-20 8L36 -2M-17 13L20 7" stroke="currentColor" stroke-width="1.100"/></g><g transform="translate(318 458) rotate(-24)" stroke="currentColor" stroke-width="2.800" fill="none"><path d="M0 -26L-16 22M0 -26L16 22" /><circle cy="-28" r="4.500" fill="currentColor"/><path d="M-8 -2q8 6 16 0" stroke-width="1.600"/></g>`);
  return { tone, wash, key, ink: '#2d2118', paper: '#f8f1e0' };
}
