// Sends files to the server, which answers with their hash. A file that a form sends again is the same blob.
import type { components } from '../../server/openapi/api.gen.ts';
import { ApiError, toApiError, UNREACHABLE } from './client.ts';
import { noteStatus, token } from './session.ts';

/** A file that the server has. */
export type UploadedBlob = components['schemas']['Blob'];

/** A file that is uploaded, with its name. */
export interface SentFile {
  readonly name: string;
  readonly blob: UploadedBlob;
}

/** The error where the browser can't read the file. */
const UNREADABLE = new ApiError(
  0,
  'FILE_UNREADABLE',
  'it was moved, changed or deleted after it was chosen. Choose it again.',
);

// The browser doesn't say why a request failed: because of the file, or of the server.
const findCause = async (file: File): Promise<ApiError> => {
  try {
    await file.slice(0, 1).arrayBuffer();
    return UNREACHABLE;
  } catch {
    return UNREADABLE;
  }
};

// Only XMLHttpRequest reports how much of a body is sent.
const send = (file: File, key: string, onProgress: (part: number) => void): Promise<UploadedBlob> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const authorization = `Bearer ${token.value ?? ''}`;
    const body = new FormData();
    body.append('file', file);
    request.open('POST', '/svc/v1/blobs');
    request.responseType = 'json';
    request.setRequestHeader('authorization', authorization);
    request.setRequestHeader('idempotency-key', key);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      noteStatus(request.status, authorization);
      if (request.status === 200) resolve(request.response as UploadedBlob);
      else reject(toApiError(request.status, request.response));
    };
    request.onerror = async () => reject(await findCause(file));
    request.send(body);
  });

// A file that is chosen again after the page was loaded again is another object.
const toKey = (formKey: string, { name, size, lastModified }: File): string =>
  [formKey, size, lastModified, encodeURIComponent(name).slice(-120)].join('.');

const sent = new WeakMap<File, Promise<UploadedBlob>>();

/**
 * Uploads a file, unless that was done. Rejects with ApiError. `formKey`: the key of the form, with which the same file
 * is uploaded once. `onProgress`: is called with the part that is sent.
 */
export const uploadFile = (file: File, formKey: string, onProgress: (part: number) => void): Promise<UploadedBlob> => {
  const known = sent.get(file);
  if (known !== undefined) return known;
  const upload = send(file, toKey(formKey, file), onProgress);
  sent.set(file, upload);
  upload.catch(() => sent.delete(file));
  return upload;
};
