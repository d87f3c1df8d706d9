// The files of a form, which are uploaded when it is sent.
import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { loadServerConfig } from '../api/config.ts';
import { type SentFile, uploadFile } from '../api/uploads.ts';
import { InputError } from '../state/useForm.ts';
import { useLoad } from '../state/useLoad.ts';
import { toSize } from '../text/sizes.ts';
import { FileField } from './fields.tsx';

/** Most files of one form: each is one attribute of the record. */
const FILES_MAX = 10;
/** Refusals of a file: of its bytes, of its size, of the tenant's quota. */
const REFUSALS = [400, 402, 413];

/** The files that are chosen. */
export interface ChosenFiles {
  readonly files: readonly File[];
  readonly choose: (files: readonly File[]) => void;
  /** The file that is being uploaded, and how much of it is sent; undefined: none is. */
  readonly progress: { readonly name: string; readonly part: number } | undefined;
  /** Uploads them, once for the key of the form. Rejects with ApiError, or InputError that names `field`. */
  readonly upload: (field: string, formKey: string) => Promise<SentFile[]>;
}

const toNamed = (file: File): string => file.name || 'file';

const assertFits = async (field: string, files: readonly File[]): Promise<void> => {
  const { blob_bytes_max: most } = await loadServerConfig();
  const violations = files.flatMap((file) => {
    if (file.size > most) return [{ field, description: `${file.name} is larger than ${toSize(most)}` }];
    return file.size === 0 ? [{ field, description: `${file.name} is empty` }] : [];
  });
  if (files.length > FILES_MAX) violations.push({ field, description: `are more than ${FILES_MAX}` });
  if (violations.length > 0) throw new InputError(violations);
};

const refuse = (field: string, { name }: File, error: unknown): unknown => {
  if (!(error instanceof ApiError)) return error;
  if (error.code === 'FILE_UNREADABLE')
    return new InputError([{ field, description: `${name} can’t be read: ${error.message}` }]);
  return REFUSALS.includes(error.status)
    ? new InputError([{ field, description: `${name} is refused: ${error.message}` }])
    : error;
};

/** No file yet. */
export const useFiles = (): ChosenFiles => {
  const [files, choose] = useState<readonly File[]>([]);
  const [progress, setProgress] = useState<ChosenFiles['progress']>();
  const upload: ChosenFiles['upload'] = async (field, formKey) => {
    const sent: SentFile[] = [];
    if (files.length === 0) return sent;
    await assertFits(field, files);
    for (const file of files) {
      const name = toNamed(file);
      setProgress({ name, part: 0 });
      try {
        sent.push({ name, blob: await uploadFile(file, formKey, (part) => setProgress({ name, part })) });
      } catch (error) {
        throw refuse(field, file, error);
      } finally {
        setProgress(undefined);
      }
    }
    return sent;
  };
  return { files, choose, progress, upload };
};

const Progress = ({ progress }: Pick<ChosenFiles, 'progress'>) =>
  progress === undefined ? null : (
    <p>
      <progress value={progress.part} max={1} aria-label={`Upload of ${progress.name}`} />{' '}
      <span dir="auto">{progress.name}</span> {Math.round(100 * progress.part)}%
    </p>
  );

interface FileChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly chosen: ChosenFiles;
  readonly isRequired?: boolean;
}

/** Chooses files, shows them, and how much of them is uploaded. */
export const FileChoice = ({ name, label, hint, chosen, isRequired = false }: FileChoiceProps) => {
  const config = useLoad('config', loadServerConfig);
  const limit =
    config.value === undefined ? '' : ` At most ${FILES_MAX} files of ${toSize(config.value.blob_bytes_max)} each.`;
  return (
    <FileField
      name={name}
      label={label}
      hint={`${hint}${limit} Files are sent when you press the button below. They can’t be deleted.`}
      isRequired={isRequired}
      isMultiple
      onFiles={chosen.choose}
    >
      <ul class="chosen">
        {chosen.files.map((file) => (
          <li key={`${file.name} ${file.size}`}>
            <span dir="auto">{file.name}</span> <span class="hint">{toSize(file.size)}</span>
          </li>
        ))}
      </ul>
      <Progress progress={chosen.progress} />
    </FileField>
  );
};
