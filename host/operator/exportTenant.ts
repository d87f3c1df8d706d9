// Writes everything of a tenant that an import reads into a directory: its records, one on each line, and the files
// that these name.
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobResource } from '../../ledger/records/blob.ts';
import { writeStream } from '../../server/blobs/contentFiles.ts';
import { EXPORT_FILES, EXPORT_RECORDS } from '../import/importFile.ts';
import type { EventExport, ExportSource } from './exportSource.ts';

/** Copies events and says how many they are. Rejects when some are missing. */
type CopyEvents = (
  events: EventExport,
  writeAll: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
) => Promise<void>;

const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;
const BLOB = /blobs\/[0-9a-f]{8}-[0-9a-f-]{27}/gi;
const BLOB_CHARACTERS = 'blobs/'.length + 36;
const UNBOUNDED = { bytesMax: Number.POSITIVE_INFINITY, beforeWrite: async () => {}, afterWrite: () => {} };

/** The identities of files that texts name. */
const createNamedBlobs = () => {
  const identities = new Set<string>();
  let rest = '';
  return {
    identities,
    // An identity may be in two parts of a text.
    add: (bytes: Uint8Array): void => {
      const text = rest + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      for (const [identity] of text.matchAll(BLOB)) identities.add(identity.toLowerCase());
      rest = text.slice(1 - BLOB_CHARACTERS);
    },
  };
};

// A list is newest first, and an import knows that of a list.
async function* toLists(name: string, pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) if (page.length > 0) yield Buffer.from(`${JSON.stringify({ [name]: page })}\n`);
}

async function* toLines(resources: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  for await (const resource of resources) yield Buffer.from(`${JSON.stringify(resource)}\n`);
}

/** The files of an export, each once, under the hash of its bytes. */
const createSavedFiles = (source: ExportSource, directory: string) => {
  const saved = new Map<string, boolean>();
  const save = async (blob: BlobResource): Promise<boolean> => {
    const path = join(directory, blob.hash.value);
    const content = await source.openContent(blob);
    if (content === undefined) return false;
    const { sha256 } = await writeStream(path, content, UNBOUNDED);
    if (sha256 === blob.hash.value) return true;
    await rm(path);
    return false;
  };
  return {
    /** Resolves with whether the bytes are there. */
    save: async (blob: BlobResource): Promise<boolean> => {
      const { value: sha256 } = blob.hash;
      const isSaved = saved.get(sha256) ?? (await save(blob));
      saved.set(sha256, isSaved);
      return isSaved;
    },
  };
};

/** Makes the new directory of an export, and one for files in it. @throws Error when it exists. */
export const createExportDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { mode: PRIVATE_DIRECTORY });
  await mkdir(join(directory, EXPORT_FILES), { mode: PRIVATE_DIRECTORY });
};

/** Exports a tenant into such a directory. Resolves with the identities of files whose bytes are missing. */
export const exportTenant = async (
  source: ExportSource,
  directory: string,
  copyEvents: CopyEvents,
): Promise<readonly string[]> => {
  const named = createNamedBlobs();
  const files = createSavedFiles(source, join(directory, EXPORT_FILES));
  const missing: string[] = [];
  const append = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    const output = createWriteStream(join(directory, EXPORT_RECORDS), { flags: 'a', mode: PRIVATE_FILE });
    async function* seen(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        named.add(chunk);
        yield chunk;
      }
    }
    await pipeline(Readable.from(seen()), output);
  };
  async function* listBlobs(): AsyncGenerator<object> {
    for (const identity of named.identities) {
      const blob = await source.readBlob(identity);
      if (blob === undefined) continue;
      if (!(await files.save(blob))) missing.push(identity);
      yield blob;
    }
  }
  // The events first: what they name was there before them.
  await copyEvents(await source.openEvents(), append);
  await append(toLists('locations', source.listLocations()));
  await append(toLists('compliance_policies', source.listPolicies()));
  await append(toLines(listBlobs()));
  return missing;
};
