// Notes, checkpoints, proofs and tiles that other programs made.
import { readFileSync } from 'node:fs';
import type { Hex } from '../../ledger/encoding/hex.ts';

interface C2spVectors {
  readonly keys: {
    readonly log: string;
    readonly other: string;
    readonly unicode: string;
    readonly witnesses: readonly string[];
    readonly ml_dsa: string;
  };
  readonly notes: readonly { readonly text: string; readonly vkeys: readonly string[]; readonly note: string }[];
  readonly checkpoints: readonly {
    readonly origin: string;
    readonly size: number;
    readonly root: Hex;
    readonly extensions: readonly string[];
    readonly cosigners: readonly { readonly name: string; readonly time: number }[];
    readonly note: string;
  }[];
  readonly mutations: readonly (readonly [at: number, kind: string, character: string, signatures: number])[];
  readonly proofs: readonly {
    readonly index: number;
    readonly size: number;
    readonly entry: Hex;
    readonly extra?: Hex;
    readonly proof: string;
  }[];
  readonly tiles: {
    readonly paths: readonly {
      readonly level: number | 'entries';
      readonly index: number;
      readonly width: number;
      readonly path: string;
    }[];
    readonly texts: readonly { readonly path: string; readonly valid: boolean }[];
    readonly new: readonly {
      readonly from: number;
      readonly to: number;
      readonly count: number;
      readonly paths_sha256: Hex;
      readonly paths?: readonly string[];
    }[];
    readonly size: number;
    readonly contents: readonly { readonly path: string; readonly bytes: number; readonly sha256: Hex }[];
    readonly bundle: { readonly entries: readonly Hex[]; readonly bytes: Hex };
  };
}

/** Reads test/vectors/c2sp.json. */
export const readC2spVectors = (): C2spVectors =>
  JSON.parse(readFileSync(new URL('../vectors/c2sp.json', import.meta.url), 'utf8')) as C2spVectors;
