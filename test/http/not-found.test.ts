import { expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';

const UUID = '00000000-0000-4000-8000-000000000000';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describeFixture('a wrong address', (archive) => {
  const follow = (path: string, headers: Record<string, string> = {}) =>
    archive().fetch(path, { headers: { accept: BROWSER, ...headers } });

  test.each([
    ['/doc', '', 'en', 'docs', 'Page not found'],
    ['/nl/dosc', '', 'nl', 'nl/docs', 'Pagina niet gevonden'],
    ['/en/doks', 'nl', 'en', 'en/docs', 'Page not found'],
    [`/persons/${UUID}`, 'nl', 'nl', `nl/personen/${UUID}/`, 'Pagina niet gevonden'],
    [`/nl/events/${UUID.toUpperCase()}`, '', 'nl', `nl/gebeurtenissen/${UUID}/`, 'Pagina niet gevonden'],
    [`/en/locatie/${UUID}/`, '', 'en', `en/locaties/${UUID}/`, 'Page not found'],
  ])('%s read in "%s" gets a page in %s that leads to %s', async (path, reads, language, nearest, title) => {
    const response = await follow(path, { 'accept-language': reads });
    const text = await response.text();
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Language');
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(title);
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(
      ([, link = '']) => new URL(link, `https://example.test/prefix${path}`).pathname,
    );
    expect(links).toContain(`/prefix/${nearest}`);
  });

  test('without a similar one leads to the home page', async () => {
    const text = await (await follow('/wp-login.php')).text();
    expect(text).toContain('Go to the home page');
    expect(text).not.toContain('Did you mean');
  });

  test('is escaped', async () => {
    const text = await (await follow('/<img src=x onerror=alert(1)>')).text();
    expect(text).not.toContain('<img');
  });

  test.each([
    ['/en/api/nothing', BROWSER],
    ['/nl/api/persons/nobody', BROWSER],
    ['/api/nothing', BROWSER],
    ['/nothing', '*/*'],
    ['/nothing', 'application/json'],
  ])('%s is a problem for who accepts %s', async (path, accept) => {
    const response = await follow(path, { accept });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status: 404 });
  });
});
