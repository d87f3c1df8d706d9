// Headers of clique, QBFT and IBFT 2.0 chains, some recorded and some sealed here. Headers that are sealed here are
// encoded by a separate RLP encoder and signed by ethers, so that they share only keccak with the sources.
import { readFileSync } from 'node:fs';
import { getBytes, keccak256, SigningKey } from 'ethers';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';

export type Header = Readonly<Record<string, string>>;

export interface HeaderVectors {
  readonly clique: readonly {
    readonly name: string;
    readonly genesis: Header;
    readonly head: Header;
    readonly signers: readonly string[];
    readonly sealed_by_one_of: readonly Hex[];
  }[];
  readonly qbft_genesis: { readonly head: Header; readonly validators: readonly Hex[] };
  readonly recorded_bft: readonly {
    readonly name: string;
    readonly rule: 'qbft' | 'ibft2';
    readonly number: number;
    /** RLP. */
    readonly header: Hex;
    readonly validators: readonly Hex[];
    readonly signed_digest: Hex;
    readonly sealers: readonly Hex[];
  }[];
  readonly extra_data: { readonly qbft: Hex; readonly qbft_certificates: Hex; readonly ibft2: Hex };
}

export const readHeaderVectors = (): HeaderVectors =>
  JSON.parse(readFileSync(new URL('../vectors/headers.json', import.meta.url), 'utf8')) as HeaderVectors;

type Rlp = string | readonly Rlp[];

const toLength = (length: number, offset: number): string => {
  if (length < 56) return (offset + length).toString(16);
  const digits = length.toString(16);
  const even = digits.padStart(digits.length + (digits.length % 2), '0');
  return (offset + 55 + even.length / 2).toString(16) + even;
};

const toRlpDigits = (item: Rlp): string => {
  if (typeof item !== 'string') {
    const inner = item.map(toRlpDigits).join('');
    return toLength(inner.length / 2, 0xc0) + inner;
  }
  const digits = item.slice(2);
  return digits.length === 2 && Number.parseInt(digits, 16) < 0x80
    ? digits
    : toLength(digits.length / 2, 0x80) + digits;
};

const toRlp = (item: Rlp): Hex => `0x${toRlpDigits(item)}`;

const toScalar = (quantity: string): string => {
  const digits = BigInt(quantity).toString(16);
  return BigInt(quantity) === 0n ? '0x' : `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`;
};

const hashOf = (header: Header, extraData: string): string => {
  const { parentHash, sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom } = header;
  const { mixHash, nonce, baseFeePerGas, withdrawalsRoot } = header;
  const scalars = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'].map((name) => toScalar(header[name]!));
  const items = [parentHash, sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom, ...scalars];
  const later = [baseFeePerGas && toScalar(baseFeePerGas), withdrawalsRoot].filter((item) => item !== undefined);
  return keccak256(toRlp([...items, extraData, mixHash, nonce, ...later] as string[]));
};

/** Validator `n` of the tests: the private key is the number. */
export const validator = (n: number): { key: SigningKey; address: Hex; publicKey: string } => {
  const key = new SigningKey(`0x${n.toString(16).padStart(64, '0')}`);
  const publicKey = key.publicKey.slice(4);
  return { key, publicKey, address: `0x${keccak256(`0x${publicKey}`).slice(-40)}` };
};

const seal = (key: SigningKey, digest: string): string => {
  const { r, s, yParity } = key.sign(digest);
  return `${r}${s.slice(2)}0${yParity}`;
};

const EMPTY = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const ZERO = `0x${'0'.repeat(64)}`;

// The fields of the header in Besu's BftBlockHashingTest.
const BASE: Header = {
  parentHash: '0xa7762d3307dbf2ae6a1ae1b09cf61c7603722b2379731b6b90409cdb8c8288a0',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: `0x${'0'.repeat(40)}`,
  stateRoot: '0xca07595b82f908822971b7e848398e3395e59ee52565c7ef3603df1a1fa7bc80',
  transactionsRoot: EMPTY,
  receiptsRoot: EMPTY,
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x1',
  number: '0x1',
  gasLimit: '0x47c98c',
  gasUsed: '0x0',
  timestamp: '0x5b3c42b8',
  mixHash: '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365',
  nonce: '0x0000000000000000',
};

const VANITY = toHex(Uint8Array.from({ length: 32 }, (_, at) => at));

