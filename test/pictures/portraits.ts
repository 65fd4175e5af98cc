import { type Scene, svg } from './drawing.ts';

/** A head in profile, facing right, and the bust under it. */
const HEAD =
  'M184 112C214 106 236 118 243 136C251 150 254 166 252 180C251 186 250 189 252 194C257 206 265 216 270 225C273 231 266 235 257 236C255 239 257 243 260 247C263 250 261 253 256 254C261 256 263 260 258 265C254 269 254 272 257 279C261 290 250 300 235 299C222 299 213 296 206 291C206 308 210 324 220 336L150 346C156 322 156 300 150 280C132 250 126 214 134 178C142 138 160 116 184 112Z';
const BUST =
  'M150 322C140 344 104 352 84 372C66 392 60 420 58 452C110 486 290 486 342 452C340 424 332 398 308 378C282 360 244 356 220 330Z';
type Point = readonly [x: number, y: number, size?: number];

/** Where the ornaments of the frame stand, and how they are turned. */
const CORNERS = [
  [34, 34, 0],
  [366, 34, 90],
  [366, 466, 180],
  [34, 466, 270],
] as const;

/** Locks of hair. */
const curls = (points: readonly Point[], r: number) =>
  points.map(([x, y, s = 1]) => `<circle cx="${x}" cy="${y}" r="${r * s}"/>`).join('');
/** A lock that is seen from its end. */
const swirl = ([x, y, r = 1]: Point) =>
  `<path d="M${x + r} ${y}a${r} ${r} 0 1 1 ${-r} ${-r}a${r * 0.62} ${r * 0.62} 0 1 1 ${-r * 0.5} ${r * 0.75}" />`;
/** What makes a portrait that of somebody. */
interface Likeness {
  /** Hair behind the head. */
  back: string;
  /** Hair, beard and headdress over it. */
  front: string;
  /** Thin lines in the colour of the paper. */
  lines: string;
  /** Collars and pearls, in the colour of the paper. */
  light: string;
  tint: string;
  ground: string;
  ink: string;
}

