import { parseArgs } from 'node:util';
import { generateBundle } from './generate-bundle.ts';

const USAGE =
  'usage: node test/bench/generate.ts --out FOLDER [--records 200000] [--seed 1] [--busy-place 0]\n';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    records: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    'busy-place': { type: 'string', default: '0' },
  },
});
if (!values.out) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  await generateBundle({
    folder: values.out,
    records: Number(values.records),
    seed: Number(values.seed),
    busyPlace: Number(values['busy-place']),
  });
}