export interface BftOptions {
  /** Numbers of the validators that the header names. */
  readonly validators?: readonly number[];
  /** Numbers of the validators whose seals it has. */
  readonly sealers?: readonly number[];
  readonly proposer?: number;
  readonly round?: number;
  readonly vote?: Rlp;
  readonly fields?: Header;
  /** The sixth item, for QBFT with certificates. */
  readonly certificates?: Rlp;
  /** The sealed data, when it differs from the protocol's. */
  readonly sealsOver?: 'the hash of the block';
}

export const ADD_VOTE: Rlp = [validator(3).address, '0xff'];

type Engine = (parts: { named: Rlp; vote: Rlp | undefined; round: number; certificates?: Rlp | undefined }) => {
  hashed: Rlp[];
  signed: Rlp[];
  toComplete(seals: string[]): Rlp;
};

const ENGINES: Readonly<Record<'qbft' | 'ibft2', Engine>> = {
  qbft: ({ named, vote = [], round, certificates }) => {
    const later = certificates === undefined ? [] : [certificates];
    const scalar = toScalar(`0x${round.toString(16)}`);
    return {
      hashed: [VANITY, named, vote, '0x', [], ...later],
      signed: [VANITY, named, vote, scalar, [], ...later],
      toComplete: (seals) => [VANITY, named, vote, scalar, seals, ...later],
    };
  },
  ibft2: ({ named, vote = '0x', round }) => {
    const word = `0x${round.toString(16).padStart(8, '0')}`;
    return {
      hashed: [VANITY, named, vote],
      signed: [VANITY, named, vote, word],
      toComplete: (seals) => [VANITY, named, vote, word, seals],
    };
  },
};

/** A sealed header of a Besu BFT chain. */
export const sealBft = (engine: 'qbft' | 'ibft2', options: BftOptions = {}): Header => {
  const {
    validators = [1, 2, 3, 4],
    sealers = [1, 2, 3, 4],
    proposer = 2,
    round = 0,
    fields = {},
    vote,
    certificates,
  } = options;
  const named = validators.map((n) => validator(n).address);
  const { hashed, signed, toComplete } = ENGINES[engine]({ named, vote, round, certificates });
  const header = { ...BASE, miner: validator(proposer).address, ...fields };
  const hash = hashOf(header, toRlp(hashed));
  const digest = options.sealsOver === undefined ? hashOf(header, toRlp(signed)) : hash;
  const seals = sealers.map((n) => seal(validator(n).key, digest));
  return { ...header, extraData: toRlp(toComplete(seals)), hash };
};

/** Header of a clique chain: its genesis block, without `sealer`, or one that this validator sealed. */
export const sealClique = (options: {
  named?: readonly number[];
  sealer?: number;
  fields?: Header;
  /** Bytes that are signed together with the header, as other chains of this shape have it. */
  prefix?: Hex;
}): Header => {
  const { named = [], sealer, fields = {}, prefix } = options;
  const number = sealer === undefined ? '0x0' : '0x1';
  const header = { ...BASE, mixHash: ZERO, difficulty: '0x2', number, ...fields };
  const unsealed = `${VANITY}${named.map((n) => validator(n).address.slice(2)).join('')}`;
  const digest = hashOf(header, unsealed);
  const signed = prefix === undefined ? digest : keccak256(Uint8Array.of(...getBytes(prefix), ...getBytes(digest)));
  const sealed = sealer === undefined ? '0'.repeat(130) : seal(validator(sealer).key, signed).slice(2);
  const extraData = `${unsealed}${sealed}`;
  return { ...header, extraData, hash: hashOf(header, extraData) };
};

/** Besu's own example of extra data, made by the encoder of these tests. */
export const encodeExampleExtraData = (engine: 'qbft' | 'ibft2', certificates?: Rlp): Hex => {
  const vanity = toHex(Uint8Array.from({ length: 32 }, (_, at) => at + 1));
  const named = [1, 2].map((n) => `0x${n.toString(16).padStart(40, '0')}`);
  const word = (n: number): string => n.toString(16).padStart(64, '0');
  const seals = [`0x${word(1)}${word(10)}00`, `0x${word(10)}${word(1)}00`];
  const vote: Rlp = [named[0]!, '0xff'];
  const { toComplete } = ENGINES[engine]({ named, vote, round: 0xfedcba, certificates });
  return toRlp([vanity, ...(toComplete(seals) as Rlp[]).slice(1)]);
};