/** A head in profile, as it was cut out of black paper, in an oval frame. */
function portrait({ back, front, lines, light, tint, ground, ink }: Likeness): Scene {
  const oval = '<ellipse cx="200" cy="246" rx="160" ry="206"/>';
  const tone = svg(
    `<clipPath id="o">${oval}</clipPath><g clip-path="url(#o)"><rect width="400" height="500" fill="url(#vignette)"/><ellipse cx="120" cy="170" rx="90" ry="120" fill="#fff" opacity=".45" filter="url(#softer)"/></g>`,
  );
  const wash = svg(
    `<clipPath id="o">${oval}</clipPath><rect width="400" height="500" fill="${ground}"/><g clip-path="url(#o)"><rect width="400" height="500" fill="${tint}"/></g>`,
  );
  const key =
    svg(`<clipPath id="o">${oval}</clipPath><g clip-path="url(#o)"><g fill="currentColor">${back}<path d="${BUST}"/><path d="${HEAD}"/>${front}</g>
    <g fill="paper">${light}</g><g fill="none" stroke="paper" stroke-width="1.7" stroke-linecap="round">${lines}</g></g>
    <g fill="none" stroke="currentColor"><ellipse cx="200" cy="246" rx="160" ry="206" stroke-width="3.2"/><ellipse cx="200" cy="246" rx="168" ry="214" stroke-width="1.2"/><rect x="14" y="14" width="372" height="472" stroke-width="1.2"/><rect x="19" y="19" width="362" height="462" stroke-width="2.6"/></g>
    <g fill="currentColor">${CORNERS.map(([x, y, a]) => `<g transform="translate(${x} ${y}) rotate(${a})"><path d="M0 0C22 2 38 14 42 34C32 26 26 24 18 24C20 30 20 36 16 44C14 30 6 18 0 0Z"/><circle cx="30" cy="8" r="2.6"/><circle cx="8" cy="30" r="2.6"/></g>`).join('')}</g>`);
  return { tone, wash, key, ink, paper: '#f6efe0' };
}
export const huygens = (): Scene => {
  const mass: Point[] = [
    [176, 112, 1.15],
    [150, 122, 1.1],
    [206, 108, 1],
    [128, 146, 1.15],
    [112, 176, 1.15],
    [104, 210, 1.2],
    [102, 246, 1.2],
    [104, 282, 1.25],
    [108, 318, 1.25],
    [118, 352, 1.2],
    [130, 384, 1.05],
    [148, 300, 1.2],
    [152, 336, 1.2],
    [150, 368, 1],
    [134, 200, 1.2],
    [134, 250, 1.3],
    [228, 112, 0.82],
    [140, 410, 0.7],
    [166, 250, 1],
    [168, 290, 1.05],
    [172, 322, 0.95],
    [168, 212, 0.95],
  ];
  return portrait({
    back: curls(mass, 25),
    front: `${curls(
      [
        [174, 170, 1],
        [178, 200, 0.9],
        [180, 236, 0.85],
        [182, 268, 0.85],
        [186, 300, 0.8],
      ],
      22,
    )}<path d="M150 112C180 92 226 92 242 122C236 140 214 146 190 150Z"/>`,
    lines:
      (
        [
          [150, 128, 14],
          [188, 118, 12],
          [124, 164, 14],
          [150, 182, 12],
          [112, 214, 15],
          [146, 226, 12],
          [110, 258, 15],
          [148, 270, 13],
          [112, 302, 15],
          [150, 312, 13],
          [118, 344, 14],
          [152, 350, 11],
          [134, 380, 11],
          [174, 208, 9],
          [178, 250, 9],
          [182, 288, 9],
          [220, 116, 8],
        ] as Point[]
      )
        .map(swirl)
        .join('') +
      '<path d="M84 392C104 380 122 378 134 400M308 392C292 420 286 446 290 470M246 372C252 400 250 440 244 474"/>',
    light:
      '<path d="M206 330C222 338 236 340 246 352C250 372 244 392 250 414C238 408 232 412 226 420C222 408 214 408 204 414C208 388 202 356 206 330Z"/>',
    tint: '#c9d4de',
    ground: '#eee6d4',
    ink: '#1c2b44',
  });
};
export const spinoza = (): Scene =>
  portrait({
    back: '<path d="M184 102C140 104 118 150 116 204C114 250 104 300 98 352C118 366 146 362 160 348L196 330L190 200Z"/>',
    front:
      '<path d="M236 122C216 96 170 98 148 122C130 150 128 216 136 262C138 300 130 330 132 352C150 350 172 340 184 326C190 300 184 262 184 236C186 200 196 170 226 146C236 140 240 132 236 122Z"/>',
    lines:
      '<path d="M160 122C140 170 146 240 138 340M178 118C158 166 160 250 152 342M196 118C172 160 172 250 166 336M214 122C184 158 180 240 178 320M130 150C120 210 124 280 112 350"/>',
    light:
      '<path d="M150 340C176 350 206 340 222 332C236 344 258 352 276 362C264 388 252 400 240 410C230 394 222 380 212 362C196 384 170 396 140 398C138 378 142 356 150 340Z"/>',
    tint: '#d9cda8',
    ground: '#f0e8d6',
    ink: '#2a2119',
  });
export const merian = (): Scene =>
  portrait({
    back: '<path d="M188 96C136 92 106 136 110 192C112 240 136 276 164 288L196 250Z"/>',
    front:
      '<path d="M238 124C240 138 226 150 214 158C200 172 196 196 190 214C182 206 170 206 166 222C164 240 176 250 184 246C180 262 168 274 156 278C128 262 118 230 120 190C122 140 150 104 190 104C216 104 234 110 238 124Z"/>',
    lines:
      '<path d="M222 118C176 106 136 140 132 196C130 224 138 250 152 268M228 128C188 126 156 158 154 210M214 112C160 96 118 140 120 200M62 430C110 452 290 452 338 430"/>',
    light:
      '<path d="M238 118C232 104 212 98 196 98C160 98 138 116 128 140C150 120 176 112 198 116C214 118 226 124 232 134C237 130 239 124 238 118Z"/><path d="M142 346C168 358 204 352 222 338C246 350 282 356 304 376C290 398 258 410 236 406C206 418 158 412 112 398C112 372 124 356 142 346Z"/><circle cx="176" cy="262" r="4.6"/>',
    tint: '#d8c3b0',
    ground: '#f1e7d8',
    ink: '#4a1f26',
  });
