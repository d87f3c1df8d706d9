// The files that an asset or an event names, with previews of pictures.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, UNREACHABLE } from '../api/client.ts';
import { fetchInSession, token } from '../api/session.ts';
import { saveFile } from '../state/saveFile.ts';
import { useIsPublic } from '../state/scope.ts';
import type { AttachedFile } from '../text/values.ts';
import { type RowPlace, WindowedList } from './windowedList.tsx';

/** Only pictures of points are previewed: others could contain a program. */
const PREVIEWED = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const PREVIEW_BYTES_MAX = 8_388_608;
/** What the server has files by. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Existing clients don't state the type: then the server's answer has it.
const mayBePicture = ({ mimeType, uuid }: AttachedFile): boolean =>
  ['', ...PREVIEWED].includes(mimeType) && UUID.test(uuid);

// The body isn't read yet.
const requestFile = async (record: string, { uuid }: AttachedFile, signal: AbortSignal | null): Promise<Response> => {
  const headers = token.value === undefined ? {} : { authorization: `Bearer ${token.value}` };
  const request = new Request(`/svc/v2/attachments/${record}/${uuid}`, { signal, headers });
  const answer = await fetchInSession(request).catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : UNREACHABLE;
  });
  if (!answer.ok)
    throw new ApiError(answer.status, 'UNKNOWN', `The file can’t be read: the server answered ${answer.status}.`);
  return answer;
};

// The URL of the picture, until the page is left.
const usePreview = (record: string, attachment: AttachedFile): string | undefined => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    const leaving = new AbortController();
    const show = async (): Promise<void> => {
      const answer = await requestFile(record, attachment, leaving.signal);
      const type = attachment.mimeType || (answer.headers.get('content-type') ?? '');
      const isLarge = Number(answer.headers.get('content-length')) > PREVIEW_BYTES_MAX;
      if (isLarge || !PREVIEWED.includes(type)) return leaving.abort();
      const file = await answer.blob();
      if (leaving.signal.aborted) return;
      made = URL.createObjectURL(file.slice(0, file.size, type));
      setUrl(made);
    };
    // Without a preview, the file can still be downloaded, which reports the error.
    if (mayBePicture(attachment)) show().catch(() => undefined);
    return () => {
      leaving.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [record, attachment.uuid]);
  return url;
};

const File = ({ record, attachment, place }: { record: string; attachment: AttachedFile; place: RowPlace }) => {
  const preview = usePreview(record, attachment);
  const [problem, setProblem] = useState<string>();
  const download = (): void => {
    setProblem(undefined);
    requestFile(record, attachment, null)
      .then(async (answer) => saveFile(await answer.blob(), attachment.name))
      .catch((error: Error) => setProblem(error.message));
  };
  return (
    <li {...place}>
      {preview === undefined ? null : <img src={preview} alt={attachment.name} />}
      <button type="button" class="link" onClick={download} dir="auto">
        {attachment.name}
      </button>{' '}
      <span class="hint">{attachment.mimeType}</span>{' '}
      {attachment.hash === '' ? null : (
        <a class="hint" href={`/check?${new URLSearchParams({ hash: attachment.hash })}`}>
          what attaches it
          <span class="hidden">
            {' '}
            (<bdi>{attachment.name}</bdi>)
          </span>
        </a>
      )}
      {problem === undefined ? null : <p role="alert">{problem}</p>}
    </li>
  );
};

/** Files of a record. `record`: the identity of the asset or the event that names them. */
export const Attachments = ({ record, attachments }: { record: string; attachments: readonly AttachedFile[] }) => {
  const source = useIsPublic() ? `public${record}` : record;
  return (
    <WindowedList
      label="Attachments"
      class="attachments"
      count={attachments.length}
      renderRow={(row, place) => {
        const attachment = attachments[row]!;
        return <File key={`${row} ${attachment.uuid}`} record={source} attachment={attachment} place={place} />;
      }}
    />
  );
};
