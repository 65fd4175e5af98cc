import { readFileSync } from 'node:fs';
import type { SslOptions } from 'mysql2';
import type { TlsOptions } from './database-url.ts';

/** How a MySQL or MariaDB server is connected to. */
export interface MysqlConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl?: SslOptions;
}

/** What the driver is told of the address of a server. @throws Error naming a certificate that cannot be read */
export function toConnection(address: string, tls: TlsOptions | undefined): MysqlConnection {
  const url = new URL(address);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(tls && { ssl: toSsl(tls) }),
  };
}

function toSsl({ verify, ca, cert, key }: TlsOptions): SslOptions {
  return {
    rejectUnauthorized: verify !== 'nothing',
    verifyIdentity: verify === 'identity',
    ...(ca !== undefined && { ca: readPem('ssl-ca', ca) }),
    ...(cert !== undefined && { cert: readPem('ssl-cert', cert) }),
    ...(key !== undefined && { key: readPem('ssl-key', key) }),
  };
}

function readPem(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`DATABASE_URL: ${option}: ${file} cannot be read: ${cause}`, { cause: error });
  }
}

/** The server as people write it. */
export function nameServer({ host, port }: { host?: unknown; port?: unknown }): string {
  return `${host}:${port}`;
}
