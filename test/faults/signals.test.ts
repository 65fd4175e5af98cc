import { expect, test } from 'vitest';
import { startCli } from './run-cli.ts';
import { runHere } from './run-here.ts';
import { startScene } from './scene.ts';

test('Ctrl-C ends a harvest, which can be resumed', async () => {
  const { archive, command } = await startScene({
    fault({ ctx, page }) {
      if (page === 3) ctx.respond = false;
    },
  });
  const running = startCli(command);
  await expect.poll(() => archive.requests, { timeout: 20_000 }).toContain('/en/api/persons?page=3');
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('Interrupted. Run the same command again to resume.'),
  });
  archive.fault = () => {};
  expect((await runHere(command)).code).toBe(0);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a search that waits for a response, with %i', async (signal, code) => {
  const { archive } = await startScene({
    fault({ ctx }) {
      ctx.respond = false;
    },
  });
  const running = startCli(['search', '--base-url', archive.url]);
  await expect.poll(() => archive.requests, { timeout: 20_000 }).toHaveLength(1);
  running.kill(signal);
  expect((await running.ended).code).toBe(code);
});

test('a folder that another process is harvesting into is rejected, and left unchanged', async () => {
  const answer = Promise.withResolvers<void>();
  const { archive, folder, command } = await startScene({
    async fault({ page }) {
      if (page === 2) await answer.promise;
    },
  });
  const first = startCli(command);
  await expect.poll(() => archive.requests, { timeout: 20_000 }).toContain('/en/api/persons?page=2');
  expect(await runHere(command)).toMatchObject({
    code: 1,
    stderr: `archive-cli: ${folder}: another harvest into this folder is running; wait for it, or harvest into another folder\n`,
  });
  answer.resolve();
  expect((await first.ended).code).toBe(0);
  expect((await runHere(['verify', folder])).code).toBe(0);
});
