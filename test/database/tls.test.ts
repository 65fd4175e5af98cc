import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { type MysqlServer, startMariadbd } from '../support/mariadbd.ts';
import { needs } from '../support/programs.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** A self-signed certificate for `localhost` and 127.0.0.1, and its key. */
const CERTIFICATE = fileURLToPath(new URL('../faults/tls/cert.pem', import.meta.url));
const KEY = fileURLToPath(new URL('../faults/tls/key.pem', import.meta.url));

describe('a database server with TLS', needs('mariadbd'), () => {
  let server: MysqlServer | undefined;
  beforeAll(async () => {
    server = await startMariadbd(process.env['PATH'] ?? '', [
      `--ssl-cert=${CERTIFICATE}`,
      `--ssl-key=${KEY}`,
      `--ssl-ca=${CERTIFICATE}`,
    ]);
    const connection = await createConnection({ uri: server?.url ?? '' });
    // This user requires an encrypted connection.
    await connection.query("create user safe@'%' identified by 'pw' require ssl");
    await connection.query("grant all on *.* to safe@'%'");
    await connection.query('create database archive');
    await connection.end();
  });
  afterAll(() => server?.stop());

  const migrate = async (host: string, options: string) => {
    const { port } = new URL(server?.url ?? '');
    const { code, stdout, stderr } = await runApiHere(['migrate'], {
      DATABASE_URL: `mysql://safe:pw@${host}:${port}/archive${options}`,
    });
    return { code, said: stdout + stderr };
  };

  test.each([
    ['localhost', `?ssl-ca=${CERTIFICATE}`],
    ['localhost', `?ssl-mode=VERIFY_IDENTITY&ssl-ca=${CERTIFICATE}`],
    ['127.0.0.1', `?ssl-mode=VERIFY_CA&ssl-ca=${CERTIFICATE}`],
    ['127.0.0.1', `?ssl-mode=VERIFY_IDENTITY&ssl-ca=${CERTIFICATE}`],
    ['127.0.0.1', '?ssl-mode=REQUIRED'],
    ['localhost', `?ssl-ca=${CERTIFICATE}&ssl-cert=${CERTIFICATE}&ssl-key=${KEY}`],
  ])('%s%s is connected to', async (host, options) => {
    expect(await migrate(host, options)).toEqual({
      code: 0,
      said: expect.stringMatching(/^Migrated: |^The tables are up/),
    });
  });

  test.each([
    ['localhost', '', /cannot connect to localhost:\d+: Access denied for user 'safe'/],
    ['localhost', '?ssl-mode=VERIFY_CA', /cannot connect to localhost:\d+: self-signed certificate/],
    [
      'localhost.localdomain',
      `?ssl-ca=${CERTIFICATE}`,
      /cannot connect to localhost\.localdomain:\d+: (Hostname\/IP does not match|getaddrinfo)/,
    ],
    ['localhost', '?ssl-ca=/nowhere/ca.pem', /ssl-ca: \/nowhere\/ca\.pem cannot be read: ENOENT/],
    ['localhost', `?ssl-ca=${KEY}&ssl-cert=${KEY}&ssl-key=${CERTIFICATE}`, /DATABASE_URL: cannot connect to/],
  ])('%s%s is refused, and said why', async (host, options, why) => {
    const { code, said } = await migrate(host, options);
    expect(code).toBe(1);
    expect(said).toMatch(why);
  });

  test('an address that is not in the certificate is refused, and said why', async () => {
    const { port } = new URL(server?.url ?? '');
    const relay = await startTcpProxy(Number(port), { port: Number(port), host: '127.0.0.2' });
    try {
      expect((await migrate('127.0.0.2', `?ssl-mode=VERIFY_CA&ssl-ca=${CERTIFICATE}`)).code).toBe(0);
      const { code, said } = await migrate('127.0.0.2', `?ssl-ca=${CERTIFICATE}`);
      expect(code).toBe(1);
      expect(said).toMatch(
        /cannot connect to 127\.0\.0\.2:\d+: .*IP: 127\.0\.0\.2 is not in the cert's list/,
      );
    } finally {
      await relay.stop();
    }
  });
});
