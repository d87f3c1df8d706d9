// What a person may enter into verify.html that leads to no verdict.
import type { EventResource } from '../../ledger/records/event.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { MARKUP } from './shownLedger.ts';
import { type Entered, toJson } from './verifyFile.ts';

/** Overrides the direction of what follows. */
export const OVERRIDE = '\u202e';
export const OTHER_CHAIN = '99';
export const MEBIBYTES = 2 ** 20;

const FORMAT = 'provenance-ledger/evidence/1';

interface Genuine {
  readonly event: EventResource;
  readonly evidence: EvidenceFile;
  /** URL of a node. */
  readonly node: string;
}

/** Each with a part of the message that names what is wrong. */
export const listWrongEntries = ({ event, evidence, node }: Genuine): readonly (readonly [Entered, string])[] => {
  const file = toJson(event);
  return [
    [{ node }, 'Choose a file'],
    [{ file }, 'URL of a node'],
    [{ file, node: 'ftp://127.0.0.1' }, 'http://'],
    [{ file, node: 'http://me:secret@127.0.0.1:1' }, 'password'],
    [{ file, node, contract: '0x12' }, 'Contract: '],
    [{ file, node, contract: `0x${'aB'.repeat(20)}` }, 'checksum'],
    [{ file, node, contract: `0x${'11'.repeat(20)}` }, 'no ledger contract'],
    [{ file, node, chainId: '0x1' }, 'Chain id: '],
    [{ file, node, chainId: OTHER_CHAIN }, `you named chain ${OTHER_CHAIN}`],
    [{ file: toJson({ identity: MARKUP }), node }, 'neither'],
    [{ file: Buffer.from(MARKUP), node }, 'not JSON'],
    [{ file: Buffer.from([0xff, 0xfe, 0x00]), node }, 'not UTF-8'],
    [{ file: Buffer.alloc(16 * MEBIBYTES, '{"a":['), node }, 'more than 100000'],
    [{ file: Buffer.alloc(16 * MEBIBYTES + 1, '7'), node }, 'at most 16'],
    [{ file: toJson({ ...evidence, [MARKUP + OVERRIDE]: 1 }) }, '\\u{202e}'],
    [{ file: toJson({ format: FORMAT, ledger: null }), contract: '', chainId: '' }, 'names no ledger'],
    [{ file: toJson({ format: FORMAT }), trust: toJson({}) }, 'trust.json'],
  ];
};
