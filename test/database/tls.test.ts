import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runApi } from '../support/api-process.ts';
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

  /** Node reads its own setting of trusted authorities only when it starts. */
  const migrate = async (host: string, options: string, trusted?: string) => {
    const { port } = new URL(server?.url ?? '');
    const { code, stdout, stderr } = await runApi(['migrate'], {
      DATABASE_URL: `mysql://safe:pw@${host}:${port}/archive${options}`,
      ...(trusted && { NODE_EXTRA_CA_CERTS: trusted }),
    });
    return { code, said: stdout + stderr };
  };

  test.each([
    ['localhost', '?ssl-mode=VERIFY_IDENTITY', CERTIFICATE],
    ['127.0.0.1', '?ssl-mode=VERIFY_CA', CERTIFICATE],
    ['127.0.0.1', '?ssl-mode=VERIFY_IDENTITY', CERTIFICATE],
    ['127.0.0.1', '?ssl-mode=REQUIRED', undefined],
  ])('%s%s is connected to', async (host, options, trusted) => {
    expect(await migrate(host, options, trusted)).toEqual({
      code: 0,
      said: expect.stringMatching(/^Migrated: |^The tables are up/),
    });
  });

  test.each([
    ['localhost', '', /cannot connect to localhost:\d+: Access denied for user 'safe'/],
    ['localhost', '?ssl-mode=VERIFY_CA', /cannot connect to localhost:\d+: self-signed certificate/],
    [
      'localhost.localdomain',
      '?ssl-mode=VERIFY_IDENTITY',
      /cannot connect to localhost\.localdomain:\d+: (Hostname\/IP does not match|getaddrinfo)/,
    ],
  ])('%s%s is refused, and said why', async (host, options, why) => {
    const trusted = host === 'localhost' ? undefined : CERTIFICATE;
    const { code, said } = await migrate(host, options, trusted);
    expect(code).toBe(1);
    expect(said).toMatch(why);
  });

  test('an address that is not in the certificate is refused, and said why', async () => {
    const { port } = new URL(server?.url ?? '');
    const relay = await startTcpProxy(Number(port), { port: Number(port), host: '127.0.0.2' });
    try {
      expect((await migrate('127.0.0.2', '?ssl-mode=VERIFY_CA', CERTIFICATE)).code).toBe(0);
      const { code, said } = await migrate('127.0.0.2', '?ssl-mode=VERIFY_IDENTITY', CERTIFICATE);
      expect(code).toBe(1);
      expect(said).toMatch(
        /cannot connect to 127\.0\.0\.2:\d+: .*IP: 127\.0\.0\.2 is not in the cert's list/,
      );
    } finally {
      await relay.stop();
    }
  });
});
