// Evidence files of the server. One may have to wait for a checkpoint of the chain.
import { sleep } from '../state/sleep.ts';
import { ApiError, api, receive } from './client.ts';
import type { ShownAsset } from './reads.ts';

/** The JSON of an evidence file. */
export type EvidenceFile = Record<string, unknown>;

/** How long a file is waited for in all, while the server says that the same request may succeed soon. */
const WAITING_MS_MAX = 60_000;
const PAUSE_MS = 1_000;
/** Refusals that last, with the status of those that don't. */
const LASTING = ['CODE_UNPROVEN'];

const isTemporary = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 503 && !LASTING.includes(error.code);

const retry = async (fetchFile: () => Promise<EvidenceFile>, signal: AbortSignal): Promise<EvidenceFile> => {
  for (let waitedMs = 0; ; ) {
    signal.throwIfAborted();
    try {
      return await fetchFile();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      const pauseMs = error.retryAfterMs ?? PAUSE_MS;
      waitedMs += Math.max(PAUSE_MS, pauseMs);
      if (waitedMs > WAITING_MS_MAX) throw error;
      await sleep(pauseMs, signal);
    }
  }
};

/** The evidence of one event. Rejects with `AbortError` when `signal` is aborted. */
export const fetchEventEvidence = (asset_uuid: string, uuid: string, signal: AbortSignal): Promise<EvidenceFile> => {
  const options = { params: { path: { asset_uuid, uuid } }, signal };
  return retry(
    async () => (await receive(api.GET('/v2/assets/{asset_uuid}/events/{uuid}:evidence', options))).body,
    signal,
  );
};

/** The evidence of an asset's history; of a public asset, as everybody may see it, digests alone. */
export const fetchHistoryEvidence = ({ uuid, isPublic }: ShownAsset, signal: AbortSignal): Promise<EvidenceFile> => {
  const options = { params: { path: { uuid } }, signal };
  const fetchFile = () =>
    isPublic
      ? receive(api.GET('/v2/publicassets/{uuid}:evidence', options))
      : receive(api.GET('/v2/assets/{uuid}:evidence', options));
  return retry(async () => (await fetchFile()).body, signal);
};
