import type { MeasuredArchive } from './report.ts';
import { showNumber } from './statistics.ts';

interface Series {
  name: string;
  points: { x: number; y: number }[];
}

const WIDTH = 720;
const HEIGHT = 400;
const MARGIN = { left: 80, right: 180, top: 40, bottom: 50 };
const COLOURS = ['#1b6ca8', '#c0392b', '#2e8b57', '#8e44ad', '#d68910', '#555555'];

/** Requests per second of a cached page by connections. */
export function drawThroughput(measured: readonly MeasuredArchive[]): string {
  const series = measured
    .filter(({ throughput }) => throughput.length > 0)
    .map(({ engine, records, throughput }) => ({
      name: `${engine}, ${records.toLocaleString('en')}`,
      points: throughput.map(({ connections, requestsPerSecond }) => ({
        x: connections,
        y: requestsPerSecond,
      })),
    }));
  return draw('Hot page: requests a second against connections', 'connections', series);
}

/** Milliseconds of one of the last pages by size of the archive. */
export function drawGrowth(measured: readonly MeasuredArchive[]): string {
  const scenario = 'last pages of persons, one by one';
  const engines = [...new Set(measured.map(({ engine }) => engine))];
  const series = engines.map((engine) => ({
    name: engine,
    points: measured.flatMap(({ engine: each, records, measurements }) => {
      const found = measurements.find((measurement) => measurement.scenario === scenario);
      return each === engine && found ? [{ x: records, y: found.value.median }] : [];
    }),
  }));
  return draw('Last page of persons, cold: milliseconds against records', 'records', series);
}

/** Resident memory of a server at a time. */
export interface MemorySample {
  minutes: number;
  megabytes: number;
}

/** Memory of servers by the minutes they have run. */
export function drawMemory(servers: readonly { name: string; memory: readonly MemorySample[] }[]): string {
  const series = servers.map(({ name, memory }) => ({
    name,
    points: memory.map(({ minutes, megabytes }) => ({ x: minutes, y: megabytes })),
  }));
  const most = Math.max(...series.flatMap(({ points }) => points.map(({ x }) => x)));
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * most));
  return draw('Memory of a server under mixed requests, in MB', 'minutes', series, {
    ticks,
    scale: (x) => x,
  });
}

/** Draws lines over a logarithmic x axis by default, and a y axis from 0, as SVG. */
function draw(
  title: string,
  xName: string,
  series: readonly Series[],
  axis?: { ticks: readonly number[]; scale: (x: number) => number },
): string {
  const all = series.flatMap(({ points }) => points);
  const { ticks: xs, scale } = axis ?? {
    ticks: [...new Set(all.map(({ x }) => x))].toSorted((a, b) => a - b),
    scale: Math.log,
  };
  const low = scale(xs[0] ?? 1);
  const span = scale(xs.at(-1) ?? 1) - low || 1;
  const top = Math.max(...all.map(({ y }) => y)) * 1.1;
  const atX = (x: number) => MARGIN.left + ((scale(x) - low) / span) * (WIDTH - MARGIN.left - MARGIN.right);
  const atY = (y: number) => HEIGHT - MARGIN.bottom - (y / top) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const right = WIDTH - MARGIN.right;

  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => {
    const y = atY(part * top);
    return [
      `<line x1="${MARGIN.left}" y1="${y}" x2="${right}" y2="${y}" stroke="#ddd"/>`,
      `<text x="${MARGIN.left - 8}" y="${y + 4}" text-anchor="end">${showNumber(part * top)}</text>`,
    ];
  });
  const ticks = xs.map(
    (x) =>
      `<text x="${atX(x)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${x.toLocaleString('en')}</text>`,
  );
  const lines = series.flatMap(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = points.map(({ x, y }) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`);
    return [
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      // With many points, the line is enough.
      ...(path.length > 50 ? [] : path).map(
        (point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`,
      ),
      `<text x="${right + 12}" y="${MARGIN.top + 20 * index + 10}" fill="${colour}">${name}</text>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">
<title>${title}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="${MARGIN.left}" y="22" font-size="15">${title}</text>
${[...grid, ...ticks, ...lines].join('\n')}
<text x="${(MARGIN.left + right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${xName}</text>
</svg>
`;
}
