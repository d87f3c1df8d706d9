// The operator's entry point to a running server: HTTP on a Unix socket in the data directory that only its owner can
// open. It serves the commands that need the open databases, because LevelDB lets only one process open them.
import { rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { JsonValue } from '../../ledger/encoding/canonicalJson.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { holdSockets } from '../../server/http/heldSockets.ts';
import { toErrorMessage } from '../watching/errorText.ts';
import { reportProblem } from '../watching/reports.ts';

/**
 * The commands of a control socket by name; each accepts and returns JSON. One that waits for the chain calls
 * `onWaiting` when it begins to: all that it could refuse at once is checked by then.
 */
export type ControlCommands = Readonly<
  Record<string, (input: Record<string, unknown>, onWaiting?: () => void) => Promise<object>>
>;

const SOCKET_PATH_BYTES_MAX = 107;

/**
 * The path of a socket in the form that the kernel accepts: at most 107 bytes, so relative to the working directory
 * where that is shorter.
 * @throws Error that names DATA_DIR when both forms are longer.
 */
export const toSocketAddress = (path: string): string => {
  const fromHere = relative(process.cwd(), path);
  const address = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(address) <= SOCKET_PATH_BYTES_MAX) return address;
  throw new Error(`DATA_DIR is too deep for a Unix socket: ${path}; choose a shorter path`);
};

const answer = (response: ServerResponse, status: number, body: JsonValue | object): void => {
  const content = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(content);
};

const handle = async (
  commands: ControlCommands,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<object> => {
  const name = (request.url ?? '').slice(1);
  if (!Object.hasOwn(commands, name)) throw new Error(`no command ${name}`);
  const input = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
  return commands[name]!(input, () => response.writeProcessing());
};

const respond = async (
  commands: ControlCommands,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  try {
    answer(response, 200, await handle(commands, request, response));
  } catch (error) {
    const code = error instanceof LedgerError ? error.code : 'UNEXPECTED';
    answer(response, 400, { code, message: toErrorMessage(error) });
  }
};

/** Removes the file of a socket, for a process that ends without closing it. */
export const removeSocket = (path: string): void => rmSync(toSocketAddress(path), { force: true });

/**
 * Makes the directory of a socket private, removes a file that a server left there, and returns the socket's address.
 * Only its owner can enter the directory, so no other user reaches the socket, not even while it is being created.
 */
export const prepareSocket = async (path: string): Promise<string> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  const address = toSocketAddress(path);
  await rm(address, { force: true });
  return address;
};

/** Listens on a control socket. Returns a function that closes it and removes its file. */
export const listenForControl = async (path: string, commands: ControlCommands): Promise<() => Promise<void>> => {
  const address = await prepareSocket(path);
  const server = createServer((request, response) => void respond(commands, request, response));
  holdSockets(server, (error) => reportProblem('a command could not be accepted', error));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve));
  return () => new Promise((resolve) => server.close(() => resolve()));
};
