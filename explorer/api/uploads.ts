// Sends files to the server, which answers with their hash. A file that is sent again is the same blob.
import type { components } from '../../server/openapi/api.gen.ts';
import { type ApiError, toApiError, UNREACHABLE } from './client.ts';
import { isExpired, token } from './session.ts';

/** A file that the server has. */
export type UploadedBlob = components['schemas']['Blob'];

const toError = (request: XMLHttpRequest): ApiError => {
  if (request.status === 401) isExpired.value = true;
  return toApiError(request.status, request.response);
};

// Only XMLHttpRequest reports how much of a body is sent.
const send = (file: File, onProgress: (part: number) => void): Promise<UploadedBlob> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append('file', file);
    request.open('POST', '/svc/v1/blobs');
    request.responseType = 'json';
    request.setRequestHeader('authorization', `Bearer ${token.value ?? ''}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () =>
      request.status === 200 ? resolve(request.response as UploadedBlob) : reject(toError(request));
    request.onerror = () => reject(UNREACHABLE);
    request.send(body);
  });

const sent = new WeakMap<File, Promise<UploadedBlob>>();

/** Uploads a file, unless that was done. Rejects with ApiError. `onProgress`: is called with the part that is sent. */
export const uploadFile = (file: File, onProgress: (part: number) => void): Promise<UploadedBlob> => {
  const known = sent.get(file);
  if (known !== undefined) return known;
  const upload = send(file, onProgress);
  sent.set(file, upload);
  upload.catch(() => sent.delete(file));
  return upload;
};
