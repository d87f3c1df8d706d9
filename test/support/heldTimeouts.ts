// Timeouts of requests to nodes, which end when a test says so: whether something waits for one doesn't depend on the
// speed of the machine.

/** The timeout of the requests, in milliseconds; no other timeout has this length. */
export const HELD_MS = 3_600_001;

export interface HeldTimeouts {
  /** Ends the timeouts of the requests that wait for this node's answer to one of the methods; `all`: to any. */
  expire(url: string, methods: 'all' | readonly string[]): void;
}

interface Waiting {
  readonly origin: string;
  readonly body: string;
  readonly controller: AbortController;
}

/** Registers mocha hooks that hold all timeouts of `HELD_MS`. */
export const useHeldTimeouts = (): HeldTimeouts => {
  const { timeout } = AbortSignal;
  const { fetch } = globalThis;
  const controllers = new WeakMap<AbortSignal, AbortController>();
  const waiting = new Set<Waiting>();
  before(() => {
    AbortSignal.timeout = (ms) => {
      if (ms !== HELD_MS) return timeout.call(AbortSignal, ms);
      const controller = new AbortController();
      controllers.set(controller.signal, controller);
      return controller.signal;
    };
    globalThis.fetch = (input, init) => {
      const controller = init?.signal && controllers.get(init.signal);
      if (!controller) return fetch(input, init);
      const entry = { origin: new URL(String(input)).origin, body: String(init.body), controller };
      waiting.add(entry);
      return fetch(input, init).finally(() => waiting.delete(entry));
    };
  });
  after(() => {
    AbortSignal.timeout = timeout;
    globalThis.fetch = fetch;
  });
  return {
    expire: (url, methods) => {
      const { origin } = new URL(url);
      for (const entry of waiting)
        if (entry.origin === origin && (methods === 'all' || methods.some((name) => entry.body.includes(`"${name}"`))))
          entry.controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    },
  };
};
