import { type Scene, svg, times } from './drawing.ts';
import { facade, gable, type House, houseTone } from './houses.ts';
import { birds, clouds, figure, ripples, sloop, tree, windmill } from './staffage.ts';

/** The academy in Leiden. */
export function leiden(random: () => number): Scene {
  const arch = (x: number, y: number, w: number, h: number) =>
    `<path d="M${x} ${y}v${-h + w * 0.7}q0 ${-w * 0.5} ${w / 2} ${-w * 0.7}q${w / 2} ${w * 0.2} ${w / 2} ${w * 0.7}v${h - w * 0.7}z" fill="currentColor"/><path d="M${x + w / 2} ${y}v${-h + 4}M${x} ${y - h * 0.36}h${w}M${x} ${y - h * 0.66}h${w}" stroke="paper" stroke-width="1.3"/><path d="M${x - 2} ${y + 1.5}h${w + 4}" stroke="paper" stroke-width="2.4"/>`;
  const body = 'M92 340V172L118 172L200 92L282 172H308V340Z';
  const tone = svg(
    `<rect width="400" height="360" fill="url(#sky)"/>${clouds([
      [70, 130, 110, 30],
      [330, 90, 100, 30],
      [200, 210, 260, 40],
    ])}<path d="${body}" fill="#c4c4c4"/><path d="M92 340V172l26 0 30 -29v197z" fill="#8e8e8e" opacity=".6"/><rect x="308" y="230" width="110" height="110" fill="#b0b0b0"/><rect x="-10" y="226" width="102" height="114" fill="#9a9a9a"/><rect y="366" width="400" height="134" fill="url(#water)"/><g opacity=".6" filter="url(#soft)" fill="#555"><path d="M92 366h216v50l-108 62 -108 -62z"/></g>`,
  );
  const wash = svg(
    `<rect width="400" height="366" fill="#dde6e6"/><path d="${body}" fill="#c98a6c"/><rect x="308" y="230" width="110" height="110" fill="#d6b48d"/><rect x="-10" y="226" width="102" height="114" fill="#b9775f"/><path d="M308 232l20 -36h90v36zM-10 228v-34h84l18 34z" fill="#7f8d92"/><rect y="366" width="400" height="134" fill="#c3d3cb"/>`,
  );
  const tower = `<path d="M182 100V62h36v38z" fill="currentColor"/><path d="M178 62h44l-6 -10h-32z" fill="currentColor"/><path d="M186 52c0 -26 28 -26 28 0z" fill="currentColor"/><path d="M200 32v-18M200 15l12 4-12 4" stroke="currentColor" stroke-width="1.8" fill="currentColor"/><path d="M187 92v-20a5 5 0 0 1 10 0v20zM203 92v-20a5 5 0 0 1 10 0v20z" fill="paper"/><path d="M178 62h44" stroke="paper" stroke-width="1.6"/>`;
  const key =
    svg(`${tower}<path d="${body}" fill="none" stroke="currentColor" stroke-width="2.6"/><path d="M118 172L200 92L282 172" fill="none" stroke="paper" stroke-width="3"/><path d="M110 172h180M92 252h216" stroke="paper" stroke-width="2.4"/><circle cx="200" cy="142" r="15" fill="currentColor"/><circle cx="200" cy="142" r="10" fill="none" stroke="paper" stroke-width="1.4"/><path d="M200 142v-8M200 142l6 3" stroke="paper" stroke-width="1.6"/>
   ${[108, 150, 226, 268].map((x) => arch(x, 244, 24, 58)).join('')}${arch(186, 244, 28, 66)}${[108, 150, 226, 268].map((x) => arch(x, 324, 24, 58)).join('')}<path d="M182 340v-42a18 18 0 0 1 36 0v42z" fill="currentColor"/><path d="M200 340v-58M182 300h36" stroke="paper" stroke-width="1.4"/><path d="M176 340v-44a24 24 0 0 1 48 0v44" fill="none" stroke="paper" stroke-width="2.6"/>
   <path d="M308 340V232l20 -36h90M92 340V228l-18 -34h-84" fill="none" stroke="currentColor" stroke-width="2.2"/><path d="M308 232h100M-10 228h102" stroke="currentColor" stroke-width="2"/>${[322, 352, 382].map((x) => `<rect x="${x}" y="252" width="15" height="26" fill="currentColor"/><rect x="${x}" y="298" width="15" height="26" fill="currentColor"/><path d="M${x + 7.5} 252v26M${x + 7.5} 298v26M${x} 262h15M${x} 308h15" stroke="paper" stroke-width="1.2"/>`).join('')}${[4, 34, 64].map((x) => `<rect x="${x}" y="250" width="15" height="26" fill="currentColor"/><rect x="${x}" y="298" width="15" height="26" fill="currentColor"/><path d="M${x + 7.5} 250v26M${x + 7.5} 298v26M${x} 260h15M${x} 308h15" stroke="paper" stroke-width="1.2"/>`).join('')}
   <rect y="340" width="400" height="26" fill="paper"/><path d="M0 340H400M0 366H400" stroke="currentColor" stroke-width="2.4"/>${times(40, (i) => `<path d="M${i * 10.4 + (i % 2) * 4} ${353 - (i % 2) * 12}v12" stroke="currentColor" stroke-width=".9"/>`)}<path d="M0 353H400" stroke="currentColor" stroke-width=".9"/>
   <circle cx="36" cy="212" r="38" fill="#93a77f"/>${tree(36, 212, 33)}<path d="M34 240V342h5V240z" fill="currentColor"/><circle cx="368" cy="218" r="34" fill="#93a77f"/>${tree(368, 218, 29)}<path d="M366 244V342h5V244z" fill="currentColor"/>
   ${figure(140, 350, 0.86, false)}${figure(154, 350, 0.84, false)}${figure(250, 351, 0.84, true)}${birds([
     [72, 82, 1],
     [90, 74, 0.8],
     [300, 60, 0.9],
     [318, 70, 0.7],
   ])}${ripples(random, 48, 376, 494)}`);
  return { tone, wash, key, ink: '#2a2320', paper: '#f7f0e2' };
}

