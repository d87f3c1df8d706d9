// Evidence files of the server. One may have to wait for a checkpoint of the chain.
import { sleep } from '../state/sleep.ts';
import { ApiError, api, receive } from './client.ts';
import type { ShownAsset } from './reads.ts';

/** The JSON of an evidence file. */
export type EvidenceFile = Record<string, unknown>;

/** Answers of the server while a checkpoint is made. */
const ATTEMPTS_MAX = 60;
const PAUSE_MS = 500;

const retry = async (fetchFile: () => Promise<EvidenceFile>): Promise<EvidenceFile> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await fetchFile();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503 || attempt === ATTEMPTS_MAX) throw error;
      await sleep(PAUSE_MS);
    }
};

/** The evidence of one event. */
export const fetchEventEvidence = (asset_uuid: string, uuid: string): Promise<EvidenceFile> => {
  const params = { path: { asset_uuid, uuid } };
  return retry(async () => (await receive(api.GET('/v2/assets/{asset_uuid}/events/{uuid}:evidence', { params }))).body);
};

/** The evidence of an asset's history; of a public asset, as everybody may see it, digests alone. */
export const fetchHistoryEvidence = ({ uuid, isPublic }: ShownAsset): Promise<EvidenceFile> => {
  const params = { path: { uuid } };
  const fetchFile = () =>
    isPublic
      ? receive(api.GET('/v2/publicassets/{uuid}:evidence', { params }))
      : receive(api.GET('/v2/assets/{uuid}:evidence', { params }));
  return retry(async () => (await fetchFile()).body);
};
