// A real node of another process: anvil, from its npm package, on the loopback with a port of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const BINARY = fileURLToPath(new URL('../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', import.meta.url));
const START_MS = 20_000;

export interface Anvil {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts anvil with an empty chain of its own. Rejects when it doesn't listen in time. */
export const startAnvil = async (options: readonly string[] = []): Promise<Anvil> => {
  const child = spawn(BINARY, ['--port', '0', '--accounts', '1', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  // Its end ends the loop.
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  let text = '';
  try {
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      text += String(chunk);
      const port = /Listening on [\d.]+:(\d+)/.exec(text)?.[1];
      if (port !== undefined) {
        child.stdout.resume();
        return { url: `http://127.0.0.1:${port}`, close };
      }
    }
  } finally {
    clearTimeout(late);
  }
  await close();
  throw new Error(`anvil does not listen: ${text}`);
};