/** Houses at a canal in Amsterdam. */
export function amsterdam(random: () => number): Scene {
  const base = 330;
  const houses: House[] = [
    { x: -14, w: 66, top: 118, kind: 'neck', shade: '#b4b4b4', tint: '#c98d74' },
    { x: 52, w: 54, top: 150, kind: 'step', shade: '#8f8f8f', tint: '#b4674f' },
    { x: 106, w: 72, top: 96, kind: 'bell', shade: '#c6c6c6', tint: '#d9b48a' },
    { x: 178, w: 52, top: 138, kind: 'point', shade: '#9c9c9c', tint: '#a8574a' },
    { x: 230, w: 74, top: 84, kind: 'neck', shade: '#8a8a8a', tint: '#c7a07e' },
    { x: 304, w: 56, top: 142, kind: 'step', shade: '#bcbcbc', tint: '#b9775f' },
    { x: 360, w: 62, top: 112, kind: 'bell', shade: '#9a9a9a', tint: '#cfa98c' },
  ];
  const row = houses.map((each) => houseTone(each, base)).join('');
  const tone = svg(
    `<rect width="400" height="500" fill="#fff"/><rect width="400" height="150" fill="url(#sky)" /><ellipse cx="110" cy="62" rx="110" ry="17" fill="#fff" filter="url(#soft)"/><ellipse cx="330" cy="104" rx="110" ry="14" fill="#fff" filter="url(#soft)"/>${row}<rect y="343" width="400" height="157" fill="url(#water)"/><g transform="matrix(1 0 0 -.62 0 551)" opacity=".5" filter="url(#soft)">${row}</g><ellipse cx="240" cy="440" rx="82" ry="9" fill="#333" opacity=".6" filter="url(#soft)"/>`,
  );
  const trees: [x: number, y: number, r: number][] = [
    [30, 286, 26],
    [206, 292, 23],
    [372, 284, 27],
  ];
  const wash = svg(
    `<rect width="400" height="343" fill="#dfe8ea"/><rect y="343" width="400" height="157" fill="#c5d6d4"/>${houses.map((each) => `<path d="${gable(each)}" fill="${each.tint}"/><rect x="${each.x}" y="${each.top + 49}" width="${each.w}" height="${base - each.top - 49}" fill="${each.tint}"/>`).join('')}`,
  );
  const key = svg(
    `${houses.map((each) => facade(each, base)).join('')}${trees.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r + 5}" fill="#93a77f"/>${tree(x, y, r)}`).join('')}<rect y="329" width="400" height="13" fill="paper"/><path d="M0 329H400M0 342H400" stroke="currentColor" stroke-width="2.2"/>${times(27, (i) => `<path d="M${i * 15 + (i % 2) * 3} 330v12" stroke="currentColor" stroke-width="1"/>`)}${ripples(random, 46, 356, 492)}${sloop(232, 424, 0.92)}`,
  );
  return { tone, wash, key, ink: '#2b2320', paper: '#f6efe1' };
}

/** Delft from across the water. */
export function delft(random: () => number): Scene {
  const homes = Array.from({ length: 26 }, (_, i) => {
    const x = -10 + i * 16.5,
      h = 20 + random() * 32,
      w = 16 + random() * 9;
    return [
      `<path d="M${x} 331V${330 - h}L${x + w / 2} ${330 - h - 13}L${x + w} ${330 - h}V331Z" fill="currentColor" stroke="paper" stroke-width=".8"/>`,
      `<path d="M${x + w / 2 - 3.4} ${330 - h + 6}h2.6v5h-2.6zM${x + w / 2 + 1.4} ${330 - h + 6}h2.6v5h-2.6z" fill="paper"/>`,
    ];
  });
  const roofs = homes.map(([roof]) => roof).join('');
  const lights = homes.map(([, light]) => light).join('');
  const church = (x: number, k: number) =>
    `<g transform="translate(${x} 331) scale(${k})"><path d="M13 0V-62L22 -82H76L88 -62V0Z" fill="currentColor"/><path d="M-14 0V-118H14V0Z" fill="currentColor"/><path d="M-16 -118H16L10 -150H-10ZM-11 -150H11L7 -178H-7ZM-7.5 -178H7.5L0 -240Z" fill="currentColor"/><path d="M0 -236V-254M-4 -248h8" stroke="currentColor" stroke-width="1.8"/><path d="M-17 -118H17M-11.5 -150h23M-8 -178H8M13 -62H88M-14 -66h28" stroke="paper" stroke-width="1.5"/><path d="M-5 -84v-20a5 6 0 0 1 10 0v20zM-4 -26v-24a4 5 0 0 1 8 0v24zM-4 -126h8v14h-8z" fill="paper" opacity=".9"/>${times(4, (i) => `<path d="M${22 + i * 16} -10v-32a5 7 0 0 1 10 0v32z" fill="paper" opacity=".85"/>`)}</g>`;
  const sky = clouds([
    [60, 150, 130, 26],
    [230, 96, 120, 24],
    [370, 160, 100, 24],
  ]);
  const tone = svg(
    `<rect width="400" height="334" fill="url(#sky)"/>${sky}<g filter="url(#softer)" fill="#666" opacity=".6"><ellipse cx="130" cy="40" rx="150" ry="20"/><ellipse cx="360" cy="62" rx="80" ry="14"/></g><rect y="240" width="400" height="94" fill="#fff" opacity=".7"/><rect y="334" width="400" height="166" fill="url(#water)"/><g opacity=".75" filter="url(#soft)" fill="#444"><rect y="334" width="400" height="20"/><path d="M232 334h28l-6 120h-14zM130 334h18l-4 84h-10zM316 334h48v44h-48z"/></g><path d="M0 500V452C90 436 170 462 260 470S380 478 400 470V500Z" fill="#dedede"/>`,
  );
  const key =
    svg(`${church(138, 0.74)}${church(246, 1)}${roofs}${lights}<path d="M314 331V258h10v-14h30v14h10v73Z" fill="currentColor"/><path d="M322 246l17 -30 17 30Z" fill="currentColor"/><path d="M332 331v-24a7 7 0 0 1 14 0v24Z" fill="paper"/><path d="M314 262h50M324 246h30" stroke="paper" stroke-width="1.6"/>${windmill(52, 326, 0.62, 24)}<path d="M0 332H400" stroke="currentColor" stroke-width="4"/>${birds(
      [
        [180, 150, 1],
        [200, 142, 0.8],
        [212, 156, 0.7],
        [300, 190, 0.8],
      ],
    )}${ripples(random, 54, 346, 450)}${sloop(330, 404, 0.46)}
   <path d="M0 500V454C90 438 170 464 260 472S380 480 400 472V500Z" fill="#d9c294"/><path d="M0 454C90 438 170 464 260 472S380 480 400 472" fill="none" stroke="currentColor" stroke-width="2.6"/>${times(
     30,
     () => {
       const x = random() * 400;
       const y = 470 + random() * 26;
       return `<path d="M${x} ${y + 6}l2 -6 2 6" fill="none" stroke="currentColor" stroke-width="1"/>`;
     },
   )}${figure(84, 474, 1.15, true)}${figure(106, 475, 1.2, false)}${figure(196, 484, 1.05, true)}`);
  const wash = svg(
    `<rect width="400" height="334" fill="#d3e0ee"/><rect y="210" width="400" height="124" fill="#f1e4c4" filter="url(#softer)"/><rect y="334" width="400" height="166" fill="#bfd0da"/>`,
  );
  return { tone, wash, key, ink: '#1d2f52', paper: '#f7f2e6' };
}