export const schurman = (): Scene =>
  portrait({
    back: `${curls(
      [
        [146, 150, 1.5],
        [130, 184, 1.4],
        [128, 218, 1.3],
        [134, 250, 1.15],
        [142, 278, 1],
        [150, 300, 0.8],
      ],
      20,
    )}<ellipse cx="122" cy="150" rx="34" ry="30"/>`,
    front:
      '<path d="M240 130C220 98 164 96 144 128C130 156 134 204 146 232C160 220 166 190 178 172C196 156 226 152 240 130Z"/>' +
      curls(
        [
          [168, 206, 1],
          [164, 234, 0.95],
          [166, 260, 0.9],
          [170, 284, 0.75],
        ],
        17,
      ),
    lines:
      (
        [
          [112, 146, 14],
          [134, 150, 10],
          [168, 208, 9],
          [164, 236, 9],
          [166, 262, 8],
          [134, 214, 11],
          [138, 250, 9],
        ] as Point[]
      )
        .map(swirl)
        .join('') +
      '<path d="M226 124C196 112 164 124 152 156M232 134C200 128 174 142 162 172M96 158C104 178 128 184 146 174"/>',
    light:
      '<path d="M136 350C166 344 198 346 222 334C256 346 308 356 326 388C330 402 318 410 306 404C304 414 292 418 284 410C278 420 264 420 258 410C250 420 236 420 230 410C222 420 206 420 200 410C192 420 176 420 170 410C162 420 146 418 142 408C132 416 118 412 114 402C102 406 90 398 92 388C96 370 116 356 136 350Z"/><circle cx="182" cy="302" r="4"/>' +
      Array.from(
        { length: 7 },
        (_, i) => `<circle cx="${166 + i * 9}" cy="${324 + Math.sin(i / 2) * 5}" r="3.4"/>`,
      ).join(''),
    tint: '#c6d2c4',
    ground: '#efe8d8',
    ink: '#20352f',
  });
export const clusius = (): Scene => {
  const pleats = Array.from({ length: 15 }, (_, i) => ({
    x: 118 + i * 9.6,
    y: 326 + Math.sin((i / 14) * 3.1) * 12,
    turn: (i - 7) * 3,
  }));
  const ruff = pleats
    .map(
      ({ x, y, turn }) =>
        `<ellipse cx="${x}" cy="${y}" rx="8.4" ry="19" transform="rotate(${turn} ${x} ${y})"/>`,
    )
    .join('');
  const folds = pleats
    .map(({ x, y, turn }) => `<path d="M${x} ${y - 15}v28" transform="rotate(${turn} ${x} ${y})"/>`)
    .join('');
  const bust = portrait({
    back: '<path d="M184 104C150 104 128 136 128 176L132 250L160 290L196 240Z"/>',
    front:
      '<path d="M206 250C212 262 236 266 254 262C266 280 268 312 246 338C232 348 214 334 206 312C198 296 192 268 206 250Z"/><path d="M256 236C262 240 272 242 280 238C276 248 264 252 252 248Z"/><path d="M116 166C112 116 156 84 206 90C240 94 258 116 258 148C246 158 236 150 220 152C180 154 150 166 124 178C118 176 116 172 116 166Z"/>',
    lines:
      '<path d="M216 268C222 292 230 314 242 330M228 270C236 290 244 306 250 318M208 264C212 288 220 310 230 328M126 160C166 142 216 136 254 142M150 122C172 106 204 100 232 112M62 420C96 400 120 400 150 440M338 420C310 400 286 404 262 440"/>',
    light: `${ruff}`,
    tint: '#cdd3ad',
    ground: '#f0e9d6',
    ink: '#26321c',
  });
  return {
    ...bust,
    key: bust.key.replace(
      '</svg>',
      `<g fill="none" stroke="currentColor" stroke-width="1.3">${folds}</g></svg>`,
    ),
  };
};
