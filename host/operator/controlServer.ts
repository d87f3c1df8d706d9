// The operator's door to a running server: HTTP on a Unix socket in the data directory that only its owner can open. For
// what needs the open databases (tokens, tenants), since LevelDB lets only one process have them.
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../ledger/encoding/canonicalJson.ts';
import { LedgerError } from '../../ledger/errors.ts';

/** What the door offers: each command takes and gives JSON. */
export type ControlCommands = Readonly<Record<string, (input: Record<string, unknown>) => Promise<object>>>;

const SOCKET_PATH_BYTES_MAX = 107;

/** The socket's path as the kernel takes it: at most 107 bytes, so relative to the working directory where that is shorter. */
export const toSocketAddress = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  const address = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(address) <= SOCKET_PATH_BYTES_MAX) return address;
  throw new Error(`DATA_DIR is too deep for a Unix socket: ${path}; choose a shorter path`);
};

const answer = (response: ServerResponse, status: number, body: JsonValue | object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const handle = async (commands: ControlCommands, request: IncomingMessage): Promise<object> => {
  const name = (request.url ?? '').slice(1);
  if (!Object.hasOwn(commands, name)) throw new Error(`no command ${name}`);
  return commands[name]!(JSON.parse((await text(request)) || '{}') as Record<string, unknown>);
};

/** Opens the door. Returns what closes it. */
export const listenForControl = async (path: string, commands: ControlCommands): Promise<() => Promise<void>> => {
  // Only its owner can reach into the directory, so nobody else gets at the socket, not even while it is being made.
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  const address = toSocketAddress(path);
  await rm(address, { force: true });
  const server = createServer((request, response) => {
    handle(commands, request).then(
      (body) => answer(response, 200, body),
      (error: unknown) => {
        const code = error instanceof LedgerError ? error.code : 'UNEXPECTED';
        answer(response, 400, { code, message: (error as Error).message });
      },
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
};
