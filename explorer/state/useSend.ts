// Sends what a person has filled in: one request at a time, and what went wrong.
import { useRef, useState } from 'preact/hooks';

/** A request that a person starts. */
export interface Sending {
  readonly isSending: boolean;
  /** Why the last one failed; undefined if it didn't. */
  readonly error: Error | undefined;
}

/** The state of the requests, and `send`, which starts one unless one is under way. `send` doesn't reject. */
export const useSend = (): Sending & { send: (request: () => Promise<void>) => Promise<void> } => {
  const [state, setState] = useState<Sending>({ isSending: false, error: undefined });
  // The state alone is the one of the last rendering: the second of two quick clicks would not see the first.
  const isUnderWay = useRef(false);
  const send = async (request: () => Promise<void>): Promise<void> => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ isSending: true, error: undefined });
    try {
      await request();
      setState({ isSending: false, error: undefined });
    } catch (error) {
      setState({ isSending: false, error: error as Error });
    } finally {
      isUnderWay.current = false;
    }
  };
  return { ...state, send };
};
