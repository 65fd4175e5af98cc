/// <reference lib="dom" />
import type { Scene } from './drawing.ts';

/** How a scene is printed: distance of the lines, and size of the picture, in points. */
export interface Print extends Scene {
  pitch: number;
  width: number;
  height: number;
  quality: number;
}

/** Prints a scene in lines that swell where it is dark, as an engraving has them. Runs in a browser; gives WebP as base64. */
export async function printScene(print: Print): Promise<string> {
  const { tone, wash, key, ink, paper, pitch, width, height, quality } = print;
  const load = async (drawing: string) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
    await image.decode();
    return image;
  };
  const surface = (color: string) => {
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    if (!context) throw new Error('this browser cannot draw');
    context.fillStyle = color;
    context.fillRect(0, 0, width, height);
    return context;
  };
  const source = surface('#fff');
  source.drawImage(await load(tone), 0, 0, width, height);
  const { data } = source.getImageData(0, 0, width, height);
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const darkness = (x: number, y: number) => {
    const point = within(Math.round(y), height - 1) * width + within(Math.round(x), width - 1);
    return 1 - (data[point * 4] ?? 0) / 255;
  };

  const sheet = surface(paper);
  sheet.globalCompositeOperation = 'multiply';
  sheet.drawImage(await load(wash), 0, 0, width, height);
  sheet.globalCompositeOperation = 'source-over';
  sheet.fillStyle = ink;
  /** Lines at an angle, for what is darker than `from`; at `to` they are at their widest, which is `most` of their distance. */
  const hatch = (angle: number, from: number, to: number, most: number, wave: number) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const reach = Math.hypot(width, height) / 2 + pitch;
    for (let across = -reach; across < reach; across += pitch) {
      let upper: [x: number, y: number][] = [];
      let lower: [x: number, y: number][] = [];
      const flush = () => {
        if (upper.length > 1) {
          sheet.beginPath();
          for (const [x, y] of [...upper, ...lower.reverse()]) sheet.lineTo(x, y);
          sheet.fill();
        }
        upper = [];
        lower = [];
      };
      for (let along = -reach; along < reach; along += 1.5) {
        const bent = across + wave * Math.sin(along / 46 + across / 90);
        const x = width / 2 + along * cos - bent * sin;
        const y = height / 2 + along * sin + bent * cos;
        const isOnSheet = x > -2 && y > -2 && x < width + 2 && y < height + 2;
        const dark = isOnSheet ? within((darkness(x, y) - from) / (to - from), 1) : 0;
        const half = (dark ** 0.85 * most * pitch) / 2;
        if (half < 0.22) {
          flush();
        } else {
          upper.push([x + half * sin, y - half * cos]);
          lower.push([x - half * sin, y + half * cos]);
        }
      }
      flush();
    }
  };
  hatch(-0.06, 0.09, 0.95, 0.92, 2.2);
  hatch(1.02, 0.6, 1.15, 0.6, 1.2);
  const sharp = key.replaceAll('currentColor', ink).replaceAll('paper', paper);
  sheet.drawImage(await load(sharp), 0, 0, width, height);
  return sheet.canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
}
