import { times } from './drawing.ts';

/** A house at a canal, by where it stands, how wide and high it is, and the shape of its gable. */
export interface House {
  x: number;
  w: number;
  top: number;
  kind: 'neck' | 'step' | 'bell' | 'point';
  shade: string;
  tint: string;
}

/** The outline of a gable. */
export function gable({ kind, x, w, top }: House): string {
  const m = x + w / 2;
  if (kind === 'step') {
    const steps = 4;
    const rise = 50 / steps;
    const run = (w / 2 - 5) / steps;
    const up = times(steps, (step) => `V${top + 50 - step * rise}H${x + (step + 1) * run}`);
    const down = times(
      steps,
      (step) => `V${top + 50 - (steps - 1 - step) * rise}H${x + w - (steps - 1 - step) * run}`,
    );
    return `M${x} ${top + 50}${up}V${top - 6}H${m + 5}${down}Z`;
  }
  if (kind === 'neck')
    return `M${x} ${top + 50} C${x + 4} ${top + 42} ${x + w * 0.28} ${top + 46} ${x + w * 0.3} ${top + 6} H${x + w * 0.7} C${x + w * 0.72} ${top + 46} ${x + w - 4} ${top + 42} ${x + w} ${top + 50}Z M${x + w * 0.26} ${top + 6} L${m} ${top - 12} L${x + w * 0.74} ${top + 6}Z`;
  if (kind === 'bell')
    return `M${x} ${top + 50} C${x + w * 0.1} ${top + 36} ${x + w * 0.3} ${top + 40} ${x + w * 0.32} ${top + 12} C${x + w * 0.36} ${top - 4} ${x + w * 0.64} ${top - 4} ${x + w * 0.68} ${top + 12} C${x + w * 0.7} ${top + 40} ${x + w * 0.9} ${top + 36} ${x + w} ${top + 50}Z`;
  return `M${x} ${top + 50} L${m} ${top} L${x + w} ${top + 50}Z`;
}

/** The front of a house in grey. */
export function houseTone(house: House, base: number): string {
  const { x, w, top, shade } = house;
  return `<path d="${gable(house)}" fill="${shade}"/><rect x="${x}" y="${top + 49}" width="${w}" height="${base - top - 49}" fill="${shade}"/><rect x="${x + w - 9}" y="${top + 49}" width="9" height="${base - top - 49}" fill="#333" opacity=".45"/>`;
}

/** The outline of a house, with its windows and door. */
export function facade(house: House, base: number): string {
  const { x, w, top } = house;
  const rows = Math.floor((base - top - 78) / 44),
    cols = w > 60 ? 3 : 2,
    step = (w - 10) / cols,
    ww = step - 8;
  const windows = times(rows * cols, (i) => {
    const wx = x + 9 + (i % cols) * step,
      wy = top + 60 + Math.floor(i / cols) * 44;
    return `<rect x="${wx}" y="${wy}" width="${ww}" height="27" fill="currentColor"/><path d="M${wx + ww / 2} ${wy}v27M${wx} ${wy + 10}h${ww}" stroke="paper" stroke-width="1.3"/><path d="M${wx - 1.5} ${wy + 29}h${ww + 3}" stroke="paper" stroke-width="2"/>`;
  });
  return `<path d="${gable(house)}" fill="none" stroke="currentColor" stroke-width="2"/><path d="M${x} ${top + 50}V${base}M${x + w} ${top + 50}V${base}" stroke="currentColor" stroke-width="1.6"/><rect x="${x + w / 2 - 4.5}" y="${top + 22}" width="9" height="14" fill="currentColor"/><path d="M${x + w / 2 - 4.5} ${top + 20}h9M${x + w / 2} ${top + 12}v-6" stroke="paper" stroke-width="1.6"/><path d="M${x + 1} ${top + 50}h${w - 2}" stroke="paper" stroke-width="2.4"/>${windows}<path d="M${x + w / 2 - 8} ${base}v-28a8 8 0 0 1 16 0v28Z" fill="currentColor"/><path d="M${x + w / 2 - 8} ${base - 24}h16" stroke="paper" stroke-width="1.4"/>`;
}
